"""Runs a flow (`cell_flow`) for every cell, some instances at once and at a limited pace, until the run is stopped.

Every kind of run uses this module.

    each instance, 256 or more at a time   list its cells, then run them, one after the other
    each cell                              its calls wait for the pace of the instance and of the host
    stop (Ctrl-C, `publish pause`)         no new cell begins; calls under way get `grace_s` seconds to end, and after
                                           a pause, cells whose write was sent get `late_s` seconds

Every cell has exactly one ending, also a cell that never began. Each result goes to `CellWork` immediately, so that
memory does not grow with the number of cells.

A run stops early when the service is unreachable, refuses the key, or has no Apps API at the base URL: every further
cell would fail, too.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Generic, Protocol, TypeVar

from awning.client import Calling, NoResponse, Operation, Reply, Response, Step, Wait
from awning.client.flow import Sender, run_flow
from awning.client.retry import not_processed, retry_after_s, throttled
from awning.errors import ServiceError
from awning.publish.cell_flow import AppendEntry, Await, PublishFlow
from awning.publish.cell_outcome import Cause, CellOutcome, Ending, ending_of
from awning.publish.cells import Cell
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal_entry import EntryKind, JournalEntry
from awning.publish.journal.writer import JournalWriter
from awning.publish.pacing import HostPace, Pace, Window

LIMITS = {Cause.UNREACHABLE: 8, Cause.UNAUTHORIZED: 20, Cause.NOT_THERE: 8}
"""The number of consecutive instances that fail for the same cause before the run stops, by cause."""

_ENDINGS = {
    Cause.UNREACHABLE: Ending(
        outcome=CellOutcome.FAILED, reason="not tried: the service is unreachable", cause=Cause.UNREACHABLE
    ),
    Cause.UNAUTHORIZED: Ending(
        outcome=CellOutcome.REFUSED,
        reason=f"not tried: {LIMITS[Cause.UNAUTHORIZED]} instances in a row were unauthorized",
        cause=Cause.UNAUTHORIZED,
    ),
    Cause.NOT_THERE: Ending(
        outcome=CellOutcome.FAILED,
        reason="not tried: there is no Apps API at the base URL",
        cause=Cause.NOT_THERE,
    ),
}


SILENCE_S = 25.0
"""The seconds without any response after which the run stops.

They are counted from the start of the first unanswered call. At least two calls in a row must be unanswered.
"""


class Breaker:
    """Counts consecutive instances that failed for the same cause, and notices a service that does not answer."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._cause: Cause | None = None
        self._count = 0
        self._answered = False
        self._clock = clock
        self._silent_since = clock()
        self._unanswered = 0

    def record_reply(self, reply: Response | NoResponse, reply_s: float = 0.0) -> None:
        """Count one call: it got a response, or none after `reply_s` seconds."""
        if isinstance(reply, Response):
            self._unanswered = 0
        else:
            if not self._unanswered:
                self._silent_since = self._clock() - reply_s
            self._unanswered += 1

    @property
    def is_silent(self) -> bool:
        """Whether the service has not answered for so long that no more calls are sent."""
        return self._unanswered > 1 and self._clock() - self._silent_since >= SILENCE_S

    def record(self, cause: Cause | None) -> None:
        """Count one instance. `cause` is why it failed; None when at least one of its cells did not fail.

        An instance with foreign content answered, too.
        """
        self._count = self._count + 1 if cause == self._cause else 1
        self._cause = cause
        self._answered |= cause in {None, Cause.FOREIGN}

    @property
    def verdict(self) -> Ending | None:
        """The ending that all remaining cells get; None while the run goes on."""
        if self.is_silent:
            return _ENDINGS[Cause.UNREACHABLE]
        if self._cause is None or self._count < LIMITS.get(self._cause, self._count + 1):
            return None
        if self._cause is Cause.NOT_THERE and self._answered:  # the API exists, only some websites do not
            return None
        return _ENDINGS[self._cause]


T = TypeVar("T")

OPEN_INSTANCES = 256
"""How many instances are worked on at once. If more requests may be in flight, their number is used instead."""
INTERRUPTED = Ending(outcome=CellOutcome.SKIPPED, reason="interrupted before it was written")
CUT_OFF = Ending(outcome=CellOutcome.UNKNOWN, reason="interrupted while it was written")
_DEAD = NoResponse(why="the service does not answer", sent=False)


class CellResultLike(Protocol):
    """The result of the work on a cell.

    `cause` is the kind of its failure; None when it did not fail, or when that is not known.
    """

    @property
    def cause(self) -> Cause | None: ...


R = TypeVar("R", bound=CellResultLike | None)


class CellWork(ABC, Generic[R]):
    """The work that a run does on each cell. The result None is a cell about which there is nothing to say."""

    def cells(self, instance: Instance) -> PublishFlow[Sequence[Cell]]:
        """Return the cells of an instance. The flow may call the service. Raises ServiceError when a call fails."""
        yield from ()
        return self.cells_without_answer(instance)

    def cells_without_answer(self, instance: Instance) -> Sequence[Cell]:
        """Return the cells of an instance without calling the service: the run stops, or a call has failed.

        Without an override, there is one cell for the work on the whole instance.
        """
        return (Cell(instance=instance, language=None),)

    @abstractmethod
    def cell(self, cell: Cell) -> PublishFlow[R]:
        """Do the work on one cell."""

    @abstractmethod
    def not_run(self, cell: Cell, ending: Ending) -> R:
        """Return the result of a cell that was not worked on, or not to its end."""

    def instance_began(self, cells: Sequence[Cell]) -> None:
        """Handle the beginning of the work on an instance, whose cells are now known."""

    def ended(self, cell: Cell, result: R) -> None:
        """Handle the result of a cell at once."""

    def instance_ended(self, instance: Instance, results: Sequence[R]) -> None:
        """Handle the end of an instance. `results` are those of its cells, in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """The settings of a run. Setting `stop` stops it: calls under way then have `grace_s` seconds to end.

    Cells whose write was sent then have `late_s` more seconds, until `hurry` is set, too.

    `late_s` is how long, in seconds, the service may still perform a write whose response did not come. The run waits
    that long before it writes the cell again. With None, it does not write the cell again.
    """

    calling: Calling
    pace: Pace = field(default_factory=Pace)
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    hurry: asyncio.Event = field(default_factory=asyncio.Event)
    grace_s: float = 2.0
    late_s: float | None = None


async def run_cells(
    instances: Iterable[Instance],
    work: CellWork[R],
    settings: RunSettings,
    send: Sender,
    writer: JournalWriter | None = None,
    *,
    host: HostPace | None = None,
) -> bool:
    """Run the work for every cell of every instance. Returns whether the run was interrupted.

    `instances` may be a generator: it is read while instances are finished. `writer` writes the journal entries
    of the flows. `host` is the pace of all calls; several runs may share it. Raises what `writer` raises, such as
    JournalUnwritable.
    """
    runner = _Runner(work, settings, send, writer, host or HostPace(settings.pace))
    queue = iter(instances)
    count = max(OPEN_INSTANCES, settings.pace.in_flight)
    workers = [asyncio.create_task(runner.work_on(queue)) for _ in range(count)]
    stopper = asyncio.create_task(runner.stop(workers))
    try:
        await _all(workers)
    finally:
        stopper.cancel()
    return settings.stop.is_set()


async def _all(workers: Sequence[asyncio.Task[None]]) -> None:
    """Wait for every worker. When one fails, cancel the others and raise its error."""
    if not workers:
        return
    _, waiting = await asyncio.wait(workers, return_when=asyncio.FIRST_EXCEPTION)
    for worker in waiting:
        worker.cancel()
    ends = await asyncio.gather(*workers, return_exceptions=True)
    errors = [end for end in ends if isinstance(end, BaseException)]
    first = next(
        (e for e in errors if not isinstance(e, asyncio.CancelledError)), errors[0] if errors else None
    )
    if first is not None:
        raise first


@dataclass(slots=True)
class _Runner(Generic[R]):
    """The state of one run: the shared pace, the breaker, and the tasks whose cell may have been written."""

    work: CellWork[R]
    settings: RunSettings
    send: Sender
    writer: JournalWriter | None
    host: HostPace
    breaker: Breaker = field(default_factory=Breaker, init=False)
    writing: set[asyncio.Task[object] | None] = field(default_factory=set, init=False)
    intended: dict[asyncio.Task[object] | None, JournalEntry] = field(default_factory=dict, init=False)
    """The newest intent of the cell that each task works on."""

    async def stop(self, workers: Sequence[asyncio.Task[None]]) -> None:
        """Wait for the stop, and cancel what has not ended in time."""
        await self.settings.stop.wait()
        await asyncio.sleep(self.settings.grace_s)
        for worker in workers:
            if worker not in self.writing:
                worker.cancel()
        with suppress(TimeoutError):
            async with asyncio.timeout(self.settings.late_s or 0):
                await self.settings.hurry.wait()
        for worker in workers:
            worker.cancel()

    async def work_on(self, queue: Iterator[Instance]) -> None:
        for instance in queue:
            own = Window(self.settings.pace.rates("instance"))
            cells, verdict = await self._cells(instance, own)
            self.work.instance_began(cells)
            causes: list[Cause | None] = []
            results: list[R] = []
            for cell in cells:
                ending = Ending(outcome=CellOutcome.SKIPPED, reason=cell.skip) if cell.skip else verdict
                if ending is None:
                    result, is_done = await self._cell(cell, own)
                    causes += [None if result is None else result.cause] if is_done else []
                else:
                    result = self.work.not_run(cell, ending)
                self.work.ended(cell, result)
                results.append(result)
            if causes:
                self.breaker.record(None if None in causes else causes[0])
            self.work.instance_ended(instance, results)
            await self._settle()

    async def _settle(self) -> None:
        """Let other tasks run.

        If a stop cancels this task here, the task continues, because each remaining cell needs an ending.
        """
        try:
            await (self.writer.settle() if self.writer else asyncio.sleep(0))
        except asyncio.CancelledError:
            if not self.settings.stop.is_set():
                raise

    async def _cells(self, instance: Instance, own: Window) -> tuple[Sequence[Cell], Ending | None]:
        """Return the cells of an instance, and an ending for all of them. It is None when they can be worked on."""
        verdict = INTERRUPTED if self.settings.stop.is_set() else self.breaker.verdict
        if verdict is None:
            try:
                cells = await self._complete(self.work.cells(instance), own)
            except ServiceError as problem:
                verdict = ending_of(problem)
                self.breaker.record(verdict.cause)
            except asyncio.CancelledError:
                if not self.settings.stop.is_set():
                    raise
                verdict = INTERRUPTED
            else:
                return cells, None
        return self.work.cells_without_answer(instance), verdict

    async def _cell(self, cell: Cell, own: Window) -> tuple[R, bool]:
        """Work on one cell. Returns its result, and whether the work was done to its end."""
        verdict = INTERRUPTED if self.settings.stop.is_set() else self.breaker.verdict
        if verdict is not None:
            return self.work.not_run(cell, verdict), False
        task = asyncio.current_task()
        try:
            return await self._complete(self.work.cell(cell), own), True
        except asyncio.CancelledError:
            if not self.settings.stop.is_set():
                raise
            return self.work.not_run(cell, self._ending_of_interrupted(task)), False
        finally:
            self.writing.discard(task)
            self.intended.pop(task, None)

    def _ending_of_interrupted(self, task: asyncio.Task[object] | None) -> Ending:
        """Return the ending of an interrupted cell. If it was not written, it holds what it held before its intent."""
        if task in self.writing:
            return CUT_OFF
        intent = self.intended.get(task)
        if intent is None or intent.place is None:
            return INTERRUPTED
        return replace(INTERRUPTED, contents={intent.place: intent.before})

    async def _complete(self, flow: PublishFlow[T], own: Window) -> T:
        """Run a flow to its end, and return its result. Calls are paced, and entries are written to the journal."""
        return await run_flow(flow, partial(self._perform, own))

    async def _perform(self, own: Window, step: Step | AppendEntry | Await) -> Reply:
        match step:
            case Operation():
                return await self._paced(step, own)
            case AppendEntry(entry=entry, texts=texts):
                if self.writer is None:
                    raise RuntimeError("a run without a journal must not write")
                if entry.kind is EntryKind.INTENT:
                    self.intended[asyncio.current_task()] = entry
                await self.writer.write(entry, texts)
            case Wait(seconds):
                await asyncio.sleep(0 if self.breaker.is_silent else seconds)
            case Await(act):
                await act()
        return None

    async def _paced(self, operation: Operation[object], own: Window) -> Response | NoResponse:
        await self.host.turn(own)
        async with self.host.slots:
            await self.host.ready()
            if operation.changes and self.writer is not None:  # the lock may have been lost during the wait
                await self.writer.confirm()
            began = time.monotonic()
            reply = _DEAD if self.breaker.is_silent else await self._sent(operation)
        self.breaker.record_reply(reply, time.monotonic() - began)
        calling = self.settings.calling
        if isinstance(reply, Response):
            throttles = reply.retry_after or throttled(reply)
            wait_s = retry_after_s(reply, now=calling.now()) if throttles else None
            self.host.record(reply, wait_s, patience_s=calling.retry.patience_s)
        return reply

    async def _sent(self, operation: Operation[object]) -> Response | NoResponse:
        """Send an operation. After a write, the cell counts as written unless the service certainly did not act."""
        task = asyncio.current_task()
        is_first = operation.changes and task not in self.writing
        if is_first:
            self.writing.add(task)
        reply = await self.send(operation)
        if is_first and (not_processed(reply) if isinstance(reply, Response) else not reply.sent):
            self.writing.discard(task)
        return reply
