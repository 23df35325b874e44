"""The parameters of a call: query and form body together, as a PHP service sees them.

Observed: clients send them in either place, the token included. A body counts as a form unless it says that it
is something else; what is in the body goes before the query, the last of several values before the others. Whether
a JSON object is read as well is an assumption.
"""

from collections.abc import Iterator
from email import policy
from email.parser import BytesParser
from urllib.parse import parse_qsl

import msgspec

from awning_harness.service.asgi import Request

FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
JSON = "application/json"
MOST = 2000
CACHE_BUSTER = "_"


def parameters_of(request: Request, *, json: bool) -> dict[str, str]:
    """Name -> value. What cannot be read is no parameter; `json` says whether a body of JSON can."""
    given = dict(request.parameters()[:MOST])
    given.update(_of_body(request, json=json))
    given.pop(CACHE_BUSTER, None)
    return given


def _of_body(request: Request, *, json: bool) -> Iterator[tuple[str, str]]:
    content_type = request.header(b"content-type") or FORM
    kind = content_type.partition(";")[0].strip().lower()
    if kind == FORM:
        text = request.body.decode("utf-8", "replace")
        yield from parse_qsl(text, keep_blank_values=True)[:MOST]
    elif kind == MULTIPART:
        yield from _multipart(content_type, request.body)
    elif kind == JSON and json:
        yield from _members(request.body)


def _multipart(content_type: str, body: bytes) -> Iterator[tuple[str, str]]:
    """The fields of a multipart body (what PHP's curl sends for an array); files are no parameters."""
    head = f"Content-Type: {content_type}\r\n\r\n".encode("latin-1", "replace")
    message = BytesParser(policy=policy.HTTP).parsebytes(head + body)
    for part in message.iter_parts() if message.is_multipart() else ():
        name = part.get_param("name", header="content-disposition")
        value = part.get_payload(decode=True)
        if isinstance(name, str) and part.get_filename() is None and isinstance(value, bytes):
            yield name, value.decode("utf-8", "replace")


def _members(body: bytes) -> Iterator[tuple[str, str]]:
    """The members of a JSON object that a form could hold: texts, and numbers and booleans as JSON writes them."""
    try:
        value = msgspec.json.decode(body)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return
    for name, member in list(value.items())[:MOST] if isinstance(value, dict) else ():
        if isinstance(member, str):
            yield name, member
        elif isinstance(member, bool | int | float):
            yield name, msgspec.json.encode(member).decode()
