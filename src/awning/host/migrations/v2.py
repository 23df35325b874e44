"""Version 2: turns, and an index of installations by website."""

from sqlalchemy import Column, Connection, Float, MetaData, String, Table

from awning.publish.state.layout import make

TURN = Table(
    "turn",
    MetaData(),
    Column("key", String, primary_key=True),
    Column("holder", String, nullable=False),
    Column("until", Float, nullable=False),
)


def forward(connection: Connection) -> None:
    make(connection, [TURN])
    connection.exec_driver_sql("CREATE INDEX ix_installation_url ON installation (url)")
