"""Whether a request was meant for this service.

The servers listen on loopback only. A page of the web can still reach them through a name that it lets point
to 127.0.0.1, so a request is answered only when its Host header names loopback itself, or a name that was allowed
(`--allow-host`), for clients that call a fixed one.
"""

import re
from collections.abc import Callable, Iterable

from awning.errors import ConfigurationError
from awning_harness.service.asgi import App, Receive, Scope, Send, send_answer
from awning_harness.service.envelope import Answer, Failure, refusal

LOOPBACK_NAMES = frozenset({b"127.0.0.1", b"localhost", b"[::1]"})
MISDIRECTED = 421
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*")


def checked_host(name: str) -> str:
    """A host name to be allowed, in lower case, as the Host header holds it. Raises ConfigurationError."""
    ascii_name = name.lower().removesuffix(".")
    try:
        ascii_name = ascii_name if ascii_name.isascii() else ascii_name.encode("idna").decode()
    except UnicodeError:
        ascii_name = ""
    if not _NAME.fullmatch(ascii_name):
        hint = "a name alone, without scheme, port or path, such as api.service.example"
        raise ConfigurationError(f'"{name}" is not a host name', hint=hint)
    return ascii_name


def asked_host(scope: Scope) -> bytes | None:
    """The name in the one Host header, without its port; None where there is none or more than one."""
    hosts = [value for key, value in scope["headers"] if key == b"host"]
    if len(hosts) != 1:
        return None
    host = hosts[0].lower()
    name, colon, port = host.rpartition(b":")
    if not colon or host.endswith(b"]"):
        return bytes(host)
    return bytes(name) if port.isdigit() else None


def is_meant(scope: Scope, allowed: frozenset[bytes] = frozenset()) -> bool:
    """Whether there is exactly one Host header and it names loopback or an allowed name, with any port or none.

    HTTP/1.0 needs none (RFC 1945), and no browser speaks it.
    """
    if not any(key == b"host" for key, _ in scope["headers"]):
        return scope.get("http_version") == "1.0"
    name = asked_host(scope)
    return name in LOOPBACK_NAMES or name in allowed


def misdirected(name: bytes | None) -> Failure:
    """The refusal of a request that was meant for somebody else; it says how to be meant."""
    text = (name or b"").decode("latin-1")
    hint = f": {text} is not allowed, --allow-host {text} does" if _NAME.fullmatch(text) else ""
    return Failure(MISDIRECTED, f"Misdirected Request{hint}")


Refuse = Callable[[Scope, Failure], Answer]


def refuse_plainly(_scope: Scope, failure: Failure) -> Answer:
    return refusal(failure)


def meant_only(app: App, allowed: Iterable[str] = (), refuse: Refuse = refuse_plainly) -> App:
    """`app`, asked only what was meant for this service; anything else is answered by `refuse`, with 421."""
    names = frozenset(name.encode() for name in allowed)

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if is_meant(scope, names):
            await app(scope, receive, send)
        else:
            await send_answer(send, refuse(scope, misdirected(asked_host(scope))))

    return guarded


def https_only(refuse: Refuse = refuse_plainly) -> App:
    """What answers plain http where only https is spoken."""

    async def refused(scope: Scope, _receive: Receive, send: Send) -> None:
        await send_answer(send, refuse(scope, Failure(400, "This address speaks https")))

    return refused
