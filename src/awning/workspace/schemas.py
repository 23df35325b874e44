"""JSON Schemas of the workspace's TOML files, for editors.

They are made from the shapes that validate the files, and that of manifest.toml from the contract.
"""

from typing import Any

from awning.contract.manifest_fields import manifest_schema
from awning.workspace.shapes import STATE, TOOL_AWNING, WIDGET
from awning.workspace.store.shapes import FILE, NESTED, STORE, TABLES
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
        "storefront.schema.json": {"$schema": DRAFT, **_store_schema()},
        "tool-awning.schema.json": {"$schema": DRAFT, **_schema(TOOL_AWNING)},
        "manifest.schema.json": {"$schema": DRAFT, **manifest_schema()},
    }


def _store_schema() -> dict[str, Any]:
    """Return the schema of a file in storefront/, whose tables may have tables inside them."""
    schema = _schema(FILE)
    tables = {kind: {"type": "array", "items": _nested_schema(kind, shape)} for kind, shape in TABLES.items()}
    return {**schema, "properties": {"store": _schema(STORE), **tables}}


def _nested_schema(kind: str, shape: TableShape) -> dict[str, Any]:
    schema = _schema(shape)
    inner = {
        key: {**schema["properties"][key], "items": _nested_schema(key, nested)}
        for (outer, key), nested in NESTED.items()
        if outer == kind
    }
    return {**schema, "properties": {**schema["properties"], **inner}}


def _schema(shape: TableShape) -> dict[str, Any]:
    return {
        "type": "object",
        "title": shape.what,
        "additionalProperties": False,
        "required": [key.name for key in shape.keys if key.required],
        "properties": {
            key.name: {
                **(_schema(key.kind.shape) if key.kind.shape else key.kind.schema),
                **({"description": key.about} if key.about else {}),
            }
            for key in shape.keys
        },
    }
