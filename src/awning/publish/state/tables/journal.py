"""The tables of the journal.

entry        all entries in order; append-only. `chain` is a hash of the entry and of the hash of the entry before it
snippet      the texts of snippets and of app data, by their hashes
cell         the last entry of each cell. Computed from `entry`, so that the other entries need not be read
content      what each cell holds according to the journal, and what it held before. Computed from `entry`
own_text     the hashes of the texts that were written from a build
head         the number and the hash of the last entry, and the number of the last run. Its only row is locked while
             entries are appended
checkpoint   the number and the hash after which the chain begins, or continues after a pruning

In `cell` and `content` the empty text stands for the website-wide cell, because a part of a primary key cannot be NULL.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import uuid4

from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    bindparam,
    insert,
    text,
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
    Column("after_head", String),
    Column("operator", String),
    Column("task", Text),
    Column("chain", String, nullable=False),
    sqlite_autoincrement=True,
)
SNIPPET = Table(
    "snippet", METADATA, Column("sha256", String, primary_key=True), Column("text", Text, nullable=False)
)
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
IS_WEBSITE_ENDING = text("kind = 'outcome' AND language IS NULL")
IS_ENDING = text("kind = 'outcome'")
Index(
    "entry_one_website_ending",
    ENTRY.c.run,
    ENTRY.c.instance,
    unique=True,
    sqlite_where=IS_WEBSITE_ENDING,
    postgresql_where=IS_WEBSITE_ENDING,
)
Index(
    "entry_one_ending",
    ENTRY.c.run,
    ENTRY.c.instance,
    ENTRY.c.language,
    unique=True,
    sqlite_where=IS_ENDING,
    postgresql_where=IS_ENDING,
)
"""A cell ends at most once in a run.

A unique index treats NULLs as different, so NULL languages have an index of their own.
"""
IS_DATA_ENDING = text("kind = 'data outcome'")
Index(
    "entry_one_data_ending",
    ENTRY.c.run,
    ENTRY.c.instance,
    unique=True,
    sqlite_where=IS_DATA_ENDING,
    postgresql_where=IS_DATA_ENDING,
)
IS_DATA_WRITE = text("kind = 'data intent'")
Index(
    "entry_data_writes",
    ENTRY.c.instance,
    ENTRY.c.run,
    sqlite_where=IS_DATA_WRITE,
    postgresql_where=IS_DATA_WRITE,
)
IS_WRITE = text("kind = 'intent'")
Index("entry_writes", ENTRY.c.instance, ENTRY.c.run, sqlite_where=IS_WRITE, postgresql_where=IS_WRITE)
IS_BEGIN = text("kind = 'begin'")
Index("entry_begins", ENTRY.c.run, sqlite_where=IS_BEGIN, postgresql_where=IS_BEGIN)
IS_END = text("kind = 'end'")
Index("entry_ends", ENTRY.c.run, sqlite_where=IS_END, postgresql_where=IS_END)


def is_kind(kind: str) -> ColumnElement[bool]:
    """Return the condition that an entry has this kind.

    The kind is in the SQL text, because a database can use the partial index of the kind only then.
    """
    return ENTRY.c.kind == bindparam("kind", kind, literal_execute=True, unique=True)


SAID = "the journal is append-only"


def begin_journal(connection: Connection) -> None:
    """Create the triggers that refuse changes of entries, and begin the chain of hashes."""
    refuse = _in_postgres if connection.dialect.name == "postgresql" else _in_sqlite
    for statement in refuse():
        connection.exec_driver_sql(statement)
    first = uuid4().hex
    connection.execute(insert(HEAD).values(id=1, seq=0, run=0, chain=first, first=first))
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    connection.execute(insert(CHECKPOINT).values(seq=0, chain=first, at=at, note="the journal begins"))


NEWEST = "(SELECT COALESCE(MAX(seq), 0) FROM checkpoint)"
"""The newest checkpoint. Entries up to it may be deleted.

Pruning writes its checkpoint first, in the same transaction, so it need not change a trigger.
"""


def _in_sqlite() -> Sequence[str]:
    refuse = f"BEGIN SELECT RAISE(ABORT, '{SAID}'); END"
    return (
        f"CREATE TRIGGER entry_no_update BEFORE UPDATE ON entry {refuse}",
        f"CREATE TRIGGER entry_no_delete BEFORE DELETE ON entry WHEN OLD.seq > {NEWEST} {refuse}",
    )


def _in_postgres() -> Sequence[str]:
    refuse = f"RAISE EXCEPTION '{SAID}';"
    unpruned = f"IF OLD.seq > {NEWEST} THEN {refuse} END IF; RETURN OLD;"
    function, do = "RETURNS trigger LANGUAGE plpgsql AS", "EXECUTE FUNCTION"
    changes = "BEFORE UPDATE OR TRUNCATE ON entry FOR EACH STATEMENT"
    deletions = "BEFORE DELETE ON entry FOR EACH ROW"
    return (
        f"CREATE FUNCTION entry_is_kept() {function} $$BEGIN {refuse} END$$",
        f"CREATE TRIGGER entry_no_change {changes} {do} entry_is_kept()",
        f"CREATE FUNCTION entry_is_not_pruned() {function} $$BEGIN {unpruned} END$$",
        f"CREATE TRIGGER entry_no_delete {deletions} {do} entry_is_not_pruned()",
    )
