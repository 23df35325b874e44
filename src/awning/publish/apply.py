"""Writes a build to every instance: bounded, paced, journalled, stoppable.

    each instance, 256 at a time    read its languages, then its cells, one after the other
    each cell                       `cell_flow`; its calls wait for the pace of the instance and of the host
    stop (Ctrl-C)                   no new cell begins; running calls get `grace_s` seconds to end

Every cell has exactly one ending, also a cell that never began.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from awning.client import Calling, NoResponse, Operation, Reply, Response, Step, Wait, apps, call
from awning.client.async_client import Sender
from awning.client.flow import run_flow
from awning.client.retry import retry_after_s, throttled
from awning.errors import ServiceError
from awning.publish.breaker import Breaker
from awning.publish.cell_flow import AppendEntry, PublishFlow, publish_cell
from awning.publish.cell_outcome import RIGHT, CellOutcome, CellResult, Ending, Summary, ending_of
from awning.publish.cells import Cell, cells_of
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal_entry import EntryKind, JournalEntry
from awning.publish.journal.writer import JournalWriter
from awning.publish.pacing import HostPace, Pace, Window
from awning.publish.release.record import Build

T = TypeVar("T")

OPEN_INSTANCES = 256
INTERRUPTED = Ending(outcome=CellOutcome.SKIPPED, reason="interrupted before it was written")
CUT_OFF = Ending(outcome=CellOutcome.UNKNOWN, reason="interrupted while it was written")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One run: the build, the instances and the options.

    Set `stop` to end it early: calls under way then have `grace_s` seconds.
    """

    run: int
    build: Build
    instances: Sequence[Instance]
    calling: Calling
    pace: Pace = field(default_factory=Pace)
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    grace_s: float = 2.0
    progress: Callable[[CellResult], object] = id
    """Called once for each finished cell."""


async def apply(job: Job, send: Sender, writer: JournalWriter) -> Summary:
    """Publish, and return the results in the inventory's order.

    Raises JournalUnwritable when the journal cannot be written.
    """
    runner = _Runner(job, send, writer)
    queue = iter(enumerate(job.instances))
    count = min(OPEN_INSTANCES, len(job.instances))
    workers = [asyncio.create_task(runner.work(queue)) for _ in range(count)]
    stopper = asyncio.create_task(_stop(job, workers))
    try:
        await _all(workers)
    finally:
        stopper.cancel()
    interrupted = job.stop.is_set()
    results = tuple(result for _, results in sorted(runner.results.items()) for result in results)
    await writer.write(
        JournalEntry(run=job.run, kind=EntryKind.END, note="interrupted" if interrupted else "finished")
    )
    return Summary(run=job.run, results=results, interrupted=interrupted)


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


async def _stop(job: Job, workers: Sequence[asyncio.Task[None]]) -> None:
    """Wait for the stop, give calls under way `grace_s` seconds, then cancel the rest."""
    await job.stop.wait()
    await asyncio.sleep(job.grace_s)
    for worker in workers:
        worker.cancel()


class _Runner:
    """The state of one run: results so far, the shared pace, the breaker."""

    def __init__(self, job: Job, send: Sender, writer: JournalWriter) -> None:
        self._job = job
        self._send = send
        self._writer = writer
        self._host = HostPace(job.pace)
        self._breaker = Breaker()
        self.results: dict[int, list[CellResult]] = {}

    async def work(self, queue: "enumerate[Instance]") -> None:
        for index, instance in queue:
            self.results[index] = []
            await self._publish(instance, self.results[index])

    async def _publish(self, instance: Instance, results: list[CellResult]) -> None:
        """Publish all cells of one instance."""
        own = Window(self._job.pace.per_instance)
        website, verdict = await self._languages(instance, own)
        for cell in cells_of(instance, self._job.build, website):
            ending = Ending(outcome=CellOutcome.SKIPPED, reason=cell.skip) if cell.skip else verdict
            if ending is None:
                ending = await self._cell(cell, own)
            self._end(cell, ending, results)

    async def _languages(self, instance: Instance, own: Window) -> tuple[Sequence[str] | None, Ending | None]:
        """Return the website's languages, or None and the ending that all its cells get."""
        verdict = INTERRUPTED if self._job.stop.is_set() else self._breaker.verdict
        if verdict is not None:
            return None, verdict
        try:
            website = await self._complete(call(apps.languages(instance.code), self._job.calling), own)
        except ServiceError as problem:
            verdict = ending_of(problem)
            self._breaker.record(verdict.cause)
            return None, verdict
        except asyncio.CancelledError:
            if not self._job.stop.is_set():
                raise
            return None, INTERRUPTED
        self._breaker.record(None)
        return website, None

    async def _cell(self, cell: Cell, own: Window) -> Ending:
        if self._job.stop.is_set():
            return INTERRUPTED
        written = _Written()
        try:
            return await self._complete(publish_cell(cell, self._job.run, self._job.calling), own, written)
        except asyncio.CancelledError:
            if not self._job.stop.is_set():
                raise
            return CUT_OFF if written.intent else INTERRUPTED

    def _end(self, cell: Cell, ending: Ending, results: list[CellResult]) -> None:
        result = CellResult(
            instance=cell.instance.display_name, key=cell.instance.key, language=cell.language, ending=ending
        )
        results.append(result)
        self._job.progress(result)
        after = (
            cell.snippets[0].sha256
            if cell.snippets and ending.outcome in RIGHT - {CellOutcome.SKIPPED}
            else None
        )
        self._writer.note(
            JournalEntry(
                run=self._job.run,
                kind=EntryKind.OUTCOME,
                instance=cell.instance.key,
                language=cell.language,
                outcome=ending.outcome,
                after=after,
                note=ending.reason,
            )
        )

    async def _complete(self, flow: PublishFlow[T], own: Window, written: "_Written | None" = None) -> T:
        """Run a flow to its end: send its calls at the pace, write its entries to the journal."""

        async def perform(step: Step | AppendEntry) -> Reply:
            match step:
                case AppendEntry():
                    if written is not None:
                        written.intent = True
                    await self._writer.write(step.entry, step.texts)
                    return None
                case Wait(seconds):
                    await asyncio.sleep(seconds)
                    return None
                case operation:
                    return await self._paced(operation, own)

        return await run_flow(flow, perform)

    async def _paced(self, operation: Operation[object], own: Window) -> Response | NoResponse:
        await self._host.turn(own)
        async with self._host.slots:
            reply = await self._send(operation)
        if isinstance(reply, Response) and (reply.retry_after or throttled(reply)):
            calling = self._job.calling
            wait_s = retry_after_s(reply, now=calling.now())
            self._host.record(reply, wait_s, patience_s=calling.retry.patience_s)
        return reply


@dataclass(slots=True)
class _Written:
    """Whether a cell's write may be under way."""

    intent: bool = False
