"""The ASGI middleware: requests that pass, requests that it refuses, and paths that it ignores."""

import asyncio
import logging

import pytest
from verifiers import SECRET, digest

from awning.client import Secret
from awning.errors import ConfigurationError
from awning.signed_requests.middleware import VerifiedRequests

GOOD = f"a=1&hash={digest('a=1')}".encode()


def asked(path="/install", query=GOOD, kind="http", paths=("/install", "/settings/")):
    """The messages sent to the client; `inner` stands for the response of the application."""
    sent = []

    async def inner(_scope, _receive, send):
        await send("inner")

    async def send(message):
        sent.append(message)

    scope = {"type": kind, "path": path, "query_string": query} if kind != "lifespan" else {"type": kind}
    app = VerifiedRequests(inner, Secret(SECRET), paths=paths)
    asyncio.run(app(scope, None, send))
    return sent


@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"path": "/settings"},
        {"path": "/about", "query": b""},
        {"kind": "lifespan"},
        {"kind": "websocket"},
        {"path": "/anything", "paths": None},
    ],
)
def test_authentic_and_exempt_requests_pass(request_):
    assert asked(**request_) == ["inner"]


@pytest.mark.parametrize(
    "request_",
    [
        {"query": b""},
        {"query": GOOD + b"0"},
        {"path": "/install/", "query": b"a=1"},
        {"path": "/settings//", "query": b"a=1"},
        {"path": "/", "query": b"\xff", "paths": None},
    ],
)
def test_forged_request_gets_403_without_a_reason(request_, caplog):
    with caplog.at_level(logging.WARNING, "awning.verification"):
        start, body = asked(**request_)
    assert (start["status"], dict(start["headers"])[b"cache-control"]) == (403, b"no-store")
    assert body["body"].startswith(b"This request does not come from the service")
    assert "request refused: " in caplog.text
    assert SECRET not in caplog.text


def test_websocket_is_closed():
    assert asked(kind="websocket", query=b"") == [{"type": "websocket.close", "code": 1008}]


def test_empty_secret_is_refused_at_start():
    with pytest.raises(ConfigurationError):
        VerifiedRequests(None, Secret(""))
