"""One connection from the open internet: how much of a request may come, and how long it may take.

uvicorn closes a connection that is idle between two requests, and h11 limits the bytes of an unfinished head. The
rest is here: the time for a head, for a body and for taking an answer, and how many connections may be open. A limit
is for the whole of a phase, so a client that sends one byte a second gains nothing.

    head     from the connection, or from the last answer, to the end of the header lines: 408 when it is late
    body     until the body is there: 408
    answer   the application is at work: no limit here
    closing  until the client has taken what was sent: the connection is cut, as it is where an answer gets stuck

A head that is complete is judged by `guard`, whatever the server: 431 where it is too long.
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
    """Seconds for each phase; `linger_s` is how long a refused client has to read why. `open`: connections."""

    head_s: float = 10.0
    body_s: float = 60.0
    closing_s: float = 60.0
    linger_s: float = 1.0
    open: int = 500

    def seconds(self, phase: Phase) -> float | None:
        limits = {"head": self.head_s, "body": self.body_s, "closing": self.closing_s}
        return limits.get(phase)


class Connection(H11Protocol):
    """uvicorn's protocol on h11, with limits. `--http awning.host.connection:Connection`."""

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
        """Called when the client does not take what is sent. It has as long as at the end."""
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
        """uvicorn calls this where h11 cannot read what came."""
        received, _ = self.conn.trailing_data
        too_long = self.conn.their_state is h11.ERROR and len(received) > HEAD_BYTES
        status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE if too_long else HTTPStatus.BAD_REQUEST
        self._refuse(status, "the head is too long" if too_long else "this is not HTTP")

    def waits_since(self) -> float:
        """Since when the client keeps us waiting, by the loop's clock; infinite where it does not."""
        return math.inf if self._refused or self._current() == "answer" else self._since

    def _watch(self) -> None:
        """Begin the time of a phase that has just begun."""
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
            self.transport.abort()  # nobody asked anything
        else:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, f"the {phase} took too long")

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        """Answer where nothing was answered yet, and read no more; the application sees that its client is gone."""
        self._refused = True
        self._stop_timer()
        self._unset_keepalive_if_required()
        answered = self._leave()
        LOG.info("- - %s %s", status.value, why)
        if not answered:
            self.transport.write(_answer(status))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.transport.pause_reading()
        self._timer = self.loop.call_later(self.limits.linger_s, self.transport.abort)

    def _leave(self) -> bool:
        """Let the application see that its client is gone. Whether it has answered already, in part or whole."""
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
        return self.conn.our_state not in {h11.IDLE, h11.SEND_RESPONSE}

    def _make_room(self) -> None:
        """Cut the connection that has kept us waiting longest; the newest where all others are being answered."""
        others = [other for other in self.connections if isinstance(other, Connection) and other is not self]
        oldest = min(others, key=Connection.waits_since, default=self)
        if oldest.waits_since() == math.inf:
            oldest = self
        LOG.info("- - - cut, as %d connections are open", len(self.connections))
        oldest.cut()

    def cut(self) -> None:
        """End it at once, whatever is under way."""
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


def _answer(status: HTTPStatus) -> bytes:
    text = f"{status.phrase}\n".encode()
    return (
        f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: text/plain\r\n"
        f"content-length: {len(text)}\r\nconnection: close\r\n\r\n"
    ).encode() + text
