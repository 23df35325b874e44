"""A service in memory that stores what is written to it: the oracle of the publisher's property tests.

A seeded `Weather` decides which calls the service loses or refuses, and which writes it performs late. The service
records when a write that was sent earlier replaces one that was sent later. `publishing_to` lets the publisher call it
instead of the network.
"""

import asyncio
import json
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Self
from unittest import mock

from awning.client import NoResponse, Operation, Response

TIMEOUT_S = 30.0
"""The request timeout of the runs in seconds."""
LATE_S = 0.8 * TIMEOUT_S
"""The seconds after which a late write is performed."""
CellKey = tuple[str, str | None]
"""The authCode and the language."""
FAULTS = (
    "refused",
    "broken",
    "unavailable",
    "throttled",
    "cut short",
    "not sent",
    "lost on the way",
    "answer lost",
    "performed late",
    "reset and performed late",
)


class Died(BaseException):
    """Stands for the end of the process. Nothing that would come after it is executed."""


@dataclass
class Weather:
    """Which share of the calls meets a fault, and of which kind. `dies_at` is the call at which the process ends.

    With `spares_reads`, only writes meet faults.
    """

    seed: int = 0
    share: float = 0.0
    kinds: tuple[str, ...] = FAULTS
    spares_reads: bool = False
    dies_at: int | None = None
    calls: int = 0

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def draw(self, operation: str) -> str | None:
        """Return the fault of the next call; None for no fault. Raises Died at the call `dies_at`."""
        self.calls += 1
        if self.calls == self.dies_at:
            raise Died
        if self.spares_reads and operation != "set_snippet":
            return None
        fault = self._random.choice(self.kinds)
        return fault if self._random.random() < self.share else None


CLEAR = Weather()


@dataclass
class Write:
    """One `set_snippet` that the service has got. `number` is its place in the order of sending."""

    number: int
    cell: CellKey
    text: str
    due: float = 0.0


@dataclass
class ModelService:
    """The service. `cells` are the texts that were set.

    With `fallback`, a read of a language without a text returns the website's text.
    """

    languages: dict[str, list[str]]
    fallback: bool = False
    cells: dict[CellKey, str] = field(default_factory=dict)
    weather: Weather = field(default_factory=Weather)
    late: list[Write] = field(default_factory=list)
    written: dict[CellKey, Write] = field(default_factory=dict)
    replaced: list[str] = field(default_factory=list)
    """Sentences about older bodies that were written over newer ones."""
    sent: int = 0
    slept_s: float = 0.0

    def now(self) -> float:
        """Return the service's time. A sleep of a run advances it at once, and the process does not sleep."""
        return time.monotonic() + self.slept_s

    def read(self, cell: CellKey) -> str | None:
        """Return the answer to `get_snippet`; None when no text is set."""
        code, language = cell
        own = self.cells.get(cell)
        return self.cells.get((code, None)) if own is None and language and self.fallback else own

    def set_by_hand(self, cell: CellKey, text: str | None) -> None:
        """Change a cell as a program other than the publisher does. None removes its snippet."""
        self.written.pop(cell, None)
        if text is None:
            self.cells.pop(cell, None)
        else:
            self.cells[cell] = text

    def land(self, *, everything: bool = True) -> None:
        """Perform late writes: those that are due, or all."""
        now = self.now()
        due = [write for write in self.late if everything or write.due <= now]
        self.late = [write for write in self.late if write not in due]
        for write in due:
            self._perform(write)

    def _perform(self, write: Write) -> None:
        before = self.written.get(write.cell)
        if before is not None and before.number > write.number and before.text != write.text:
            self.replaced.append(f"{write.cell}: {write.text!r} over {before.text!r}, which was sent later")
        self.written[write.cell] = write
        self.cells[write.cell] = write.text

    async def send(self, operation: Operation[object]) -> Response | NoResponse:
        self.land(everything=False)
        (_, secret), *_ = operation.query
        code = secret if isinstance(secret, str) else secret.reveal()
        fault = self.weather.draw(operation.name)
        if fault in NOT_PERFORMED:
            return NOT_PERFORMED[fault]
        if code not in self.languages:
            return _refusal(401, "Unauthorized")
        fields: dict[str, object] = {"error": False}
        if operation.name == "languages":
            fields["languages"] = self.languages[code]
        elif operation.name == "get_snippet":
            fields["snippet"] = self.read((code, operation.path.split("/")[3] or None))
        elif operation.name == "get_data":
            fields["data"] = None
        elif operation.name == "set_snippet":
            if fault in {"performed late", "reset and performed late"}:
                self._accept(code, operation.body, due=self.now() + LATE_S)
                return NoResponse(why="no answer in time", timed_out=fault == "performed late")
            self._accept(code, operation.body)
        else:
            raise AssertionError(operation.name)
        if fault in {"answer lost", "performed late", "reset and performed late"}:
            return NoResponse(why="the answer was lost")
        body = json.dumps(fields).encode()
        return Response(status=200, body=body[: len(body) // 2] if fault == "cut short" else body)

    def _accept(self, code: str, body: bytes, *, due: float | None = None) -> None:
        payload = json.loads(body)
        self.sent += 1
        write = Write(self.sent, (code, payload.get("language")), payload["snippet"], due or 0.0)
        if due is None:
            self._perform(write)
        else:
            self.late.append(write)


def _refusal(status: int, message: str) -> Response:
    body = {"error": True, "error_code": status, "error_message": message}
    return Response(status=status, body=json.dumps(body).encode())


NOT_PERFORMED = {
    "refused": _refusal(400, "No"),
    "broken": _refusal(500, "Oops"),
    "unavailable": Response(status=503, retry_after="0"),
    "throttled": Response(status=429, body=b"{}", retry_after="0"),
    "not sent": NoResponse(why="cannot connect", sent=False),
    "lost on the way": NoResponse(why="lost"),
}
"""The replies of faults that keep a call from being performed."""


class Sleepless:
    """The module `asyncio` with another `sleep`, for one module of the publisher."""

    def __init__(self, sleep: Callable[..., Awaitable[None]]) -> None:
        self.sleep = sleep

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)


@contextmanager
def publishing_to(service: ModelService) -> Iterator[None]:
    """Let every run of the publisher call `service`. The waits of its runner advance only the service's time."""

    async def sleep(seconds: float, *_: object) -> None:
        service.slept_s += seconds
        await asyncio.sleep(0)

    class Transport:
        def __init__(self, *_arguments: object, **_named: object) -> None:
            self.send = service.send

        async def __aenter__(self) -> Self:
            return self

        async def __aexit__(self, *_error: object) -> None:
            pass

    with (
        mock.patch("awning.publish.run.AsyncTransport", Transport),
        mock.patch("awning.publish.reading.AsyncTransport", Transport),
        mock.patch("awning.publish.runner.asyncio", Sleepless(sleep)),
    ):
        yield
