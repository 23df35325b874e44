"""Version 4: acknowledged differences between the service and the journal."""

from sqlalchemy import Column, Connection, MetaData, String, Table

from awning.publish.state.layout import make

ACKNOWLEDGED = Table(
    "acknowledged",
    MetaData(),
    Column("key", String, primary_key=True),
    Column("language", String, primary_key=True),
    Column("owner", String, nullable=False),
    Column("until", String, nullable=False),
    Column("reason", String, nullable=False),
    Column("at", String, nullable=False),
)


def forward(connection: Connection) -> None:
    make(connection, [ACKNOWLEDGED])
