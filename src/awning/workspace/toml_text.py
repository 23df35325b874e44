"""Writes values as TOML, for files that awning adds to a workspace."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any


def toml_string(text: str) -> str:
    """Return the text as a string of TOML. It differs from JSON: no surrogate pairs, and U+007F is escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else toml_string(name)


def toml_table(path: str, values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a table of JSON's values, and of the tables in it. TOML has no null: a null is left out."""
    yield f"\n[{path}]"
    tables = {}
    for name, value in values.items():
        if isinstance(value, Mapping):
            tables[name] = value
        elif isinstance(value, list):
            yield f"{toml_key(name)} = ["
            yield from (f"  {inline_value(element)}," for element in value if element is not None)
            yield "]"
        elif value is not None:
            yield f"{toml_key(name)} = {inline_value(value)}"
    for name, table in tables.items():
        yield from toml_table(f"{path}.{toml_key(name)}", table)


def inline_value(value: Any) -> str:
    match value:
        case str():
            return toml_string(value)
        case Mapping():
            pairs = (f"{toml_key(name)} = {inline_value(v)}" for name, v in value.items() if v is not None)
            return f"{{ {', '.join(pairs)} }}" if value else "{}"
        case list():
            return f"[{', '.join(inline_value(element) for element in value if element is not None)}]"
        case _:
            return json.dumps(value)
