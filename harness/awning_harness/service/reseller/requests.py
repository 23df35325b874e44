"""Reads a request: finds the call by the path, and reads the parameters in path, query and body.

Two forms of paths were observed that the specification does not have: enable_premium without its subscription, and the
website as a parameter instead of a path segment, with or without the word `website` before the call.

Parameters are read as a PHP service reads them. Clients send them, including the token, in the query or in a form body
(observed). A body counts as a form unless it has another content type. Values in the body override those in the query,
and the last of several values overrides the others. An assumption decides whether a JSON object is read, too.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from email import policy
from email.parser import BytesParser
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import Request

from awning.contract.reseller_calls import DOMAIN, RESELLER_CALLS, SUBSCRIPTION, WEBSITE, ResellerCall
from awning_harness.service.envelope import JSON, single_header

_WORDS = "enable|disable|enable_premium|disable_premium|ai_limit|ai_credits|login|domains|domain"
_ON_WEBSITE = f"/api/website/{WEBSITE}/"
_PLACES = {
    f"/{WEBSITE}/": rf"(?:/(?P<website>(?!(?:{_WORDS})/)[^/]+))?/",
    f"/{SUBSCRIPTION}/": r"(?:/(?P<subscription>[^/]+))?/",
    f"/{DOMAIN}/": r"/(?P<domain>[^/]+)/",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """The call of a path. `places` holds the values of the path's named parts."""

    call: ResellerCall
    places: Mapping[str, str] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return self.call.path

    @property
    def operation(self) -> str:
        return self.call.operation


def _pattern(path: str) -> re.Pattern[str]:
    on_website = path.removeprefix(_ON_WEBSITE)
    pattern = f"(?:{_ON_WEBSITE}|/api/){on_website}" if on_website not in {path, ""} else path
    for place, expression in _PLACES.items():
        pattern = pattern.replace(place, expression)
    return re.compile(pattern)


_PATTERNS = tuple((_pattern(call.path), call) for call in RESELLER_CALLS)


def find_route(path: str, *, final_slash: str) -> Route | None:
    """Return the call of `path`; None if there is none. `final_slash` is the value of the assumption `final-slash`."""
    if not path.endswith("/") and final_slash == "optional":
        path += "/"
    for pattern, call in _PATTERNS:
        match = pattern.fullmatch(path)
        if match:
            return Route(call=call, places={k: v for k, v in match.groupdict().items() if v is not None})
    return None


FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
MOST = 2000
CACHE_BUSTER = "_"


def parameters_of(request: Request, body: bytes, *, json: bool) -> dict[str, str]:
    """Return the parameters by name. A parameter that cannot be read is left out. With `json`, a JSON body is read."""
    parameters = dict(request.query_params.multi_items()[:MOST])
    parameters.update(_of_body(request, body, json=json))
    parameters.pop(CACHE_BUSTER, None)
    return parameters


def _of_body(request: Request, body: bytes, *, json: bool) -> Iterator[tuple[str, str]]:
    content_type = single_header(request, "content-type") or FORM
    kind = content_type.partition(";")[0].strip().lower()
    if kind == FORM:
        text = body.decode("utf-8", "replace")
        yield from parse_qsl(text, keep_blank_values=True)[:MOST]
    elif kind == MULTIPART:
        yield from _multipart(content_type, body)
    elif kind == JSON and json:
        yield from _members(body)


def _multipart(content_type: str, body: bytes) -> Iterator[tuple[str, str]]:
    """Yield the fields of a multipart body. PHP's curl sends such a body for an array. Files are left out."""
    head = f"Content-Type: {content_type}\r\n\r\n".encode("latin-1", "replace")
    message = BytesParser(policy=policy.HTTP).parsebytes(head + body)
    for part in message.iter_parts() if message.is_multipart() else ():
        name = part.get_param("name", header="content-disposition")
        value = part.get_payload(decode=True)
        if isinstance(name, str) and part.get_filename() is None and isinstance(value, bytes):
            yield name, value.decode("utf-8", "replace")


def _members(body: bytes) -> Iterator[tuple[str, str]]:
    """Yield the strings, numbers and booleans of a JSON object. Numbers and booleans become their JSON text.

    Yields nothing for any other body.
    """
    try:
        value = msgspec.json.decode(body)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return
    for name, member in list(value.items())[:MOST] if isinstance(value, dict) else ():
        if isinstance(member, str):
            yield name, member
        elif isinstance(member, bool | int | float):
            yield name, msgspec.json.encode(member).decode()
