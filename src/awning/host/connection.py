"""Limits the time of each phase of a connection from the internet, and the number of open connections.

uvicorn closes idle connections between two requests, and h11 limits the size of an unfinished request head. This
protocol adds time limits. Each limit is for a whole phase, so a client cannot prolong it by sending one byte a second.

    head     from the connection, or from the last response, to the end of the header lines; 408 when it takes too long,
             or no response when the client has sent nothing
    body     to the end of the body; 408 when it takes too long
    answer   while the application works; it has no limit of its own
    closing  until the client has received the whole response; the connection is cut when it takes too long.
             The same limit applies whenever the client stops reading

`guard` checks the size of complete request heads (431). It is ASGI middleware, so it also works with another server.
"""

import asyncio
import math
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, ClassVar, Literal

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from awning.host.guard import HEAD_BYTES
from awning.host.log import LOG

Phase = Literal["head", "body", "answer", "closing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The longest time of each phase, in seconds. `open` is the largest number of open connections.

    `linger_s` is how long a refused client may take to read its response.
    """

    head_s: float = 10.0
    body_s: float = 60.0
    closing_s: float = 60.0
    linger_s: float = 1.0
    open: int = 500

    def seconds(self, phase: Phase) -> float | None:
        limits = {"head": self.head_s, "body": self.body_s, "closing": self.closing_s}
        return limits.get(phase)


class Connection(H11Protocol):
    """uvicorn's h11 protocol with limits. uvicorn loads it with `--http awning.host.connection:Connection`."""

    limits: ClassVar[Limits] = Limits()

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.conn = h11.Connection(h11.SERVER, HEAD_BYTES)
        self._phase: tuple[Phase, object] | None = None
        self._since = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._full: asyncio.TimerHandle | None = None
        self._refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()
        if len(self.connections) > self.limits.open:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._stop_full()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self._refused:
            super().data_received(data)
            self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def timeout_keep_alive_handler(self) -> None:
        if not self._refused:
            super().timeout_keep_alive_handler()
            self._watch()

    def pause_writing(self) -> None:
        """Start the time limit of the phase `closing`, because the client has stopped reading."""
        super().pause_writing()
        self._full = self.loop.call_later(self.limits.closing_s, self.transport.abort)

    def resume_writing(self) -> None:
        self._stop_full()
        super().resume_writing()

    def shutdown(self) -> None:
        if not self._refused:
            super().shutdown()
            self._watch()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's signature
        """Refuse a request that h11 cannot parse, or whose head is too long. uvicorn calls this method."""
        received, _ = self.conn.trailing_data
        too_long = self.conn.their_state is h11.ERROR and len(received) > HEAD_BYTES
        status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE if too_long else HTTPStatus.BAD_REQUEST
        self._refuse(status, "the head is too long" if too_long else "this is not HTTP")

    def waits_since(self) -> float:
        """Return when the server began to wait for the client, by the event loop's clock.

        Returns infinity while the server does not wait for the client.
        """
        return math.inf if self._refused or self._current() == "answer" else self._since

    def _watch(self) -> None:
        """Start the timer of a phase when the phase begins."""
        phase = (self._current(), self.cycle)
        if self._refused or phase == self._phase:
            return
        self._stop_timer()
        self._phase = phase
        self._since = self.loop.time()
        seconds = self.limits.seconds(phase[0])
        if seconds is not None:
            self._timer = self.loop.call_later(seconds, self._late)

    def _current(self) -> Phase:
        if self.transport.is_closing():
            return "closing"
        if self.conn.their_state is h11.IDLE:
            return "head"
        return "body" if self.conn.their_state is h11.SEND_BODY else "answer"

    def _late(self) -> None:
        phase = self._current()
        if phase == "closing":
            self.transport.abort()
        elif phase == "head" and not self.conn.trailing_data[0]:
            self.transport.abort()  # the client sent nothing, so it gets no response
        else:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, f"the {phase} took too long")

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        """Stop reading, and send an error response unless a response has begun.

        The application is told that the client disconnected.
        """
        self._refused = True
        self._stop_timer()
        self._unset_keepalive_if_required()
        response_begun = self._disconnect_application()
        LOG.info("- - %s %s", status.value, why)
        if not response_begun:
            self.transport.write(_plain_response(status))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.transport.pause_reading()
        self._timer = self.loop.call_later(self.limits.linger_s, self.transport.abort)

    def _disconnect_application(self) -> bool:
        """Tell the application that its client has left. Returns whether the response has begun."""
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
        return self.conn.our_state not in {h11.IDLE, h11.SEND_RESPONSE}

    def _make_room(self) -> None:
        """Cut the connection that has waited longest for its client. If no other connection waits, cut this one."""
        others = [other for other in self.connections if isinstance(other, Connection) and other is not self]
        oldest = min(others, key=Connection.waits_since, default=self)
        if oldest.waits_since() == math.inf:
            oldest = self
        LOG.info("- - - cut, as %d connections are open", len(self.connections))
        oldest.cut()

    def cut(self) -> None:
        """Close this connection immediately."""
        self._refused = True
        self.transport.abort()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _stop_full(self) -> None:
        if self._full is not None:
            self._full.cancel()
            self._full = None


def _plain_response(status: HTTPStatus) -> bytes:
    text = f"{status.phrase}\n".encode()
    return (
        f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: text/plain\r\n"
        f"content-length: {len(text)}\r\nconnection: close\r\n\r\n"
    ).encode() + text
