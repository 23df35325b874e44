"""The listeners of the simulated service and the dev server. They use uvicorn's HTTP protocol, but not its `Server`.

uvicorn's `Server` wakes ten times a second, takes over the process's signals and serves only one application. Here
several applications share one event loop. A listener starts within a millisecond, and one without running responses
stops as fast.

The commands that run a server share the options of its address, and serving until a signal.
"""

import asyncio
import contextlib
import errno
import logging
import os
import signal
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import click
from starlette.types import ASGIApp
from uvicorn.config import Config
from uvicorn.server import ServerState

from awning.contract import Exit
from awning.errors import ConfigurationError
from awning_harness.service.protocol import Protocol

LOOPBACK = "127.0.0.1"
LAST_PORT = 65535
PORT_HINT = "name another port, or 0 for a free one"
STOP_WITHIN_S = 0.5
KEEP_ALIVE_S = 75
BACKLOG = 1024
TURNS_TO_ACCEPT = 4  # turns of the event loop: accept, make the transport, call connection_made, end the task


def listening_socket(port: int, *, address: str = LOOPBACK, hint: str = PORT_HINT) -> socket.socket:
    """Return a socket that listens; port 0 takes a free one.

    Raises ConfigurationError when the port cannot be used, or when this machine does not have the address.
    """
    listener = bound_socket(port, address=address, hint=hint)
    listener.listen(BACKLOG)
    return listener


def bound_socket(port: int, *, address: str = LOOPBACK, hint: str = PORT_HINT) -> socket.socket:
    """Return a socket that is bound to the port. It refuses connections until it listens.

    Raises ConfigurationError when the port cannot be used, or when this machine does not have the address.
    """
    if not 0 <= port <= LAST_PORT:  # bind() would raise OverflowError
        raise ConfigurationError(f"port {port} cannot be used: a port is from 0 to {LAST_PORT}", hint=hint)
    # asyncio disables Nagle's delay (44 ms a response) only for sockets with IPPROTO_TCP.
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # on Windows, two programs could then share a port
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((address, port))
    except OSError as error:
        bound.close()
        if error.errno == errno.EADDRNOTAVAIL:
            raise ConfigurationError(
                f"{address} is no address of this machine", hint="0.0.0.0 is all of its IPv4 addresses"
            ) from error
        raise ConfigurationError(f"port {port} cannot be used: {error.strerror}", hint=hint) from error
    bound.setblocking(False)
    return bound


def listening_near(port: int, address: str = LOOPBACK) -> socket.socket:
    """Return a listening socket on `port` if that port exists and is free, else on any free port."""
    with contextlib.suppress(ConfigurationError):
        return listening_socket(port, address=address)
    return listening_socket(0, address=address)


class Listener:
    """One application on one socket, in the running event loop."""

    def __init__(self, listening: socket.socket, app: ASGIApp) -> None:
        self._socket = listening
        self._address, self._port = listening.getsockname()
        self._state = ServerState()
        self._server: asyncio.Server | None = None
        self._reopening: asyncio.Task[None] | None = None
        self._refusing = self._is_stopped = False
        self._config = protocol_config(app)

    async def open(self) -> None:
        """Accept connections."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._protocol, sock=self._socket, backlog=BACKLOG)

    def refuse(self, refusing: bool) -> None:
        """Refuse new connections and close idle ones, or accept connections again. `settled` waits for the effect."""
        self._refusing = refusing
        if self._reopening is not None or self._is_stopped:
            return
        if refusing and self._is_open:
            self._close()
            self._socket = bound_socket(self._port, address=self._address)
        elif not refusing and not self._is_open:
            self._socket.listen(BACKLOG)
            self._reopening = asyncio.ensure_future(self._reopen())

    async def settled(self) -> None:
        """Wait until the last call of `refuse` has its effect."""
        if self._reopening is not None:
            await self._reopening

    async def stop(self) -> None:
        """Stop listening, give running responses half a second to end, close every connection."""
        self._is_stopped = True
        await self.settled()
        await self._finish_accepting()
        self._close()
        self._socket.close()
        if self._state.tasks:
            await asyncio.wait(list(self._state.tasks), timeout=STOP_WITHIN_S)
        for task in list(self._state.tasks):
            task.cancel()
        for connection in list(self._state.connections):
            connection.transport.abort()
        await asyncio.sleep(0)  # an aborted transport closes its socket in the event loop's next turn

    @property
    def _is_open(self) -> bool:
        return self._server is not None

    async def _reopen(self) -> None:
        """Accept connections, unless they are to be refused again by then."""
        try:
            await self.open()
        finally:
            self._reopening = None
        self.refuse(self._refusing)

    async def _finish_accepting(self) -> None:
        """Accept no further connections, and wait until the accepted ones have their protocol.

        When a server is closed, asyncio drops each connection that has no protocol yet, and leaves its socket open.
        """
        if self._server is not None:
            with contextlib.suppress(NotImplementedError):  # Windows' event loop has no readers
                asyncio.get_running_loop().remove_reader(self._socket)
        await pending_connections()

    def _stop_listening(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    def _close(self) -> None:
        self._stop_listening()
        for connection in list(self._state.connections):
            connection.shutdown()

    def _protocol(self) -> asyncio.Protocol:
        return Protocol(config=self._config, server_state=self._state, app_state={})


async def pending_connections() -> None:
    """Wait until each accepted connection has its protocol, because only connections with a protocol are closed."""
    for _ in range(TURNS_TO_ACCEPT):
        await asyncio.sleep(0)


def protocol_config(app: ASGIApp) -> Config:
    """Return the configuration with which uvicorn's protocol serves `app`."""
    config = Config(
        app,
        http=Protocol,
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        date_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE_S,
    )
    config.load()
    return config


def quiet_server_logs() -> None:
    """Silence uvicorn's warnings and errors.

    The warnings are about requests that are not HTTP, to which `Protocol` responds. The errors are exceptions of an
    application.
    """
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)


def listen_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--listen` and `--allow-host`, passed as `listen` and `allow_hosts`."""
    listen = click.option(
        "--listen",
        metavar="ADDRESS",
        default=LOOPBACK,
        show_default=True,
        help="The IPv4 address to listen on, such as 0.0.0.0 in a container. Others than loopback need --allow-host.",
    )
    allow = click.option(
        "--allow-host",
        "allow_hosts",
        metavar="NAME",
        multiple=True,
        help="Accept requests for this host name, too. Repeatable. By default, only loopback names are accepted.",
    )
    return listen(allow(command))


async def until_signalled(serve: Callable[[asyncio.Event], Awaitable[None]]) -> int:
    """Let `serve` serve until the event is set: at Ctrl-C (exit code 130) or SIGTERM (0)."""
    stop, code = asyncio.Event(), Exit.DONE

    def interrupt() -> None:
        nonlocal code
        code = Exit.INTERRUPTED
        stop.set()

    with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C raises KeyboardInterrupt
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, interrupt)
        loop.add_signal_handler(signal.SIGTERM, stop.set)
    await serve(stop)
    return int(code)
