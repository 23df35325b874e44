"""The calls of the Apps API, each described once (Apps Integration API, Endpoints).

`app_info`, `set_head_snippet` and `get_head_snippet` are not in the specification: they were observed in public
clients. Not every service has the two calls for head snippets. The profile's `head_snippets` states whether it has. A
function that gets a language raises ConfigurationError when it is not a language code. Each raises TypeError when the
authCode is not a Secret.
"""

from dataclasses import dataclass
from typing import Any

import msgspec

from awning.client.app_data import encode_app_data
from awning.client.operation import Fields, Json, Operation, Repeat
from awning.client.responses import MalformedField
from awning.client.secret import Secret, checked_secret
from awning.contract import is_language_code
from awning.errors import ConfigurationError


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """The website's owner. A field is None when the service omits it or sends null (`_optional`)."""

    email: str | None
    email_confirmed: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Website:
    url: str | None
    brandname: str | None


def installed(code: Secret) -> Operation[None]:
    """Finish the installation."""
    return _post("installed", code)


def delete(code: Secret) -> Operation[None]:
    """Uninstall: the service clears all snippets and data of the instance."""
    return _post("delete", code)


def set_snippet(code: Secret, snippet: str, language: str | None = None) -> Operation[None]:
    """Set the body snippet of the website, or of its pages in one language."""
    return _post("set_snippet", code, _snippet_fields(snippet, language))


def get_snippet(code: Secret, language: str | None = None) -> Operation[str | None]:
    """Read the body snippet. The result is None when no snippet was set (assumed: not shown in the specification)."""
    return _get("get_snippet", code, _snippet, language)


def set_head_snippet(code: Secret, snippet: str, language: str | None = None) -> Operation[None]:
    """Set the head snippet of the website, or of its pages in one language. Observed, not documented."""
    return _post("set_head_snippet", code, _snippet_fields(snippet, language))


def get_head_snippet(code: Secret, language: str | None = None) -> Operation[str | None]:
    """Read the head snippet. The result is None when no snippet was set (assumed). Observed, not documented."""
    return _get("get_head_snippet", code, _snippet, language)


def set_data(code: Secret, data: Json) -> Operation[None]:
    """Store app data. A string is stored as it is. Any other value is stored as `encode_app_data` encodes it.

    So no value in an object can end the script element that holds the data in a page. Raises ConfigurationError when
    the data has no JSON form.
    """
    return _post("set_data", code, {"data": data if isinstance(data, str) else encode_app_data(data)})


def get_data(code: Secret) -> Operation[Json]:
    """Get the stored app data: a string, an object, an empty list, or None when the response has no data.

    The empty list was observed after the first write of some apps.
    """
    return _get("get_data", code, _data)


def user(code: Secret) -> Operation[User]:
    return _get("user", code, _user)


def website(code: Secret) -> Operation[Website]:
    return _get("website", code, _website)


def languages(code: Secret) -> Operation[tuple[str, ...]]:
    """Get the languages that the website uses."""
    return _get("languages", code, _languages)


def app_info(code: Secret) -> Operation[dict[str, Json]]:
    """Get the app's manifest fields. Observed, not documented."""
    return _get("app_info", code, _info)


def _post(name: str, code: Secret, body: dict[str, Json] | None = None) -> Operation[None]:
    """Return a POST operation. Without fields, its body is empty, not an empty JSON object (observed)."""
    payload = b"" if body is None else msgspec.json.encode(body)
    return Operation(
        name=name,
        method="POST",
        path=f"/apps/{name}/",
        parse=_nothing,
        query=_query(code),
        body=payload,
    )


def _get(name: str, code: Secret, parse: Any, language: str | None = None) -> Operation[Any]:
    path = f"/apps/{name}/" if language is None else f"/apps/{name}/{_checked(language)}/"
    return Operation(name=name, method="GET", path=path, parse=parse, repeat=Repeat.SAFE, query=_query(code))


def _query(code: Secret) -> tuple[tuple[str, Secret]]:
    return (("authCode", checked_secret(code, "the authCode")),)


def _snippet_fields(snippet: str, language: str | None) -> dict[str, Json]:
    """Return the fields of a call that sets a snippet.

    The call for the website-wide snippet has no field `language` (Apps Integration API, Code snippet).
    """
    return {"snippet": snippet} if language is None else {"snippet": snippet, "language": _checked(language)}


def _checked(language: str) -> str:
    if not is_language_code(language):
        raise ConfigurationError(f"{language!r} is not a language code", hint='such as "lv" or "pt-BR"')
    return language


def _nothing(fields: Fields) -> None:
    """Return None, because the specification shows no field besides the error flag."""


def _snippet(fields: Fields) -> str | None:
    snippet: str | None = _optional(fields, "snippet", str)
    return snippet


def _data(fields: Fields) -> Json:
    data = fields.get("data")
    if isinstance(data, (int, float)):
        raise MalformedField('"data" is neither a string nor an object')
    return data


def _user(fields: Fields) -> User:
    inner = _object(fields, "user")
    return User(
        email=_optional(inner, "email", str), email_confirmed=_optional(inner, "email_confirmed", bool)
    )


def _website(fields: Fields) -> Website:
    inner = _object(fields, "website")
    return Website(url=_optional(inner, "url", str), brandname=_optional(inner, "brandname", str))


def _info(fields: Fields) -> dict[str, Json]:
    return dict(_object(fields, "info"))


def _languages(fields: Fields) -> tuple[str, ...]:
    codes = fields.get("languages")
    if not isinstance(codes, list) or not all(isinstance(code, str) for code in codes):
        raise MalformedField('"languages" is not an array of strings')
    return tuple(codes)


def _object(fields: Fields, name: str) -> Fields:
    value = fields.get(name)
    if not isinstance(value, dict):
        raise MalformedField(f'"{name}" is not an object')
    return value


def _optional(fields: Fields, name: str, kind: type) -> Any:
    """Return an optional field; None when it is omitted or null (Apps Integration API, Response envelope).

    Raises MalformedField when it has another type than `kind`.
    """
    value = fields.get(name)
    if value is not None and type(value) is not kind:
        raise MalformedField(f'"{name}" is a {type(value).__name__}, not a {kind.__name__}')
    return value
