"""Version 5: encrypted authCodes, and row numbers that are never used twice.

`sealed_by` is the id of the key with which `auth_code` is encrypted; NULL for a plain authCode. The index on it finds
the plain ones without reading all rows. An instance is looked up by its keyed hash, because each encryption of an
authCode gives another text.

SQLite may give the number of a removed instance to the next one, unless the column is AUTOINCREMENT. A run that lists
the instances in the order of their numbers would then include an instance that was added after the run began.
PostgreSQL never uses a number twice.
"""

from sqlalchemy import Column, Connection, Integer, MetaData, String, Table, insert, select

from awning.publish.state.layout import make

INSTANCE = Table(
    "instance",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("auth_code", String, nullable=False, unique=True),
    Column("name", String, unique=True),
    Column("languages", String, nullable=False, default=""),
    Column("labels", String, nullable=False, default=""),
    Column("added_at", String, nullable=False),
    Column("key", String),
    Column("website_url", String),
    Column("website_languages", String),
    Column("refreshed_at", String),
    Column("pinned", Integer),
    sqlite_autoincrement=True,
)
BEFORE = INSTANCE.to_metadata(MetaData(), name="instance_before")


def forward(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        _number_anew(connection)
    for table in ("instance", "removed"):
        connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN sealed_by VARCHAR")
        connection.exec_driver_sql(f"CREATE INDEX {table}_sealed_by ON {table} (sealed_by)")


def _number_anew(connection: Connection) -> None:
    """Copy the table into a new one with AUTOINCREMENT, because SQLite cannot change a column. The numbers stay."""
    connection.exec_driver_sql("DROP INDEX instance_key")
    connection.exec_driver_sql("ALTER TABLE instance RENAME TO instance_before")
    make(connection, [INSTANCE])
    connection.execute(
        insert(INSTANCE).from_select(list(BEFORE.columns), select(BEFORE).order_by(BEFORE.c.id))
    )
    connection.exec_driver_sql("DROP TABLE instance_before")
    connection.exec_driver_sql("CREATE UNIQUE INDEX instance_key ON instance (key)")
