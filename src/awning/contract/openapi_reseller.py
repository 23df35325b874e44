"""Describes the Reseller API as OpenAPI 3.1, from the tables of its calls, fields and errors.

Every call may be made with GET or POST (Reseller API, Endpoints). The specification does not show the HTTP status of
errors. The status 200 was observed, so a response with 200 may have the envelope of success or of an error.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from awning.contract.openapi_parts import (
    OPENAPI,
    Json,
    in_path,
    in_query,
    json_response,
    obj,
    ref,
    server,
    success,
)
from awning.contract.reseller_calls import (
    CALLBACK_PARAMETER,
    DOMAIN,
    RESELLER_CALLS,
    SUBSCRIPTION,
    SUBSCRIPTIONS,
    TOKEN_PARAMETER,
    WEBSITE,
    ResellerCall,
)
from awning.contract.reseller_errors import (
    LEAST_ADDITION,
    LEAST_LIMIT,
    MAX_CREDITS_FIELD,
    MOST_CREDITS,
    RESELLER_ERRORS,
)
from awning.contract.reseller_fields import (
    BALANCE_FIELDS,
    DOMAIN_FIELDS,
    OBSERVED_SETTABLE,
    OBSERVED_SETTINGS_FIELDS,
    SETTINGS_FIELDS,
    SIGNUP_FEE_FIELD,
    WEBSITE_FIELDS,
    ResellerField,
)

RESELLER_URL = "https://reseller.service.example"
FORM = "application/x-www-form-urlencoded"
JAVASCRIPT = "application/javascript"

_TYPE_SCHEMAS: Mapping[str, Json] = MappingProxyType(
    {
        "string": {"type": "string"},
        "integer": {"type": "integer"},
        "boolean": {"type": "boolean"},
        "datetime": {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$"},
        "url": {"type": "string"},
        "money": {"type": "string", "description": "Currency code followed by amount."},
    }
)

_PLACES: Mapping[str, Json] = MappingProxyType(
    {
        WEBSITE: in_path("website", {"type": "integer"}, "The website's id."),
        SUBSCRIPTION: in_path("subscription", {"enum": list(SUBSCRIPTIONS)}, "The plan."),
        DOMAIN: in_path("domain", {"type": "integer"}, "The domain's id, from the domains list."),
    }
)

_TEXT: Json = {"type": "string"}


def _credits(least: int) -> Json:
    return {"type": "integer", "minimum": least, "maximum": MOST_CREDITS}


_PARAMETERS: Mapping[tuple[str, str], Json] = MappingProxyType(
    {
        ("ai_limit/set", "credits"): _credits(LEAST_LIMIT),
        ("ai_credits/add", "credits"): _credits(LEAST_ADDITION),
        ("domain/add", "domain"): {"type": "string", "description": "Name without www."},
    }
)
"""Schemas by operation and parameter. A parameter that is not listed is a string."""


def reseller_openapi(reseller_url: str = RESELLER_URL) -> Json:
    """Return the OpenAPI document. `reseller_url` is the base address, to which /api/... is appended."""
    return {
        "openapi": OPENAPI,
        "info": {
            "title": "Reseller API",
            "version": "1",
            "summary": "The control interface for approved resellers.",
            "description": "Made from awning's tables of the specification. The path carries no version.",
        },
        "servers": server(reseller_url, "The base address, to which /api/... is appended."),
        "security": [{"apiToken": []}],
        "paths": {call.path.replace("<", "{").replace(">", "}"): _path_item(call) for call in RESELLER_CALLS},
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {
                "apiToken": {
                    "type": "apiKey",
                    "in": "query",
                    "name": TOKEN_PARAMETER,
                    "description": "The token from authorize. A form body may hold it, too (observed).",
                }
            },
        },
    }


def _path_item(call: ResellerCall) -> Json:
    places = [parameter for place, parameter in _PLACES.items() if place in call.path]
    path_item: Json = {"parameters": places} if places else {}
    path_item["get"] = _call(call, "get")
    path_item["post"] = _call(call, "post")
    return path_item


def _call(call: ResellerCall, method: str) -> Json:
    names = OBSERVED_SETTABLE if call.operation == "settings/set" else call.parameters
    parameters = {name: _PARAMETERS.get((call.operation, name), _TEXT) for name in names}
    call_object: Json = {
        "operationId": f"{call.operation.replace('/', '_')}_{method}",
        **({} if call.token else {"security": []}),
    }
    if method == "get":
        call_object["parameters"] = [
            *(
                in_query(name, schema, "", required=name in call.parameters)
                for name, schema in parameters.items()
            ),
            in_query(CALLBACK_PARAMETER, _TEXT, "With this parameter the response is JSONP (observed)."),
        ]
    elif parameters:
        form = {FORM: {"schema": obj(parameters, call.parameters)}}
        call_object["requestBody"] = {"required": bool(call.parameters), "content": form}
    call_object["responses"] = {
        "200": _response_with_jsonp(
            "Success or an error, depending on `error`.", {"oneOf": [_success(call), ref("Error")]}
        ),
        "4XX": _response_with_jsonp("An error; its HTTP status is not shown.", ref("Error")),
        "5XX": _response_with_jsonp("An error; its HTTP status is not shown.", ref("Error")),
    }
    return call_object


def _response_with_jsonp(description: str, schema: Json) -> Json:
    """Return a response in JSON, or in JSONP when the query or the form of the request has `callback` (observed)."""
    response = json_response(description, schema)
    response["content"][JAVASCRIPT] = {"schema": _TEXT}
    return response


def _success(call: ResellerCall) -> Json:
    match call.operation:
        case "settings":
            return success(
                _properties((*SETTINGS_FIELDS, *OBSERVED_SETTINGS_FIELDS)), _names(SETTINGS_FIELDS)
            )
        case "balance":
            fee = {
                SIGNUP_FEE_FIELD: {
                    "type": "string",
                    "description": "Present while the fee is unpaid (observed).",
                }
            }
            return success(_properties(BALANCE_FIELDS) | fee, _names(BALANCE_FIELDS))
        case _:
            return success({name: _RESPONSE[name] for name in call.response}, call.response)


_RESPONSE: Mapping[str, Json] = MappingProxyType(
    {
        "apiToken": _TEXT,
        "websites": {"type": "array", "items": ref("Website")},
        "website": ref("Website"),
        "loginUrl": _TEXT,
        "domains": {"type": "array", "items": ref("Domain")},
    }
)


def _schemas() -> Json:
    codes = "; ".join(f"{error.code}: {error.condition}" for error in RESELLER_ERRORS)
    return {
        "Website": obj(_properties(WEBSITE_FIELDS), _names(WEBSITE_FIELDS)),
        "Domain": obj(_properties(DOMAIN_FIELDS), _names(DOMAIN_FIELDS)),
        "Error": obj(
            {
                "error": {"const": True},
                "errorCode": {
                    "type": "integer",
                    "description": f"{codes}. The specification shows no other codes.",
                },
                "errorMsg": {"type": "string"},
                MAX_CREDITS_FIELD: {"type": "integer", "description": "With 509."},
            },
            ("error", "errorCode", "errorMsg"),
        ),
    }


def _properties(fields: Iterable[ResellerField]) -> dict[str, Json]:
    properties: dict[str, Json] = {}
    for field in fields:
        schema = _TYPE_SCHEMAS[field.kind]
        nullable = {"type": [schema["type"], "null"]} if field.nullable else {}
        properties[field.name] = {**schema, **nullable}
    return properties


def _names(fields: Iterable[ResellerField]) -> list[str]:
    return [field.name for field in fields]
