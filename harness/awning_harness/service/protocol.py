"""uvicorn's HTTP protocol with four changes.

- The connection is in `scope["state"]["connection"]`, so that a fault can break it.
- A request that is not HTTP gets a response in the envelope of the Apps API, on every listener.
- The head and the body of a response are sent together; uvicorn writes them separately. Sending is the most expensive
  part of a small response.
- An offer to switch to another protocol is ignored, as RFC 9110, 7.8 allows. uvicorn's parser would drop the body of
  a request with such an offer, and Java's HttpClient offers h2c in every request over plain http.
"""

import asyncio
import re
import socket
import struct

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from awning_harness.service.envelope import JSON, Failure, failure_response

CONNECTION = "connection"
_NO_LINGER = struct.pack("ii", 1, 0)
_REQUEST_LINE = re.compile(rb"[A-Z]+ [^\r\n ]+ HTTP/1\.1\r\n")
_OFFER = re.compile(rb"\r\nupgrade:", re.IGNORECASE)


class Connection:
    """A client's connection. A fault can break it."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport

    def reset(self) -> None:
        """Close the connection with an RST, so that the client's next read or write fails."""
        sock = self._transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
        self._transport.abort()

    def close(self) -> None:
        """Close after all written data was sent."""
        self._transport.close()


class JoinedWrites(asyncio.Transport):
    """A transport that joins all writes of one turn of the event loop into one."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._transport = transport
        self._loop = loop
        self._waiting: list[bytes | bytearray | memoryview] = []
        self.get_extra_info = transport.get_extra_info  # type: ignore[method-assign]
        self.is_closing = transport.is_closing  # type: ignore[method-assign]
        self.pause_reading = transport.pause_reading  # type: ignore[method-assign]
        self.resume_reading = transport.resume_reading  # type: ignore[method-assign]

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if not self._waiting:
            self._loop.call_soon(self.flush)
        self._waiting.append(data)

    def close(self) -> None:
        """Send the waiting data, then close.

        A second call does nothing, because asyncio cannot abort a TLS transport that was closed twice.
        """
        if not self._transport.is_closing():
            self.flush()
            self._transport.close()

    def abort(self) -> None:
        self._waiting.clear()
        self._transport.abort()

    def flush(self) -> None:
        """Send the waiting data."""
        if self._waiting:
            self._transport.write(b"".join(self._waiting))
            self._waiting.clear()


class Protocol(HttpToolsProtocol):
    """The protocol of one connection."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(JoinedWrites(transport, self.loop))
        self.app_state = {CONNECTION: Connection(self.transport)}
        self._within = False

    def data_received(self, data: bytes) -> None:
        super().data_received(data if self._within else without_offer(data))

    def on_message_begin(self) -> None:
        self._within = True
        super().on_message_begin()

    def on_message_complete(self) -> None:
        self._within = False
        super().on_message_complete()

    def eof_received(self) -> None:
        """Send the waiting data when the client has stopped sending, because asyncio then closes the connection."""
        if isinstance(self.transport, JoinedWrites):
            self.transport.flush()
        super().eof_received()

    def send_400_response(self, msg: str) -> None:
        response = failure_response(Failure(400, msg))
        head = (
            b"HTTP/1.1 400 Bad Request\r\ncontent-type: %b\r\ncontent-length: %d\r\nconnection: close\r\n\r\n"
            % (JSON.encode(), len(response.body))
        )
        self.transport.write(head + response.body)
        self.transport.close()


def without_offer(data: bytes) -> bytes:
    """Return `data`, the first bytes of a request, with the header `Upgrade` renamed, so that the parser ignores it.

    A head that arrives in several pieces is not changed, and neither is a request of another version than HTTP/1.1.
    """
    end = data.find(b"\r\n\r\n")
    if not _OFFER.search(data, 0, max(end, 0)) or not _REQUEST_LINE.match(data):
        return data
    return _OFFER.sub(b"\r\nx-not-heard:", data[:end]) + data[end:]
