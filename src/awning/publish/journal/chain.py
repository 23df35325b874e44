"""The chain of hashes through the entries: a changed, missing or inserted entry breaks it.

The hash of an entry covers its columns and the hash of the entry before it. The number and the hash of the last entry
are also kept outside the journal (`StateStore.read_mark`), so that a cut tail is noticed.
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
)
"""The columns that a hash covers, in its order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """The last entry of a journal. `first` is the chain's random beginning, which identifies the journal."""

    seq: int
    chain: str
    first: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """Where a chain does not hold: the number of the first entry that differs, and why."""

    seq: int
    message: str


def next_link(before: str, row: Mapping[str, Any] | RowMapping) -> str:
    """The hash of an entry whose predecessor has the hash `before`."""
    values = json.dumps([row[name] for name in COLUMNS], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(f"{before}\n{values}".encode()).hexdigest()


def first_break(rows: Iterable[RowMapping], *, seq: int, chain: str) -> Break | None:
    """The first entry that does not continue the chain after entry `seq`; None when all do."""
    for row in rows:
        if row["seq"] != seq + 1:
            return Break(seq=seq + 1, message=f"entry {seq + 1} is missing")
        chain = next_link(chain, row)
        if row["chain"] != chain:
            return Break(seq=row["seq"], message=f"entry {row['seq']} is not what was written")
        seq = row["seq"]
    return None
