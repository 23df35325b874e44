"""What the journal knows of earlier writes of app data."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, or_, select

from awning.client import decode_app_data
from awning.publish.cell_outcome import RIGHT
from awning.publish.journal.journal import Journal
from awning.publish.journal.journal_entry import EntryKind, RunKind, RunTask
from awning.publish.state.tables.journal import ENTRY, is_kind

OF_SETTINGS = frozenset({RunKind.DATA, RunKind.DATA_RESTORE})
"""The kinds of runs that change settings. `disable` and `enable` change only the reserved key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataWrite:
    """One write of an instance's app data: its run, and the hashes of the texts before and after it."""

    run: int
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DataRun:
    """A run that changed settings, by its row of `Journal.runs`."""

    row: Mapping[str, Any]

    @property
    def run(self) -> int:
        number: int = self.row["run"]
        return number

    @property
    def task(self) -> RunTask:
        task: RunTask = self.row["task"]
        return task

    @property
    def has_ended(self) -> bool:
        return self.row["ended"] is not None

    @property
    def is_complete(self) -> bool:
        """Whether it ended, and every instance was right."""
        return self.row["how"] == "finished" and not self.row["totals"].keys() - RIGHT

    def as_json(self, *, is_under_way: bool) -> dict[str, Any]:
        names = ("run", "began", "what", "by", "totals")
        return {name: self.row[name] for name in names} | {"is_under_way": is_under_way}

    def line(self, *, is_under_way: bool) -> str:
        """Return the status of a run that has not ended, as a sentence."""
        totals = ", ".join(f"{count:,} {outcome}" for outcome, count in self.row["totals"].items())
        how = "is under way" if is_under_way else "was killed: the same command continues it"
        return f"run {self.run}, {self.row['what']}, {how}; {totals or 'no instances yet'}"


def data_runs(journal: Journal) -> Iterator[DataRun]:
    """Yield the runs that changed settings, newest first. Each is read when it is asked for."""
    for run, task in reversed(_data_tasks(journal).items()):
        if task.kind in OF_SETTINGS:
            yield from (DataRun(row=row) for row in journal.runs(run))


def data_continuations(journal: Journal) -> dict[int, int]:
    """Return the run that continued each change of settings. All of them name the first run of the change."""
    later: dict[int, int] = {}
    newest: dict[int, int] = {}
    for run, task in _data_tasks(journal).items():
        if task.continues:
            later[newest.get(task.continues, task.continues)] = run
            newest[task.continues] = run
    return later


def _data_tasks(journal: Journal) -> dict[int, RunTask]:
    """Return what each run about app data does, by its number, oldest first."""
    begun = select(ENTRY.c.run, ENTRY.c.task).where(is_kind(EntryKind.BEGIN))
    begun = begun.where(ENTRY.c.task.contains(f'"{RunKind.DATA}')).order_by(ENTRY.c.run)
    return {begin["run"]: RunTask.from_text(begin["task"]) for begin in journal.rows(begun, patient=True)}


def runs_that_changed(journal: Journal) -> frozenset[int]:
    """Return the runs that wrote other app data than were there, or may have: those of killed runs count, too."""
    query = select(ENTRY.c.run).where(is_kind(EntryKind.DATA_INTENT))
    query = query.where(ENTRY.c.before.is_distinct_from(ENTRY.c.after)).distinct()
    return frozenset(row["run"] for row in journal.rows(query, patient=True))


def unfinished_data_run(journal: Journal) -> DataRun | None:
    """Return the newest run that changed settings, if it has not ended."""
    newest = next(data_runs(journal), None)
    return None if newest is None or newest.has_ended else newest


def data_writes(journal: Journal, instance: str, runs: Sequence[int] | None, since: int) -> list[DataWrite]:
    """Return the writes of an instance's app data from run `since` on, oldest first; of `runs` only, unless None."""
    query = select(ENTRY).where(is_kind(EntryKind.DATA_INTENT), ENTRY.c.instance == instance)
    rows = journal.rows(query.where(ENTRY.c.run >= since).order_by(ENTRY.c.seq))
    return [
        DataWrite(run=row["run"], before=row["before"], after=row["after"])
        for row in rows
        if runs is None or row["run"] in runs
    ]


def unfinished_writes(journal: Journal) -> frozenset[str]:
    """Return the instances with a write of app data by a killed run, and no later word about their app data."""
    begun = journal.rows(select(ENTRY.c.run).where(is_kind(EntryKind.BEGIN)))
    ended = journal.rows(select(ENTRY.c.run).where(is_kind(EntryKind.END)))
    killed = {row["run"] for row in begun} - {row["run"] for row in ended}
    last = (ENTRY.c.instance, func.max(ENTRY.c.seq).label("seq"))
    own = select(*last).where(is_kind(EntryKind.DATA_INTENT), ENTRY.c.run.in_(killed))
    written = {row["instance"]: row["seq"] for row in journal.rows(own.group_by(ENTRY.c.instance))}
    if not written:
        return frozenset()
    outcomes = select(*last).where(is_kind(EntryKind.DATA_OUTCOME)).group_by(ENTRY.c.instance)
    ending = {row["instance"]: row["seq"] for row in journal.rows(outcomes)}
    return frozenset(instance for instance, seq in written.items() if ending.get(instance, 0) < seq)


def run_kinds(journal: Journal, runs: Iterable[int]) -> dict[int, RunKind]:
    """Return what these runs do, by their number; a run is missing when the journal does not know."""
    begun = select(ENTRY.c.run, ENTRY.c.task).where(is_kind(EntryKind.BEGIN), ENTRY.c.run.in_(list(runs)))
    rows = journal.rows(begun.where(ENTRY.c.task.is_not(None)))
    return {row["run"]: RunTask.from_text(row["task"]).kind for row in rows}


def migrated_in(journal: Journal, run: int) -> bool:
    """Return whether a publish wrote app data, which it does only to migrate them."""
    if run_kinds(journal, [run]).get(run) is not RunKind.PUBLISH:
        return False
    query = select(ENTRY.c.seq).where(is_kind(EntryKind.DATA_INTENT), ENTRY.c.run == run)
    return bool(list(journal.rows(query.limit(1))))


def migrations_of(journal: Journal, instance: str) -> list[DataWrite]:
    """Return the writes that migrated the app data of an instance, oldest first."""
    writes = data_writes(journal, instance, None, 0)
    kinds = run_kinds(journal, {write.run for write in writes})
    return [write for write in writes if kinds.get(write.run) is RunKind.PUBLISH]


def reached_in(journal: Journal, instance: str, runs: Sequence[int]) -> bool:
    """Return whether one of these runs found or left the instance's app data as wanted."""
    right = or_(ENTRY.c.outcome == "applied", ENTRY.c.outcome == "unchanged")
    query = select(ENTRY.c.seq).where(is_kind(EntryKind.DATA_OUTCOME), ENTRY.c.run.in_(runs), right)
    return bool(list(journal.rows(query.where(ENTRY.c.instance == instance).limit(1))))


def data_of(journal: Journal, sha256: str | None) -> Any:
    """Return the app data with this hash; {} for None. Raises LookupError when the journal does not have them."""
    if sha256 is None:
        return {}
    text = journal.snippet(sha256)
    if text is None:
        raise LookupError(sha256)
    try:
        return decode_app_data(text)
    except RecursionError:
        return text
