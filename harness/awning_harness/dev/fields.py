"""The app data's fields, from the schema of each widget: what the inspector makes a form from."""

from collections.abc import Mapping
from typing import Any

from awning.workspace import Widget
from awning_harness.storefront.records import text

_TYPES = {"boolean", "number", "integer", "string"}


def widget_fields(widget: Widget, language: str) -> list[dict[str, Any]]:
    """A field for each property of the widget's schema; what has no simple type is edited as JSON."""
    properties = (widget.data_schema or {}).get("properties", {})
    return [_field(name, schema, language) for name, schema in properties.items()]


def _field(name: str, schema: Mapping[str, Any], language: str) -> dict[str, Any]:
    kind = schema.get("type")
    return {
        "name": name,
        "type": kind if isinstance(kind, str) and kind in _TYPES else "json",
        "title": _text(schema.get("title", name), language),
        "description": _text(schema.get("description", ""), language),
        "choices": [str(choice) for choice in schema.get("enum", ())] if kind == "string" else [],
        **({"default": schema["default"]} if "default" in schema else {}),
    }


def _text(value: str | Mapping[str, str], language: str) -> str:
    """`title` and `description` may be languages objects."""
    return value if isinstance(value, str) else text(value, language, "en")
