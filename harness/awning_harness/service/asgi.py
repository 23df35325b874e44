"""The types of ASGI, and one HTTP request and response over it.

Apart from its storefront, the simulated service uses plain ASGI and no framework. Without a framework it serves a
third more requests per second (measured with 64 concurrent requests), and clients never get a framework's error page.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from awning_harness.service.envelope import Failure, Response

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST_BODY = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One HTTP request with its body. `path` is percent-decoded, `query` is not."""

    method: str
    path: str
    query: str
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    def header(self, name: bytes) -> str | None:
        """Return the value of the header `name` (lower case), or None when it is absent or repeated."""
        values = [value for key, value in self.headers if key == name]
        return values[0].decode("latin-1") if len(values) == 1 else None

    def parameters(self) -> list[tuple[str, str]]:
        """Return the query's parameters, decoded, in their order. Bad UTF-8 becomes U+FFFD."""
        return parse_qsl(self.query, keep_blank_values=True)


def head_of(scope: Scope, body: bytes = b"") -> Request:
    """Return the request of a scope. `body` is its body; b"" if the body is not read."""
    return Request(
        method=scope["method"],
        path=scope["path"],
        query=scope["query_string"].decode("latin-1"),
        headers=tuple(scope["headers"]),
        body=body,
    )


class Gone(Exception):
    """The client closed the connection before the whole request arrived. The incomplete request must not be used."""


async def read_request(scope: Scope, receive: Receive) -> Request:
    """Return the whole request.

    Raises Failure (413) when the body is too large, and Gone when the client disconnects.
    """
    return head_of(scope, await read_body(receive))


async def read_body(receive: Receive) -> bytes:
    """Return the whole body.

    Raises Failure (413) when it exceeds LARGEST_BODY, and Gone when the client disconnects.
    """
    message = await _received(receive)
    body: bytes = message.get("body", b"")
    if not message.get("more_body"):
        return body
    parts = bytearray(body)
    while message.get("more_body"):
        message = await _received(receive)
        parts += message.get("body", b"")
        if len(parts) > LARGEST_BODY:
            raise Failure(413, "Request body too large")
    return bytes(parts)


async def _received(receive: Receive) -> Message:
    message = await receive()
    if message["type"] == "http.disconnect":
        raise Gone
    return message


def response_start(response: Response) -> Message:
    """Return the ASGI message that begins a response: status and headers, with the content length."""
    headers = [
        (b"content-type", response.content_type),
        (b"content-length", str(len(response.body)).encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
        *response.headers,
    ]
    return {"type": "http.response.start", "status": response.status, "headers": headers}


async def send_response(send: Send, response: Response) -> None:
    """Send a whole response."""
    await send(response_start(response))
    await send({"type": "http.response.body", "body": response.body})
