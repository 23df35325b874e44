"""Version 1: the instances."""

from sqlalchemy import Column, Connection, Integer, MetaData, String, Table

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
)


def forward(connection: Connection) -> None:
    make(connection, [INSTANCE])
