"""A server with scripted responses, and both clients behind one interface."""

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

from awning.client import Access, Limits, NoResponse, Operation, Response, Secret, Transport, apps_access
from awning.client.async_client import AsyncTransport

KEY = Secret("SVC-0123456789abcdef0123456789abcdef")
JSON = b"application/json"


def answer(body: bytes, *, status: str = "200 OK", content_type: bytes = JSON, extra: bytes = b"") -> bytes:
    head = b"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n%s\r\n"
    return head % (status.encode(), content_type, len(body), extra) + body


@dataclass
class Scripted:
    """The answers of the server: one per request, in order; the last one is repeated.

    With b"", the server closes the connection. With None, it sends nothing and leaves the connection open.
    """

    answers: list[bytes | None] = field(default_factory=lambda: [answer(b'{"error":false}')])
    seen: list[bytes] = field(default_factory=list)
    connections: int = 0
    port: int = 0

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"


@contextmanager
def scripted_server() -> Iterator[Scripted]:
    script = Scripted()
    listener = socket.create_server(("127.0.0.1", 0))
    script.port = listener.getsockname()[1]
    over = threading.Event()
    served: list[threading.Thread] = []

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            script.connections += 1
            thread = threading.Thread(target=_serve, args=(connection, script, over), daemon=True)
            served.append(thread)
            thread.start()

    acceptor = threading.Thread(target=accept, daemon=True)
    acceptor.start()
    try:
        yield script
    finally:
        over.set()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        for thread in (acceptor, *served):
            thread.join(5)


def _serve(connection: socket.socket, script: Scripted, over: threading.Event) -> None:
    with connection, connection.makefile("rb") as stream:
        while request := _request(stream):
            script.seen.append(request)
            answer = script.answers[min(len(script.seen), len(script.answers)) - 1]
            if answer is None:
                over.wait()
            if not answer:
                return
            connection.sendall(answer)
            if b"Content-Length" not in answer or answer.endswith(b"CUT"):
                return


def _request(stream) -> bytes:
    try:
        head = b"".join(iter(lambda: stream.readline().rstrip(b"\r\n") + b"\n", b"\n"))
        length = next(
            (int(line[15:]) for line in head.splitlines() if line.lower().startswith(b"content-length:")), 0
        )
        return head + b"\n" + stream.read(length) if head else b""
    except OSError:
        return b""


@pytest.fixture
def server() -> Iterator[Scripted]:
    with scripted_server() as script:
        yield script


@pytest.fixture
def access(server: Scripted) -> Access:
    return apps_access(server.base_url, KEY)


Send = Callable[..., list[Response | NoResponse]]


@pytest.fixture(params=["sync", "async"])
def send(request) -> Send:
    """Send operations in sequence over one client with one pool."""

    def over_sync(
        access: Access, *operations: Operation[object], limits: Limits, environ=()
    ) -> list[Response | NoResponse]:
        with Transport(access, limits=limits, environ=dict(environ)) as transport:
            return [transport.send(operation) for operation in operations]

    async def over_async(access: Access, *operations: Operation[object], limits: Limits, environ=()):
        async with AsyncTransport(access, limits=limits, environ=dict(environ)) as transport:
            return [await transport.send(operation) for operation in operations]

    def sending(access, *operations, limits=None, environ=()):
        limits = limits or Limits()
        if request.param == "sync":
            return over_sync(access, *operations, limits=limits, environ=environ)
        return asyncio.run(over_async(access, *operations, limits=limits, environ=environ))

    return sending


@pytest.fixture
def say() -> Callable[..., bytes]:
    return answer
