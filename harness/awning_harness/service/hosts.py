"""Checks whether a request is meant for the simulated service or the dev server, by its Host and its Origin.

The servers listen on loopback, or on the address of `--listen`. A web page can reach them through a host name that
resolves to that address. So a request is refused if its Host header is neither a loopback name nor an allowed name.
`--allow-host` allows a name, for clients that always call the same host name.

A browser adds the page's Origin to each request that a page posts. A foreign Origin shows that a form or JavaScript of
another site sent the request. Programs other than browsers send no Origin.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from ipaddress import IPv4Address
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from awning.errors import ConfigurationError
from awning_harness.service.envelope import Failure, failure_response, single_header

LOOPBACK_NAMES = frozenset({b"127.0.0.1", b"localhost", b"[::1]"})
BELOW_LOCALHOST = b".localhost"
"""The end of the names that browsers resolve to this machine (RFC 6761). No public site can have such a name."""
MISDIRECTED = 421
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*")


def checked_host(name: str) -> str:
    """Return a host name in the form of the Host header: ASCII, lower case.

    Raises ConfigurationError for an invalid name.
    """
    ascii_name = name.lower().removesuffix(".")
    try:
        ascii_name = ascii_name if ascii_name.isascii() else ascii_name.encode("idna").decode()
    except UnicodeError:
        ascii_name = ""
    if not _NAME.fullmatch(ascii_name):
        hint = "give only the name, without scheme, port or path, such as api.service.example"
        raise ConfigurationError(f'"{name}" is not a host name', hint=hint)
    return ascii_name


def default_host(address: str, names: Sequence[str]) -> str:
    """Return the host name in the addresses of a server that listens on `address` and allows `names`.

    Raises ConfigurationError when `address` is not an IPv4 address, or lets other machines in and `names` is empty.
    """
    try:
        is_loopback = IPv4Address(address).is_loopback
    except ValueError:
        raise ConfigurationError(
            f"--listen {address} is not an IPv4 address",
            hint="0.0.0.0 is every IPv4 address of this machine",
        ) from None
    if is_loopback:
        return address
    if not names:
        raise ConfigurationError(
            f"--listen {address} lets other machines in, and no host name is allowed",
            hint="add --allow-host with the name in the address that is called, such as --allow-host localhost",
        )
    return names[0]


def asked_host(scope: Scope) -> bytes | None:
    """Return the name in the Host header without its port.

    None when the header is absent or repeated, or when its port is not a number.
    """
    hosts = [value for key, value in scope["headers"] if key == b"host"]
    if len(hosts) != 1:
        return None
    host = hosts[0].lower()
    name, colon, port = host.rpartition(b":")
    if not colon or host.endswith(b"]"):
        return bytes(host)
    return bytes(name) if port.isdigit() else None


def is_allowed_host(scope: Scope, allowed: frozenset[bytes] = frozenset()) -> bool:
    """Return whether the request has one Host header, with a loopback or allowed name. The port is ignored.

    An HTTP/1.0 request may also have no Host header (RFC 1945). That is safe, because no browser sends HTTP/1.0.
    """
    if not any(key == b"host" for key, _ in scope["headers"]):
        return scope.get("http_version") == "1.0"
    name = asked_host(scope)
    return name in LOOPBACK_NAMES or name in allowed or (name or b"").endswith(BELOW_LOCALHOST)


def misdirected(name: bytes | None) -> Failure:
    """Return the refusal of a request for another host. The message explains how to allow a valid host name."""
    text = (name or b"").decode("latin-1")
    hint = f": {text} is not allowed; --allow-host {text} allows it" if _NAME.fullmatch(text) else ""
    return Failure(MISDIRECTED, f"Misdirected Request{hint}")


Refuse = Callable[[Scope, Failure], Response]


def refuse_plainly(_scope: Scope, failure: Failure) -> Response:
    return failure_response(failure)


def host_check(app: ASGIApp, allowed: Iterable[str] = (), refuse: Refuse = refuse_plainly) -> ASGIApp:
    """Wrap `app` with a check of the Host header.

    `refuse` makes the response (421) to a request that fails the check.
    """
    names = frozenset(name.encode() for name in allowed)

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or is_allowed_host(scope, names):
            await app(scope, receive, send)
        else:
            await refuse(scope, misdirected(asked_host(scope)))(scope, receive, send)

    return guarded


def https_only(refuse: Refuse = refuse_plainly) -> ASGIApp:
    """Return the application that refuses plain http on an address that is only for https."""

    async def refused(scope: Scope, receive: Receive, send: Send) -> None:
        await refuse(scope, Failure(400, "This address accepts only https"))(scope, receive, send)

    return refused


def refuse_other_origins(request: Request) -> None:
    """Raise Failure (403) when a page of another origin sent the request. GET is always accepted."""
    origin, host = single_header(request, "origin"), single_header(request, "host")
    if request.method != "GET" and not is_same_origin(origin, host):
        raise Failure(403, "Requests from other origins are refused")


def is_same_origin(origin: str | None, host: str | None) -> bool:
    """Return whether the Origin header of a request names the host in its Host header.

    Also true without an Origin header, because programs other than browsers send none. False for an Origin header that
    is not an address.
    """
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc == host
    except ValueError:
        return False
