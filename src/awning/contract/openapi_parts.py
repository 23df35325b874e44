"""Builders of OpenAPI 3.1 fragments, for the descriptions of both APIs."""

from collections.abc import Iterable, Mapping
from typing import Any

Json = dict[str, Any]

OPENAPI = "3.1.0"
JSON_TYPE = "application/json"


def obj(properties: Mapping[str, Any], required: Iterable[str] = (), **more: Any) -> Json:
    """Return the schema of an object.

    It allows further properties, because a service may send more than is described.
    """
    required = list(required)
    return {
        "type": "object",
        "properties": dict(properties),
        **({"required": required} if required else {}),
        **more,
    }


def either(*kinds: str, **more: Any) -> Json:
    """Return the schema of a value that may have any of several JSON types."""
    return {"type": list(kinds), **more}


def ref(name: str, kind: str = "schemas") -> Json:
    return {"$ref": f"#/components/{kind}/{name}"}


def success(fields: Mapping[str, Any], required: Iterable[str] = ()) -> Json:
    """Return the envelope of success: `error` is false, and the operation's fields follow."""
    return obj({"error": {"const": False}, **fields}, ("error", *required))


def json_response(description: str, schema: Json, **examples: Any) -> Json:
    content: Json = {"schema": schema}
    if examples:
        content["examples"] = {name: {"value": value} for name, value in examples.items()}
    return {"description": description, "content": {JSON_TYPE: content}}


def in_path(name: str, schema: Json, description: str) -> Json:
    return {"name": name, "in": "path", "required": True, "description": description, "schema": schema}


def in_query(name: str, schema: Json, description: str, *, required: bool = False) -> Json:
    return {"name": name, "in": "query", "required": required, "description": description, "schema": schema}


def server(url: str, description: str) -> list[Json]:
    """Return a list with one server. Its whole address is a variable, because the service is white-label."""
    base = {"default": url, "description": description}
    return [{"url": "{base_url}", "variables": {"base_url": base}}]
