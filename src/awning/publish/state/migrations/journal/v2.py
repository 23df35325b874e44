"""Version 2: the chain of hashes, the current state of each cell, and what each cell held before its last write.

Entries of version 1 have no hash. The chain begins at a checkpoint after them.
"""

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import (
    Boolean,
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

from awning.publish.state.layout import make
from awning.publish.state.migrations.journal import v1

METADATA = MetaData()
ENTRY = v1.ENTRY.to_metadata(METADATA)
CELL = Table(
    "cell",
    METADATA,
    Column("instance", String, primary_key=True),
    Column("language", String, primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("run", Integer, nullable=False),
    Column("at", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("outcome", String),
    Column("after", String),
    Column("note", Text),
)
CONTENT = Table(
    "content",
    METADATA,
    Column("instance", String, primary_key=True),
    Column("language", String, primary_key=True),
    Column("place", String, primary_key=True),
    Column("sha256", String),
    Column("is_known", Boolean, nullable=False),
    Column("published", String),
    Column("before", String),
    Column("run", Integer),
)
OWN_TEXT = Table("own_text", METADATA, Column("sha256", String, primary_key=True))
HEAD = Table(
    "head",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("seq", Integer, nullable=False),
    Column("run", Integer, nullable=False),
    Column("chain", String, nullable=False),
    Column("first", String, nullable=False),
)
CHECKPOINT = Table(
    "checkpoint",
    METADATA,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("chain", String, nullable=False),
    Column("at", String, nullable=False),
    Column("note", Text, nullable=False),
)
ENDINGS = (
    ("entry_one_website_ending", "run, instance", "kind = 'outcome' AND language IS NULL"),
    ("entry_one_ending", "run, instance, language", "kind = 'outcome'"),
)
ROWS = 1000
"""The maximum number of rows in one statement."""


def forward(connection: Connection) -> None:
    for column in ("after_head", "operator", "chain"):
        connection.exec_driver_sql(f"ALTER TABLE entry ADD COLUMN {column} VARCHAR")
    make(connection, [CELL, CONTENT, OWN_TEXT, HEAD, CHECKPOINT])
    for name, columns, condition in ENDINGS:
        connection.exec_driver_sql(f"CREATE UNIQUE INDEX {name} ON entry ({columns}) WHERE {condition}")
    seq, run = connection.execute(select(func.max(ENTRY.c.seq), func.max(ENTRY.c.run))).one()
    first = uuid4().hex
    connection.execute(insert(HEAD).values(id=1, seq=seq or 0, run=run or 0, chain=first, first=first))
    note = "the entries before have no hashes" if seq else "the journal begins"
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    connection.execute(insert(CHECKPOINT).values(seq=seq or 0, chain=first, at=at, note=note))
    if seq:
        _compute(connection)


def _compute(connection: Connection) -> None:
    """Fill the tables `own_text`, `cell` and `content` from the entries of version 1."""
    own = select(ENTRY.c.after).where(ENTRY.c.kind == "intent", ENTRY.c.after.is_not(None)).distinct()
    connection.execute(insert(OWN_TEXT).from_select(["sha256"], own))
    texts = select(v1.SNIPPET.c.text).join(OWN_TEXT, OWN_TEXT.c.sha256 == v1.SNIPPET.c.sha256)
    known = set(connection.execute(select(OWN_TEXT.c.sha256)).scalars())
    pages = {_page_hash(text) for text in connection.execute(texts).scalars()} - known
    if pages:
        connection.execute(insert(OWN_TEXT), [{"sha256": sha256} for sha256 in sorted(pages)])
    cells: dict[tuple[str, str], dict[str, Any]] = {}
    contents: dict[tuple[str, str, str], dict[str, Any]] = {}
    for entry in _entries(connection):
        key = (entry["instance"], entry["language"] or "")
        fields = {name: entry[name] for name in ("seq", "run", "at", "kind", "outcome", "after", "note")}
        cells[key] = {"instance": key[0], "language": key[1], **fields}
        if entry["kind"] == "intent":
            contents[*key, entry["place"]] = {
                "instance": key[0],
                "language": key[1],
                "place": entry["place"],
                "sha256": entry["after"],
                "is_known": False,
                "published": None,
                "before": entry["before"],
                "run": entry["run"],
            }
        elif entry["outcome"] in {"applied", "unchanged"}:
            for place in ("body", "head"):
                if (*key, place) in contents:
                    content = contents[*key, place]
                    content |= {"is_known": True, "published": content["sha256"]}
    for table, rows in ((CELL, list(cells.values())), (CONTENT, list(contents.values()))):
        for at in range(0, len(rows), ROWS):
            connection.execute(insert(table), rows[at : at + ROWS])


def _page_hash(text: str) -> str:
    """Return the hash of a snippet as a page shows it: without white space at its ends, and with LF as line ends."""
    page_text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    return hashlib.sha256(page_text.encode()).hexdigest()


def _entries(connection: Connection) -> Iterator[dict[str, Any]]:
    cells = select(ENTRY).where(ENTRY.c.kind.in_(["intent", "outcome"])).order_by(ENTRY.c.seq)
    for row in connection.execute(cells).mappings():
        yield dict(row)
