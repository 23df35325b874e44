"""A socket on this machine and the app behind it: uvicorn's protocol without uvicorn's server.

That one takes over the process's signals and, at the end, waits for open pages to close their streams.
"""

import asyncio
import logging
import os
import socket
from dataclasses import dataclass

from starlette.types import ASGIApp
from uvicorn.config import Config
from uvicorn.server import ServerState

from awning.errors import ConfigurationError

LOOPBACK = "127.0.0.1"
STOP_WITHIN_S = 1.0
_BACKLOG = 256


def listening_socket(port: int) -> socket.socket:
    """A socket that listens on loopback; port 0 takes a free one. Raises `ConfigurationError`."""
    # asyncio turns Nagle's delay off only for sockets that say that they are TCP.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere the option lets two programs share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((LOOPBACK, port))
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise ConfigurationError(
            f"port {port} cannot be used: {error.strerror}",
            hint="another awning dev may be running; --port 0 takes a free port, --port N another one",
        ) from error
    listening.setblocking(False)
    return listening


@dataclass(slots=True)
class Serving:
    """An app that answers on a socket."""

    state: ServerState
    server: asyncio.Server

    async def stop(self) -> None:
        """Stop listening, let running answers end for a moment, close every connection."""
        self.server.close()
        for connection in list(self.state.connections):
            connection.shutdown()
        if self.state.tasks:
            await asyncio.wait(list(self.state.tasks), timeout=STOP_WITHIN_S)
        for task in list(self.state.tasks):
            task.cancel()
        for connection in list(self.state.connections):
            connection.transport.abort()


async def serve(app: ASGIApp, listening: socket.socket) -> Serving:
    """Answer on `listening` in the running event loop."""
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # it warns of whatever is no HTTP
    config = Config(app, log_config=None, access_log=False, lifespan="off", ws="none")
    config.load()
    state = ServerState()
    loop = asyncio.get_running_loop()

    def protocol() -> asyncio.Protocol:
        return config.http_protocol_class(config=config, server_state=state, app_state={})  # type: ignore[call-arg]

    return Serving(state, await loop.create_server(protocol, sock=listening, backlog=_BACKLOG))
