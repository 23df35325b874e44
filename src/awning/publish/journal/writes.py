"""Finds in the journal which writes may be under way, what cells held before a run, and who wrote to them or last."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Select, and_, func, select

from awning.build_record import Place
from awning.publish.cell_outcome import REACHED, CellOutcome
from awning.publish.journal.journal import Journal
from awning.publish.journal.journal_entry import EntryKind, RunKind, RunTask
from awning.publish.state.tables.journal import CELL, CONTENT, ENTRY, is_kind

CellName = tuple[str, str | None]
"""The keyed hash of the instance, and the language; None for the website-wide cell."""
OF_SNIPPETS = (EntryKind.INTENT, EntryKind.OUTCOME)
OF_DATA = (EntryKind.DATA_INTENT, EntryKind.DATA_OUTCOME)
"""The kinds of entries of a write and of its outcome."""
_SEEN = (
    ENTRY.c.at,
    ENTRY.c.run,
    ENTRY.c.kind,
    ENTRY.c.instance,
    ENTRY.c.language,
    ENTRY.c.place,
    ENTRY.c.outcome,
)
"""The columns that `writes_under_way` reads. Reading all columns takes 1.5 times as long."""


class Doubts(NamedTuple):
    """When the doubt about the writes of cells ends, in seconds since 1970: of snippets, and of app data."""

    snippets: dict[CellName, float]
    data: dict[CellName, float]


@dataclass(slots=True)
class _SeenWrites:
    """What the entries of one kind of write tell, read from the newest to the oldest."""

    in_doubt: dict[CellName, str] = field(default_factory=dict)
    """The last time at which a service may have begun the write, by cell."""
    _ends: dict[CellName, tuple[int, str]] = field(default_factory=dict)
    _sent: dict[tuple[CellName, str | None], int] = field(default_factory=dict)
    _skipped: dict[CellName, int] = field(default_factory=dict)

    def add(self, entry: Mapping[str, Any], last_of_run: str, *, is_write: bool) -> None:
        cell, run = (entry["instance"], entry["language"]), entry["run"]
        if entry["outcome"] == CellOutcome.SKIPPED:
            self._skipped[cell] = run
            return
        if is_write and self._skipped.pop(cell, None) == run:
            return
        if cell not in self._ends:
            self._ends[cell] = (run, last_of_run if is_write else entry["at"])
            if is_write or entry["outcome"] == CellOutcome.UNKNOWN:
                self.in_doubt[cell] = self._ends[cell][1]
        if is_write and self._ends[cell][0] == run:
            place = (cell, entry["place"])
            self._sent[place] = self._sent.get(place, 0) + 1
            if self._sent[place] > 1:
                self.in_doubt[cell] = self._ends[cell][1]


def writes_under_way(
    journal: Journal, *, timeout_s: float, own_clock: Callable[[], float] = time.time
) -> Doubts:
    """Return when the doubt about each cell's write ends, by `own_clock`.

    A service may perform a request after its client stopped waiting. A write is in doubt when its outcome is missing or
    unknown, or when it was sent more than once. The doubt ends one request timeout after the cell's outcome; without an
    outcome, one request timeout after the last entry of its run. A skipped cell keeps the doubt about an earlier write.
    If it was skipped after its intent, that write was not sent. Other machines may have written the entries, so their
    times are compared with the journal's clock, never with `own_clock`.
    """
    now, own_now = journal.now(), own_clock()
    since = (now - timedelta(seconds=2 * timeout_s)).isoformat(
        timespec="milliseconds"
    )  # a call takes up to one timeout, and its write is in doubt for another
    last_of_run: dict[int, str] = {}
    snippets, data = _SeenWrites(), _SeenWrites()
    of_kind = dict.fromkeys(OF_SNIPPETS, snippets) | dict.fromkeys(OF_DATA, data)
    intents = {OF_SNIPPETS[0], OF_DATA[0]}
    with closing(journal.rows(select(*_SEEN).order_by(ENTRY.c.seq.desc()))) as entries:
        for entry in entries:
            if entry["at"] < since:
                break
            last = last_of_run.setdefault(entry["run"], entry["at"])
            seen = of_kind.get(entry["kind"])
            if seen is not None and entry["instance"] is not None:
                seen.add(entry, last, is_write=entry["kind"] in intents)

    def ends(seen: _SeenWrites) -> dict[CellName, float]:
        left = ((cell, now - datetime.fromisoformat(at)) for cell, at in seen.in_doubt.items())
        return {cell: own_now + timeout_s - passed.total_seconds() for cell, passed in left}

    return Doubts(ends(snippets), ends(data))


def held_before(journal: Journal, run: int, instance: str) -> Mapping[str | None, Mapping[Place, str | None]]:
    """Return what the cells of an instance held before a run: hashes by language and place; None where nothing was set.

    Cells that were not written in that run or later are left out.
    """
    writes = (
        select(ENTRY.c.language, ENTRY.c.place, ENTRY.c.before)
        .where(ENTRY.c.instance == instance, ENTRY.c.run >= run, ENTRY.c.kind == EntryKind.INTENT.value)
        .order_by(ENTRY.c.seq)
    )
    held: dict[str | None, dict[Place, str | None]] = {}
    for row in journal.rows(writes):
        held.setdefault(row["language"], {}).setdefault(row["place"], row["before"])
    return held


def has_writes(journal: Journal, run: int) -> bool:
    """Return whether a run sent a snippet."""
    is_write = ENTRY.c.kind == EntryKind.INTENT.value
    return bool(list(journal.rows(select(ENTRY.c.seq).where(ENTRY.c.run == run, is_write).limit(1))))


def last_write(journal: Journal, *, before: int | None = None, cell: CellName | None = None) -> int | None:
    """Return the last run that sent a snippet, also to undo a write; None without one.

    With `before`, it is the last one before that run; with `cell`, the last one that sent one to that cell.
    """
    query = select(func.max(ENTRY.c.run).label("run")).where(ENTRY.c.kind == EntryKind.INTENT.value)
    if before is not None:
        query = query.where(ENTRY.c.run < before)
    if cell is not None:
        query = query.where(ENTRY.c.instance == cell[0], ENTRY.c.language == cell[1])
    run: int | None = next(row["run"] for row in journal.rows(query))
    return run


@dataclass(frozen=True, slots=True, kw_only=True)
class CellWrite:
    """One write to a place of a cell: the run with its task (None when it is not known), and two hashes."""

    run: int
    task: RunTask | None
    before: str | None
    after: str | None

    @property
    def is_back(self) -> bool:
        """Whether a rollback wrote it."""
        return self.task is not None and self.task.kind is RunKind.ROLLBACK


def writes_of(journal: Journal, instance: str) -> Mapping[tuple[str | None, Place], Sequence[CellWrite]]:
    """Return the writes to an instance that the journal still has, by language and place, newest first."""
    begin = ENTRY.alias()
    writes = (
        select(ENTRY.c.language, ENTRY.c.place, ENTRY.c.run, ENTRY.c.before, ENTRY.c.after, begin.c.task)
        .outerjoin(begin, (begin.c.run == ENTRY.c.run) & (begin.c.kind == EntryKind.BEGIN.value))
        .where(ENTRY.c.instance == instance, ENTRY.c.kind == EntryKind.INTENT.value)
        .order_by(ENTRY.c.seq.desc())
    )
    by_place: dict[tuple[str | None, Place], list[CellWrite]] = {}
    for row in journal.rows(writes):
        task = None if row["task"] is None else RunTask.from_text(row["task"])
        write = CellWrite(run=row["run"], task=task, before=row["before"], after=row["after"])
        by_place.setdefault((row["language"], row["place"]), []).append(write)
    return by_place


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCells:
    """What one run did with some cells: the outcomes of those that ended, and the cells with a write but no outcome.

    `notes` are the reasons of those that have one. `data` are the outcomes of app data, by instance.
    """

    ended: Mapping[CellName, str] = field(default_factory=dict)
    notes: Mapping[CellName, str] = field(default_factory=dict)
    intended: frozenset[CellName] = frozenset()
    data: Mapping[str, str] = field(default_factory=dict)


def cells_of_run(journal: Journal, run: int, instances: Sequence[str]) -> RunCells:
    """Return what a run did with the cells of these instances. `instances` are keyed hashes."""
    outcomes = list(journal.rows(_of_kind(EntryKind.OUTCOME, run, instances)))
    ended: dict[CellName, str] = {(row["instance"], row["language"]): row["outcome"] for row in outcomes}
    notes = {(row["instance"], row["language"]): row["note"] for row in outcomes if row["note"] is not None}
    data = journal.rows(_of_kind(EntryKind.DATA_OUTCOME, run, instances))
    intents = journal.rows(_of_kind(EntryKind.INTENT, run, instances))
    intended: set[CellName] = {(row["instance"], row["language"]) for row in intents}
    return RunCells(
        ended=ended,
        notes=notes,
        intended=frozenset(intended - ended.keys()),
        data={row["instance"]: row["outcome"] for row in data},
    )


def _of_kind(kind: EntryKind, run: int, instances: Sequence[str]) -> Select[Any]:
    """Return a query for the entries of one kind."""
    return select(ENTRY).where(is_kind(kind), ENTRY.c.run == run, ENTRY.c.instance.in_(instances))


def has_begin(journal: Journal, run: int) -> bool:
    """Return whether the journal still has the first entry of a run. If so, it has all entries of the run."""
    begin = select(ENTRY.c.seq).where(ENTRY.c.run == run, ENTRY.c.kind == EntryKind.BEGIN.value)
    return bool(list(journal.rows(begin)))


class PublishedBody(NamedTuple):
    """A body snippet that a cell certainly held. `run` is the last run that wrote it or found it there, if known."""

    instance: str
    sha256: str
    run: int | None


def published_bodies(journal: Journal, instances: Sequence[str]) -> Iterator[PublishedBody]:
    """Yield the body snippets that were last published to the cells of these instances, given by keyed hashes."""
    known = (
        select(CELL.c.instance, CELL.c.language, CELL.c.run, CELL.c.outcome, CONTENT.c.published)
        .join(CONTENT, and_(CONTENT.c.instance == CELL.c.instance, CONTENT.c.language == CELL.c.language))
        .where(CONTENT.c.place == "body", CONTENT.c.published.is_not(None), CELL.c.instance.in_(instances))
    )
    rows = list(journal.rows(known))
    unreached = {row["instance"] for row in rows if row["outcome"] not in REACHED}
    earlier = _reaching(journal, unreached) if unreached else {}
    for row in rows:
        before = earlier.get((row["instance"], row["language"]))
        run = row["run"] if row["outcome"] in REACHED else before
        yield PublishedBody(row["instance"], row["published"], run)


def _reaching(journal: Journal, instances: Iterable[str]) -> dict[tuple[str, str], int]:
    """Return the last run that reached each cell of these instances. Without a language, the text is empty."""
    begun = select(ENTRY.c.run).where(is_kind(EntryKind.BEGIN))
    reached = (
        select(ENTRY.c.instance, ENTRY.c.language, func.max(ENTRY.c.run).label("run"))
        .where(ENTRY.c.run.in_(begun), ENTRY.c.instance.in_(instances))
        .where(is_kind(EntryKind.OUTCOME), ENTRY.c.outcome.in_(REACHED))
        .group_by(ENTRY.c.instance, ENTRY.c.language)
    )
    return {(row["instance"], row["language"] or ""): row["run"] for row in journal.rows(reached)}
