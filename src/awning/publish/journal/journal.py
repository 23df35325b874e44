"""The journal: every write with its time, and the text of the snippet before the write. Append-only and durable.

Triggers refuse changes to its entries (except pruning), and a chain of hashes reveals changes that bypass them. Entries
are on the disk when `append` returns. A run writes many entries in one transaction (`awning.publish.journal.writer`),
because one disk flush takes longer than the work on several calls.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from threading import Lock
from typing import Any, Self

from sqlalchemy import Connection, Select, func, insert, select, true, update

from awning.build_record import Place
from awning.contract import Exit
from awning.errors import AwningError, DatabaseDamaged, DatabaseUnusable
from awning.publish.cell_outcome import CellOutcome
from awning.publish.journal.cell_state import write_cell_states
from awning.publish.journal.chain import (
    TAIL,
    Break,
    Mark,
    broken_chain,
    broken_end,
    broken_tail,
    next_link,
    snippets_are_sound,
)
from awning.publish.journal.journal_entry import ENDINGS, EntryKind, JournalEntry, RunTask, SnippetText
from awning.publish.journal.pruning import PRUNED, Prunable, find_prunable, prune_entries
from awning.publish.release.build_files import sha256_of
from awning.publish.state.database import NUL, STAND_IN, Database, read_row, storable
from awning.publish.state.store import MARK, PUT_BACK, OpenTables, StateStore
from awning.publish.state.tables import STATE
from awning.publish.state.tables.journal import (
    CELL,
    CHECKPOINT,
    CONTENT,
    ENTRY,
    HEAD,
    OWN_TEXT,
    SNIPPET,
)

SHOWN = "`awning publish log` and `status` show what can be read of it; "
SAVE = "save the instances first, with `awning instances export`; "
KEYS = 400
"""The most keys in one SQL statement."""


class MarkDamaged(DatabaseDamaged):
    """The mark is damaged. The journal itself may be whole."""


class JournalUnwritable(AwningError):
    """The journal cannot be written, or the lock of its run is lost. So nothing more is sent."""

    exit_code = Exit.PARTLY


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What one place of a cell holds, according to the journal. Three fields are hashes of snippets.

    `sha256` is what the place holds; None when nothing is set. If that is not known (`is_known` is false), it is what
    was sent last. `published` is the last wanted snippet that was certainly there; None without one. `before` is what
    was there before the last write; None when nothing was set. `run` is the run of the last write. Without a write,
    `before` and `run` are None. An undo (`JournalEntry.is_undo`) changes neither `before` nor `run`, so an undo
    can be repeated; `writes_of` has the writes with undos.
    """

    sha256: str | None
    is_known: bool
    published: str | None
    before: str | None
    run: int | None

    @property
    def was_written(self) -> bool:
        return self.run is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class CellRecord:
    """What the journal knows of a cell: its last entry, and the content of each place."""

    seq: int
    run: int
    at: str
    kind: EntryKind
    outcome: str | None
    note: str | None
    contents: Mapping[Place, Content] = field(default_factory=dict)

    @property
    def has_ours(self) -> bool:
        """Whether the cell has the snippet that was published last, as far as is known."""
        body = self.contents.get("body")
        return (
            body is not None and body.is_known and body.sha256 is not None and body.sha256 == body.published
        )


class Journal(OpenTables):
    """The journal of one state store. `state` keeps the mark of the last entry outside the journal."""

    def __init__(self, database: Database, state: StateStore | None = None) -> None:
        super().__init__(database)
        self._state = state
        self._appending = Lock()
        """Held while a thread appends. Only one session of this process then waits for the head's row.

        If several waited when the process is suspended, they would get the row in turn, and keep others out for the sum
        of their timeouts.
        """

    @classmethod
    def open(cls, state: StateStore) -> Self:
        """Open the journal, and compare its end with its head and its mark. A new state store gets an empty journal.

        Raises DatabaseDamaged when the journal is missing or shorter than its mark says, or is another one. `check` and
        `verify` compare more.
        """
        journal = cls.open_unchecked(state)
        try:
            journal.check_end()
        except BaseException:
            journal.close()
            raise
        return journal

    @classmethod
    def open_unchecked(cls, state: StateStore) -> Self:
        """Open the journal as it is, for those who then look whether it is as it was written."""
        return cls(state.open(STATE), state)

    @property
    def hint(self) -> str:
        """What to do where the journal is not as it was written."""
        return SHOWN + SAVE + PUT_BACK.format(mark=self._state.mark_name if self._state else MARK)

    def check(self) -> None:
        """Read the whole journal. Check the chain of the last TAIL entries and, in SQLite, the hashes of the snippets.

        Raises DatabaseDamaged when the journal is damaged, because a damaged journal must not grow.
        """
        with self._database.reading(patient=True) as connection:
            mark = self._mark(connection)
        with self._database.reading(patient=True) as connection:
            sound = self._database.backend.is_sound(connection) and snippets_are_sound(connection)
            broken = broken_tail(connection, mark) if sound else None
        if not sound or broken is not None:
            raise self._damaged(broken)

    def check_end(self) -> None:
        """Compare the journal's last entry with its head and its mark. Reads a few rows.

        Raises DatabaseDamaged when they differ.
        """
        with self._database.reading() as connection:
            mark = self._mark(connection)
        with self._database.reading() as connection:
            self._check_end(connection, mark)

    def verify(self) -> Break | None:
        """Compute the hash of every entry since the last checkpoint. Returns the first break; None without a break."""
        with self._database.reading() as connection:
            mark = self._mark(connection)
        with self._database.reading(patient=True) as connection:
            return broken_chain(connection, mark)

    def prunable(self, before: date, *, keep_from: int | None = None) -> Prunable:
        """Return what `prune` with the same arguments would remove now. Nothing is changed."""
        with self._database.reading(patient=True) as connection:
            return find_prunable(connection, before, keep_from=keep_from)

    def prune(self, before: date, *, operator: str, keep_from: int | None = None) -> Prunable:
        """Remove the runs that ended before a day (UTC), all or nothing, and leave a checkpoint.

        Runs from number `keep_from` on stay. Returns what was removed. The caller holds the publishers' lock.

        Raises DatabaseDamaged when the journal is not as it was written, because the checkpoint would hide that.
        """
        self.check()
        broken = self.verify()
        if broken is not None:
            raise self._damaged(broken)
        return prune_entries(self._database, before, keep_from=keep_from, operator=operator)

    def prunings(self) -> Sequence[dict[str, Any]]:
        """Return the prunings so far, oldest first.

        Each has `seq`, the number of the last removed entry; `at`, the time of the pruning; and `note`: how many
        entries and runs were removed, and by whom.
        """
        left = select(CHECKPOINT).where(CHECKPOINT.c.note.startswith(PRUNED)).order_by(CHECKPOINT.c.seq)
        return [
            {"seq": row["seq"], "at": row["at"], "note": row["note"].removeprefix(PRUNED)}
            for row in self.rows(left)
        ]

    def mark(self) -> Mark:
        """Return the number and the hash of the last entry."""
        return Mark.of(self._database.rows(select(HEAD))[0])

    def last_run(self) -> int:
        """Return the number of the last run that began; 0 without runs."""
        run: int = self._database.value(select(HEAD.c.run))
        return run

    def now(self) -> datetime:
        """Return the time by the clock that sets the times of entries (`Database.now`)."""
        with self._database.reading() as connection:
            return datetime.fromisoformat(_now(self._database, connection))

    def begin(self, note: str, *, operator: str | None = None, task: RunTask | None = None) -> int:
        """Start a run and return its number, which is unique even when two runs begin at the same time.

        Raises JournalUnwritable when the journal cannot be written.
        """
        entry = JournalEntry(run=0, kind=EntryKind.BEGIN, note=note, operator=operator, task=task)
        return self._append(lambda last_run: [replace(entry, run=last_run + 1)], ())

    def append(
        self,
        entries: Iterable[JournalEntry],
        texts: Iterable[SnippetText] = (),
        check: Callable[[Connection], None] = lambda _connection: None,
    ) -> None:
        """Write entries and snippets' texts, all or none. They are on the disk when this method returns.

        `check` is called in their transaction. Nothing is written when it raises. Raises JournalUnwritable when the
        journal or its mark cannot be written. When only the mark cannot be written, the entries are stored already.
        """
        self._append(lambda _last_run: list(entries), texts, check)

    def _append(
        self,
        entries_after: Callable[[int], Sequence[JournalEntry]],
        texts: Iterable[SnippetText],
        check: Callable[[Connection], None] = lambda _connection: None,
    ) -> int:
        """Write entries. `entries_after` gets the number of the last run, and returns the entries.

        Returns the number of the last run, including a run that these entries begin.
        """
        snippets = [{"sha256": text.sha256, "text": text.text.replace(NUL, STAND_IN)} for text in texts]
        with self._appending, self._writable(), self._database.writing() as connection:
            check(connection)
            head = connection.execute(select(HEAD).with_for_update()).mappings().one()
            self._check_end(connection, self._mark(connection))
            at = _now(
                self._database, connection
            )  # after the lock, so that times are in the order of the entries
            if snippets:
                connection.execute(self._database.insert(SNIPPET).on_conflict_do_nothing(), snippets)
            entries = entries_after(head["run"])
            seq, chain = head["seq"], head["chain"]
            rows: list[dict[str, Any]] = []
            for entry in entries:
                seq += 1
                row = _row(entry, seq, at)
                chain = row["chain"] = next_link(chain, row)
                rows.append(row)
            run: int = max([head["run"], *(entry.run for entry in entries)])
            if rows:
                connection.execute(insert(ENTRY), rows)
                write_cell_states(connection, self._database.insert, entries, rows)
                connection.execute(update(HEAD).values(seq=seq, run=run, chain=chain))
            mark = str(Mark(seq=seq, chain=chain, first=head["first"]))
            if self._state is not None:
                self._state.write_mark_beside(connection, mark)
        if self._state is not None:
            with self._writable():
                self._state.write_mark(mark)
        return run

    def _check_end(self, connection: Connection, mark: Mark | None) -> None:
        """Raise DatabaseDamaged for a journal that is shorter than its mark, or another one.

        A program that has run for long, such as the app's own server, may find another file in its place.
        """
        broken = broken_end(connection, mark)
        if broken is not None:
            raise self._damaged(broken)

    def _damaged(self, broken: Break | None) -> DatabaseDamaged:
        what = f"it is damaged ({broken.message})" if broken else "it is damaged"
        return DatabaseDamaged(f"{self._database.display_name} cannot be used: {what}", hint=self.hint)

    @contextmanager
    def _writable(self) -> Iterator[None]:
        try:
            yield
        except DatabaseUnusable as error:
            raise JournalUnwritable(
                f"the journal cannot be written: {error.message}", hint=error.hint
            ) from None

    def _mark(self, connection: Connection) -> Mark | None:
        """Return the mark. Read it in a transaction before that of the entries: another process may append entries."""
        text = self._state.read_mark(connection) if self._state else None
        return None if text is None else read_mark(self._state, text)

    def entries(self, run: int | None = None) -> Iterator[dict[str, Any]]:
        """Yield the entries of one run, or of all, in order."""
        query = select(ENTRY).order_by(ENTRY.c.seq)
        if run is not None:
            query = query.where(ENTRY.c.run == run)
        yield from self.rows(query, patient=True)

    def newest(self, run: int, kind: EntryKind) -> Generator[dict[str, Any], None, None]:
        """Yield the entries of one kind of a run, newest first."""
        own = select(ENTRY).where(ENTRY.c.run == run, ENTRY.c.kind == kind)
        yield from self.rows(own.order_by(ENTRY.c.seq.desc()), patient=True)

    def outcomes(
        self, run: int, instances: Iterable[str], *, kinds: Sequence[EntryKind] = (EntryKind.OUTCOME,)
    ) -> dict[str, list[dict[str, Any]]]:
        """Return the entries of one run that say how cells of these instances ended, by instance.

        `instances` and the keys of the result are keyed hashes.
        """
        by_instance: dict[str, list[dict[str, Any]]] = {}
        ended = select(ENTRY).where(ENTRY.c.run == run, ENTRY.c.kind.in_(kinds))
        for keys in _batches(instances):
            for row in self.rows(ended.where(ENTRY.c.instance.in_(keys)).order_by(ENTRY.c.seq)):
                by_instance.setdefault(row["instance"], []).append(row)
        return by_instance

    def totals(self, run: int) -> dict[str, int]:
        """Return the number of each outcome of one run."""
        counted = (
            select(ENTRY.c.outcome, func.count().label("count"))
            .where(ENTRY.c.run == run, ENTRY.c.kind.in_(ENDINGS))
            .group_by(ENTRY.c.outcome)
        )
        with self._database.reading(patient=True) as connection:
            return {row["outcome"]: row["count"] for row in connection.execute(counted).mappings()}

    def runs(self, only: int | None = None) -> Sequence[dict[str, Any]]:
        """Return each run that the journal still has, newest first, or `only` one.

        Each has its number `run`; the times `began` and `ended`; `what` it does, its `task` if that is known, and `by`
        whom; `how` it ended; `totals`, the number of each outcome; and `languages`, those whose cells it did not skip,
        None for the website-wide cells. Of a run that has not ended, `ended` is None.
        """
        runs: dict[int, dict[str, Any]] = {}
        is_asked = true() if only is None else ENTRY.c.run == only
        with self._database.reading(patient=True) as connection:
            edges = connection.execute(
                select(ENTRY)
                .where(is_asked, ENTRY.c.kind.in_([EntryKind.BEGIN, EntryKind.END]))
                .order_by(ENTRY.c.seq)
            ).mappings()
            for edge in edges:
                if edge["kind"] == EntryKind.BEGIN:
                    runs[edge["run"]] = {
                        "run": edge["run"],
                        "began": edge["at"],
                        "what": edge["note"],
                        "task": None if edge["task"] is None else RunTask.from_text(edge["task"]),
                        "by": edge["operator"],
                        "ended": None,
                        "how": "not finished",
                        "totals": {},
                        "languages": [],
                    }
                elif edge["run"] in runs:
                    runs[edge["run"]] |= {"ended": edge["at"], "how": edge["note"]}
            names = (ENTRY.c.run, ENTRY.c.outcome, ENTRY.c.language, ENTRY.c.kind)
            ended = select(*names, func.count()).where(is_asked, ENTRY.c.kind.in_(ENDINGS))
            counted = ended.group_by(*names)
            for run, outcome, language, kind, count in connection.execute(counted):
                if run not in runs:
                    continue
                totals, languages = runs[run]["totals"], runs[run]["languages"]
                totals[outcome] = totals.get(outcome, 0) + count
                is_cell = kind == EntryKind.OUTCOME and outcome != CellOutcome.SKIPPED
                if is_cell and language not in languages:
                    languages.append(language)
        for row in runs.values():
            row["languages"].sort(key=lambda language: language or "")
        return sorted(runs.values(), key=lambda r: -r["run"])

    def latest(self) -> Iterator[dict[str, Any]]:
        """Yield the last intent or outcome of every cell, in the order of the entries, as a row of the table `cell`.

        A cell that was only skipped is included. `language` is None for the website-wide cell.
        """
        for row in self.rows(select(CELL).order_by(CELL.c.seq), patient=True):
            yield {**row, "language": row["language"] or None}

    def records(self, instances: Iterable[str]) -> dict[str, dict[str | None, CellRecord]]:
        """Return what the journal knows of the cells of these instances, by instance and language."""
        records: dict[str, dict[str | None, CellRecord]] = {}
        for keys in _batches(instances):
            contents: dict[tuple[str, str], dict[Place, Content]] = {}
            for row in self.rows(select(CONTENT).where(CONTENT.c.instance.in_(keys))):
                places = contents.setdefault((row["instance"], row["language"]), {})
                places[row["place"]] = read_row(Content, row)
            for row in self.rows(select(CELL).where(CELL.c.instance.in_(keys)).order_by(CELL.c.seq)):
                known = contents.get((row["instance"], row["language"]), {})
                record = replace(read_row(CellRecord, row), contents=known)
                records.setdefault(row["instance"], {})[row["language"] or None] = record
        return records

    def cells(self, instance: str) -> Mapping[str | None, CellRecord]:
        """Return what the journal knows of the cells of an instance, by language. `instance` is its keyed hash."""
        return self.records([instance]).get(instance, {})

    def task(self, run: int) -> RunTask | None:
        """Return what a run does; None when that is not known, or not any more."""
        begun = select(ENTRY.c.task).where(ENTRY.c.run == run, ENTRY.c.kind == EntryKind.BEGIN)
        text: str | None = self._database.value(begun)
        return None if text is None else RunTask.from_text(text)

    def own_hashes(self) -> frozenset[str]:
        """Return the hashes of all texts that were written from a build."""
        with self._database.reading(patient=True) as connection:
            return frozenset(connection.execute(select(OWN_TEXT.c.sha256)).scalars())

    def snippet(self, sha256: str) -> str | None:
        """Return the text of the snippet with this hash; None when the journal has no such snippet."""
        text: str | None = self._database.value(select(SNIPPET.c.text).where(SNIPPET.c.sha256 == sha256))
        return text.replace(STAND_IN, NUL) if text and sha256_of(text) != sha256 else text

    def rows(self, query: Select[Any], *, patient: bool = False) -> Generator[dict[str, Any], None, None]:
        """Yield the rows of a query over the journal's tables. The rows are read while the caller uses them.

        `patient` is for a query that reads a whole run or a whole journal, which may take minutes.
        """
        with (
            self._database.reading(patient=patient) as connection,
            connection.execution_options(yield_per=TAIL).execute(query) as result,
        ):
            for row in result.mappings():
                yield dict(row)


def read_mark(state: StateStore | None, text: str) -> Mark:
    """Return the mark that a state store has. Raises MarkDamaged when the text is no mark."""
    mark = Mark.parse(text)
    if mark is None:
        name = state.mark_name if state else MARK
        raise MarkDamaged(
            f"the journal's mark is damaged: {name} is not a number and two hashes",
            hint="put back a copy of it, or look in `awning publish log` whether the newest run is there, "
            "and delete the mark: the next run writes it anew",
        )
    return mark


def _batches(keys: Iterable[str]) -> Iterator[list[str]]:
    listed = list(keys)
    return (listed[at : at + KEYS] for at in range(0, len(listed), KEYS))


def _now(database: Database, connection: Connection) -> str:
    return database.now(connection).isoformat(timespec="milliseconds")


def _row(entry: JournalEntry, seq: int, at: str) -> dict[str, Any]:
    is_outcome = entry.kind is EntryKind.OUTCOME
    return {
        "seq": seq,
        "at": at,
        "run": entry.run,
        "kind": entry.kind.value,
        "instance": entry.instance,
        "language": entry.language,
        "place": entry.place,
        "outcome": entry.outcome.value if entry.outcome else None,
        "before": entry.before,
        "after": entry.contents.get("body") if is_outcome else entry.after,
        "after_head": entry.contents.get("head") if is_outcome else None,
        "operator": None if entry.operator is None else storable(entry.operator),
        "note": None if entry.note is None else storable(entry.note),
        "task": None if entry.task is None else entry.task.to_text(),
    }
