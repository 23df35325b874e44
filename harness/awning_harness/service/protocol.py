"""uvicorn's HTTP protocol, with two things of our own.

An application finds the connection in `scope["state"]["connection"]`, since a fault may have to break it; and
what is not HTTP is answered in the API's envelope, like everything else.
"""

import asyncio
import socket
import struct

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from awning_harness.service.envelope import JSON, Failure, refusal

CONNECTION = "connection"
_NO_LINGER = struct.pack("ii", 1, 0)


class Connection:
    """A client's connection, to be broken."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport

    def reset(self) -> None:
        """End it with an RST: the client's next read or write fails."""
        sock = self._transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
        self._transport.abort()

    def close(self) -> None:
        """End it in order, after what was written has gone out."""
        self._transport.close()


class Protocol(HttpToolsProtocol):
    """One connection."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.app_state = {CONNECTION: Connection(transport)}

    def send_400_response(self, msg: str) -> None:
        answer = refusal(Failure(400, msg))
        head = (
            b"HTTP/1.1 400 Bad Request\r\ncontent-type: %b\r\ncontent-length: %d\r\nconnection: close\r\n\r\n"
            % (JSON, len(answer.body))
        )
        self.transport.write(head + answer.body)
        self.transport.close()
