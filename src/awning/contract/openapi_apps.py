"""Describes the Apps API as OpenAPI 3.1, from the table of its calls.

It leaves open what the specification leaves open: the response for a snippet that was never set, error codes and
statuses. Calls marked `x-observed` are not in the specification.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from awning.contract.endpoints import (
    AUTH_CODE_PARAMETER,
    AUTH_SCHEME,
    ENDPOINTS,
    UNAUTHORIZED_CODE,
    UNAUTHORIZED_MESSAGE,
    Endpoint,
)
from awning.contract.languages import LANGUAGE_CODE
from awning.contract.openapi_parts import (
    JSON_TYPE,
    OPENAPI,
    Json,
    either,
    in_path,
    json_response,
    obj,
    ref,
    server,
    success,
)

BASE_URL = "https://service.example/v1"
LANGUAGE: Json = {"type": "string", "pattern": f"^{LANGUAGE_CODE.pattern}$"}
_PLACE = "<language>"

_SUMMARIES: Mapping[str, str] = MappingProxyType(
    {
        "installed": "Finish the installation",
        "delete": "Uninstall the app: clear all snippets and data of the instance",
        "set_snippet": "Set the body snippet of the website, or of its pages in one language",
        "get_snippet": "Read the body snippet",
        "set_data": "Store the app data of the instance",
        "get_data": "Read the app data of the instance",
        "user": "The website's owner",
        "website": "The website",
        "languages": "Read the languages that the website uses",
        "app_info": "Read the app's manifest, without its secret",
        "set_head_snippet": "Set the head snippet of the website, or of its pages in one language",
        "get_head_snippet": "Read the head snippet",
    }
)

_REQUEST: Mapping[str, Json] = MappingProxyType(
    {
        "snippet": {"type": "string", "contentMediaType": "text/html"},
        "language": {
            **LANGUAGE,
            "type": ["string", "null"],
            "description": "Absent or null (null is observed) means the whole website.",
        },
        "data": either("string", "object", "array", description="PHP apps send an empty array (observed)."),
    }
)

_RESPONSE: Mapping[str, Json] = MappingProxyType(
    {
        "snippet": either("string", "null", description="Null or absent where none was set: not shown."),
        "data": either(
            "string", "object", "array", "null", description="Null or absent where none was set: not shown."
        ),
        "user": ref("User"),
        "website": ref("Website"),
        "languages": {"type": "array", "items": {"type": "string"}},
        "info": {"type": "object", "description": "Fields of the manifest."},
    }
)

_MAY_BE_ABSENT = {"snippet", "data"}
"""Fields of a response that may be absent."""


def apps_openapi(base_url: str = BASE_URL) -> Json:
    """Return the OpenAPI document. `base_url` is the server's default address."""
    paths: Json = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path.replace(_PLACE, "{language}"), {})[endpoint.method.lower()] = _call(
            endpoint
        )
    return {
        "openapi": OPENAPI,
        "info": {
            "title": "Apps Integration API",
            "version": "1",
            "summary": "The server-side calls of an app.",
            "description": "Made from awning's table of the specification. A draft, like the interface itself.",
        },
        "servers": server(base_url, "The base address, ending in /v1."),
        "security": [{"apiKey": [], "authCode": []}],
        "paths": paths,
        "components": {"schemas": _schemas(), "responses": _responses(), "securitySchemes": _security()},
    }


def _call(endpoint: Endpoint) -> Json:
    in_language = _PLACE in endpoint.path
    language = in_path("language", LANGUAGE, "A language of the website.")
    observed = {
        "x-observed": True,
        "description": "Not in the specification, but observed in public clients.",
    }
    fields = {name: _RESPONSE[name] for name in endpoint.response}
    always_there = [name for name in endpoint.response if name not in _MAY_BE_ABSENT]
    return {
        "operationId": f"{endpoint.operation}_in_language" if in_language else endpoint.operation,
        "summary": _SUMMARIES[endpoint.operation] + (", of one language" if in_language else ""),
        **(observed if endpoint.observed else {}),
        **({"parameters": [language]} if in_language else {}),
        **({"requestBody": _body(endpoint)} if endpoint.method == "POST" else {}),
        "responses": {
            "200": json_response("Done.", success(fields, always_there)),
            "401": ref("Unauthorized", "responses"),
            "4XX": ref("Failure", "responses"),
            "5XX": ref("Failure", "responses"),
        },
    }


def _body(endpoint: Endpoint) -> Json:
    """Return the body of a request. A call without mandatory fields may send an empty body (observed)."""
    fields = {name: _REQUEST[name] for name in endpoint.request}
    return {
        "required": bool(endpoint.required),
        "content": {JSON_TYPE: {"schema": obj(fields, endpoint.required)}},
    }


def _schemas() -> Json:
    """Return the schemas of resources and errors.

    Optional properties may be absent or null (Apps Integration API, Response envelope).
    """
    email = either("string", "null")
    return {
        "User": obj({"email": email, "email_confirmed": either("boolean", "null")}),
        "Website": obj({"url": either("string", "null"), "brandname": either("string", "null")}),
        "Error": obj(
            {
                "error": {"const": True},
                "error_code": {"type": "integer"},
                "error_message": {"type": "string"},
            },
            ("error", "error_code", "error_message"),
        ),
    }


def _responses() -> Json:
    unauthorized: dict[str, Any] = {
        "error": True,
        "error_code": UNAUTHORIZED_CODE,
        "error_message": UNAUTHORIZED_MESSAGE,
    }
    return {
        "Unauthorized": json_response(
            "The key or the authCode is missing or wrong.", ref("Error"), unauthorized=unauthorized
        ),
        "Failure": json_response("The specification does not list all error codes.", ref("Error")),
    }


def _security() -> Json:
    """Return the API key and the authCode, which every call needs.

    Source: Apps Integration API, Authentication, Server-side calls.
    """
    return {
        "apiKey": {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": f"`{AUTH_SCHEME} <API_KEY>`: the key that the portal made for the app.",
        },
        "authCode": {
            "type": "apiKey",
            "in": "query",
            "name": AUTH_CODE_PARAMETER,
            "description": "The code of the instance, received at its installation.",
        },
    }
