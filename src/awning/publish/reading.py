"""Runs that only read the service: a plan, the plan of a rollback, drift, and others.

An operation that changes something raises RuntimeError (`read_only`), except in `refresh`.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    closing,
    nullcontext,
)
from typing import TypeVar

from awning.client.async_client import AsyncTransport
from awning.publish.drift import Drift, DriftCounts, DriftWork, read_only
from awning.publish.event_loop import loop_factory, reduce_collections, stopping
from awning.publish.inventory.acknowledged import Acknowledgements
from awning.publish.inventory.inventory import Instance, Inventory
from awning.publish.journal.journal import Journal
from awning.publish.ownership import ownership_of
from awning.publish.plan.plan_rollback import RollbackPlanWork
from awning.publish.plan.planned_cell import PlannedCell, accept_foreign
from awning.publish.plan.planning import RefreshWork
from awning.publish.release.releases import Builds, Releases
from awning.publish.requests import PublishRequest, Rollback, ServiceRequest
from awning.publish.rollback import RollbackCells
from awning.publish.runner import CellResultLike, CellWork, RunSettings, run_cells
from awning.publish.state.store import StateStore

R = TypeVar("R", bound=CellResultLike)


def refresh(
    request: PublishRequest, state: StateStore, sink: Callable[[Instance, Sequence[PlannedCell]], object]
) -> bool:
    """Plan all cells by reading them. Returns whether the run was interrupted.

    Nothing is written to the service. The languages of the websites are stored in the inventory.
    """
    with (
        closing(Journal.open(state)) as journal,
        closing(Releases.open(state)) as releases,
        closing(Inventory.open(state)) as inventory,
        closing(Acknowledgements.open(state)) as acknowledgements,
        reduce_collections(),
        asyncio.Runner(loop_factory=loop_factory()) as runner,
    ):

        def accept(instance: Instance, cells: Sequence[PlannedCell]) -> None:
            sink(instance, list(accept_foreign(cells, acknowledgements)))

        return runner.run(_refresh(request, journal, releases, inventory, accept))


async def _refresh(
    request: PublishRequest,
    journal: Journal,
    releases: Releases,
    inventory: Inventory,
    sink: Callable[[Instance, Sequence[PlannedCell]], object],
) -> bool:
    build = request.files.build(heads=request.heads)
    settings = request.settings()
    ownership = ownership_of(build, journal, releases, overwrite_foreign=request.overwrite_foreign)
    builds = Builds(build, releases, heads=request.heads)
    work = RefreshWork(
        build_of=builds.of,
        journal=journal,
        inventory=inventory,
        ownership=ownership,
        calling=settings.calling,
        sink=sink,
    )
    transport = AsyncTransport(request.access, limits=request.limits, environ=request.environ)
    with stopping(settings.stop):
        async with transport:
            return await run_cells(request.instances, work, settings, transport.send)


def plan_rollback(
    request: PublishRequest,
    rollback: Rollback,
    state: StateStore,
    sink: Callable[[Sequence[PlannedCell]], object],
) -> bool:
    """Plan a rollback by reading the cells that can go back. Returns whether the run was interrupted."""
    with (
        closing(Journal.open(state)) as journal,
        closing(Releases.open(state)) as releases,
        closing(Acknowledgements.open(state)) as acknowledgements,
    ):
        build = request.files.build(heads=request.heads, release=rollback.to)
        settings = request.settings()
        ownership = ownership_of(build, journal, releases, overwrite_foreign=request.overwrite_foreign)
        target = request.rollback_target(rollback, build)
        cells = RollbackCells(target, settings.calling, ownership, journal=journal, releases=releases)

        def accept(cells: Sequence[PlannedCell]) -> None:
            sink(list(accept_foreign(cells, acknowledgements)))

        work = RollbackPlanWork(cells, settings.calling, ownership, accept)
        return run_reading(request, settings, work)


def find_drift(
    request: ServiceRequest, state: StateStore, sink: Callable[[Sequence[Drift]], object]
) -> DriftCounts:
    """Compare each cell with its last write in the journal.

    Returns how many cells were compared, and whether the run was interrupted.
    """
    with (
        closing(Journal.open(state)) as journal,
        closing(Releases.open(state)) as releases,
        closing(Acknowledgements.open(state)) as acknowledgements,
    ):
        settings = request.settings()
        work = DriftWork(
            journal=journal,
            releases=releases,
            acknowledgements=acknowledgements,
            calling=settings.calling,
            sink=sink,
        )
        interrupted = run_reading(request, settings, work)
        return DriftCounts(compared=work.compared, interrupted=interrupted, not_built=work.not_built)


def run_reading(
    request: ServiceRequest,
    settings: RunSettings,
    work: CellWork[R],
    *,
    beside: AbstractAsyncContextManager[object] | None = None,
) -> bool:
    """Run work that only reads, for all cells of the request. Returns whether the run was interrupted.

    The context manager `beside` is open during the run, in the same event loop. Raises RuntimeError when the work sends
    an operation that changes something.
    """

    async def run() -> bool:
        transport = AsyncTransport(request.access, limits=request.limits, environ=request.environ)
        with stopping(settings.stop):
            async with transport, beside or nullcontext():
                return await run_cells(request.instances, work, settings, read_only(transport.send))

    with reduce_collections(), asyncio.Runner(loop_factory=loop_factory()) as runner:
        return runner.run(run())
