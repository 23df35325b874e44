"""Calls an ASGI application without sockets and without an event loop."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    status: int = 200
    body: bytes = b""
    content_type: bytes = b"application/json"
    headers: tuple = ()


def ask(app, method, path, *, query="", headers=(), body=b"") -> Answer:
    """Return the answer of an application that waits for nothing but its request."""
    sent = []

    async def receive():
        return {"type": "http.request", "body": body}

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query if isinstance(query, bytes) else query.encode("latin-1"),
        "headers": list(headers),
        "state": {},
    }
    try:
        app(scope, receive, send).send(None)
    except StopIteration:
        start, *pieces = sent
        content_type = dict(start["headers"]).get(b"content-type", b"")
        return Answer(
            start["status"], b"".join(p["body"] for p in pieces), content_type, tuple(start["headers"])
        )
    raise AssertionError(f"{path} waits for something")
