"""Migrates the app data of an instance when its code is published: the snippets first, then the data.

    each instance   read the app data, and try the migration
                      it fails       no cell is written: the old code keeps the old data
                      it succeeds    write each cell; if all are right: read again, migrate, journal, write, read back

New code may so see the earlier data for the moment between, and after a kill until the run is repeated. Old code never
sees new data, since nobody could have written it to read them. Data say which version they have, so none is migrated
twice, whatever became of an earlier run.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from awning.client import Calling, Wait, encode_app_data
from awning.data_migration.migration import DataMigration, Migrated, Unmigrated
from awning.data_schema import SchemaPart, are_same, data_version, later_parts, take_back
from awning.errors import ConfigurationError
from awning.publish.cell_flow import Await, PublishFlow
from awning.publish.cell_outcome import Cause, CellOutcome, Ending
from awning.publish.data.change import AppDataChange, app_data_of, listed, refused
from awning.publish.data.writes import data_of, data_writes, migrations_of, reached_in
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal import Journal
from awning.publish.journal.writes import CellName
from awning.publish.state.app_data_lock import AppDataLocks

T = TypeVar("T")

NOT_HERE = "its app data must be migrated first, and only `awning publish apply` does that"
NOT_ALL = "its snippets are not all written"
STAYS_OLD = "its old code stays in a language that the build lacks, and could not read the migrated data"
CANNOT = "its app data cannot be migrated: {}"
NO_UNDO = (
    "the app data are newer than the code that would come back, and the journal cannot take them back: {}"
)
LOST = 'somebody has replaced the data of "{}" since run {} migrated them, without their version'


@dataclass(frozen=True, slots=True, kw_only=True)
class MigrationSide:
    """What a run needs to migrate app data: the locks, and when earlier writes are no longer in doubt.

    `unfinished` are the instances whose last write has no outcome, since its run was killed.
    """

    locks: AppDataLocks
    settled_at: Mapping[CellName, float] = field(default_factory=dict)
    unfinished: frozenset[str] = frozenset()


@dataclass(slots=True, kw_only=True)
class MigrationChange(AppDataChange):
    """Brings the app data of each instance to the version of its build. `migration_of` returns that of an instance."""

    migration_of: Callable[[Instance], DataMigration | None]
    journal: Journal | None

    def deciding(self, instance: Instance, stored: Any) -> PublishFlow[Any]:
        result = yield from self.tried(instance, stored)
        if result is None:
            return Ending(outcome=CellOutcome.UNCHANGED)
        if isinstance(result, Unmigrated):
            return refused(CANNOT.format(result.reason), Cause.MIGRATION)
        return dict(result.data)

    def tried(self, instance: Instance, stored: Any) -> PublishFlow[Migrated | Unmigrated | None]:
        """Return what becomes of the app data of an instance; None when nothing is to be done.

        The run goes on while the function runs. Raises ConfigurationError when this machine has no engine.
        """
        migration = self.migration_of(instance)
        if migration is None:
            return None
        result = yield from in_thread(lambda: migration.of(stored))
        if not isinstance(result, Migrated):
            return result
        try:
            encode_app_data(result.data)
        except ConfigurationError as error:
            return Unmigrated(message=error.message)
        return (_lost(result, instance, stored, self.journal) if self.journal else None) or result


def _lost(result: Migrated, instance: Instance, stored: Any, journal: Journal) -> Unmigrated | None:
    """Return why data without a version must not be migrated: the last write from here gave them one."""
    writes = data_writes(journal, instance.key, None, 0)
    if not writes or not reached_in(journal, instance.key, [writes[-1].run]):
        return None
    try:
        before, after = data_of(journal, writes[-1].before), data_of(journal, writes[-1].after)
    except LookupError:
        return None
    for name in result.widgets:
        was, became = (data.get(name) if isinstance(data, dict) else None for data in (before, after))
        if data_version(became) > data_version(stored[name]) and not are_same(stored[name], was):
            return Unmigrated(message=LOST.format(name, writes[-1].run))
    return None


@dataclass(slots=True, kw_only=True)
class MigrationUndo(AppDataChange):
    """Takes migrations back, the newest first, until each widget's data have a version that the old code reads.

    `schemas` are those of the code that comes back, by the key of the instance. With `accepts_newer`, what others have
    changed since goes back, too.
    """

    journal: Journal
    accepts_newer: bool = False
    schemas: dict[str, SchemaPart] = field(default_factory=dict)

    def deciding(self, instance: Instance, stored: Any) -> PublishFlow[Any]:
        yield from ()
        return self.wanted(instance, stored)

    def wanted(self, instance: Instance, stored: Any) -> Any:
        """Return what `deciding` returns, at once."""
        schema = self.schemas.get(instance.key)
        if schema is None or not later_parts(stored, schema):
            return Ending(outcome=CellOutcome.UNCHANGED)
        states: list[tuple[Any, Any]] = []
        for write in reversed(migrations_of(self.journal, instance.key)):
            try:
                states.insert(0, (data_of(self.journal, write.before), data_of(self.journal, write.after)))
            except LookupError:
                break
            back = take_back(stored, states)
            if later_parts(back.wanted, schema):
                continue
            if back.changed_since and not self.accepts_newer:
                reason = f"changed by somebody else since run {write.run}: {listed(back.changed_since)}"
                return refused(reason, Cause.CHANGED_SINCE)
            return back.wanted
        return refused(NO_UNDO.format(", ".join(later_parts(stored, schema))), Cause.NO_WAY_BACK)


def read_settled(instance: Instance, calling: Calling, data: MigrationSide | None) -> PublishFlow[Any]:
    """Return the app data of an instance, when no earlier write of them may arrive any more.

    Raises ServiceError when they cannot be read.
    """
    until = data.settled_at.get((instance.key, None), 0.0) if data else 0.0
    if until > calling.now():
        yield Wait(until - calling.now())
    return (yield from app_data_of(instance.code, calling))


def in_thread(compute: Callable[[], T]) -> PublishFlow[T]:
    """Compute something that may take long, while the run goes on. Raises what `compute` raises."""
    results: list[T] = []

    async def run() -> None:
        results.append(await asyncio.to_thread(compute))

    yield Await(run)
    return results[0]
