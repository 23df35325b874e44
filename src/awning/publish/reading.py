"""Runs that only read the service: a plan, the plan of a rollback, drift, and others.

An operation that changes something raises RuntimeError (`read_only`).
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TypeVar

from awning.data_migration.migration import DataMigration
from awning.data_schema import SchemaPart
from awning.publish.cells import ownership_of
from awning.publish.data.checking import AppDataCheck, AppDataWork
from awning.publish.data.migrating import MigrationChange
from awning.publish.drift import DriftWork, read_only
from awning.publish.event_loop import run_in_loop, stopping
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal import Journal
from awning.publish.plan.planned_cell import PlannedCell, accept_foreign
from awning.publish.plan.planning import RefreshWork, RollbackPlanWork
from awning.publish.release.releases import Builds
from awning.publish.requests import PublishRequest, Rollback, ServiceRequest
from awning.publish.rollback import RollbackCells
from awning.publish.runner import CellResultLike, CellWork, RunSettings, run_cells
from awning.publish.stores import Stores
from awning.publish.text_difference import Differences

R = TypeVar("R", bound=CellResultLike | None)


def plan_apply(
    request: PublishRequest,
    stores: Stores,
    sink: Callable[[Sequence[PlannedCell]], object],
    *,
    differences: Differences | None = None,
) -> None:
    """Plan all cells by reading them, with `differences` also how they differ.

    The languages of the websites are stored in the inventory. Raises KeyboardInterrupt when the run is interrupted,
    because half a plan is useless.
    """
    build = request.files.build(heads=request.heads)
    settings = request.settings()
    ownership = ownership_of(build, stores, overwrite_foreign=request.overwrite_foreign)
    build_of = Builds(build, stores.releases, heads=request.heads).of
    accepting = _accepting(stores, sink)
    schemas: dict[int | None, SchemaPart] = {None: request.files.schema()}

    def schema_of(instance: Instance) -> SchemaPart:
        number = instance.pinned
        if number not in schemas:
            schemas[number] = stores.releases.files(number or 0).schema()
        return schemas[number]

    work = RefreshWork(
        stores,
        build_of,
        settings.calling,
        ownership,
        accepting,
        schema_of=schema_of,
        differences=differences,
    )
    read_all(request, settings, work)


def plan_rollback(
    request: PublishRequest,
    rollback: Rollback,
    stores: Stores,
    sink: Callable[[Sequence[PlannedCell]], object],
) -> None:
    """Plan a rollback by reading the cells that can go back.

    Raises KeyboardInterrupt when the run is interrupted.
    """
    build = request.files.build(heads=request.heads, release=rollback.to)
    settings = request.settings()
    ownership = ownership_of(build, stores, overwrite_foreign=request.overwrite_foreign)
    cells = RollbackCells(rollback, build, settings.calling, ownership, stores)
    work = RollbackPlanWork(cells, settings.calling, ownership, _accepting(stores, sink))
    read_all(request, settings, work)


def _accepting(
    stores: Stores, sink: Callable[[Sequence[PlannedCell]], object]
) -> Callable[[Sequence[PlannedCell]], object]:
    """Return a sink that skips the conflicts that are accepted today, and passes all cells on."""
    return lambda cells: sink(list(accept_foreign(cells, stores.acknowledgements)))


def find_drift(
    request: ServiceRequest, stores: Stores, *, differences: Differences | None = None
) -> DriftWork:
    """Compare each cell with its last write in the journal. Returns the work, which has counted the cells.

    Raises KeyboardInterrupt when the run is interrupted.
    """
    settings = request.settings()
    work = DriftWork(stores=stores, calling=settings.calling, differences=differences)
    read_all(request, settings, work)
    return work


def check_app_data(
    request: ServiceRequest, migration: DataMigration, journal: Journal
) -> Sequence[AppDataCheck]:
    """Check the app data of each instance against a build. The checks are in the order of the instances.

    Raises KeyboardInterrupt when the run is interrupted, and ConfigurationError when this machine cannot migrate.
    """
    settings = request.settings()
    change = MigrationChange(migration_of=lambda _: migration, journal=journal)
    work = AppDataWork(change, migration.schema, settings.calling)
    read_all(request, settings, work)
    return [work.checks[instance.key] for instance in request.instances]


def read_all(request: ServiceRequest, settings: RunSettings, work: CellWork[R]) -> None:
    """Run work that only reads, like `run_reading`. Raises KeyboardInterrupt when the run is interrupted."""
    if run_reading(request, settings, work):
        raise KeyboardInterrupt


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
        transport = request.transport()
        with stopping(settings.stop):
            async with transport, beside or nullcontext():
                return await run_cells(request.instances, work, settings, read_only(transport.send))

    return run_in_loop(run())
