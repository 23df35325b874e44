"""Sockets and the HTTP protocol under the service: uvicorn's protocol on our own listeners, loopback only.

uvicorn's `Server` is not used: it wakes ten times a second, takes over the process's signals and serves one
application; here several applications share one event loop, and starting and stopping take a millisecond.
"""

import asyncio
import contextlib
import logging
import socket

from uvicorn.config import Config
from uvicorn.server import ServerState

from awning.errors import ConfigurationError
from awning_harness.service.asgi import App
from awning_harness.service.protocol import Protocol

LOOPBACK = "127.0.0.1"
STOP_WITHIN_S = 2.0
BACKLOG = 1024


def listening_socket(port: int) -> socket.socket:
    """A socket that listens on loopback; port 0 takes a free one. Raises a ConfigurationError."""
    # asyncio turns Nagle's delay (44 ms an answer) off only for sockets that say that they are TCP.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((LOOPBACK, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise ConfigurationError(
            f"port {port} cannot be used: {error.strerror}", hint="name another port, or 0 for a free one"
        ) from error
    listener.setblocking(False)
    return listener


def listening_near(port: int) -> socket.socket:
    """A socket on `port` when that is free, else on any free one."""
    with contextlib.suppress(ConfigurationError):
        return listening_socket(port)
    return listening_socket(0)


class Listeners:
    """Several applications, each on a socket of its own, in the running event loop."""

    def __init__(self) -> None:
        self._state = ServerState()
        self._servers: list[asyncio.Server] = []

    async def start(self, listener: socket.socket, app: App) -> None:
        config = Config(
            app,
            http=Protocol,
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            date_header=False,
        )
        config.load()
        loop = asyncio.get_running_loop()

        def protocol() -> asyncio.Protocol:
            return Protocol(config=config, server_state=self._state, app_state={})

        self._servers.append(await loop.create_server(protocol, sock=listener, backlog=BACKLOG))

    async def stop(self) -> None:
        """Stop listening, let running answers end (2 s at most), close every connection."""
        for server in self._servers:
            server.close()
        for connection in list(self._state.connections):
            connection.shutdown()
        if self._state.tasks:
            await asyncio.wait(list(self._state.tasks), timeout=STOP_WITHIN_S)
        for task in list(self._state.tasks):
            task.cancel()
        for connection in list(self._state.connections):
            connection.transport.abort()


def quiet_server_logs() -> None:
    """uvicorn warns of every request that is no HTTP; here that is answered, and nothing to tell a user."""
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
