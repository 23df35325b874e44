"""Version 1: counts of the reports that pages sent, and the latest failures."""

from sqlalchemy import Column, Connection, Float, Integer, MetaData, String, Table, Text

from awning.publish.state.layout import make

METADATA = MetaData()
COUNT = Table(
    "health_count",
    METADATA,
    Column("release", Integer, primary_key=True, autoincrement=False),
    Column("widget", String, primary_key=True),
    Column("kind", String, primary_key=True),
    Column("within_ms", Integer, primary_key=True, autoincrement=False),
    Column("began_at", Integer, primary_key=True, autoincrement=False),
    Column("reports", Integer, nullable=False),
    Column("views", Float, nullable=False),
)
FAILURE = Table(
    "health_failure",
    METADATA,
    Column("release", Integer, primary_key=True, autoincrement=False),
    Column("digest", String, primary_key=True),
    Column("widget", String, nullable=False),
    Column("event", String, nullable=False),
    Column("message", Text, nullable=False),
    Column("path", String),
    Column("line", Integer),
    Column("column", Integer),
    Column("reports", Integer, nullable=False),
    Column("first_at", Integer, nullable=False),
    Column("last_at", Integer, nullable=False),
)


def forward(connection: Connection) -> None:
    make(connection, [COUNT, FAILURE])
