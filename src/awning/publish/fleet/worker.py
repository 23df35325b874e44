"""A worker: claims chunks and publishes to their instances, with the same flows as a run in one process.

The worker renews its claim while it works. When the claim is lost, or may be lost because the database cannot be
reached, nothing more is written: before each write, the runner checks the claim, as it checks the publishers' lock in
other runs.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, closing, suppress
from dataclasses import dataclass, replace
from typing import Self

from awning.client import Access, Calling, Limits
from awning.client.async_client import AsyncTransport
from awning.client.flow import Sender
from awning.client.transport import steady_clock
from awning.errors import AwningError, DatabaseUnusable
from awning.publish.apply import ApplyWork, Job
from awning.publish.cell_flow import PublishFlow
from awning.publish.cell_outcome import RIGHT, Cause, CellOutcome, Ending
from awning.publish.cells import STAYS, Cell, ownership_of
from awning.publish.data.migrating import MigrationSide
from awning.publish.data.writes import unfinished_writes
from awning.publish.fleet.chunks import Chunks, ClaimedChunk, Counts, Fenced
from awning.publish.fleet.shared_rate import FleetPace, SharedRate
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.writer import JournalWriter
from awning.publish.journal.writes import CellName, RunCells, cells_of_run, writes_under_way
from awning.publish.release.releases import Builds
from awning.publish.requests import PERSISTENT, FleetSettings
from awning.publish.runner import RunSettings, run_cells
from awning.publish.state.store import StateStore
from awning.publish.stores import Stores

AFTER_CLAIM = "a worker that was lost had written it"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSettings:
    """The settings of a worker. `access_of` returns the access to the service at a base URL.

    `report` is called with sentences for the operator.
    """

    name: str
    access_of: Callable[[str], Access]
    environ: Mapping[str, str]
    report: Callable[[str], object] = id


class ChunkWork(ApplyWork):
    """Publishes the cells of a chunk, except those that an earlier owner has ended in this run."""

    def __init__(self, job: Job, writer: JournalWriter, before: RunCells) -> None:
        super().__init__(job, writer)
        self._before = before
        for name, outcome in before.ended.items():
            if outcome not in RIGHT or before.notes.get(name) == STAYS:
                self._old_code[name[0]] = Cause.NOT_BUILT if outcome in RIGHT else Cause.OTHER

    def cells(self, instance: Instance) -> PublishFlow[Sequence[Cell]]:
        return self._open((yield from super().cells(instance)))

    def cells_without_answer(self, instance: Instance) -> Sequence[Cell]:
        return self._open(super().cells_without_answer(instance))

    def cell(self, cell: Cell) -> PublishFlow[Ending]:
        ending = yield from super().cell(cell)
        was_intended = not cell.is_data and _name(cell) in self._before.intended
        if ending.outcome is CellOutcome.UNCHANGED and was_intended:
            return replace(ending, outcome=CellOutcome.APPLIED, reason=AFTER_CLAIM)
        return ending

    def _open(self, cells: Sequence[Cell]) -> Sequence[Cell]:
        before = self._before
        return [
            cell
            for cell in cells
            if (cell.instance.key not in before.data if cell.is_data else _name(cell) not in before.ended)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """What all chunks of a run share."""

    run: int
    settings: FleetSettings
    job: Job
    pace: FleetPace
    send: Sender


class Worker:
    """Publishes chunks of any run. Use it in an `async with` block."""

    def __init__(self, state: StateStore, settings: WorkerSettings) -> None:
        self._state = state
        self._settings = settings
        self._stores = Stores(state)
        self._of_run = AsyncExitStack()
        self._locks = state.app_data_locks()
        self._current: _Run | None = None
        self._opening = asyncio.Lock()

    async def __aenter__(self) -> Self:
        self._chunks, stores = Chunks.open(self._state), self._stores
        _ = (
            stores.inventory,
            stores.journal,
            stores.releases,
            stores.runs,
            stores.acknowledgements,
        )  # errors come now
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._of_run.aclose()
        self._locks.close()
        self._stores.__exit__()
        self._chunks.close()

    async def publish(self, run: int, number: int) -> None:
        """Publish one chunk if it can be claimed.

        A failure is only reported. When the lease is over, the controller makes the chunk wait for another worker.
        """
        try:
            text = await asyncio.to_thread(self._stores.runs.settings, run)
            if text is None:
                return
            settings = FleetSettings.from_text(text)
            began = steady_clock()
            claimed = await asyncio.to_thread(
                self._chunks.claim, run, number, worker=self._settings.name, lease_s=settings.lease_s
            )
            if claimed is not None:
                await self._publish(run, settings, claimed, began)
        except AwningError as error:
            self._settings.report(f"chunk {number} of run {run} is given back: {error.message}")
        except Exception as error:  # noqa: BLE001 - the queue would swallow it, and the operator must know
            self._settings.report(
                f"chunk {number} of run {run} is given back: {type(error).__name__}: {error}"
            )

    async def _open(self, run: int, settings: FleetSettings) -> _Run:
        """Return what the chunks of a run share. It is opened when the worker gets its first chunk of the run."""
        async with self._opening:
            if self._current is None or self._current.run != run:
                await self._of_run.aclose()
                self._of_run = AsyncExitStack()
                self._current = await self._opened(run, settings)
            return self._current

    async def _opened(self, run: int, settings: FleetSettings) -> _Run:
        record = self._stores.runs.get(run)
        access = self._settings.access_of(record.base_url)
        limits = Limits(
            total_s=settings.timeout_s,
            connect_s=min(10.0, settings.timeout_s),
            connections=settings.pace.in_flight,
        )
        releases = self._stores.releases
        build = releases.files(record.release).build(heads=settings.heads, release=record.release)
        ownership = ownership_of(build, self._stores, overwrite_foreign=settings.overwrite_foreign)
        rate = self._of_run.enter_context(
            closing(SharedRate.open(self._state, run, settings.pace.host_per_s))
        )
        transport = AsyncTransport(access, limits=limits, environ=self._settings.environ)
        await self._of_run.enter_async_context(transport)
        calling = Calling(access=access, retry=PERSISTENT)
        return _Run(
            run=run,
            settings=settings,
            pace=FleetPace(settings.pace, rate),
            send=transport.send,
            job=Job(
                run=run,
                build_of=Builds(build, releases, heads=settings.heads).of,
                settings=RunSettings(calling=calling, pace=settings.pace, late_s=settings.timeout_s),
                ownership=ownership,
                journal=self._stores.journal,
                acknowledgements=self._stores.acknowledgements,
                data=MigrationSide(
                    locks=self._locks,
                    unfinished=await asyncio.to_thread(unfinished_writes, self._stores.journal),
                ),
                is_versioned=releases.describe_versions(),
            ),
        )

    async def _publish(
        self, run: int, settings: FleetSettings, claimed: ClaimedChunk, claimed_at: float
    ) -> None:
        stop = asyncio.Event()
        async with _Claim(self._chunks, claimed, settings.lease_s, stop, claimed_at) as claim:
            of_run = await self._open(run, settings)
            before, job = await asyncio.to_thread(self._after_earlier, of_run, claimed)
            job = replace(job, settings=replace(job.settings, stop=stop))
            instances = await asyncio.to_thread(self._stores.inventory.by_keys, claimed.instances)
            async with JournalWriter(self._stores.journal, claim.is_held, claimed.fence.check) as writer:
                work = ChunkWork(job, writer, before)
                await run_cells(instances.values(), work, job.settings, of_run.send, writer, host=of_run.pace)
                await writer.flush()
        counts = Counts(work.counts.endings) + counts_of(before)
        await asyncio.to_thread(self._chunks.end, claimed.fence, counts, len(instances))

    def _after_earlier(self, of_run: _Run, claimed: ClaimedChunk) -> tuple[RunCells, Job]:
        """Return what earlier owners of the chunk did, and the job, which knows what they may still be writing."""
        if claimed.claims == 1:
            return RunCells(), of_run.job
        journal = self._stores.journal
        doubts = writes_under_way(journal, timeout_s=of_run.settings.timeout_s)
        before = cells_of_run(journal, of_run.run, claimed.instances)
        data = MigrationSide(
            locks=self._locks,
            settled_at=doubts.data,
            unfinished=unfinished_writes(journal),
        )
        return before, replace(of_run.job, settled_at=doubts.snippets, data=data)


class _Claim:
    """Renews the claim of a chunk during an `async with` block."""

    def __init__(
        self, chunks: Chunks, claimed: ClaimedChunk, lease_s: float, stop: asyncio.Event, claimed_at: float
    ) -> None:
        self._chunks = chunks
        self._fence = claimed.fence
        self._lease_s = lease_s
        self._stop = stop
        self._held_until = claimed_at + lease_s
        self._renewing: asyncio.Task[None] | None = None

    def is_held(self) -> bool:
        """Return whether the claim certainly holds, by this machine's clock."""
        return steady_clock() < self._held_until

    async def __aenter__(self) -> Self:
        self._renewing = asyncio.create_task(self._renew())
        return self

    async def __aexit__(self, *_error: object) -> None:
        if self._renewing is not None:
            self._renewing.cancel()
            with suppress(asyncio.CancelledError):
                await self._renewing

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(self._lease_s / 4)
            began = steady_clock()
            try:
                goes_on = await asyncio.to_thread(self._chunks.renew, self._fence, lease_s=self._lease_s)
            except Fenced:
                self._held_until = 0.0
                return
            except DatabaseUnusable:
                continue  # the database may come back before the lease ends
            self._held_until = began + self._lease_s
            if not goes_on:
                self._stop.set()


def counts_of(before: RunCells) -> Counts:
    """Return the counts of the cells that an earlier owner ended. Each failure has the cause OTHER.

    The journal does not have the causes.
    """
    outcomes = map(CellOutcome, (*before.ended.values(), *before.data.values()))
    return Counter((outcome, None if outcome in RIGHT else Cause.OTHER) for outcome in outcomes)


def _name(cell: Cell) -> CellName:
    return cell.instance.key, cell.language
