"""JSON Schemas of the workspace's TOML files, for editors. They are made from the tables that validate the files."""

from typing import Any

from awning.contract.manifest_schema import manifest_schema
from awning.workspace.shapes import STATE, TOOL_AWNING, WIDGET
from awning.workspace.validation import TableShape

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def editor_schemas() -> dict[str, dict[str, Any]]:
    """Return the schemas by file name."""
    states = {"type": "object", "additionalProperties": False}
    return {
        "widget.schema.json": {"$schema": DRAFT, **_schema(WIDGET)},
        "states.schema.json": {
            "$schema": DRAFT,
            **states,
            "properties": {"state": {"type": "array", "items": _schema(STATE)}},
        },
        "tool-awning.schema.json": {"$schema": DRAFT, **_schema(TOOL_AWNING)},
        "manifest.schema.json": {"$schema": DRAFT, **manifest_schema()},
    }


def _schema(shape: TableShape) -> dict[str, Any]:
    return {
        "type": "object",
        "title": shape.what,
        "additionalProperties": False,
        "required": [key.name for key in shape.keys if key.required],
        "properties": {
            key.name: {**key.kind.schema, **({"description": key.about} if key.about else {})}
            for key in shape.keys
        },
    }
