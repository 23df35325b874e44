"""The connection: one per service, shared by its threads under a lock.

Writers take the database before they read (BEGIN IMMEDIATE), so that what an operation decides on is still
true when it writes, also when two services share a file. Whatever is wrong with the file, at the start or later
(locked, damaged, no room on the disk), is a DatabaseUnusable that says what to do; what was written before is kept.
"""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from awning_harness.service.store.schema import SCHEMA, TABLES, VERSION
from awning_harness.service.store.trouble import other_version, unusable

BUSY_MS = 10_000


class Database:
    """A SQLite database. `path` is its file, or None for memory."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.RLock()
        with self._told():
            self._connection = _connect(path)
        try:
            self._prepare()
        except BaseException:
            self._connection.close()
            raise

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction, kept when the block ends and undone when it raises."""
        with self._lock, self._told():
            if self._connection.in_transaction:
                yield self._connection
                return
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite itself undoes it when the disk is full
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._told():
            yield self._connection

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Trouble with the file as a DatabaseUnusable. Wrong use of SQL stays what it is: a fault of ours."""
        try:
            yield
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
            raise
        except sqlite3.DatabaseError as error:
            raise unusable(self._path, error) from error

    def clear(self) -> None:
        """Forget everything, the numbering too."""
        with self.writing() as db:
            for table in TABLES:
                db.execute(f"DELETE FROM {table}")  # noqa: S608 - names of our own tables
            db.execute("DELETE FROM sqlite_sequence")

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _prepare(self) -> None:
        """Make the tables where there are none. Refuses a file of another version."""
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
