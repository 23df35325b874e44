"""Reads `data.schema.json`, the JSON Schema of a widget's part of the app data, and its defaults."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from awning.diagnostics import did_you_mean
from awning.workspace.document import Document, Findings, read_json
from awning.workspace.shape import shown

_TYPES = ("object", "array", "string", "number", "integer", "boolean", "null")


def read_data_schema(file: Path, path: str, findings: Findings) -> Mapping[str, Any] | None:
    """The schema; None without the file. The whole JSON Schema vocabulary is passed on untouched."""
    if not file.exists():
        return None
    document = read_json(file, path, findings)
    if document is None:
        return None
    if document.values.get("type", "object") != "object":
        found = shown(document.values["type"])
        document.report("data-schema", f'"type" must be "object": a widget\'s data is a table, not {found}')
    _properties(document, document.values, "")
    return document.values


def _properties(document: Document, schema: Mapping[str, Any], where: str) -> None:
    properties = schema.get("properties", {})
    if not isinstance(properties, dict):
        document.report("data-schema", f'"{where}properties" must be a table')
        return
    for name, part in properties.items():
        if not isinstance(part, dict):
            document.report("data-schema", f'"{where}{name}" must be a schema, not {shown(part)}')
            continue
        declared = part.get("type")
        if isinstance(declared, str) and declared not in _TYPES:
            hint = did_you_mean(declared, _TYPES) or f"types: {', '.join(_TYPES)}"
            document.report("data-schema", f'"{where}{name}" has an unknown type "{declared}"', hint=hint)
        _properties(document, part, f"{where}{name}.")


def defaults_of(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The `default` of each property, also inside objects that have none of their own."""
    found: dict[str, Any] = {}
    for name, part in schema.get("properties", {}).items():
        if not isinstance(part, dict):
            continue
        if "default" in part:
            found[name] = part["default"]
        elif inner := defaults_of(part):
            found[name] = inner
    return found
