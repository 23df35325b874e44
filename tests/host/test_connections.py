"""Connections from the internet: limits of size and time, and service for others meanwhile."""

import json
import re
import socket
import threading
import time
from contextlib import ExitStack, closing, contextmanager

import pytest
import uvicorn

from awning.host import application
from awning.host.connection import Connection, Limits
from awning.host.serving import SERVER

KB = 1024
FORM = b"content-type: application/x-www-form-urlencoded\r\n"
BRIEF = Limits(head_s=0.3, body_s=0.3, closing_s=0.3, linger_s=0.1, open=60)
PATIENT = Limits(linger_s=0.2)


@pytest.fixture
def serving(world):
    """Start the server as `awning host` does, with other limits; yields the port.

    `before` is called with the port while clients can connect, and the server has not accepted them.
    """

    @contextmanager
    def serve(limits, *, before=lambda _port: None, **changed):
        app = application(world.settings(**changed), send=world.send, clock=lambda: world.now)
        protocol = type("Limited", (Connection,), {"limits": limits})
        with socket.create_server(("127.0.0.1", 0), backlog=256) as listening:
            server = uvicorn.Server(uvicorn.Config(app, **{**SERVER, "http": protocol}))
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
            before(listening.getsockname()[1])
            thread.start()
            try:
                yield listening.getsockname()[1]
            finally:
                server.should_exit = True
                thread.join()

    return serve


@pytest.fixture
def log_lines(caplog):
    """The log lines of the server, and the warnings and errors of uvicorn and asyncio."""
    caplog.set_level("INFO", logger="awning.host")
    return lambda: [
        record.getMessage() + (record.exc_text or "")
        for record in caplog.records
        if record.name == "awning.host" or record.levelname in {"WARNING", "ERROR"}
    ]


@pytest.fixture
def posting(opened):
    """The head of a POST of the settings form that announces a body of 5,000 bytes."""
    browser, _, _ = opened()
    [(path, (name, value))] = browser.cookies.items()
    head = f"POST {path} HTTP/1.1\r\nhost: app.example\r\ncookie: {name}={value}\r\ncontent-length: 5000\r\n"
    return head.encode() + FORM + b"\r\n"


def connect(port):
    return closing(socket.create_connection(("127.0.0.1", port), timeout=20))


def answer(connection):
    """Return the bytes that come before the server closes or resets the connection."""
    parts = []
    try:
        while part := connection.recv(65536):
            parts.append(part)
    except ConnectionError:
        pass
    return b"".join(parts)


def status(connection):
    return int(answer(connection).partition(b" ")[2][:3] or 0)


def healthy(port):
    with connect(port) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        return json.loads(answer(connection).rpartition(b"\r\n\r\n")[2])["status"] == "ok"


def sent_until_it_breaks(connection, piece, most):
    sent = 0
    try:
        while sent < most:
            sent += connection.send(piece)
    except ConnectionError:
        return sent
    pytest.fail(f"{sent} bytes were taken")


def test_endless_head_is_cut_off_at_the_limit(serving):
    """Of a head of 64 MB, the server reads only some kilobytes beyond the limit."""
    with serving(PATIENT) as port, connect(port) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nx: ")
        sent = sent_until_it_breaks(connection, b"a" * 64 * KB, most=64 * KB * KB)
        assert sent < 16 * KB * KB, "what the two sockets' buffers hold, and no more"
        assert healthy(port)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"GET /healthz HTTP/1.1\r\nx: " + b"a" * 63 * KB + b"\r\n", 200),
        (b"GET /healthz HTTP/1.1\r\nx: " + b"a" * 65 * KB + b"\r\n", 431),
        (b"GET /healthz?" + b"a" * 65 * KB + b" HTTP/1.1\r\n", 431),
        (b"GET /healthz HTTP/1.1\r\n" + b"x: y\r\n" * 98, 200),
        (b"GET /healthz HTTP/1.1\r\n" + b"x: y\r\n" * 99, 431),
        (b"GET /healthz HTTP/1.1\r\n" + b"x: y\r\n" * 9000, 431),
        (b"nonsense\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nno colon\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nhost: x\r\n", 400),
    ],
    ids=[
        "63 KB",
        "65 KB",
        "long address",
        "100 lines",
        "101 lines",
        "9002 lines",
        "no HTTP",
        "no header",
        "two hosts",
    ],
)
@pytest.mark.parametrize("pieces", [1, 40], ids=["at once", "in pieces"])
def test_head_is_limited_to_64_kb_and_100_lines(serving, log_lines, head, expected, pieces):
    whole = head + b"host: x\r\nconnection: close\r\n\r\n"
    step = -(-len(whole) // pieces)
    with serving(PATIENT) as port, connect(port) as connection:
        try:
            for at in range(0, len(whole), step):
                connection.sendall(whole[at : at + step])
        except ConnectionError:
            assert expected != 200
        assert status(connection) == expected
        assert healthy(port)
    assert "Traceback" not in "".join(log_lines())


def test_slow_clients_are_closed_while_others_are_served(serving, log_lines):
    """Forty clients send a byte now and then and get 408; ten send nothing and are closed."""
    slow, silent = [], []

    def begin(port):
        slow.extend(stack.enter_context(connect(port)) for _ in range(40))
        silent.extend(stack.enter_context(connect(port)) for _ in range(10))
        for connection in slow:
            connection.sendall(b"GET / HTTP/1.1\r\n")

    with ExitStack() as stack, serving(BRIEF, before=begin) as port:
        served = 0
        until = time.monotonic() + 20
        open_ = set(slow)
        while open_ and time.monotonic() < until:
            served += healthy(port)
            for connection in sorted(open_, key=id):
                try:
                    connection.send(b"x")
                    connection.setblocking(False)
                    connection.recv(1, socket.MSG_PEEK)
                    open_.discard(connection)
                except BlockingIOError:
                    pass
                except ConnectionError:
                    open_.discard(connection)
                finally:
                    connection.settimeout(20)
        assert served >= 1
        assert not open_
        assert {status(connection) for connection in silent} == {0}
    assert sum(line == "- - 408 the head took too long" for line in log_lines()) == 40


def test_slow_body_gets_408(posting, serving, log_lines):
    with serving(BRIEF) as port, connect(port) as connection:
        connection.sendall(posting + b"a")
        assert status(connection) == 408
        assert healthy(port)
    assert "- - 408 the body took too long" in log_lines()


def test_body_of_two_lengths_is_refused_and_nothing_behind_it_is_answered(serving):
    lengths = b"content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n"
    head = b"POST /health/report HTTP/1.1\r\nhost: app.example\r\n" + lengths
    with serving(PATIENT) as port, connect(port) as connection:
        connection.sendall(head + b"0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        received = answer(connection)
    assert received.startswith(b"HTTP/1.1 400")
    assert received.count(b"HTTP/1.1") == 1


def test_idle_connection_is_closed(serving):
    with serving(BRIEF) as port, connect(port) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        assert answer(connection).startswith(b"HTTP/1.1 200")


def test_one_connection_serves_many_requests(serving):
    """The time limit for a head starts again with each request."""
    with serving(PATIENT) as port, connect(port) as connection:
        for _ in range(3):
            connection.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n" * 2)
        connection.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
        assert answer(connection).count(b"HTTP/1.1 200") == 7


def test_client_that_never_reads_is_disconnected(serving):
    """The client requests more pages than its TCP window holds."""
    with serving(BRIEF) as port, connect(port) as connection:
        pages = b"GET /style.css HTTP/1.1\r\nhost: app.example\r\n\r\n" * 200
        assert sent_until_it_breaks(connection, pages, most=1024 * KB * KB)


def test_request_is_answered_while_many_connections_are_open(serving, log_lines):
    limits = Limits(head_s=20, open=30)
    with ExitStack() as stack, serving(limits) as port:
        waiting = [stack.enter_context(connect(port)) for _ in range(100)]
        assert healthy(port)
        for connection in waiting:
            connection.setblocking(False)
        cut = 0
        for connection in waiting:
            try:
                cut += connection.recv(1) == b""
            except ConnectionError:
                cut += 1
            except BlockingIOError:
                pass
        assert 70 <= cut <= 71, "the oldest"


def test_request_is_answered_while_slow_bodies_hold_every_connection(posting, serving, monkeypatch):
    """The oldest connection is closed, not the newest."""
    received = threading.Semaphore(0)
    data_received = Connection.data_received

    def count(connection, data):
        data_received(connection, data)
        received.release()

    monkeypatch.setattr(Connection, "data_received", count)
    with serving(Limits(open=10)) as port, ExitStack() as stack:
        for _ in range(10):
            stack.enter_context(connect(port)).sendall(posting)
        assert all(received.acquire(timeout=20) for _ in range(10))
        assert healthy(port)


def test_client_that_disconnects_during_a_post_is_logged_in_one_line(posting, serving, log_lines):
    """Fifty clients give fifty lines: no traceback and nothing else."""
    begun = len(log_lines())

    def of_clients():
        return [line for line in log_lines()[begun:] if "healthz" not in line]

    with serving(PATIENT) as port:
        for number in range(50):
            with connect(port) as connection:
                connection.sendall(posting + b"a" * (number * 90))
                if number % 2:  # the connection is reset, not closed
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        until = time.monotonic() + 20
        while len(of_clients()) < 50 and time.monotonic() < until:
            assert healthy(port)
    assert len(of_clients()) == 50
    assert {re.sub(r"\d+ ms", "_ ms", line) for line in of_clients()} == {
        "POST /settings/*/ 499 the client left _ ms"
    }
