"""A listener for https that also accepts http and a proxy's CONNECT on the same port.

The first bytes show which of the three protocols a client uses, so each address needs only one port:

    0x16            a TLS handshake
    CONNECT name    the client uses this listener as its proxy: a tunnel to this same listener, for allowed names
    anything else   http

The certificate is for one run of the simulated service, for clients that require https.
"""

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.types import ASGIApp
from uvicorn.config import Config

from awning.errors import ConfigurationError
from awning_harness.service.hosts import LOOPBACK_NAMES, Refuse, misdirected, refuse_plainly
from awning_harness.service.listeners import KEEP_ALIVE_S, Listener, pending_connections, protocol_config
from awning_harness.service.protocol import Protocol

LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tls:
    """TLS settings. `context` is for the servers. `ca_file` holds the certificate that clients must trust, in PEM."""

    context: ssl.SSLContext
    ca_file: Path


@contextmanager
def tls_for_the_run(names: Collection[str] = ()) -> Iterator[Tls]:
    """Make a certificate for loopback and `names`, issued by a new certificate authority.

    The authority's private key is only in memory. The server's is also in a temporary file while it is loaded, because
    `ssl` reads keys only from files. The file with the authority's certificate exists until the block ends.

    Raises ConfigurationError when trustme is not installed, and for a name that no certificate can have.
    """
    try:
        import trustme  # noqa: PLC0415 - importing cryptography takes 0.1 s, and few runs need it
    except ImportError:
        raise ConfigurationError("--tls needs trustme", hint="pip install 'awning[harness]'") from None
    authority = trustme.CA(organization_name="awning service, this run alone")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_alpn_protocols(["http/1.1"])
    try:
        authority.issue_cert(*LOOPBACK, *names).configure_cert(context)
    except UnicodeError as error:  # IDNA allows less than a Host header does: no underscore, for example
        raise ConfigurationError(
            f"no certificate can be made for {', '.join(names)}: {error}",
            hint="name another --allow-host, or leave out --tls",
        ) from None
    with TemporaryDirectory(prefix="awning-service-") as folder:
        ca_file = Path(folder) / "ca.pem"
        authority.cert_pem.write_to_path(str(ca_file))
        yield Tls(context=context, ca_file=ca_file)


HANDSHAKE = b"\x16"
CONNECT = b"CONNECT "
LONGEST_HEAD = 8192
HANDSHAKE_WITHIN_S = 10
ACCEPT_AGAIN_S = 0.1
ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"
REFUSED = b"HTTP/1.1 421 Misdirected Request\r\nconnection: close\r\ncontent-type: %b\r\ncontent-length: %d\r\n\r\n%b"


class TlsListener(Listener):
    """A listener for https. `plain` is the application for http.

    It opens tunnels to LOOPBACK_NAMES and to `names`. `refuse` makes the response to a CONNECT to another name.
    """

    def __init__(
        self,
        listening: socket.socket,
        app: ASGIApp,
        *,
        plain: ASGIApp,
        context: ssl.SSLContext,
        names: Iterable[str] = (),
        refuse: Refuse = refuse_plainly,
    ) -> None:
        super().__init__(listening, app)
        self._plain = protocol_config(plain)
        self._context = context
        self._refuse = refuse
        self._names = LOOPBACK_NAMES | {name.encode() for name in names}
        self._accepting: asyncio.Task[None] | None = None
        self._greeting: set[asyncio.Task[None]] = set()
        self._stopping = False

    @property
    def _is_open(self) -> bool:
        return self._accepting is not None

    async def open(self) -> None:
        self._accepting = asyncio.ensure_future(self._accept())

    async def stop(self) -> None:
        self._stopping = True
        self._stop_listening()
        # asyncio cannot close a TLS connection before its handshake has begun.
        await pending_connections()
        greeting = list(self._greeting)
        for task in greeting:
            task.cancel()
        await asyncio.gather(*greeting, return_exceptions=True)
        await super().stop()

    def _stop_listening(self) -> None:
        if self._accepting is not None:
            self._accepting.cancel()
            self._accepting = None
            with contextlib.suppress(NotImplementedError):
                asyncio.get_running_loop().remove_reader(
                    self._socket
                )  # before the socket is closed and another file gets its descriptor
            self._socket.close()

    async def _accept(self) -> None:
        while True:
            try:
                client = await _next_client(self._socket)
            except OSError:  # too many open files, or the client has left: try the next client
                await asyncio.sleep(ACCEPT_AGAIN_S)
                continue
            task = asyncio.ensure_future(self._greet(client))
            self._greeting.add(task)
            task.add_done_callback(self._greeting.discard)

    async def _greet(self, client: socket.socket) -> None:
        """Pass the connection to the protocol that the client uses."""
        try:
            first = await self._first_request(client)
        except BaseException:
            client.close()
            raise
        if not first or self._stopping:
            client.close()
            return
        await self._serve(client, secure=first[:1] == HANDSHAKE)

    async def _first_request(self, client: socket.socket) -> bytes:
        """Return the first bytes that the client sends, directly or through its tunnel.

        Returns b"" when the client has left, sends nothing in time, or gets no tunnel.
        """
        with contextlib.suppress(OSError):  # TimeoutError is an OSError, too
            async with asyncio.timeout(KEEP_ALIVE_S):
                first = await _first_bytes(client)
                if not first or first != CONNECT[: len(first)]:
                    return first
                if await self._tunnel(client):
                    return await _first_bytes(client)
        return b""

    async def _serve(self, client: socket.socket, *, secure: bool) -> None:
        loop, config = asyncio.get_running_loop(), self._config if secure else self._plain
        with contextlib.suppress(OSError):  # the client has left, or there is no common TLS version
            await loop.connect_accepted_socket(
                lambda: self._speak(config),
                client,
                ssl=self._context if secure else None,
                ssl_handshake_timeout=HANDSHAKE_WITHIN_S if secure else None,
            )

    def _speak(self, config: Config) -> asyncio.Protocol:
        return Protocol(config=config, server_state=self._state, app_state={})

    async def _tunnel(self, client: socket.socket) -> bool:
        """Respond to a CONNECT. Returns whether the tunnel is open."""
        loop, head = asyncio.get_running_loop(), b""
        while b"\r\n\r\n" not in head and len(head) < LONGEST_HEAD:
            part = await loop.sock_recv(client, LONGEST_HEAD)
            if not part:
                return False
            head += part
        name, _, _ = head.removeprefix(CONNECT).partition(b" ")[0].lower().rpartition(b":")
        allowed = head.startswith(CONNECT) and name in self._names
        await loop.sock_sendall(client, ESTABLISHED if allowed else self._refusal(name))
        return allowed

    def _refusal(self, name: bytes) -> bytes:
        scope = {"type": "http", "method": "CONNECT", "path": "/", "query_string": b"", "headers": []}
        response = self._refuse(scope, misdirected(name))
        return REFUSED % (response.headers["content-type"].encode(), len(response.body), response.body)


async def _next_client(listening: socket.socket) -> socket.socket:
    """Return the next client's socket. When this call is cancelled, no accepted client is lost, except on Windows.

    asyncio's `sock_accept`, which is used on Windows, can lose an accepted client when it is cancelled.
    """
    if await _readable(listening):
        client, _ = listening.accept()
    else:
        client, _ = await asyncio.get_running_loop().sock_accept(listening)
    return client


async def _first_bytes(client: socket.socket) -> bytes:
    """Return the first bytes from a client without removing them from the socket's buffer; b"" when it disconnects."""
    client.setblocking(False)
    if await _readable(client):
        return client.recv(len(CONNECT), socket.MSG_PEEK)
    client.setblocking(True)
    first = await asyncio.to_thread(client.recv, len(CONNECT), socket.MSG_PEEK)
    client.setblocking(False)
    return first


async def _readable(watched: socket.socket) -> bool:
    """Return True when there is something to read or to accept; False at once on Windows.

    The event loop of Windows cannot watch sockets.
    """
    loop, readable = asyncio.get_running_loop(), asyncio.Event()
    try:
        loop.add_reader(watched, readable.set)
    except NotImplementedError:
        return False
    try:
        await readable.wait()
    finally:
        if watched.fileno() != -1:  # it is still open
            loop.remove_reader(watched)
    return True
