"""The tables of a database and their version. Tables are created whole, in one transaction; other versions are refused.

The table `layout` holds the version of each group of tables. There is only version 1 so far. The first version after it
brings the steps that lead there from version 1.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Column, Connection, Integer, MetaData, String, Table, select, update

from awning.errors import DatabaseUnusable
from awning.publish.state.database import Database

VERSION = 1
NAMES = frozenset({"state", "health"})
"""The names of all groups of tables."""
LAYOUT = Table(
    "layout",
    MetaData(),
    Column("name", String, primary_key=True),
    Column("version", Integer, nullable=False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A group of tables. `complete` creates what they need besides, such as triggers and first rows.

    Only a database server has `server_tables`.
    """

    name: str
    tables: Sequence[Table]
    server_tables: Sequence[Table] = ()
    complete: Callable[[Connection], None] = lambda _connection: None


def version_of(database: Database, layout: Layout) -> int:
    """Return the version of the tables; 0 when the database has none.

    Raises DatabaseUnusable when this awning does not know the version.
    """
    with database.reading() as connection:
        return _version(database, connection, layout)


def create(
    database: Database, layout: Layout, check: Callable[[Layout], None] = lambda _layout: None
) -> None:
    """Create the tables, all or none, unless they are there. Several processes may do this at once.

    `check` is called before tables are created. Nothing is created when it raises. Raises DatabaseUnusable when the
    database has tables of another version, or some without a version.
    """
    if version_of(database, layout):
        return
    with database.writing(alone=True) as connection:
        database.backend.make_schema(connection)
        LAYOUT.create(connection, checkfirst=True)
        if _version(database, connection, layout):  # another process has just created them
            return
        check(layout)
        on_server = connection.dialect.name == "postgresql"
        for table in (*layout.tables, *(layout.server_tables if on_server else ())):
            if _has(connection, table):
                raise _unusable(database, f"it has a table `{table.name}`, but no version of it")
            table.create(connection, checkfirst=False)
        layout.complete(connection)
        connection.execute(database.insert(LAYOUT).values(name=layout.name, version=VERSION))


def touch(database: Database, layout: Layout) -> None:
    """Change the version and change it back, to test the database. Raises DatabaseUnusable when it cannot be written.

    SQLite writes nothing for an update that changes nothing.
    """
    own = update(LAYOUT).where(LAYOUT.c.name == layout.name)
    with database.writing() as connection:
        for step in (1, -1):
            connection.execute(own.values(version=LAYOUT.c.version + step))


def _version(database: Database, connection: Connection, layout: Layout) -> int:
    if not _has(connection, LAYOUT):
        return 0
    versions = {row.name: row.version for row in connection.execute(select(LAYOUT))}
    if others := versions.keys() - NAMES:
        raise _unusable(database, f"it has tables of an awning before 0.1.0: {', '.join(sorted(others))}")
    version = versions.get(layout.name)
    if version not in {None, VERSION}:
        raise _unusable(
            database,
            f"its {layout.name} tables are of version {version}, and this awning knows only version {VERSION}",
        )
    return version or 0


def _has(connection: Connection, table: Table) -> bool:
    return connection.dialect.has_table(connection, table.name)


def _unusable(database: Database, why: str) -> DatabaseUnusable:
    return DatabaseUnusable(
        f"{database.display_name} cannot be used: {why}",
        hint="use it with the awning that wrote it, or put back a copy that this awning wrote",
    )
