"""The defaults of a schema, which the runtime uses where the stored data has no value."""

from collections.abc import Mapping
from typing import Any

from awning.data_schema.schema_part import ABSENT, Absent, Json, SchemaPart


def defaults_of(part: SchemaPart) -> dict[str, Json]:
    """Return the defaults of an object and of the objects in it; an empty dict when there are none.

    An object's own `default` takes precedence over the defaults of its properties.
    """
    value = default_of(part)
    return value if isinstance(value, dict) else {}


def default_of(part: SchemaPart) -> Json | Absent:
    """Return the default of a part's value, or ABSENT when there is none.

    The entries of a list have no defaults, because the runtime fills in only objects.
    """
    inner = {
        name: value
        for name, property_ in part.properties.items()
        if (value := default_of(property_)) is not ABSENT
    }
    if isinstance(part.default, Mapping):
        return merge_values(inner, part.default)
    return part.default if part.default is not ABSENT else inner or ABSENT


def merge_values(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Json]:
    """Merge two objects as the runtime does (`under` in jsrc/runtime/data.ts).

    Where both have a value, that of `over` is used; two objects are merged.
    """
    merged = dict(under)
    for name, value in over.items():
        standard = merged.get(name)
        both = isinstance(standard, Mapping) and isinstance(value, Mapping)
        merged[name] = merge_values(standard, value) if both else value  # type: ignore[arg-type]
    return merged
