"""How our SQLite files are opened: written ahead, and on the disk when a transaction ends.

What SQLite and SQLAlchemy say about a statement may hold an authCode, as a parameter or as a text that cannot be read.
So statements run inside `usable`, which says in words of our own what is wrong with the file.
"""

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, MetaData, create_engine, event, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool
from sqlalchemy.schema import CreateIndex, CreateTable

from awning.errors import ConfigurationError

BUSY_S = 10.0
"""How long another program's transaction is waited for."""
AGAIN_S = 0.01

_DAMAGED = (
    "it is damaged, or no database",
    "put back a copy of it, or move it away to start afresh; `awning instances import` fills an inventory again",
)
_WRONG = {
    "SQLITE_BUSY": ("another program holds it locked", "wait for that program to end, then run this again"),
    "SQLITE_LOCKED": ("another program holds it locked", "wait for that program to end, then run this again"),
    "SQLITE_NOTADB": _DAMAGED,
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_READONLY": ("it may not be written", "give yourself the right to write it and its directory"),
    "SQLITE_CANTOPEN": ("it cannot be opened", "look at the rights of the file and of its directory"),
    "SQLITE_PERM": ("it may not be opened", "look at the rights of the file and of its directory"),
    "SQLITE_FULL": ("the disk is full", "make room, then run this again"),
    "SQLITE_IOERR": ("the disk cannot be read or written", None),
}


@contextmanager
def usable(engine: Engine) -> Iterator[None]:
    """Turns what the database throws into a ConfigurationError that holds nothing of a statement."""
    try:
        yield
    except DBAPIError as error:
        name: str = getattr(error.orig, "sqlite_errorname", "")
        wrong = (found for code, found in _WRONG.items() if name.startswith(code))
        # Without a name of SQLite's own, the driver could not read what it got: text that is not UTF-8.
        why, hint = next(wrong, (f"it was refused ({name})", None) if name else _DAMAGED)
        raise ConfigurationError(f"{engine.url.database} cannot be used: {why}", hint=hint) from None


def open_sqlite(path: Path) -> Engine:
    """An engine with one connection, which may move between threads but is used by one at a time."""
    engine = create_engine(
        f"sqlite:///{path}",
        poolclass=StaticPool,
        connect_args={"check_same_thread": False, "timeout": BUSY_S},
        hide_parameters=True,
    )
    event.listen(engine, "connect", _prepare)
    return engine


def make_tables(metadata: MetaData, engine: Engine, triggers: Iterable[str] = ()) -> None:
    """Make what is not there yet. Processes that start together all do it: SQLite, not a look before, decides."""

    def make() -> None:
        with engine.begin() as connection:
            for table in metadata.sorted_tables:
                connection.execute(CreateTable(table, if_not_exists=True))
                for index in table.indexes:
                    connection.execute(CreateIndex(index, if_not_exists=True))
            for trigger in triggers:
                connection.execute(text(trigger))

    with usable(engine):
        _patiently(make)


def _prepare(connection: Any, record: object) -> None:  # noqa: ARG001 - SQLAlchemy's signature
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        _patiently(partial(connection.execute, f"PRAGMA {pragma}"))


def _patiently(act: Callable[[], object]) -> None:
    """Do `act` again while the file is locked, for as long as a transaction is waited for.

    The change to write-ahead and a table that two make at once are refused by SQLite without its own waiting.
    """
    until = time.monotonic() + BUSY_S
    while True:
        try:
            act()
        except (sqlite3.OperationalError, DBAPIError) as error:
            if not _is_busy(error) or time.monotonic() > until:
                raise
            time.sleep(AGAIN_S)
        else:
            return


def _is_busy(error: sqlite3.OperationalError | DBAPIError) -> bool:
    cause = error.orig if isinstance(error, DBAPIError) else error
    return getattr(cause, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))
