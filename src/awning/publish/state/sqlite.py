"""Opens SQLite files in WAL mode. A transaction is on the disk when it ends. Opening never creates a file.

The driver's automatic transactions are off, because they begin late and do not cover CREATE TABLE. A writing
transaction locks the file when it begins, so the rows that it reads cannot change before it writes.
"""

import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from awning.errors import DatabaseUnusable
from awning.publish.state.database import Database, DatabaseBackend

BUSY_S = 30.0
"""The most seconds to wait for the transaction of another program.

The longest prune a million entries, or import a large table of instances. A publish that goes on meanwhile waits for
them.
"""
AGAIN_S = 0.01


def open_sqlite(path: Path) -> Database:
    """Open an existing file. The database has one connection, which one thread at a time may use."""
    engine = create_engine(
        "sqlite://", creator=partial(_connect, path), poolclass=StaticPool, hide_parameters=True
    )
    event.listen(engine, "begin", _begin)
    return Database(engine=engine, display_name=str(path), backend=File(path=path))


@dataclass(slots=True, kw_only=True, eq=False)
class File(DatabaseBackend):
    """The SQLite implementation of `DatabaseBackend`.

    It detects that the file was removed or replaced: an open connection alone would keep using the old file.
    """

    path: Path
    opened: tuple[int, int] | None = None

    def ready(self, engine: Engine) -> None:
        """Check before each transaction that the file is there, and open a replaced file anew.

        Raises DatabaseUnusable when the file is missing or cannot be accessed.
        """
        identity = _identity(self.path)
        if self.opened is not None and identity != self.opened:
            engine.dispose()
        self.opened = identity or self.opened
        if identity is None:
            raise DatabaseUnusable(
                f"{self.path} cannot be used: it is not there",
                hint="put it back, or a copy of it",
            )

    def is_sound(self, connection: Connection) -> bool:
        """Return whether every page is undamaged (SQLite, PRAGMA quick_check)."""
        return connection.exec_driver_sql("PRAGMA quick_check(1)").scalar() == "ok"

    def scrub(self, engine: Engine) -> None:
        """Empty the write-ahead log, which may hold deleted rows.

        In the file itself, `secure_delete` overwrites them.
        """
        with engine.connect() as connection:
            driver = connection.connection.driver_connection
            if driver is not None:
                driver.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def in_memory() -> Database:
    """Open an empty database in memory, for this process alone."""
    engine = create_engine("sqlite://", poolclass=StaticPool, hide_parameters=True)
    return Database(engine=engine, display_name="a database in memory", backend=DatabaseBackend())


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DatabaseUnusable(f"{path} cannot be used: {error.strerror}") from None
    return status.st_dev, status.st_ino


def _connect(path: Path) -> sqlite3.Connection:
    address = f"file:{quote(str(path.absolute()))}?mode=rw"
    connection = sqlite3.connect(
        address, uri=True, timeout=BUSY_S, isolation_level=None, check_same_thread=False
    )
    try:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
            _retry_while_locked(partial(connection.execute, f"PRAGMA {pragma}"))
    except BaseException:
        connection.close()
        raise
    return connection


def _begin(connection: Connection) -> None:
    writing = connection.get_execution_options().get("writing", False)
    statement = "BEGIN IMMEDIATE" if writing else "BEGIN"
    _retry_while_locked(partial(connection.exec_driver_sql, statement))


def _retry_while_locked(act: Callable[[], Any]) -> None:
    """Repeat `act` while the file is locked, for up to BUSY_S seconds.

    SQLite refuses to switch a file to WAL mode while it is locked, and ignores its busy timeout for that.
    """
    until = time.monotonic() + BUSY_S
    while True:
        try:
            act()
        except (sqlite3.OperationalError, DBAPIError) as error:
            cause = error.orig if isinstance(error, DBAPIError) else error
            busy = getattr(cause, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))
            if not busy or time.monotonic() > until:
                raise
            time.sleep(AGAIN_S)
        else:
            return
