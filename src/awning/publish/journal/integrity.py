"""Checks whether a journal is as it was written: the chain of its entries, its end, and the texts of its snippets.

The functions read through the caller's connection and change nothing.
"""

from sqlalchemy import Connection, func, select

from awning.publish.journal.chain import Break, Mark, first_break
from awning.publish.release.build_files import sha256_of
from awning.publish.state.database import NUL, STAND_IN
from awning.publish.state.tables.journal import CHECKPOINT, ENTRY, HEAD, SNIPPET

TAIL = 1000
"""The number of entries at the end of the journal whose chain is checked before each run."""


def broken_chain(connection: Connection, mark: Mark | None) -> Break | None:
    """Compute the hash of every entry since the last checkpoint, and compare the end as `broken_tail` does.

    Returns the first break; None without a break.
    """
    broken = broken_tail(connection, mark)
    if broken is not None and broken.seq == 0:
        return broken
    start, chain = _checkpoint(connection) or (0, "")
    rows = select(ENTRY).where(ENTRY.c.seq > start).order_by(ENTRY.c.seq)
    results = connection.execution_options(yield_per=TAIL).execute(rows).mappings()
    return first_break(results, seq=start, chain=chain) or broken


def broken_tail(connection: Connection, mark: Mark | None) -> Break | None:
    """Compare the end as `broken_end` does, then the last TAIL entries with their chain.

    Returns the first break; None without a break.
    """
    broken = broken_end(connection, mark)
    if broken is not None:
        return broken
    start, chain = _checkpoint(connection) or (0, "")
    last = _last_entry(connection)
    if last - TAIL > start:
        start = last - TAIL
        chain = connection.execute(select(ENTRY.c.chain).where(ENTRY.c.seq == start)).scalar() or ""
    tail = select(ENTRY).where(ENTRY.c.seq > start).order_by(ENTRY.c.seq)
    return first_break(connection.execute(tail).mappings(), seq=start, chain=chain)


def broken_end(connection: Connection, mark: Mark | None) -> Break | None:
    """Compare the end of the journal with its head, and with the mark outside the journal. It reads a few rows.

    Returns the first break; None without a break.
    """
    head = connection.execute(select(HEAD)).mappings().one_or_none()
    if head is None:
        return Break(seq=0, message="its head is missing")
    checkpoint = _checkpoint(connection)
    if checkpoint is None:
        return Break(seq=0, message="the beginning of its chain is missing")
    if mark is not None and mark.first != head["first"]:
        return Break(seq=0, message=f"it is not the journal that was written, which has {mark.seq:,} entries")
    start, chain = checkpoint
    last = max(start, _last_entry(connection))
    # The mark comes first: it says how many entries were written, whatever became of the head.
    for end in (*([] if mark is None else [mark]), Mark.of(head)):
        if end.seq > last:
            return Break(seq=last + 1, message=f"its entries end at {last}, and {end.seq} were written")
        if end.seq < start:  # pruned
            continue
        own = select(ENTRY.c.chain).where(ENTRY.c.seq == end.seq)
        if (chain if end.seq == start else connection.execute(own).scalar()) != end.chain:
            return Break(seq=end.seq, message=f"entry {end.seq} is not what was written")
    return None


def snippets_are_sound(connection: Connection) -> bool:
    """Return whether each snippet's text has the stored hash.

    SQLite has no checksums, so the hashes are computed again. PostgreSQL itself reports a damaged page, so it is enough
    to read all texts.
    """
    if connection.dialect.name != "sqlite":
        connection.execute(select(func.sum(func.length(SNIPPET.c.text)))).scalar()
        connection.execute(select(func.count(ENTRY.c.note))).scalar()
        return True
    rows = connection.execution_options(yield_per=64).execute(select(SNIPPET.c.sha256, SNIPPET.c.text))
    return all(name in {sha256_of(text), sha256_of(text.replace(STAND_IN, NUL))} for name, text in rows)


def _last_entry(connection: Connection) -> int:
    return connection.execute(select(func.max(ENTRY.c.seq))).scalar() or 0


def _checkpoint(connection: Connection) -> tuple[int, str] | None:
    """Return the number and the hash from which the chain of the entries continues; None when they are missing."""
    newest = select(CHECKPOINT.c.seq, CHECKPOINT.c.chain).order_by(CHECKPOINT.c.seq.desc()).limit(1)
    row = connection.execute(newest).one_or_none()
    return None if row is None else (row.seq, row.chain)
