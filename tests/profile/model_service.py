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

from fault_effects import every_fault, is_slow

from awning.client import NoResponse, Operation, Response
from awning_harness.service.faults.faults import Effect, Got

TIMEOUT_S = 30.0
"""The request timeout of the runs in seconds."""
LATE_S = 0.8 * TIMEOUT_S
"""The seconds after which a late write is performed."""
CellKey = tuple[str, str | None]
"""The authCode and the language."""
RESET_AND_LATE = Effect(got=Got.RESET, performed=True, ms=int(LATE_S * 1000), late=True)
"""The connection is reset, and the call is performed later. No fault of the simulated service does that."""
EFFECTS = (*(fault.effect for fault in every_fault(TIMEOUT_S)), RESET_AND_LATE)
LATE = tuple(effect for effect in EFFECTS if effect.late and effect.ms >= LATE_S * 1000)


class Died(BaseException):
    """Stands for the end of the process. Nothing that would come after it is executed."""


@dataclass
class Weather:
    """Which share of the calls meets a fault, and with which effects. `dies_at` is the call at which the process ends.

    With `spares_reads`, only writes meet faults.
    """

    seed: int = 0
    share: float = 0.0
    kinds: tuple[Effect, ...] = EFFECTS
    spares_reads: bool = False
    dies_at: int | None = None
    calls: int = 0

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def draw(self, operation: str) -> Effect | None:
        """Return the effect of a fault on the next call; None for no fault. Raises Died at the call `dies_at`."""
        self.calls += 1
        if self.calls == self.dies_at:
            raise Died
        if self.spares_reads and operation != "set_snippet":
            return None
        effect = self._random.choice(self.kinds)
        return effect if self._random.random() < self.share else None


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
        effect = self.weather.draw(operation.name)
        if effect is not None and not effect.performed:
            return _reply(effect, b"")
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
            if effect in LATE:
                self._accept(code, operation.body, due=self.now() + LATE_S)
                return _reply(effect, b"")
            self._accept(code, operation.body)
        else:
            raise AssertionError(operation.name)
        return _reply(effect or NO_EFFECT, json.dumps(fields).encode())

    def _accept(self, code: str, body: bytes, *, due: float | None = None) -> None:
        payload = json.loads(body)
        self.sent += 1
        write = Write(self.sent, (code, payload.get("language")), payload["snippet"], due or 0.0)
        if due is None:
            self._perform(write)
        else:
            self.late.append(write)


def _refusal(
    status: int, message: str, *, code: int | None = None, retry_after: int | None = None
) -> Response:
    body = {"error": True, "error_code": status if code is None else code, "error_message": message}
    after = None if retry_after is None else str(retry_after)
    return Response(status=status, body=json.dumps(body).encode(), retry_after=after)


NO_EFFECT = Effect(got=Got.RESPONSE, performed=True)
NO_RESPONSE = {
    Got.NO_CONNECTION: NoResponse(why="cannot connect", sent=False),
    Got.RESET: NoResponse(why="the connection was reset"),
}


def _reply(effect: Effect, body: bytes) -> Response | NoResponse:
    """Return what a client gets. Without an effect that is a response with status 200 and `body`."""
    if is_slow(effect, TIMEOUT_S):
        return NoResponse(why="no answer in time", timed_out=True)
    if effect.got in NO_RESPONSE:
        return NO_RESPONSE[effect.got]
    if effect.got is Got.ERROR:
        assert effect.status is not None
        return _refusal(effect.status, "No", code=effect.error_code, retry_after=effect.retry_after)
    bodies = {Got.NOT_JSON: b"<p>", Got.HALF: body[: len(body) // 2], Got.RESPONSE: body}
    return Response(status=effect.status or 200, body=bodies[effect.got])


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
        mock.patch("awning.client.async_client.AsyncTransport", Transport),
        mock.patch("awning.publish.runner.asyncio", Sleepless(sleep)),
    ):
        yield
