"""Where app data differs from what the last build's widgets read (`dist/data.schema.json`): unknown keys, wrong types.

A warning and no more: data may be written before the release that reads it.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from awning.diagnostics import did_you_mean
from awning.errors import ConfigurationError
from awning.workspace.find import find_workspace

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "number": (int, float),
}


def warnings(data: Mapping[str, Any]) -> list[str]:
    """One line for each difference; none where there is no build."""
    try:
        file = find_workspace(Path.cwd()) / "dist" / "data.schema.json"
        schema = json.loads(file.read_text(encoding="utf-8"))
    except (ConfigurationError, OSError, ValueError):
        return []
    return list(_differences(data, schema, ""))


def _differences(value: Any, schema: Any, where: str) -> Iterator[str]:
    if not isinstance(schema, dict):
        return
    declared = schema.get("type")
    types = [declared] if isinstance(declared, str) else declared or []
    if types and not any(_is(value, name) for name in types):
        yield f"{where} should be {' or '.join(types)}, not {json.dumps(value, ensure_ascii=False)[:40]}"
    elif isinstance(value, dict):
        known = schema.get("properties", {})
        for key, inner in value.items():
            path = f"{where}.{key}" if where else key
            if key in known:
                yield from _differences(inner, known[key], path)
            elif known and not schema.get("additionalProperties") and "patternProperties" not in schema:
                hint = did_you_mean(key, known)
                yield f"nothing reads {path}" + (f": {hint}" if hint else "")


def _is(value: Any, name: str) -> bool:
    if isinstance(value, bool) and name != "boolean":
        return False
    if name == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return isinstance(value, _TYPES.get(name, (object,)))
