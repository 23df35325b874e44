"""The database connection. A service has one, which its threads share under a lock.

Writers lock the database before they read (BEGIN IMMEDIATE). So the rows that an operation reads cannot change before
it writes, even when two services share a file. A problem with the file, at the start or later (locked, damaged, disk
full), raises DatabaseUnusable with a hint. Earlier transactions stay in the file.
"""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from awning.errors import DatabaseUnusable
from awning_harness.service.store.schema import SCHEMA, TABLES, VERSION

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
