"""What holds where a shop has set nothing: the schema's defaults, as the runtime puts them under the stored data."""

from collections.abc import Mapping
from typing import Any

from awning.data_schema.part import ABSENT, Absent, Json, Part


def defaults_of(part: Part) -> dict[str, Json]:
    """The defaults of an object, also those of objects in it. Its own `default` lies over its properties'."""
    value = default_of(part)
    return value if isinstance(value, dict) else {}


def default_of(part: Part) -> Json | Absent:
    """The value that holds where none is set. A list's entries have none: the runtime fills in objects alone."""
    inner = {
        name: value
        for name, property_ in part.properties.items()
        if (value := default_of(property_)) is not ABSENT
    }
    if isinstance(part.default, Mapping):
        return laid_over(inner, part.default)
    return part.default if part.default is not ABSENT else inner or ABSENT


def laid_over(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Json]:
    """As the runtime does it (`under` in jsrc/runtime/data.ts)."""
    merged = dict(under)
    for name, value in over.items():
        standard = merged.get(name)
        both = isinstance(standard, Mapping) and isinstance(value, Mapping)
        merged[name] = laid_over(standard, value) if both else value  # type: ignore[arg-type]
    return merged
