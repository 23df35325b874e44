"""How our SQLite files are opened: written ahead, and on the disk when a transaction ends."""

from pathlib import Path
from typing import Any

from sqlalchemy import Engine, MetaData, create_engine, event
from sqlalchemy.pool import StaticPool
from sqlalchemy.schema import CreateIndex, CreateTable


def open_sqlite(path: Path) -> Engine:
    """An engine with one connection, which may move between threads but is used by one at a time."""
    engine = create_engine(
        f"sqlite:///{path}", poolclass=StaticPool, connect_args={"check_same_thread": False, "timeout": 10}
    )
    event.listen(engine, "connect", _prepare)
    return engine


def make_tables(metadata: MetaData, engine: Engine) -> None:
    """Make what is not there yet. Processes that start together all do it: SQLite, not a look before, decides."""
    with engine.begin() as connection:
        for table in metadata.sorted_tables:
            connection.execute(CreateTable(table, if_not_exists=True))
            for index in table.indexes:
                connection.execute(CreateIndex(index, if_not_exists=True))


def _prepare(connection: Any, record: object) -> None:  # noqa: ARG001 - SQLAlchemy's signature
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")
