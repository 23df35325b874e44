"""What holds for every request and every answer, around the application.

    Host       must be the public URL's; behind a proxy of ours, X-Forwarded-Host and -Proto say it instead
    headers    no script, no frame, no cache, no referrer to others, no guessing of types
    size       a head of up to 64 KB in up to 100 lines; `connection` holds what comes before a head is complete
    log        method, path without what identifies anyone, status, time; never a query string

The health check alone is answered under any name: balancers ask by address, and it tells nothing.
"""

import re
import time
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from awning.host.log import LOG
from awning.host.settings import Settings

POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    b"content-security-policy": POLICY.encode(),
    b"x-frame-options": b"DENY",
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"cache-control": b"no-store",
}
HSTS = (b"strict-transport-security", b"max-age=31536000")
HEAD_BYTES = 64 * 1024
HEAD_LINES = 100
"""Most of a request before its body: address and header lines."""
LEFT = 499
"""A client that left before it had sent its request, or before the answer. nginx logs the same number."""
DEFAULT_PORTS = {"http": ":80", "https": ":443"}
_SESSION = re.compile(r"/settings/[^/]+")


class Guard:
    """The outermost ASGI application."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._headers = [*HEADERS.items(), *([HSTS] if settings.secure else [])]
        scheme = urlsplit(settings.public_url).scheme
        self._authority = _plain(settings.authority, scheme)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()
        status = 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": self._completed(message.get("headers", ()))}
            await send(message)

        try:
            await self._for(scope)(scope, receive, sending)
        finally:
            path = _SESSION.sub("/settings/*", scope["path"])
            spent_ms = (time.perf_counter() - begun) * 1000
            told = f"{status or '-'}{' the client left' if status == LEFT else ''}"
            LOG.info("%s %s %s %.0f ms", scope["method"], ascii(path)[1:-1][:200], told, spent_ms)

    def _for(self, scope: Scope) -> ASGIApp:
        """Who answers."""
        if _is_too_large(scope):
            return PlainTextResponse("Request header fields too large\n", 431)
        return self._app if self._is_ours(scope) else PlainTextResponse("Misdirected request\n", 421)

    def _is_ours(self, scope: Scope) -> bool:
        if scope["path"] in {"/healthz", f"{self._settings.prefix}/healthz"}:
            return True
        scheme = urlsplit(self._settings.public_url).scheme
        hosts = _values(scope, b"host")
        if self._settings.behind_proxy:
            hosts = _values(scope, b"x-forwarded-host") or hosts
            if any(proto.lower() != scheme for proto in _values(scope, b"x-forwarded-proto")):
                return False
        return len(hosts) == 1 and _plain(hosts[0], scheme) == self._authority

    def _completed(self, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        given = {name.lower() for name, _ in headers}
        return [*headers, *((name, value) for name, value in self._headers if name not in given)]


def _is_too_large(scope: Scope) -> bool:
    headers = scope["headers"]
    address = len(scope.get("raw_path") or b"") + len(scope["query_string"])
    size = address + sum(len(name) + len(value) + len(b": \r\n") for name, value in headers)
    return len(headers) > HEAD_LINES or size > HEAD_BYTES


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1").strip() for key, value in scope["headers"] if key == name]


def _plain(authority: str, scheme: str) -> str:
    """Without the scheme's own port, which browsers leave out."""
    return authority.lower().removesuffix(DEFAULT_PORTS[scheme])
