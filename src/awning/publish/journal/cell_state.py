"""Updates the tables `cell` and `content` from new entries, in the transaction that appends the entries."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, Table

from awning.publish.journal.journal_entry import EntryKind, JournalEntry
from awning.publish.state.database import Upsert
from awning.publish.state.tables.journal import CELL, CONTENT, OWN_TEXT

Rows = dict[tuple[str, ...], dict[str, Any]]
Insert = Callable[[Table], Upsert]

_CELL_FIELDS = ("seq", "run", "at", "kind", "outcome", "after", "note")


def write_cell_states(
    connection: Connection, insert: Insert, entries: Sequence[JournalEntry], rows: Sequence[dict[str, Any]]
) -> None:
    """Store the effect of `entries` on the state of their cells. `rows` are the stored forms of the entries.

    An intent makes the content of its place unknown, and stores what the place held before. An outcome stores the
    contents that are known, and which of them are the wanted snippets. An outcome or an undo does not change the stored
    content from before the last write, so an undo can be repeated. App data are in no cell's state.
    """
    cells: Rows = {}
    intended: Rows = {}
    known: Rows = {}
    published: Rows = {}
    own: Rows = {}
    for entry, row in zip(entries, rows, strict=True):
        if entry.instance is None or entry.kind in {EntryKind.DATA_INTENT, EntryKind.DATA_OUTCOME}:
            continue
        cell = (entry.instance, entry.language or "")
        names = {"instance": cell[0], "language": cell[1]}
        cells[cell] = {**names, **{name: row[name] for name in _CELL_FIELDS}}
        if entry.kind is EntryKind.INTENT and entry.place is not None:
            place = (*cell, entry.place)
            known.pop(place, None)
            if entry.is_undo:
                known[place] = {**names, "place": entry.place, "sha256": entry.after, "is_known": False}
                continue
            intended[place] = {
                **names,
                "place": entry.place,
                "sha256": entry.after,
                "is_known": False,
                "before": entry.before,
                "run": entry.run,
            }
            if entry.is_own and entry.after is not None:
                own[entry.after,] = {"sha256": entry.after}
        for name, sha256 in entry.contents.items():
            place = (*cell, name)
            known[place] = {**names, "place": name, "sha256": sha256, "is_known": True}
            if name in entry.published:
                published[place] = {**known[place], "published": entry.published[name]}
    _upsert(connection, insert, CELL, cells, _CELL_FIELDS)
    _upsert(connection, insert, CONTENT, intended, ("sha256", "is_known", "before", "run"))
    # Most places are both known and published. One upsert for them is cheaper than two.
    both = {place: published.pop(place) | known.pop(place) for place in known.keys() & published.keys()}
    _upsert(connection, insert, CONTENT, both, ("sha256", "is_known", "published"))
    _upsert(connection, insert, CONTENT, known, ("sha256", "is_known"))
    _upsert(connection, insert, CONTENT, published, ("published",))
    if own:
        connection.execute(insert(OWN_TEXT).on_conflict_do_nothing(), list(own.values()))


def _upsert(connection: Connection, insert: Insert, table: Table, rows: Rows, changed: Sequence[str]) -> None:
    if rows:
        statement, keys = insert(table), list(table.primary_key.columns)
        update = {name: statement.excluded[name] for name in changed}
        connection.execute(
            statement.on_conflict_do_update(index_elements=keys, set_=update), list(rows.values())
        )
