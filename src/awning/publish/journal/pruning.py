"""Removes old entries from the journal, and leaves a checkpoint from which the chain of hashes continues.

It removes only whole runs, from the beginning of the journal. It keeps what each cell holds, what it held before its
last write, the hashes of our texts, and every text that a cell or a later entry refers to. So `publish status`,
`publish rollback --previous` and the recognition of our own snippets still work.

The entries are removed in one transaction, under the publishers' lock, so a killed process has pruned all or nothing.
Texts that nothing refers to any more are removed in a second transaction, so that programs that append to the journal
wait less. If the process is killed between the two transactions, the next pruning removes these texts.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Select, case, delete, except_, func, insert, select, union_all

from awning.publish.journal.journal_entry import EntryKind
from awning.publish.state.database import Database, storable
from awning.publish.state.tables.journal import CHECKPOINT, CONTENT, ENTRY, HEAD, SNIPPET

PRUNED = "pruned: "
"""The beginning of a checkpoint's note, when pruning made the checkpoint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prunable:
    """What a pruning removes: the entries after number `start`, up to and including number `seq`.

    `runs` and `entries` are the numbers of removed runs and entries. `last` is the time of entry `seq`; None when
    nothing is removed.
    """

    start: int
    seq: int
    runs: int
    entries: int
    last: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _RunEntries:
    """The numbers of the first and the last entry of a run, and the time of the last one."""

    run: int
    first: int
    last: int
    at: str
    has_ended: bool


def find_prunable(connection: Connection, before: date, *, keep_from: int | None = None) -> Prunable:
    """Return what can be pruned: the runs that ended before a day (UTC). Runs from number `keep_from` on stay.

    A run without an end was cut off, or is still going on: the app's own server writes to the journal without the
    publishers' lock. So such a run is removed only when its last entry is more than a day older than the day `before`.
    """
    start: int = connection.execute(select(func.max(CHECKPOINT.c.seq))).scalar() or 0
    newest: int = connection.execute(select(func.max(ENTRY.c.seq))).scalar() or 0
    late = select(func.min(ENTRY.c.seq)).where(ENTRY.c.at >= before.isoformat())
    first_late: int | None = connection.execute(late).scalar()
    runs = _runs(connection)
    open_since = (before - timedelta(days=1)).isoformat()
    ends_before_kept_runs = [
        run.first - 1
        for run in runs
        if (keep_from is not None and run.run >= keep_from) or (not run.has_ended and run.at >= open_since)
    ]
    seq = min([newest if first_late is None else first_late - 1, *ends_before_kept_runs])
    while cut := [run.first - 1 for run in runs if run.first <= seq < run.last]:  # no run is cut in two
        seq = min(cut)
    if seq <= start:
        return Prunable(start=start, seq=start, runs=0, entries=0)
    entries = connection.execute(select(func.count()).where(ENTRY.c.seq <= seq)).scalar_one()
    last = connection.execute(select(ENTRY.c.at).where(ENTRY.c.seq == seq)).scalar_one()
    gone = sum(run.last <= seq for run in runs)
    return Prunable(start=start, seq=seq, runs=gone, entries=entries, last=last)


def _runs(connection: Connection) -> Sequence[_RunEntries]:
    ended = func.max(case((ENTRY.c.kind == EntryKind.END.value, 1), else_=0))
    by_run = select(ENTRY.c.run, func.min(ENTRY.c.seq), func.max(ENTRY.c.seq), func.max(ENTRY.c.at), ended)
    return [
        _RunEntries(run=run, first=first, last=last, at=at, has_ended=bool(has_ended))
        for run, first, last, at, has_ended in connection.execute(by_run.group_by(ENTRY.c.run))
    ]


def prune_entries(database: Database, before: date, *, keep_from: int | None, operator: str) -> Prunable:
    """Remove the entries that `find_prunable` returns, and the texts that nothing refers to any more.

    The caller holds the publishers' lock, and has verified the journal. Raises DatabaseUnusable when the database
    cannot be written.
    """
    with _no_appending(database) as connection:
        pruned = find_prunable(connection, before, keep_from=keep_from)
        if pruned.entries:
            _remove(connection, pruned, operator)
    with _no_appending(database) as connection:
        # With NOT IN instead of EXCEPT, PostgreSQL searches a list larger than its work_mem anew for each row.
        unnamed = except_(select(SNIPPET.c.sha256), _named_texts())
        connection.execute(delete(SNIPPET).where(SNIPPET.c.sha256.in_(unnamed)))
    database.scrub()
    return pruned


def _remove(connection: Connection, pruned: Prunable, operator: str) -> None:
    chain = connection.execute(select(ENTRY.c.chain).where(ENTRY.c.seq == pruned.seq)).scalar_one()
    note = f"{PRUNED}{pruned.entries} entries of {pruned.runs} runs, up to {pruned.last}, by {operator}"
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    row = {"seq": pruned.seq, "chain": chain, "at": at, "note": storable(note)}
    connection.execute(insert(CHECKPOINT).values(**row))
    connection.execute(delete(ENTRY).where(ENTRY.c.seq <= pruned.seq))


@contextmanager
def _no_appending(database: Database) -> Iterator[Connection]:
    """Open a transaction in which no other program can append to the journal, not even the app's own server."""
    with database.writing(alone=True) as connection:
        connection.execute(select(HEAD).with_for_update()).one()
        yield connection


def _named_texts() -> Select[Any]:
    """Return a query for the hashes of all texts that a cell's content or an entry refers to."""
    columns = (
        CONTENT.c.sha256,
        CONTENT.c.published,
        CONTENT.c.before,
        ENTRY.c.before,
        ENTRY.c.after,
        ENTRY.c.after_head,
    )
    named = union_all(
        *(select(column.label("sha256")).where(column.is_not(None)) for column in columns)
    ).subquery()
    return select(named.c.sha256)
