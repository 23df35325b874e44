"""From an answer's bytes to a typed result or a typed exception.

The envelope is the specification's (Apps Integration API, Response envelope and Errors): success is a JSON
object with `error` false; anything else is a failure, also with HTTP status 200. Checked by hand rather than
with a model: a publish reads tens of thousands of these, and the operations' parsers are a line each.
"""

import re
from typing import TypeVar

import msgspec

from awning.client.access import Access
from awning.client.operation import Answer, Broken, Fields, Json, Operation, Reply
from awning.client.secret import Secret, printable, redact
from awning.errors import BadAnswer, Refused, ServiceError, Unauthorized, Unreachable

T = TypeVar("T")

UNAUTHORIZED = 401
OK = range(200, 300)
REDIRECT = range(300, 400)
FAULT = range(500, 600)

_decode = msgspec.json.Decoder().decode
_BOM = b"\xef\xbb\xbf"
_TITLE = re.compile(r"<title[^>]*>(.*?)</title", re.DOTALL | re.IGNORECASE)


class Misshapen(ValueError):
    """A field of an answer is missing or of the wrong type. Raised by parsers, named as BadAnswer by `read`."""


def read(operation: Operation[T], reply: Reply, access: Access) -> T:
    """The operation's result. Raises Unreachable, BadAnswer, Refused or Unauthorized."""
    if isinstance(reply, Broken):
        raise _unreachable(operation, reply)
    if not isinstance(reply, Answer):
        raise TypeError("a call that was sent is answered with an Answer or Broken")
    fields = _fields(operation, reply, access)
    if fields["error"]:
        raise _refusal(operation, reply, fields, access)
    if reply.status not in OK:
        raise _bad(operation, reply, "says HTTP {} and error false at once", access)
    try:
        return operation.parse(fields)
    except Misshapen as error:
        raise _bad(operation, reply, f"answered HTTP {{}}, but {error}", access) from None


def _unreachable(operation: Operation[T], broken: Broken) -> Unreachable:
    problem = Unreachable(
        f"{operation.name}: {broken.why}", call=operation.name, unclear=broken.sent and operation.changes
    )
    problem.under_way = broken.timed_out and operation.changes
    return problem


def _fields(operation: Operation[T], answer: Answer, access: Access) -> Fields:
    """The JSON object of an answer, with a boolean `error`. The body decides: many servers call JSON text/html."""
    try:
        fields: Json = _decode(answer.body.removeprefix(_BOM))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise _not_json(operation, answer, access) from None
    if not isinstance(fields, dict):
        raise _bad(operation, answer, "answered HTTP {} with JSON that is not an object", access)
    if not isinstance(fields.get("error"), bool):
        raise _bad(operation, answer, 'answered HTTP {} without a boolean "error"', access)
    return fields


def _is_json(content_type: str) -> bool:
    """Whether a content type is JSON's, or none at all."""
    kind = content_type.partition(";")[0].strip().lower()
    return kind in {"", "application/json", "text/json"} or kind.endswith("+json")


def _not_json(operation: Operation[T], answer: Answer, access: Access) -> ServiceError:
    if answer.status in REDIRECT:
        return _bad(operation, answer, "answered HTTP {}: it wants to send the call elsewhere", access)
    page = answer.body[:4096].decode("utf-8", "replace").lstrip()
    if page.startswith("<"):
        title = _TITLE.search(page)
        named = f' titled "{title.group(1).strip()}"' if title else ""
        return _bad(
            operation, answer, f"answered HTTP {{}} with a page{_braced(named)} instead of JSON", access
        )
    what = "an empty body" if not answer.body else "something that is not JSON, or JSON cut short"
    if answer.body and not _is_json(answer.content_type):
        what = f"{_braced(answer.content_type)} instead of JSON"
    return _bad(operation, answer, f"answered HTTP {{}} with {what}", access)


def _braced(foreign: str) -> str:
    return foreign.replace("{", "{{").replace("}", "}}")


def _bad(operation: Operation[T], answer: Answer, saying: str, access: Access) -> ServiceError:
    """An answer the specification does not describe; HTTP 401 is Unauthorized whatever its body."""
    message = _clean(f"{operation.name}: {saying.format(answer.status)}", operation, access)
    if answer.status == UNAUTHORIZED:
        return Unauthorized(message, call=operation.name, error_code=UNAUTHORIZED, status=answer.status)
    hint = None if access.versioned else "the base URL does not end in /v1"
    return BadAnswer(
        message, call=operation.name, status=answer.status, unclear=_unclear(operation, answer), hint=hint
    )


def _refusal(operation: Operation[T], answer: Answer, fields: Fields, access: Access) -> Refused:
    given = fields.get(access.envelope.code)
    code = given if isinstance(given, int) and not isinstance(given, bool) else answer.status
    words = fields.get(access.envelope.message)
    text = words if isinstance(words, str) and words.strip() else "no message"
    message = _clean(f"{operation.name}: {text} (error {code}, HTTP {answer.status})", operation, access)
    if UNAUTHORIZED in {code, answer.status}:
        return Unauthorized(message, call=operation.name, error_code=UNAUTHORIZED, status=answer.status)
    refused = Refused(
        message,
        call=operation.name,
        error_code=code,
        status=answer.status,
        unclear=_unclear(operation, answer),
    )
    return access.envelope.narrowed(refused, fields)


def _unclear(operation: Operation[T], answer: Answer) -> bool:
    """Whether a changing call may have taken effect: a 4XX and a promised later time say that it did not.

    HTTP 200 with `error: true` may be a partial success (Apps Integration API, Errors, rule 1).
    """
    return operation.changes and (answer.status in OK or (answer.status in FAULT and not answer.retry_after))


def _clean(text: str, operation: Operation[T], access: Access) -> str:
    """A service that echoes what it was sent must not put our secrets into our messages."""
    carried = tuple(value for _, value in operation.query if isinstance(value, Secret))
    return printable(redact(text, access.secrets + carried + operation.secrets))
