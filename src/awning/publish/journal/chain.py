"""The chain of hashes, which detects a changed, missing or inserted entry. Each hash covers the hash before it.

The number and the hash of the last entry are also stored outside the journal (`StateStore.read_mark`), so that entries
missing at the end are detected, too. `broken_chain`, `broken_tail` and `broken_end` look whether a journal is as it was
written. They read through the caller's connection and change nothing.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, RowMapping, func, select

from awning.publish.release.build_files import sha256_of
from awning.publish.state.database import NUL, STAND_IN
from awning.publish.state.tables.journal import CHECKPOINT, ENTRY, HEAD, SNIPPET

COLUMNS = (
    "seq",
    "at",
    "run",
    "kind",
    "instance",
    "language",
    "place",
    "outcome",
    "before",
    "after",
    "after_head",
    "operator",
    "note",
    "task",
)
"""The columns that a hash covers, in the order in which they are hashed."""
MOST_DIGITS = 18
"""The most digits of an entry's number, so that it is one that the database can hold."""
TAIL = 1000
"""The number of entries at the end of the journal whose chain is checked before each run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """The number and the hash of a journal's last entry.

    `first` is the random start of the chain, which identifies the journal.
    """

    seq: int
    chain: str
    first: str

    @classmethod
    def of(cls, head: RowMapping) -> "Mark":
        """Return the mark for the journal's row in the table `head`."""
        return cls(seq=head["seq"], chain=head["chain"], first=head["first"])

    @classmethod
    def parse(cls, text: str) -> "Mark | None":
        """Return the mark that `__str__` wrote; None when the text is no mark."""
        seq, *hashes = text.split() or [""]
        if len(hashes) != 2 or not (seq.isascii() and seq.isdecimal()) or len(seq) > MOST_DIGITS:  # noqa: PLR2004
            return None
        return cls(seq=int(seq), chain=hashes[0], first=hashes[1])

    def __str__(self) -> str:
        return f"{self.seq} {self.chain} {self.first}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """The first place where the chain is broken: the number of the entry, and a message."""

    seq: int
    message: str


def next_link(before: str, row: Mapping[str, Any] | RowMapping) -> str:
    """Return the hash of an entry. `before` is the hash of the entry before it."""
    values = json.dumps([row[name] for name in COLUMNS], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(f"{before}\n{values}".encode()).hexdigest()


def first_break(rows: Iterable[RowMapping], *, seq: int, chain: str) -> Break | None:
    """Return the first break in the chain after entry `seq`, whose hash is `chain`; None without a break."""
    for row in rows:
        if row["seq"] != seq + 1:
            return Break(seq=seq + 1, message=f"entry {seq + 1} is missing")
        chain = next_link(chain, row)
        if row["chain"] != chain:
            return Break(seq=row["seq"], message=f"entry {row['seq']} is not what was written")
        seq = row["seq"]
    return None


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
