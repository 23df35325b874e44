"""The controller of a run by several machines: it makes chunks wave by wave, and waits for the workers.

It holds the publishers' lock. A chunk whose worker was lost waits for another worker. When the run is stopped, waiting
chunks are dropped, and the controller waits until the running ones have ended or their leases are over.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, closing, suppress
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from awning.errors import DatabaseUnusable
from awning.publish.apply import Job, end_run, run_waves
from awning.publish.cell_outcome import REACHED, RIGHT, Cause, Summary, SummaryCounts
from awning.publish.fleet.chunks import Chunks, Counts
from awning.publish.fleet.queue import JobQueue
from awning.publish.fleet.shared_rate import SharedRate
from awning.publish.fleet.worker import counts_of
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal import JournalUnwritable
from awning.publish.journal.writer import JournalWriter
from awning.publish.journal.writes import cells_of_run
from awning.publish.requests import FleetSettings
from awning.publish.state.server import StateServer
from awning.publish.state.store import Held
from awning.publish.stores import Stores
from awning.publish.waves.rollout import WavesEnd
from awning.publish.waves.run_state import RunState

T = TypeVar("T")

LOOK_S = 0.5
"""Seconds between two looks at the chunks."""
LONELY_S = 10.0
"""Seconds without a worker after which the operator gets a message."""
MADE_AT_ONCE = 200
"""The most chunks that are made in one transaction."""
MOST_CLAIMS = 10
"""The number of claims after which a lost chunk stops the run, because no worker seems able to publish it."""
JOBS_EVERY = 10
"""The number of looks at the chunks (every LOOK_S seconds) after which chunks without a job are searched for."""
DEAD_CHUNKS = 5
"""The number of consecutive chunks that fail for the same cause, one of STOPPING, after which the run stops."""
STOPPING = (Cause.UNREACHABLE, Cause.UNAUTHORIZED, Cause.NOT_THERE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetRun:
    """One run by several machines. `held` returns whether the publishers' lock is still held."""

    job: Job
    state: StateServer
    settings: FleetSettings
    held: Held
    stores: Stores

    @property
    def run(self) -> int:
        return self.job.run

    @property
    def stop(self) -> asyncio.Event:
        return self.job.settings.stop


async def run_fleet(fleet: FleetRun, writer: JournalWriter) -> Summary:
    """Publish with the workers, write the end of the run to the journal, and return the summary.

    Raises DatabaseUnusable when the database cannot be used, JournalUnwritable when the journal cannot be written or
    the publishers' lock is lost, ConfigurationError when Procrastinate is not installed.
    """
    counts = SummaryCounts()
    async with AsyncExitStack() as stack:
        chunks = stack.enter_context(closing(Chunks.open(fleet.state)))
        rate = stack.enter_context(
            closing(SharedRate.open(fleet.state, fleet.run, fleet.settings.pace.host_per_s))
        )
        queue = await stack.enter_async_context(JobQueue(fleet.state.url))
        await queue.clear()
        chunks.forget_others(fleet.run)
        rate.make()
        controller = _Controller(fleet, chunks, queue, counts)
        try:
            end = await controller.go()
        finally:
            with suppress(DatabaseUnusable):
                await controller.drop()
        chunks.forget(fleet.run)
    return await end_run(fleet.job, end, counts, writer)


class _Controller:
    def __init__(self, fleet: FleetRun, chunks: Chunks, queue: JobQueue, counts: SummaryCounts) -> None:
        self._fleet = fleet
        self._chunks = chunks
        self._queue = queue
        self._counts = counts
        self._failure: str | None = None
        self._dead: list[Cause] = []
        self._lonely_s = 0.0
        self._looks = 0

    async def go(self) -> WavesEnd:
        """Run the waves."""
        end = await run_waves(self._fleet.job, self._wave, self._counts)
        return end if self._failure is None else WavesEnd(index=end.index, reason=self._failure)

    async def drop(self) -> None:
        """Remove the waiting chunks and their jobs. Count those of their cells that a lost worker has ended."""
        run = self._fleet.run
        dropped = self._chunks.drop_waiting(run)
        for chunk in dropped:
            if chunk.claims:
                self._count(counts_of(cells_of_run(self._fleet.stores.journal, run, chunk.instances)), 0)
        await self._queue.cancel([chunk.job for chunk in dropped if chunk.job is not None])

    async def _wave(self, index: int, is_chosen: Callable[[Instance], bool]) -> bool:
        """Publish to the chosen instances. Returns whether the run was interrupted, or stopped by failed chunks."""
        fleet = self._fleet
        keys = (instance.key for instance in fleet.job.instances if is_chosen(instance))
        for some in _batches(_batches(keys, fleet.settings.chunk_instances), MADE_AT_ONCE):
            self._check_held()
            await self._enqueue(self._chunks.make(fleet.run, index, some))
            if fleet.stop.is_set():
                break
        while not await self._is_done():
            self._check_held()
            if fleet.stores.runs.state_of(fleet.run) is not RunState.RUNNING:
                fleet.stop.set()
            with suppress(TimeoutError):
                await asyncio.wait_for(fleet.stop.wait(), LOOK_S)
            if fleet.stop.is_set() or self._failure is not None:
                await self.drop()
                await asyncio.sleep(LOOK_S)
        return fleet.stop.is_set() or self._failure is not None

    async def _is_done(self) -> bool:
        """Count the closed chunks, and take back the chunks of lost workers. Returns whether all chunks are counted."""
        run = self._fleet.run
        for counts, instances in self._chunks.count_closed(run):
            self._count(counts, instances)
        lost = self._chunks.take_back_lost(run)
        if lost:
            self._fleet.job.watcher.announce(f"{len(lost)} chunks of lost workers wait again")
            await self._queue.cancel([chunk.job for chunk in lost if chunk.job is not None])
            await self._enqueue([chunk.number for chunk in lost])
            if any(chunk.claims >= MOST_CLAIMS for chunk in lost):
                self._failure = f"{MOST_CLAIMS} workers gave a chunk back: their messages say why"
        self._looks += 1
        if self._looks % JOBS_EVERY == 0:
            await self._enqueue_forgotten()
        totals = self._chunks.totals(run)
        self._tell_when_lonely(is_lonely=bool(totals.waiting) and not totals.running)
        return totals.is_done

    async def _enqueue_forgotten(self) -> None:
        """Add a job for each waiting chunk that has none, or whose job is lost.

        A job is lost when a worker fetched it, and ended before it claimed the chunk. The other waiting chunks have a
        job that no worker has fetched.
        """
        waiting = self._chunks.waiting(self._fleet.run)
        todo = await self._queue.todo() if waiting else frozenset()
        forgotten = [number for number, job in waiting.items() if job not in todo]
        if forgotten:
            await self._enqueue(forgotten)

    def _check_held(self) -> None:
        """Raise JournalUnwritable if the lock is lost, because another publish may be running."""
        if not self._fleet.held():
            raise JournalUnwritable(
                "the lock of this publish was lost with its connection", hint="run it again: it goes on"
            )

    async def _enqueue(self, numbers: Sequence[int]) -> None:
        jobs = await self._queue.enqueue(self._fleet.run, numbers)
        self._chunks.note_jobs(self._fleet.run, dict(zip(numbers, jobs, strict=True)))

    def _count(self, counts: Counts, instances: int) -> None:
        self._counts.endings.update(counts)
        wrong = sum(n for (outcome, _), n in counts.items() if outcome not in RIGHT)
        self._fleet.job.watcher.add(sum(counts.values()), wrong, instances)
        causes = {cause for (outcome, cause) in counts if outcome not in RIGHT}
        cause = next(iter(causes)) if len(causes) == 1 else None
        is_reached = any(outcome in REACHED for outcome, _ in counts)
        if is_reached or cause not in STOPPING or cause is None:
            self._dead = []
            return
        self._dead = [*(c for c in self._dead if c is cause), cause]
        if len(self._dead) >= DEAD_CHUNKS:
            self._failure = f"{DEAD_CHUNKS} chunks in a row failed: {cause.value}"

    def _tell_when_lonely(self, *, is_lonely: bool) -> None:
        before, self._lonely_s = self._lonely_s, self._lonely_s + LOOK_S if is_lonely else 0.0
        if before < LONELY_S <= self._lonely_s:
            self._fleet.job.watcher.announce(
                "no worker takes the chunks: start `awning publish work` on a machine with the same AWNING_DATABASE_URL"
            )


def _batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
