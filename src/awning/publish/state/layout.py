"""Migrations: the tables of a database, made by numbered steps that only go forward. A released step never changes.

The table `layout` holds the version. When a program opens the database, the missing steps run in one transaction that
other processes wait for, so each step runs once. A database of a newer version is refused.

A database without a version is new, or was made before versions existed. An old one may already have some tables of
step 1, so step 1 creates only the missing ones.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sqlalchemy import Column, Connection, Integer, MetaData, String, Table, select, update
from sqlalchemy.schema import CreateIndex, CreateTable

from awning.errors import DatabaseUnusable
from awning.publish.state.database import Database

Step = Callable[[Connection], None]

LAYOUT = Table(
    "layout",
    MetaData(),
    Column("name", String, primary_key=True),
    Column("version", Integer, nullable=False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The migration steps of a group of tables. Step number n leads from version n - 1 to version n."""

    name: str
    steps: tuple[Step, ...]

    @property
    def newest(self) -> int:
        return len(self.steps)


def version_of(database: Database, layout: Layout) -> int:
    """Return the version of the tables; 0 when the database has none."""
    with database.reading() as connection:
        return _version(connection, layout)


def bring_up(database: Database, layout: Layout) -> int:
    """Run the missing steps, all or none, and return how many.

    Raises DatabaseUnusable when the database is newer than this awning, or cannot be written.
    """
    if missing(database, layout) == 0:
        return 0
    with database.writing(alone=True) as connection:
        database.backend.make_schema(connection)
        make(connection, [LAYOUT])
        version = _version(connection, layout)  # another process may just have run the steps
        steps = layout.steps[version:]
        for step in steps:
            step(connection)
        row = database.insert(LAYOUT).values(name=layout.name, version=max(version, layout.newest))
        newer = {"version": row.excluded.version}
        connection.execute(row.on_conflict_do_update(index_elements=["name"], set_=newer))
    return len(steps)


def missing(database: Database, layout: Layout) -> int:
    """Return how many steps are missing. Raises DatabaseUnusable when the database is newer than this awning."""
    version = version_of(database, layout)
    if version > layout.newest:
        raise DatabaseUnusable(
            f"{database.display_name} cannot be used: its {layout.name} tables are of version {version}, "
            f"this awning knows them up to {layout.newest}",
            hint="install the awning that wrote it or a later one, or put back a copy from before",
        )
    return layout.newest - version


def touch(database: Database, layout: Layout) -> None:
    """Write the version again, to test the database. Raises DatabaseUnusable when it cannot be written."""
    own = LAYOUT.c.name == layout.name
    with database.writing() as connection:
        connection.execute(update(LAYOUT).where(own).values(version=LAYOUT.c.version))


def make(connection: Connection, tables: Iterable[Table]) -> None:
    """Create the tables and indexes that do not exist."""
    for table in tables:
        connection.execute(CreateTable(table, if_not_exists=True))
        for index in table.indexes:
            connection.execute(CreateIndex(index, if_not_exists=True))


def _version(connection: Connection, layout: Layout) -> int:
    if not connection.dialect.has_table(connection, LAYOUT.name):
        return 0
    version: int | None = connection.execute(
        select(LAYOUT.c.version).where(LAYOUT.c.name == layout.name)
    ).scalar()
    return version or 0
