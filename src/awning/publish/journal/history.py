"""Reads the journal for people: the status of each cell, and the entries and the results of a run.

The results of a run come in the order of the inventory, and are never all in memory.

A damaged journal file is read up to the damage and copied into memory. SQLite reads a table page by page and fails at
the first bad page. The rows before that page are used as long as they look like entries and continue the chain of
hashes. This is done only for files, because a PostgreSQL server has its own repair tools.
"""

import sqlite3
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from sqlalchemy import insert

from awning.errors import ConfigurationError, DatabaseUnusable
from awning.publish.cell_outcome import REACHED
from awning.publish.inventory.inventory import Instance, Inventory
from awning.publish.journal.chain import Mark, next_link
from awning.publish.journal.journal import SHOWN, CellRecord, Journal, MarkDamaged
from awning.publish.journal.journal_entry import ENDINGS, EntryKind
from awning.publish.journal.writes import OF_SNIPPETS
from awning.publish.state.layout import create
from awning.publish.state.sqlite import in_memory
from awning.publish.state.store import StateDir, StateStore
from awning.publish.state.tables import STATE
from awning.publish.state.tables.journal import CELL, ENTRY

COLUMNS = tuple(column.name for column in ENTRY.columns)
CUT_OFF = "the run ended while it was written"
KINDS = frozenset(kind.value for kind in EntryKind)
ROWS = 1000
"""How many outcomes are matched with the inventory at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """How far a damaged journal can be read. `after` is the last entry that can be read.

    `whole` means that all entries can be read, so the damage is in an index, in a snippet's text or, with `of_mark`, in
    the mark. `hint` is what to do.
    """

    display_name: str
    after: dict[str, Any]
    whole: bool
    hint: str | None
    of_mark: bool = False

    @property
    def message(self) -> str:
        seq, run, at = (self.after[name] for name in ("seq", "run", "at"))
        where = f"entry {seq}, of run {run} at {at}"
        if self.whole and self.of_mark:
            return f"the journal's mark is damaged: every entry of {self.display_name} can be read, up to {where}"
        if self.whole:
            return f"{self.display_name} is damaged: every entry can be read, up to {where}, but not all that it keeps"
        return f"{self.display_name} is damaged: it can be read up to {where}; what came after is lost"

    def as_json(self) -> dict[str, Any]:
        after = {name: self.after[name] for name in ("seq", "run", "at")}
        return {"after": after, "whole": self.whole, "message": self.message}


def open_readable(state: StateStore) -> tuple[Journal, Damage | None]:
    """Return the journal and None; if the journal is damaged, its readable part and the damage.

    Raises DatabaseUnusable when nothing of the journal can be read.
    """
    try:
        journal = Journal.open_unchecked(state)
        try:
            journal.check()
        except BaseException:
            journal.close()
            raise
    except DatabaseUnusable as error:
        copy = _salvaged(state, error) if isinstance(state, StateDir) else None
        if copy is None:
            raise
        return copy
    return journal, None


def cell_statuses(
    journal: Journal, instances: Iterable[Instance], under_way: Container[int] = ()
) -> list[dict[str, Any]]:
    """Return the last known outcome of each cell, in the order of the inventory; then cells of removed instances.

    Each has `instance` (its name, or its keyed hash), `language`, `outcome`, `reason`, `run`, `at` (the time) and
    `sha256` (of the body snippet; without an outcome, of the snippet that was being written).

    `has_published` is whether the cell has the snippet that was published last, as far as is known; None when nothing
    is known. A run that could not reach the service does not change it.

    A write without an outcome belongs to a run that is under way (`under_way`) or was cut off. Its outcome is unknown.
    """
    names = {instance.key: instance.display_name for instance in instances}
    order = {key: index for index, key in enumerate(names)}

    def position(entry: dict[str, Any]) -> tuple[int, str, str]:
        return order.get(entry["instance"], len(order)), entry["instance"], entry["language"] or ""

    entries = sorted(journal.latest(), key=position)
    records = journal.records({entry["instance"] for entry in entries if entry["outcome"] not in REACHED})
    return [
        _status(entry, names, under_way, records.get(entry["instance"], {}).get(entry["language"]))
        for entry in entries
    ]


def run_entries(
    journal: Journal, run: int, instances: Iterable[Instance], releases: Mapping[str, int]
) -> list[dict[str, Any]]:
    """Return the entries of one run, with the names of instances. `releases` are the releases by the hashes of texts.

    Each hash has beside it the newest release with its text, as `before_release`, `after_release` and
    `after_head_release`; None where no release has it.

    Raises ConfigurationError when there is no such run.
    """
    names = {instance.key: instance.display_name for instance in instances}
    entries = [
        {
            **{name: value for name, value in entry.items() if name != "task"},
            "instance": names.get(entry["instance"], entry["instance"]),
            **{f"{name}_release": releases.get(entry[name]) for name in ("before", "after", "after_head")},
        }
        for entry in journal.entries(run)
    ]
    if not entries:
        raise ConfigurationError(f"there is no run {run}", hint="awning publish log lists them")
    return entries


def _status(
    entry: dict[str, Any], names: Mapping[str, str], under_way: Container[int], record: CellRecord | None
) -> dict[str, Any]:
    """Return the status of a cell by its last entry. `record` is what is known of a cell that was not reached."""
    has_no_outcome = entry["kind"] == "intent"
    reason = f"run {entry['run']} is writing it" if entry["run"] in under_way else CUT_OFF
    return {
        "instance": names.get(entry["instance"], entry["instance"]),
        "language": entry["language"],
        "outcome": "unknown" if has_no_outcome else entry["outcome"],
        "reason": reason if has_no_outcome else entry["note"],
        "run": entry["run"],
        "at": entry["at"],
        "sha256": entry["after"],
        "has_published": _has_published(entry, record),
    }


def _has_published(entry: dict[str, Any], record: CellRecord | None) -> bool | None:
    if entry["outcome"] in REACHED:
        return True
    is_known = record is not None and all(content.is_known for content in record.contents.values())
    return record.has_ours if record is not None and record.contents and is_known else None


def _salvaged(state: StateDir, error: DatabaseUnusable) -> tuple[Journal, Damage] | None:
    """Return the readable part of the journal, and the damage; None when nothing can be read."""
    path = state.path / f"{STATE.name}.sqlite"
    rows, whole = _read(path)
    if not rows:
        return None
    whole = whole and _reach_mark(rows, state.read_mark())
    database = in_memory()
    create(database, STATE)
    cells = {(row["instance"], row["language"] or ""): row for row in rows if row["kind"] in OF_SNIPPETS}
    with database.writing() as connection:
        connection.execute(insert(ENTRY), rows)
        if cells:
            connection.execute(insert(CELL), [{**row, "language": key[1]} for key, row in cells.items()])
    return Journal(database), Damage(
        display_name=str(path),
        after=rows[-1],
        whole=whole,
        hint=error.hint and error.hint.removeprefix(SHOWN),
        of_mark=isinstance(error, MarkDamaged),
    )


def _reach_mark(rows: Sequence[dict[str, Any]], text: str | None) -> bool:
    """Return whether the entries reach the one that the mark names. `text` is the stored mark; None without one."""
    mark = Mark.parse(text or "")
    if mark is None:
        return True
    return mark.seq < rows[0]["seq"] or any(
        (row["seq"], row["chain"]) == (mark.seq, mark.chain) for row in rows
    )


def _read(path: Path) -> tuple[list[dict[str, Any]], bool]:
    """Return the entries before the damage, and whether these are all entries."""
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    rows: list[dict[str, Any]] = []
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            connection.execute("PRAGMA writable_schema=ON")  # lets SQLite open a file that was cut short
            query = f"SELECT {', '.join(COLUMNS)} FROM entry NOT INDEXED ORDER BY seq"  # noqa: S608
            for values in connection.execute(query):
                row = dict(zip(COLUMNS, values, strict=True))
                if not _follows(row, rows[-1] if rows else None):
                    return rows, False
                rows.append(row)
    except sqlite3.Error:
        return rows, False
    return rows, True


def _follows(row: dict[str, Any], before: dict[str, Any] | None) -> bool:
    """Return whether a row looks like an entry and continues the chain of the entry before it."""
    texts = (row[name] for name in COLUMNS if name not in {"seq", "run", "chain"})
    return (
        isinstance(row["seq"], int)
        and row["seq"] > (before["seq"] if before else 0)
        and isinstance(row["run"], int)
        and row["kind"] in KINDS
        and all(text is None or isinstance(text, str) for text in texts)
        and isinstance(row["chain"], str)
        and (before is None or row["chain"] == next_link(before["chain"], row))
    )


class ResultLine(NamedTuple):
    """How one cell ended. `instance` is the instance's display name, or its keyed hash when it was removed.

    `is_data` is whether it is about the app data of the instance.
    """

    instance: str
    language: str | None
    outcome: str
    reason: str | None
    is_data: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the line for JSON documents. Only that of the instance's app data has `app_data`."""
        row = {"instance": self.instance, "language": self.language}
        more = {"app_data": True} if self.is_data else {}
        return {**row, "outcome": self.outcome, "reason": self.reason, **more}


def run_results(run: int, journal: Journal, inventory: Inventory) -> Iterator[ResultLine]:
    """Yield the result of every cell of a run. Cells of instances that are no longer in the inventory come last."""
    listed = 0
    for page in inventory.pages():
        names = {instance.key: instance.display_name for instance in page}
        outcomes = journal.outcomes(run, names, kinds=ENDINGS)
        for key, name in names.items():
            for row in outcomes.get(key, ()):
                listed += 1
                yield _line(name, row)
    if listed == sum(journal.totals(run).values()):
        return
    ended = (row for row in journal.entries(run) if row["kind"] in ENDINGS)
    while rows := list(islice(ended, ROWS)):
        known = inventory.by_keys(list({row["instance"] for row in rows}))
        yield from (_line(row["instance"], row) for row in rows if row["instance"] not in known)


def _line(name: str, row: dict[str, Any]) -> ResultLine:
    return ResultLine(
        instance=name,
        language=row["language"],
        outcome=row["outcome"],
        reason=row["note"],
        is_data=row["kind"] == EntryKind.DATA_OUTCOME,
    )
