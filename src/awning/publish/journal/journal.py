"""The journal: every write with its time, and the text of the snippet before the write. Append-only and durable.

Triggers refuse changes to its tables. Entries are on the disk when `append` returns. A run writes many entries in one
transaction (`awning.publish.journal.writer`), because a disk flush costs more than a call.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Self

from sqlalchemy import (
    Column,
    Connection,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    func,
    insert,
    select,
)

from awning.contract import Exit
from awning.errors import AwningError, DatabaseUnusable
from awning.publish.journal.journal_entry import EntryKind, JournalEntry, SnippetText
from awning.publish.state.database import NUL, STAND_IN, Database, storable
from awning.publish.state.layout import touch
from awning.publish.state.migrations import JOURNAL
from awning.publish.state.store import StateStore

DAMAGED = (
    "`awning publish log` and `status` show what can be read of it; "
    "put back a copy, or move it away to start afresh"
)
METADATA = MetaData()
ENTRY = Table(
    "entry",
    METADATA,
    Column("seq", Integer, primary_key=True),
    Column("at", String, nullable=False),
    Column("run", Integer, nullable=False, index=True),
    Column("kind", String, nullable=False),
    Column("instance", String),
    Column("language", String),
    Column("place", String),
    Column("outcome", String),
    Column("before", String),
    Column("after", String),
    Column("note", Text),
    sqlite_autoincrement=True,
)
SNIPPET = Table(
    "snippet", METADATA, Column("sha256", String, primary_key=True), Column("text", Text, nullable=False)
)


class JournalUnwritable(AwningError):
    """The journal cannot be written, so nothing more is sent."""

    exit_code = Exit.PARTLY


class Journal:
    """All runs of one state store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def open(cls, state: StateStore) -> Self:
        return cls(state.open(JOURNAL))

    def close(self) -> None:
        self._database.close()

    def check(self) -> None:
        """Read the whole journal. Raises DatabaseUnusable when it is damaged: a damaged journal must not grow."""
        with self._database.reading() as connection:
            sound = self._database.backend.is_sound(connection) and _snippets_are_sound(connection)
        if not sound:
            raise DatabaseUnusable(
                f"{self._database.display_name} cannot be used: it is damaged", hint=DAMAGED
            )

    def check_writable(self) -> None:
        """Test the journal. Raises DatabaseUnusable when it cannot be read or written."""
        touch(self._database, JOURNAL)

    def begin(self, note: str) -> int:
        """Start a run and return its number, which is unique even when two runs begin at the same time."""
        with self._writable(), self._database.writing(alone=True) as connection:
            last: int | None = connection.execute(select(func.max(ENTRY.c.run))).scalar()
            run = (last or 0) + 1
            connection.execute(
                insert(ENTRY), [_row(JournalEntry(run=run, kind=EntryKind.BEGIN, note=note), _now())]
            )
        return run

    def append(self, entries: Iterable[JournalEntry], texts: Iterable[SnippetText] = ()) -> None:
        """Write entries and snippets' texts, all or none. They are on the disk when this method returns."""
        at = _now()
        rows = [_row(entry, at) for entry in entries]
        snippets = [{"sha256": text.sha256, "text": text.text.replace(NUL, STAND_IN)} for text in texts]
        with self._writable(), self._database.writing() as connection:
            if snippets:
                connection.execute(self._database.insert(SNIPPET).on_conflict_do_nothing(), snippets)
            if rows:
                connection.execute(insert(ENTRY), rows)

    @contextmanager
    def _writable(self) -> Iterator[None]:
        try:
            yield
        except DatabaseUnusable as error:
            raise JournalUnwritable(
                f"the journal cannot be written: {error.message}", hint=error.hint
            ) from None

    def entries(self, run: int | None = None) -> Sequence[dict[str, Any]]:
        """The entries of one run, or of all, in order."""
        query = select(ENTRY).order_by(ENTRY.c.seq)
        if run is not None:
            query = query.where(ENTRY.c.run == run)
        with self._database.reading() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def runs(self) -> Sequence[dict[str, Any]]:
        """Each run, newest first: its first and last entry, and the number of each outcome."""
        runs: dict[int, dict[str, Any]] = {}
        with self._database.reading() as connection:
            edges = connection.execute(
                select(ENTRY).where(ENTRY.c.kind.in_([EntryKind.BEGIN, EntryKind.END])).order_by(ENTRY.c.seq)
            ).mappings()
            for edge in edges:
                if edge["kind"] == EntryKind.BEGIN:
                    runs[edge["run"]] = {
                        "run": edge["run"],
                        "began": edge["at"],
                        "what": edge["note"],
                        "ended": None,
                        "how": "not finished",
                        "totals": {},
                    }
                else:
                    runs[edge["run"]] |= {"ended": edge["at"], "how": edge["note"]}
            counted = select(ENTRY.c.run, ENTRY.c.outcome, func.count()).where(
                ENTRY.c.kind == EntryKind.OUTCOME
            )
            for run, outcome, count in connection.execute(counted.group_by(ENTRY.c.run, ENTRY.c.outcome)):
                runs[run]["totals"][outcome] = count
        return sorted(runs.values(), key=lambda r: -r["run"])

    def latest(self) -> Sequence[dict[str, Any]]:
        """The last intent or outcome of every cell that was ever published to."""
        last = (
            select(func.max(ENTRY.c.seq))
            .where(ENTRY.c.kind.in_([EntryKind.INTENT, EntryKind.OUTCOME]))
            .group_by(ENTRY.c.instance, ENTRY.c.language)
        )
        query = select(ENTRY).where(ENTRY.c.seq.in_(last)).order_by(ENTRY.c.seq)
        with self._database.reading() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def snippet(self, sha256: str) -> str | None:
        """The text of the snippet with this hash; None when the journal has no such snippet."""
        with self._database.reading() as connection:
            text: str | None = connection.execute(
                select(SNIPPET.c.text).where(SNIPPET.c.sha256 == sha256)
            ).scalar()
        return text.replace(STAND_IN, NUL) if text and _sha256(text) != sha256 else text


def _snippets_are_sound(connection: Connection) -> bool:
    """Whether each snippet's text has the stored hash.

    SQLite has no checksums, so the hashes are computed again. PostgreSQL has checksums, so it is enough to read.
    """
    if connection.dialect.name != "sqlite":
        connection.execute(select(func.sum(func.length(SNIPPET.c.text)))).scalar()
        connection.execute(select(func.count(ENTRY.c.note))).scalar()
        return True
    rows = connection.execution_options(yield_per=64).execute(select(SNIPPET.c.sha256, SNIPPET.c.text))
    return all(name in {_sha256(text), _sha256(text.replace(STAND_IN, NUL))} for name, text in rows)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _row(entry: JournalEntry, at: str) -> dict[str, Any]:
    return {
        "at": at,
        "run": entry.run,
        "kind": entry.kind.value,
        "instance": entry.instance,
        "language": entry.language,
        "place": entry.place,
        "outcome": entry.outcome.value if entry.outcome else None,
        "before": entry.before,
        "after": entry.after,
        "note": None if entry.note is None else storable(entry.note),
    }
