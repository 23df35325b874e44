"""The work on the app data of one instance.

    each instance   read the app data -> as wanted already?  unchanged
                                      -> journal the intent (durable) -> write -> read back

The service has no call that changes a part of the app data, and no conditional write. So all of them are read and
written back, under the lock that the app's own server takes, too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from awning.client import Calling, Wait, apps, call, encode_app_data
from awning.data_schema import ValueChange, are_same, value_changes
from awning.errors import ConfigurationError, ServiceError
from awning.publish.cell_flow import AppendEntry, Await, PublishFlow, judged, write_until_clear
from awning.publish.cell_outcome import (
    Cause,
    CellOutcome,
    CellResult,
    Ending,
    SummaryCounts,
    ending_of,
)
from awning.publish.cells import Cell
from awning.publish.data.change import (
    TOO_DEEP,
    AppData,
    AppDataChange,
    app_data_of,
    read_app_data,
    refused,
    text_of,
)
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal_entry import EntryKind, JournalEntry, SnippetText
from awning.publish.journal.writer import JournalWriter
from awning.publish.journal.writes import CellName
from awning.publish.release.build_files import sha256_of
from awning.publish.runner import CellWork, RunSettings
from awning.publish.state.app_data_lock import AppDataLocks, app_data_taken

OTHER_DATA = "other app data read back: something else wrote at the same time; run it again"
Sink = Callable[[CellResult], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class DataStep:
    """One write of an instance's app data: of `text`, whose decoded form is `form` as `text_of` gives it."""

    instance: Instance
    run: int
    calling: Calling
    late_s: float | None
    text: str
    form: str

    def intent(self, before: str | None) -> AppendEntry:
        new = SnippetText(sha256=sha256_of(self.text), text=self.text)
        old = None if before is None else SnippetText(sha256=sha256_of(before), text=before)
        entry = JournalEntry(
            run=self.run,
            kind=EntryKind.DATA_INTENT,
            instance=self.instance.key,
            before=None if old is None else old.sha256,
            after=new.sha256,
        )
        return AppendEntry(entry=entry, texts=(new,) if old is None else (new, old))

    def write(self) -> PublishFlow[None]:
        return call(apps.set_data(self.instance.code, self.text), self.calling)

    def read(self, *, may_be_unset: bool) -> PublishFlow[str | None]:  # noqa: ARG002 - unset data read as {}
        return text_of((yield from app_data_of(self.instance.code, self.calling)))

    def judge(self, before: str | None, now: str | None, problem: ServiceError | None) -> tuple[Ending, bool]:
        if now not in (before, self.form):
            return Ending(outcome=CellOutcome.FAILED, reason=OTHER_DATA, cause=Cause.OTHER), False
        return judged(wanted=self.form, before=before, now=now, problem=problem)

    def not_written(self, before: str | None, ending: Ending) -> Ending:  # noqa: ARG002 - see PlaceWrite
        return ending


class DataWork(CellWork[Ending]):
    """Changes the app data of each instance. `sink` gets each result."""

    def __init__(
        self,
        change: AppDataChange,
        run: int,
        settings: RunSettings,
        writer: JournalWriter,
        locks: AppDataLocks,
        *,
        settled_at: Mapping[CellName, float],
        sink: Sink,
    ) -> None:
        self.counts = SummaryCounts()
        self._change = change
        self._run = run
        self._settings = settings
        self._writer = writer
        self._locks = locks
        self._settled_at = settled_at
        self._sink = sink

    def cell(self, cell: Cell) -> PublishFlow[Ending]:
        return (
            yield from change_data(
                self._change,
                cell.instance,
                self._run,
                self._settings,
                self._locks,
                settled_at=self._settled_at,
            )
        )

    def ended(self, cell: Cell, result: Ending) -> None:
        instance = cell.instance
        done = CellResult(instance=instance.display_name, key=instance.key, language=None, ending=result)
        self.counts.add(done)
        self._writer.note(data_outcome(self._run, instance, result))
        self._sink(done)

    def not_run(self, cell: Cell, ending: Ending) -> Ending:  # noqa: ARG002 - see CellWork
        return ending


def change_data(
    change: AppDataChange,
    instance: Instance,
    run: int,
    settings: RunSettings,
    locks: AppDataLocks,
    *,
    settled_at: Mapping[CellName, float],
) -> PublishFlow[Ending]:
    """Change the app data of one instance under the lock of its app data, and return the ending.

    `settled_at` has the time at which an earlier write of an instance is no longer in doubt (`Job.settled_at`).
    """
    reason = change.refusal(instance)
    if reason is not None:
        return refused(reason)
    wait_s = settled_at.get((instance.key, None), 0.0) - settings.calling.now()
    if wait_s > 0:
        yield Wait(wait_s)
    taken: list[bool] = []
    # A worker that has lost its lease, and lives, holds the lock until its own write is no longer in doubt.
    more_s = settings.late_s or 0.0

    async def take() -> None:
        taken.append(await locks.wait(instance.key, more_s=more_s))

    yield Await(take)
    if taken != [True]:
        reason = app_data_taken(more_s=more_s).message
        return Ending(outcome=CellOutcome.FAILED, reason=reason, cause=Cause.OTHER)
    try:
        return (yield from _change_locked(change, instance, run, settings))
    finally:
        locks.release(instance.key)


def _change_locked(
    change: AppDataChange, instance: Instance, run: int, settings: RunSettings
) -> PublishFlow[Ending]:
    """Read the app data, and write what the change wants. The caller holds the lock of the instance's app data."""
    try:
        stored = yield from read_app_data(instance.code, settings.calling)
    except ServiceError as problem:
        return ending_of(problem)
    wanted = yield from decide(change, instance, stored)
    if isinstance(wanted, Ending):
        return wanted
    step = DataStep(
        instance=instance,
        run=run,
        calling=settings.calling,
        late_s=settings.late_s,
        text=wanted.text,
        form=text_of(wanted.values),
    )
    return (yield from write_until_clear(step, text_of(stored.values), stored.text))


def data_outcome(run: int, instance: Instance, ending: Ending) -> JournalEntry:
    """Return the entry that ends the work on the app data of an instance."""
    return JournalEntry(
        run=run,
        kind=EntryKind.DATA_OUTCOME,
        instance=instance.key,
        outcome=ending.outcome,
        note=ending.reason,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be stored: the text that is sent, and the same data decoded."""

    text: str
    values: Any


def decide(change: AppDataChange, instance: Instance, stored: AppData) -> PublishFlow[Wanted | Ending]:
    """Return what a change writes where `stored` is, or the ending of an instance that is not written to."""
    try:
        text_of(stored.raw)
        wanted = yield from change.deciding(instance, stored.values)
        if isinstance(wanted, Ending):
            return wanted
        text = wanted if isinstance(wanted, str) else encode_app_data(wanted)
    except RecursionError:
        return refused(TOO_DEEP)
    except ConfigurationError as error:
        return refused(error.message)
    values = AppData.of(text).values
    if are_same(values, stored.values):
        return Ending(outcome=CellOutcome.UNCHANGED)
    return Wanted(text=text, values=values)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedData:
    """What a change would do to one instance. `ending` is set when it would write nothing.

    `is_read` is whether its app data could be read.
    """

    instance: Instance
    changes: Sequence[ValueChange] = ()
    ending: Ending | None = None
    is_read: bool = False

    @property
    def cause(self) -> Cause | None:
        return None if self.ending is None else self.ending.cause


class DataPlanWork(CellWork[PlannedData]):
    """Says what a change would do. It writes nothing. `sink` gets what would happen to each instance."""

    def __init__(
        self, change: AppDataChange, calling: Calling, sink: Callable[[PlannedData], object]
    ) -> None:
        self._change = change
        self._calling = calling
        self._sink = sink

    def cell(self, cell: Cell) -> PublishFlow[PlannedData]:
        instance = cell.instance
        reason = self._change.refusal(instance)
        if reason is not None:
            return PlannedData(instance=instance, ending=refused(reason))
        try:
            stored = yield from read_app_data(instance.code, self._calling)
        except ServiceError as problem:
            return PlannedData(instance=instance, ending=ending_of(problem))
        wanted = yield from decide(self._change, instance, stored)
        if isinstance(wanted, Ending):
            return PlannedData(instance=instance, ending=wanted, is_read=True)
        changes = tuple(value_changes(stored.values, wanted.values))
        return PlannedData(instance=instance, changes=changes, is_read=True)

    def not_run(self, cell: Cell, ending: Ending) -> PlannedData:
        return PlannedData(instance=cell.instance, ending=ending)

    def ended(self, cell: Cell, result: PlannedData) -> None:  # noqa: ARG002 - see CellWork
        self._sink(result)
