"""The database: its connection, its tables, and rows of them as frozen dataclasses.

A service has one connection, which its threads share under a lock. Writers lock the database before they read (BEGIN
IMMEDIATE). So the rows that an operation reads cannot change before it writes, even when two services share a file. A
problem with the file, at the start or later (locked, damaged, disk full), raises DatabaseUnusable with a hint. Earlier
transactions stay in the file.

Times are ISO 8601 in UTC; an empty language means every language.

In the tables of resellers, months are written `2026-03`. Money is in cents or, in `cost_millionths`, in millionths of
the currency's unit.
"""

import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from awning.errors import DatabaseUnusable

VERSION = 5

SCHEMA = """
CREATE TABLE website (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    brandname TEXT NOT NULL,
    languages TEXT NOT NULL,
    owner_email TEXT NOT NULL,
    owner_email_confirmed INTEGER NOT NULL,
    created TEXT NOT NULL
) STRICT;

CREATE TABLE app (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    manifest TEXT NOT NULL,
    secret BLOB,
    key_digest BLOB NOT NULL,
    default_head TEXT NOT NULL,
    default_body TEXT NOT NULL,
    head_url TEXT,
    body_url TEXT,
    approved INTEGER NOT NULL,
    waiting TEXT,
    waiting_secret BLOB,
    created TEXT NOT NULL
) STRICT;

CREATE TABLE instance (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    app_id INTEGER NOT NULL REFERENCES app(id),
    website_id INTEGER NOT NULL REFERENCES website(id),
    code_digest BLOB NOT NULL UNIQUE,
    code BLOB NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('installing', 'installed', 'uninstalled')),
    created TEXT NOT NULL,
    changed TEXT NOT NULL
) STRICT;
CREATE INDEX instance_of_website ON instance (website_id, app_id);

CREATE TABLE snippet (
    instance_id INTEGER NOT NULL REFERENCES instance(id),
    place TEXT NOT NULL CHECK (place IN ('head', 'body')),
    language TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (instance_id, place, language)
) STRICT, WITHOUT ROWID;

CREATE TABLE app_data (
    instance_id INTEGER PRIMARY KEY REFERENCES instance(id),
    json TEXT NOT NULL
) STRICT;

CREATE TABLE cached_default (
    website_id INTEGER NOT NULL REFERENCES website(id),
    app_id INTEGER NOT NULL REFERENCES app(id),
    head TEXT NOT NULL,
    body TEXT NOT NULL,
    since TEXT NOT NULL,
    PRIMARY KEY (website_id, app_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE install_request (
    token TEXT PRIMARY KEY,
    app_id INTEGER NOT NULL REFERENCES app(id),
    website_id INTEGER NOT NULL REFERENCES website(id),
    language TEXT NOT NULL,
    created TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE reseller (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    email TEXT NOT NULL UNIQUE,
    password BLOB NOT NULL,
    approved INTEGER NOT NULL,
    fee_paid INTEGER NOT NULL,
    priced INTEGER NOT NULL,
    default_limit INTEGER NOT NULL,
    balance_cents INTEGER NOT NULL DEFAULT 0,
    created TEXT NOT NULL
) STRICT;

CREATE TABLE reseller_setting (
    reseller_id INTEGER NOT NULL REFERENCES reseller(id),
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (reseller_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE reseller_token (
    digest BLOB PRIMARY KEY,
    reseller_id INTEGER NOT NULL REFERENCES reseller(id),
    created TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE reseller_website (
    website_id INTEGER PRIMARY KEY REFERENCES website(id),
    reseller_id INTEGER NOT NULL REFERENCES reseller(id),
    user_name TEXT NOT NULL,
    country TEXT NOT NULL,
    unsubscribed INTEGER NOT NULL,
    alias TEXT NOT NULL,
    type INTEGER NOT NULL,
    modified TEXT NOT NULL,
    accessed TEXT,
    status INTEGER NOT NULL,
    plan TEXT NOT NULL CHECK (plan IN ('free', 'premium', 'premiumplus', 'premiumpro')),
    ai_limit INTEGER NOT NULL,
    extra INTEGER NOT NULL DEFAULT 0,
    extra_until TEXT
) STRICT;
CREATE INDEX website_of_reseller ON reseller_website (reseller_id);

CREATE TABLE ai_usage (
    website_id INTEGER NOT NULL REFERENCES website(id),
    month TEXT NOT NULL,
    monthly INTEGER NOT NULL DEFAULT 0,
    extra INTEGER NOT NULL DEFAULT 0,
    cost_millionths INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (website_id, month)
) STRICT, WITHOUT ROWID;

CREATE TABLE ai_bill (
    reseller_id INTEGER NOT NULL REFERENCES reseller(id),
    month TEXT NOT NULL,
    cents INTEGER NOT NULL,
    PRIMARY KEY (reseller_id, month)
) STRICT, WITHOUT ROWID;

CREATE TABLE reseller_domain (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    website_id INTEGER NOT NULL REFERENCES website(id),
    domain TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE login_link (
    digest BLOB PRIMARY KEY,
    website_id INTEGER NOT NULL REFERENCES website(id),
    created TEXT NOT NULL,
    used INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID
"""

TABLES = tuple(reversed(re.findall(r"CREATE TABLE (\w+)", SCHEMA)))
"""All tables, in the order in which they can be emptied: a table comes before those that it refers to."""


T = TypeVar("T")


def insert(db: sqlite3.Connection, table: str, **columns: Any) -> int:
    """Add a row, and return its number. An instant is stored in ISO 8601."""
    values = {n: v.isoformat() if isinstance(v, datetime) else v for n, v in columns.items()}
    places = ", ".join(f":{name}" for name in values)
    statement = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({places})"  # noqa: S608 - our names
    return db.execute(statement, values).lastrowid or 0


def read_row(kind: type[T], row: sqlite3.Row, **others: Any) -> T:
    """Return a row as a dataclass. `others` are the fields that are no columns. Other columns are left out."""
    return msgspec.convert({**row, **others}, kind, strict=False)


def find_row(db: sqlite3.Connection, table: str, number: int) -> sqlite3.Row | None:
    """Return the row with this id; None when there is none."""
    row: sqlite3.Row | None = db.execute(f"SELECT * FROM {table} WHERE id = ?", (number,)).fetchone()  # noqa: S608
    return row


BUSY_MS = 10_000


class Database:
    """A SQLite database. `path` is its file, or None for memory."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.RLock()
        with self._usable():
            self._connection = _connect(path)
        try:
            self._prepare()
        except BaseException:
            self._connection.close()
            raise

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction. It is committed when the block ends, and rolled back when the block raises.

        A block inside another one of the same thread is part of the outer transaction.
        """
        with self._lock, self._usable():
            if self._connection.in_transaction:
                yield self._connection
                return
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite itself rolls back when the disk is full
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._usable():
            yield self._connection

    @contextmanager
    def _usable(self) -> Iterator[None]:
        """Raise DatabaseUnusable for a problem with the file.

        An IntegrityError or a ProgrammingError comes from our own SQL, so it is not converted.
        """
        try:
            yield
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
            raise
        except sqlite3.DatabaseError as error:
            raise unusable(self._path, error) from error

    def clear(self) -> None:
        """Delete everything and start numbering again."""
        with self.writing() as db:
            for table in TABLES:
                db.execute(f"DELETE FROM {table}")  # noqa: S608 - names of our own tables
            db.execute("DELETE FROM sqlite_sequence")

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _prepare(self) -> None:
        """Make the tables in an empty file. Raises DatabaseUnusable for a file of another version or program."""
        with self.writing() as db:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version == VERSION:
                return
            if version or db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise other_version(version)
            for statement in SCHEMA.split(";"):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {VERSION}")


def _connect(path: Path | None) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path or ":memory:",
        isolation_level=None,
        check_same_thread=False,
        timeout=BUSY_MS / 1000,
        cached_statements=256,
    )
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


AFRESH = "name another file, or delete this file to start with an empty state"
_HINTS = {
    "SQLITE_BUSY": "another program is writing to the file: stop that program, or name another file",
    "SQLITE_LOCKED": "another program is writing to the file: stop that program, or name another file",
    "SQLITE_FULL": "free some space on its disk; earlier changes are still in the file",
    "SQLITE_READONLY": "the file is read-only: change its permissions, or name another file",
    "SQLITE_CORRUPT": "the file is damaged: restore a copy, or delete it to start with an empty state",
}


def unusable(path: Path | None, error: sqlite3.Error) -> DatabaseUnusable:
    """Return a database error as an error of the user's file, with a hint."""
    where = "the state in memory" if path is None else str(path)
    return DatabaseUnusable(
        f"{where} cannot be used as the state of a service: {error}", hint=_hint(path, error)
    )


def other_version(version: int) -> sqlite3.DatabaseError:
    """Return the error for a file of another version. Version 0 means that another program wrote it."""
    if not version:
        return sqlite3.DatabaseError("another program wrote it")
    age = "an older" if version < VERSION else "a newer"
    return sqlite3.DatabaseError(
        f"{age} awning wrote it (tables of version {version}, this one has {VERSION})"
    )


def _hint(path: Path | None, error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", None) or ""
    with suppress(OSError):
        if path is not None and not path.parent.is_dir():
            return f"make the folder {path.parent} first"
    kind = "_".join(name.split("_")[:2])  # the primary code: SQLITE_BUSY for SQLITE_BUSY_SNAPSHOT
    return _HINTS.get(kind, AFRESH)
