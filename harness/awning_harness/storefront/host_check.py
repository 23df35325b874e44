"""Checks the Host header of each request to the shop or to the dev server.

Only requests for this machine's names and for allowed names are answered, because the host name of a foreign site may
resolve to this machine.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
_BELOW_LOCALHOST = ".localhost"
_HOST = re.compile(r"(\[::1\]|[a-z0-9._-]{1,253})(:[0-9]{1,5})?")
"""A Host header: the name, and perhaps a port. The name has no character that a page or a terminal could interpret."""
_NO_HOST = "a request has one Host header, with a host name"


def host_check(base_url: str, allowed: Iterable[str] = ()) -> Middleware:
    """Return the middleware that answers only requests for the host of `base_url`, loopback names, and `allowed`.

    A refused request is answered with status 400. If its Host header is well-formed, the text has the name, and the
    option that allows it.
    """
    own = urlsplit(base_url).hostname or ""
    return Middleware(_HostCheck, names=_LOOPBACK | {own, *allowed})


@dataclass(frozen=True, slots=True)
class _HostCheck:
    app: ASGIApp
    names: frozenset[str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = None if scope["type"] == "lifespan" else self._refusal(scope)
        answer = PlainTextResponse(refusal, 400) if refusal else self.app
        await answer(scope, receive, send)

    def _refusal(self, scope: Scope) -> str | None:
        """Return the reason why a request is refused; None if it is answered.

        Several Host headers are refused, because a proxy may have checked a different one (RFC 9112, 3.2).
        """
        hosts = [value.decode("latin-1").lower() for name, value in scope["headers"] if name == b"host"]
        host = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        if host is None:
            return _NO_HOST
        name = host[1]
        if name in self.names or name.endswith(_BELOW_LOCALHOST):
            return None
        return f'the host name "{name}" is refused; start this server with --allow-host {name} to allow it'
