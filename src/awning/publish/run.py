"""One `publish apply` or `publish plan --refresh`, from lock to summary.

An interruption (Ctrl-C, SIGTERM) sets the run's `stop`: running calls get a moment to end. The journal and the summary
are complete in any case.
"""

import asyncio
import gc
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec

from awning.client import Access, Calling, Limits, Retry
from awning.client.async_client import AsyncTransport
from awning.publish.apply import Job, apply
from awning.publish.cell_outcome import CellResult, Summary
from awning.publish.drift import Drift, DriftCounts, DriftWork, read_only
from awning.publish.inventory.acknowledged import Acknowledgements
from awning.publish.inventory.inventory import Instance, Inventory
from awning.publish.journal.journal import Journal, JournalUnwritable
from awning.publish.journal.writer import JournalWriter
from awning.publish.ownership import ownership_of
from awning.publish.pacing import Pace
from awning.publish.plan.apply_plan import apply_plan
from awning.publish.plan.planned_cell import PlannedCell
from awning.publish.plan.planning import RefreshWork
from awning.publish.plan.saved_plan import SavedPlan
from awning.publish.release.builds import Builds
from awning.publish.release.record import Build, BuildFiles
from awning.publish.release.releases import Releases
from awning.publish.rollback import RollbackTarget, roll_back
from awning.publish.runner import RunSettings, run_cells
from awning.publish.state.store import Held, StateStore

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollback:
    """A rollback: to the release of the request's files, or with `previous` to what each cell held before."""

    previous: bool
    accept_newer_data: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceRequest:
    """The service, the instances and the pace of a run. `environ` names the proxies."""

    access: Access
    environ: Mapping[str, str]
    instances: Iterable[Instance] = ()
    pace: Pace = field(default_factory=Pace)
    limits: Limits = field(default_factory=Limits)
    retry: Retry = field(default_factory=Retry)

    def settings(self) -> RunSettings:
        return RunSettings(calling=Calling(access=self.access, retry=self.retry), pace=self.pace)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishRequest(ServiceRequest):
    """A build, and how it is published.

    `heads` is whether the service has calls for head snippets. `operator` is who publishes, `revision` the commit of
    the build's sources. With a `plan`, its cells are published, and `instances` are not used.
    """

    files: BuildFiles
    plan: SavedPlan | None = None
    rollback: Rollback | None = None
    heads: bool = False
    overwrite_foreign: bool = False
    operator: str = ""
    revision: str | None = None
    progress: Callable[[CellResult], object] = id
    """Called once for each finished cell."""
    instance_ended: Callable[[], object] = bool
    """Called once for each finished instance."""


def publish(request: PublishRequest, state: StateStore) -> Summary:
    """Publish to the end or to an interruption. A build that is not released becomes a release.

    Raises Busy when another publish runs, JournalUnwritable when the journal cannot be written, and DatabaseUnusable
    when it is damaged.
    """
    with (
        state.lock_runs() as held,
        closing(Journal.open(state)) as journal,
        closing(Journal.open(state)) as records,
        closing(Releases.open(state)) as releases,
        closing(Inventory.open(state)) as inventory,
    ):
        journal.check()
        release, _ = releases.create(request.files, operator=request.operator, revision=request.revision)
        build = request.files.build(heads=request.heads, release=release.number)
        stores = _Stores(journal=journal, records=records, releases=releases, inventory=inventory, held=held)
        with _reduce_collections(), asyncio.Runner(loop_factory=_loop_factory()) as runner:
            summary = runner.run(_publish(request, build, stores))
        ended = sum(journal.totals(summary.run).values())
        if ended != sum(summary.totals.values()):
            message = f"the journal has the endings of {ended} cells, and {summary.totals} were counted"
            raise JournalUnwritable(message, hint="awning publish log --verify; then run it again")
        return summary


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stores:
    """The open stores of a run, and whether its lock is still held.

    The thread of the writer uses `journal`, so the run reads by a connection of its own, `records`.
    """

    journal: Journal
    records: Journal
    releases: Releases
    inventory: Inventory
    held: Held


async def _publish(request: PublishRequest, build: Build, stores: _Stores) -> Summary:
    journal = stores.journal
    what = f"release {build.release}, build {build.fingerprint[:12]}, to {request.access.base_url}"
    if request.rollback is not None:
        back = "what was there before" if request.rollback.previous else f"release {build.release}"
        what = f"back to {back}, at {request.access.base_url}"
    job = Job(
        run=journal.begin(what, operator=request.operator),
        build_of=Builds(build, stores.releases, heads=request.heads).of,
        instances=request.instances,
        settings=request.settings(),
        ownership=ownership_of(build, journal, stores.releases, overwrite_foreign=request.overwrite_foreign),
        progress=request.progress,
        instance_ended=request.instance_ended,
    )
    transport = AsyncTransport(request.access, limits=request.limits, environ=request.environ)
    with _stopping(job.settings.stop):
        async with JournalWriter(journal, stores.held) as writer, transport:
            if request.rollback is not None:
                target = _rollback_target(request, request.rollback, build)
                return await roll_back(
                    job, transport.send, writer, target, journal=stores.records, releases=stores.releases
                )
            if request.plan is not None:
                return await apply_plan(
                    job,
                    transport.send,
                    writer,
                    request.plan,
                    inventory=stores.inventory,
                    journal=stores.records,
                )
            return await apply(job, transport.send, writer)


def _rollback_target(request: PublishRequest, rollback: Rollback, build: Build) -> RollbackTarget:
    return RollbackTarget(
        build=None if rollback.previous else build,
        schema=None if rollback.previous else request.files.schema(),
        accept_newer_data=rollback.accept_newer_data,
    )


def refresh(
    request: PublishRequest, state: StateStore, sink: Callable[[Instance, Sequence[PlannedCell]], object]
) -> bool:
    """Plan every cell by reading it. Returns whether the run was interrupted. Nothing is written."""
    with (
        closing(Journal.open(state)) as journal,
        closing(Releases.open(state)) as releases,
        _reduce_collections(),
        asyncio.Runner(loop_factory=_loop_factory()) as runner,
    ):
        return runner.run(_refresh(request, journal, releases, sink))


async def _refresh(
    request: PublishRequest,
    journal: Journal,
    releases: Releases,
    sink: Callable[[Instance, Sequence[PlannedCell]], object],
) -> bool:
    build = request.files.build(heads=request.heads)
    settings = request.settings()
    ownership = ownership_of(build, journal, releases, overwrite_foreign=request.overwrite_foreign)
    builds = Builds(build, releases, heads=request.heads)
    work = RefreshWork(builds.of, journal, ownership, settings.calling, sink)
    transport = AsyncTransport(request.access, limits=request.limits, environ=request.environ)
    with _stopping(settings.stop):
        async with transport:
            return await run_cells(request.instances, work, settings, transport.send)


def find_drift(
    request: ServiceRequest, state: StateStore, sink: Callable[[Sequence[Drift]], object]
) -> DriftCounts:
    """Compare every cell with what the journal last wrote. Returns how many were read, and whether it was interrupted.

    Nothing is written: the client refuses every operation that changes something.
    """
    with (
        closing(Journal.open(state)) as journal,
        closing(Releases.open(state)) as releases,
        closing(Acknowledgements.open(state)) as acknowledgements,
        _reduce_collections(),
        asyncio.Runner(loop_factory=_loop_factory()) as runner,
    ):
        settings = request.settings()
        work = DriftWork(
            journal=journal,
            releases=releases,
            acknowledgements=acknowledgements,
            calling=settings.calling,
            sink=sink,
        )

        async def run() -> bool:
            transport = AsyncTransport(request.access, limits=request.limits, environ=request.environ)
            with _stopping(settings.stop):
                async with transport:
                    return await run_cells(request.instances, work, settings, read_only(transport.send))

        interrupted = runner.run(run())
        return DriftCounts(compared=work.compared, interrupted=interrupted)


@contextmanager
def _stopping(stop: asyncio.Event) -> Iterator[None]:
    """Let SIGINT and SIGTERM set `stop`. On Windows, whose loop has no signals, Ctrl-C raises KeyboardInterrupt."""
    loop = asyncio.get_running_loop()
    installed: list[signal.Signals] = []
    try:
        for number in SIGNALS:
            loop.add_signal_handler(number, stop.set)
            installed.append(number)
    except (NotImplementedError, RuntimeError, ValueError):
        pass  # not the main thread, or no signals on this platform
    try:
        yield
    finally:
        for number in installed:
            loop.remove_signal_handler(number)


@contextmanager
def _reduce_collections() -> Iterator[None]:
    """Collect garbage rarely: collections take a tenth of a run's processor time.

    A run makes many short-lived objects and hardly any cycles.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop's event loop when it is installed; None for Python's own."""
    if find_spec("uvloop") is None:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = import_module("uvloop").new_event_loop
    return factory
