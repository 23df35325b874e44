"""The chain of hashes, which detects a changed, missing or inserted entry. Each hash covers the hash before it.

The number and the hash of the last entry are also stored outside the journal (`StateStore.read_mark`), so that entries
missing at the end are detected, too.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import RowMapping

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
