"""Which tables a database has, as numbered steps: each is one file, is never changed once released, goes forward.

The database knows its version (table `layout`). A start takes the steps that are missing, all in one transaction
that is alone, so processes that start together take them once. A database of a newer version is refused: what that
version means by it cannot be known.

A database from before there were versions has what step 1 makes, or a part of it: step 1 makes what is not there.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sqlalchemy import Column, Connection, Integer, MetaData, String, Table, select, update
from sqlalchemy.schema import CreateIndex, CreateTable

from awning.errors import DatabaseUnusable
from awning.publish.database import Database

Step = Callable[[Connection], None]

LAYOUT = Table(
    "layout",
    MetaData(),
    Column("name", String, primary_key=True),
    Column("version", Integer, nullable=False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The tables called `name`. The first of `steps` leads to version 1, the last to the newest."""

    name: str
    steps: tuple[Step, ...]

    @property
    def newest(self) -> int:
        return len(self.steps)


def version_of(database: Database, layout: Layout) -> int:
    """The version the tables are of; 0 where nothing says so. Changes nothing."""
    with database.reading() as connection:
        return _version(connection, layout)


def bring_up(database: Database, layout: Layout) -> int:
    """Take the steps that are missing, all or none; returns how many. Raises DatabaseUnusable, also for a newer one."""
    if missing(database, layout) == 0:
        return 0
    with database.writing(alone=True) as connection:
        database.kind.found(connection)
        make(connection, [LAYOUT])
        found = _version(connection, layout)  # another process may have been here while we waited
        steps = layout.steps[found:]
        for step in steps:
            step(connection)
        row = database.insert(LAYOUT).values(name=layout.name, version=max(found, layout.newest))
        kept = {"version": row.excluded.version}
        connection.execute(row.on_conflict_do_update(index_elements=["name"], set_=kept))
    return len(steps)


def missing(database: Database, layout: Layout) -> int:
    """How many steps are missing. Raises DatabaseUnusable for a newer database."""
    found = version_of(database, layout)
    if found > layout.newest:
        raise DatabaseUnusable(
            f"{database.shown} cannot be used: its {layout.name} tables are of version {found}, "
            f"this awning knows them up to {layout.newest}",
            hint="install the awning that wrote it or a later one, or put back a copy from before",
        )
    return layout.newest - found


def touch(database: Database, layout: Layout) -> None:
    """Write the version that is there once more. Raises DatabaseUnusable where nothing can be written."""
    own = LAYOUT.c.name == layout.name
    with database.writing() as connection:
        connection.execute(update(LAYOUT).where(own).values(version=LAYOUT.c.version))


def make(connection: Connection, tables: Iterable[Table]) -> None:
    """Make tables and their indexes where they are not there yet."""
    for table in tables:
        connection.execute(CreateTable(table, if_not_exists=True))
        for index in table.indexes:
            connection.execute(CreateIndex(index, if_not_exists=True))


def _version(connection: Connection, layout: Layout) -> int:
    if not connection.dialect.has_table(connection, LAYOUT.name):
        return 0
    found: int | None = connection.execute(
        select(LAYOUT.c.version).where(LAYOUT.c.name == layout.name)
    ).scalar()
    return found or 0
