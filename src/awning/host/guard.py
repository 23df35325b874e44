"""Rules for every request and response. The guard wraps the application.

    Host       must be the host of the public URL; behind a trusted proxy, X-Forwarded-Host and -Proto are checked
    headers    forbid JavaScript, frames, caching and content sniffing; no Referer is sent to other sites. A header that
               the response already has is kept, so the style sheet may be cached
    framing    a request with both Content-Length and Transfer-Encoding is refused, and its connection is closed. A
               proxy may see another end of its body (RFC 9112, 6.1). h11 accepts it
    size       a request head has at most 64 KiB and 100 lines; `connection` limits unfinished heads
    log        one line per request: method, path without the session id, status, duration; never a query string

The health check accepts any Host, because load balancers use an IP address. Its response contains no secret.

The harness checks Host in another way (`awning_harness.service.hosts`). Its servers are reached by several names of
this machine, on any port, and it must refuse only the names of other sites. This server has one public address: links
and redirects contain it, and cookies are valid for it. So here the port counts, a proxy may pass the Host on, and the
names of this machine are refused.
"""

import re
import time
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from awning.contract.hosts import ascii_host
from awning.host.log import LOG
from awning.host.settings import Settings

PICTURES = "img-src 'self' data:"
POLICY = (
    f"default-src 'none'; style-src 'self'; {PICTURES}; form-action 'self'; "
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
LONGEST_ORIGINS = 2000
"""The most characters of the origins of pictures: proxies limit the headers of a response, nginx to 4 or 8 kB."""
_HOST = re.compile(r"(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*")
HSTS = (b"strict-transport-security", b"max-age=31536000")
HEAD_BYTES = 64 * 1024
HEAD_LINES = 100
"""The most header lines of a request. HEAD_BYTES limits the size of the header lines, the path and the query."""
CLIENT_LEFT = 499
"""The logged status of a request whose client disconnected before the response. nginx uses the same number."""
DEFAULT_PORTS = {"http": ":80", "https": ":443"}
_SESSION = re.compile(r"/settings/[^/]+")


def page_policy(pictures: Iterable[str], script: str | None = None) -> str:
    """Return the policy of a page that shows pictures from these addresses: it names the origin of each, and no other.

    The page may have this inline script and no other, and then frames of this server.
    """
    policy = POLICY.replace(PICTURES, " ".join([PICTURES, *picture_origins(pictures)]))
    if script is None:
        return policy
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return f"{policy}; script-src 'sha256-{digest}'; frame-src 'self'"


def picture_origins(addresses: Iterable[str]) -> list[str]:
    """Return the origins of pictures, for a policy.

    An origin whose host is no name on the internet, or for which there is no room, is left out: the browser then shows
    no picture. So a stored IP address or `localhost` is never asked; a name that leads into a network at home is.
    """
    origins: dict[str, None] = {}
    room = LONGEST_ORIGINS
    for address in addresses:
        try:
            parts = urlsplit(address)
            host, port = ascii_host(parts.hostname or ""), parts.port
        except ValueError:  # UnicodeError is one
            continue
        origin = f"https://{host}{f':{port}' if port else ''}"
        if parts.scheme == "https" and _HOST.fullmatch(host) and origin not in origins and len(origin) < room:
            origins[origin] = None
            room -= len(origin) + 1
    return list(origins)


class Guard:
    """The outermost ASGI application."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings
        self._headers = [*HEADERS.items(), *([HSTS] if settings.secure else [])]
        scheme = urlsplit(settings.public_url).scheme
        self._authority = _without_default_port(settings.authority, scheme)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()
        status = 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": self._add_headers(message.get("headers", ()))}
            await send(message)

        try:
            await self._app_for(scope)(scope, receive, send_with_headers)
        finally:
            path = _SESSION.sub("/settings/*", scope["path"])
            duration_ms = (time.perf_counter() - begun) * 1000
            status_text = f"{status or '-'}{' the client left' if status == CLIENT_LEFT else ''}"
            LOG.info("%s %s %s %.0f ms", scope["method"], ascii(path)[1:-1][:200], status_text, duration_ms)

    def _app_for(self, scope: Scope) -> ASGIApp:
        """Return the application, or the response that refuses the request."""
        if {b"content-length", b"transfer-encoding"} <= {name for name, _ in scope["headers"]}:
            return PlainTextResponse("Bad request\n", 400, {"Connection": "close"})
        if _is_too_large(scope):
            return PlainTextResponse("Request header fields too large\n", 431)
        misdirection = self._misdirection(scope)
        if misdirection is None:
            return self._app
        LOG.warning("misdirected: %s, and the public URL is %s", misdirection, self._settings.public_url)
        return PlainTextResponse("Misdirected request: the log of the server has the reason\n", 421)

    def _misdirection(self, scope: Scope) -> str | None:
        """Return which header differs from the public URL; None when the request is for this server."""
        if scope["path"] in {"/healthz", f"{self._settings.prefix}/healthz"}:
            return None
        scheme = urlsplit(self._settings.public_url).scheme
        name, hosts = "Host", _values(scope, b"host")
        if self._settings.behind_proxy:
            if forwarded := _values(scope, b"x-forwarded-host"):
                name, hosts = "X-Forwarded-Host", forwarded
            protos = _values(scope, b"x-forwarded-proto")
            if any(proto.lower() != scheme for proto in protos):
                return f"X-Forwarded-Proto is {ascii(', '.join(protos))[:200]}"
        if len(hosts) == 1 and _without_default_port(hosts[0], scheme) == self._authority:
            return None
        return f"{name} is {ascii(', '.join(hosts))[:200]}"

    def _add_headers(self, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        present = {name.lower() for name, _ in headers}
        return [*headers, *((name, value) for name, value in self._headers if name not in present)]


def _is_too_large(scope: Scope) -> bool:
    headers = scope["headers"]
    address = len(scope.get("raw_path") or b"") + len(scope["query_string"])
    size = address + sum(len(name) + len(value) + len(b": \r\n") for name, value in headers)
    return len(headers) > HEAD_LINES or size > HEAD_BYTES


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1").strip() for key, value in scope["headers"] if key == name]


def _without_default_port(authority: str, scheme: str) -> str:
    """Return the authority without the scheme's default port, which browsers leave out."""
    return authority.lower().removesuffix(DEFAULT_PORTS[scheme])
