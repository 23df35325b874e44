"""Reads a response: turns its bytes into a typed result or a typed exception.

The envelope is the specification's (Apps Integration API, Response envelope and Errors): success is HTTP 2XX with a
JSON object whose `error` is false. Anything else is a failure, also with HTTP status 200. The envelope is checked by
hand and not by a validation library, because one publish reads tens of thousands of responses.
"""

import re
from typing import TypeVar

import msgspec

from awning.client.access import Access
from awning.client.operation import Fields, Json, NoResponse, Operation, Reply, Response
from awning.client.secret import Secret, printable, redact
from awning.errors import BadAnswer, Refused, ServiceError, Unauthorized, Unreachable

T = TypeVar("T")

UNVERSIONED = "the base URL does not end in /v1"
UNAUTHORIZED = 401
NOT_FOUND = 404
OK = range(200, 300)
REDIRECT = range(300, 400)
FAULT = range(500, 600)

_decode = msgspec.json.Decoder().decode
_BOM = b"\xef\xbb\xbf"
_TITLE = re.compile(r"<title[^>]*>(.*?)</title", re.DOTALL | re.IGNORECASE)


class MalformedField(ValueError):
    """A field of a response is missing or malformed. Parsers raise this error; `read` turns it into BadAnswer."""


def read(operation: Operation[T], reply: Reply, access: Access) -> T:
    """Return the operation's result.

    Raises Unreachable without a response, BadAnswer for a response that the specification does not describe, and
    Refused or a subclass for a refusal. HTTP 401 is always Unauthorized.
    """
    if isinstance(reply, NoResponse):
        unreachable = Unreachable(
            f"{operation.name}: {reply.why}",
            call=operation.name,
            unclear=reply.sent and operation.changes,
            hint=reply.hint,
        )
        unreachable.under_way = reply.timed_out and operation.changes
        raise unreachable
    if not isinstance(reply, Response):
        raise TypeError("an operation is followed by a Response or NoResponse")
    fields = _fields(operation, reply, access)
    if fields["error"]:
        raise _refusal(operation, reply, fields, access)
    if reply.status not in OK:
        raise _bad_response(operation, reply, "answered HTTP {} with error false, a contradiction", access)
    try:
        return operation.parse(fields)
    except MalformedField as error:
        raise _bad_response(operation, reply, f"answered HTTP {{}}, but {error}", access) from None


def _fields(operation: Operation[T], response: Response, access: Access) -> Fields:
    """Return the JSON object of a response.

    Raises BadAnswer, or Unauthorized with HTTP 401, when the body is not a JSON object with a boolean `error`. The
    content type does not decide this, because many servers send JSON as text/html.
    """
    try:
        fields: Json = _decode(response.body.removeprefix(_BOM))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise _not_json(operation, response, access) from None
    if not isinstance(fields, dict):
        raise _bad_response(operation, response, "answered HTTP {} with JSON that is not an object", access)
    if not isinstance(fields.get("error"), bool):
        raise _bad_response(operation, response, 'answered HTTP {} without a boolean "error"', access)
    return fields


def _not_json(operation: Operation[T], response: Response, access: Access) -> ServiceError:
    if response.status in REDIRECT:
        return _bad_response(
            operation, response, "answered HTTP {}, a redirect, which is not followed", access
        )
    page = response.body[:4096].decode("utf-8", "replace").lstrip()
    if page.startswith("<"):
        title = _TITLE.search(page)
        named = f' titled "{title.group(1).strip()}"' if title else ""
        return _bad_response(
            operation, response, f"answered HTTP {{}} with a page{_braced(named)} instead of JSON", access
        )
    what = "an empty body" if not response.body else "something that is not JSON, or JSON cut short"
    media_type = response.content_type.partition(";")[0].strip().lower()
    is_json = media_type in {"", "application/json", "text/json"} or media_type.endswith("+json")
    if response.body and not is_json:
        what = f"{_braced(response.content_type)} instead of JSON"
    return _bad_response(operation, response, f"answered HTTP {{}} with {what}", access)


def _braced(foreign: str) -> str:
    return foreign.replace("{", "{{").replace("}", "}}")


def _bad_response(operation: Operation[T], response: Response, saying: str, access: Access) -> ServiceError:
    """Return the error for a response that the specification does not describe. HTTP 401 is always Unauthorized."""
    message = _clean(f"{operation.name}: {saying.format(response.status)}", operation, access)
    if response.status == UNAUTHORIZED:
        return _unauthorized(message, operation, response, access)
    return BadAnswer(
        message,
        call=operation.name,
        status=response.status,
        unclear=_unclear(operation, response),
        hint=None if access.versioned else UNVERSIONED,
    )


def _refusal(operation: Operation[T], response: Response, fields: Fields, access: Access) -> Refused:
    sent_code = fields.get(access.envelope.code)
    code = sent_code if isinstance(sent_code, int) and not isinstance(sent_code, bool) else response.status
    words = fields.get(access.envelope.message)
    text = words if isinstance(words, str) and words.strip() else "no message"
    message = _clean(f"{operation.name}: {text} (error {code}, HTTP {response.status})", operation, access)
    if UNAUTHORIZED in {code, response.status}:
        return _unauthorized(message, operation, response, access)
    refused = Refused(
        message,
        call=operation.name,
        error_code=code,
        status=response.status,
        unclear=_unclear(operation, response),
        hint=UNVERSIONED if response.status == NOT_FOUND and not access.versioned else None,
    )
    return access.envelope.narrowed(refused, fields)


def _unauthorized(message: str, operation: Operation[T], response: Response, access: Access) -> Unauthorized:
    return Unauthorized(
        message,
        call=operation.name,
        error_code=UNAUTHORIZED,
        status=response.status,
        hint=access.unauthorized_hint,
    )


def _unclear(operation: Operation[T], response: Response) -> bool:
    """Return whether the operation changes something and may have taken effect in spite of this response.

    A 3XX, a 4XX, and a 5XX with Retry-After mean that it has not. HTTP 200 with `error: true` may be a partial success
    (Apps Integration API, Errors, rule 1).
    """
    return operation.changes and (
        response.status in OK or (response.status in FAULT and not response.retry_after)
    )


def _clean(text: str, operation: Operation[T], access: Access) -> str:
    """Return the text as one printable line without our secrets, which a service may repeat in its message."""
    carried = tuple(value for _, value in operation.query if isinstance(value, Secret))
    return printable(redact(text, access.secrets + carried + operation.secrets))
