"""Version 2: removed instances, which are stored until they are purged."""

from sqlalchemy import Column, Connection, Integer, MetaData, String, Table

from awning.publish.state.layout import make

REMOVED = Table(
    "removed",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("auth_code", String, nullable=False, unique=True),
    Column("name", String),
    Column("languages", String, nullable=False, default=""),
    Column("labels", String, nullable=False, default=""),
    Column("added_at", String, nullable=False),
    Column("removed_at", String, nullable=False),
)


def forward(connection: Connection) -> None:
    make(connection, [REMOVED])
