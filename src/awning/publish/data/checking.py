"""Checks the stored app data of instances against a build: what a migration makes of them, and where they do not fit.

It only reads. `awning data check` and `publish plan --refresh` share it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from awning.client import Calling
from awning.contract import Exit
from awning.data_migration.migration import Migrated, Unmigrated
from awning.data_schema import Misfit, SchemaPart, ValueProblem, app_misfits
from awning.errors import ServiceError
from awning.publish.cell_flow import PublishFlow
from awning.publish.cell_outcome import Cause, CellOutcome, Ending, ending_of
from awning.publish.cells import Cell
from awning.publish.data.change import read_app_data
from awning.publish.data.migrating import MigrationChange
from awning.publish.inventory.inventory import Instance
from awning.publish.runner import CellWork


@dataclass(frozen=True, slots=True, kw_only=True)
class AppDataCheck:
    """The check of one instance's app data: where they do not fit the schema, or why they could not be read.

    `migrates` is whether a publish migrates them: the misfits are then those of the result. `unmigrated` is why it
    cannot. `hint` is what the operator can do about `error`, `cause` the kind of it. `is_refused` is whether the
    service refused the call.
    """

    instance: Instance
    misfits: tuple[Misfit, ...] = ()
    migrates: bool = False
    unmigrated: str | None = None
    error: str | None = None
    hint: str | None = None
    cause: Cause | None = None
    is_refused: bool = False

    @property
    def does_not_fit(self) -> bool:
        return bool(self.misfits) or self.unmigrated is not None

    @property
    def fits(self) -> bool:
        return self.error is None and not self.does_not_fit


def checked_data(
    instance: Instance, change: MigrationChange, schema: SchemaPart, calling: Calling
) -> PublishFlow[AppDataCheck]:
    """Read the app data of an instance, try to migrate them, and compare the result with the schema.

    Raises ConfigurationError when this machine has no engine for migrations.
    """
    try:
        stored = yield from read_app_data(instance.code, calling)
    except ServiceError as problem:
        return AppDataCheck(
            instance=instance,
            error=problem.message,
            hint=problem.hint,
            cause=ending_of(problem).cause,
            is_refused=problem.exit_code is Exit.REFUSED,
        )
    if stored.is_deep:
        return AppDataCheck(
            instance=instance, misfits=(Misfit(path=(), problem=ValueProblem(code="deep"), part=schema),)
        )
    data = stored.values
    result = yield from change.tried(instance, data)
    if isinstance(result, Unmigrated):
        return AppDataCheck(instance=instance, unmigrated=result.reason)
    if isinstance(result, Migrated):
        data = result.data
    misfits = tuple(app_misfits(data, schema))
    return AppDataCheck(instance=instance, misfits=misfits, migrates=result is not None)


@dataclass(slots=True)
class AppDataWork(CellWork[AppDataCheck]):
    """Checks the app data of each instance. `checks` are by the key of the instance."""

    change: MigrationChange
    schema: SchemaPart
    calling: Calling
    checks: dict[str, AppDataCheck] = field(default_factory=dict, init=False)

    def cell(self, cell: Cell) -> PublishFlow[AppDataCheck]:
        return (yield from checked_data(cell.instance, self.change, self.schema, self.calling))

    def not_run(self, cell: Cell, ending: Ending) -> AppDataCheck:
        is_refused = ending.outcome is CellOutcome.REFUSED
        reason = ending.reason or "it could not be read"
        return AppDataCheck(
            instance=cell.instance, error=reason, cause=ending.cause or Cause.OTHER, is_refused=is_refused
        )

    def ended(self, cell: Cell, result: AppDataCheck) -> None:
        self.checks[cell.instance.key] = result


def exit_code_of(checks: Sequence[AppDataCheck]) -> Exit:
    """Return 1 when app data do not fit; else 6 when the service refused every read, 5 when a read failed, else 0."""
    if any(check.does_not_fit for check in checks):
        return Exit.FINDINGS
    if all(check.fits for check in checks):
        return Exit.DONE
    return Exit.REFUSED if all(check.is_refused for check in checks) else Exit.PARTLY
