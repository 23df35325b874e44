"""Whether a request was meant for this machine.

The servers listen on loopback only. A page of the web can still reach them through a name that it lets point
to 127.0.0.1, so a request is answered only when its Host header names loopback itself.
"""

from awning_harness.service.asgi import App, Receive, Scope, Send, send_answer
from awning_harness.service.envelope import Failure, refusal

LOOPBACK_NAMES = frozenset({b"127.0.0.1", b"localhost", b"[::1]"})


def is_local(scope: Scope) -> bool:
    """Whether there is exactly one Host header and it names loopback, with any port or none.

    HTTP/1.0 needs none (RFC 1945), and no browser speaks it.
    """
    hosts = [value for key, value in scope["headers"] if key == b"host"]
    if not hosts:
        return scope.get("http_version") == "1.0"
    if len(hosts) != 1:
        return False
    name, colon, port = hosts[0].lower().rpartition(b":")
    if not colon or hosts[0].endswith(b"]"):
        return hosts[0].lower() in LOOPBACK_NAMES
    return name in LOOPBACK_NAMES and port.isdigit()


def local_only(app: App) -> App:
    """`app`, asked only what was meant for this machine; anything else is answered with 421."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if is_local(scope):
            await app(scope, receive, send)
        else:
            await send_answer(send, refusal(Failure(421, "Misdirected Request")))

    return guarded
