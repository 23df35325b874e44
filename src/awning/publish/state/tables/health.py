"""The tables of the health reports."""

from sqlalchemy import Column, Float, Integer, MetaData, String, Table, Text

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
WINDOW = Table(
    "health_window",
    METADATA,
    Column("name", String, primary_key=True),
    Column("run", Integer, nullable=False),
    Column("secret", String, nullable=False),
    Column("began_at", Integer, nullable=False),
)
SENDER = Table(
    "health_sender",
    METADATA,
    Column("window", String, primary_key=True),
    Column("kind", String, primary_key=True),
    Column("sender", String, primary_key=True),
    Column("release", Integer, primary_key=True, autoincrement=False),
    Column("rendered", Integer, nullable=False),
    Column("failed", Integer, nullable=False),
    Column("views", Float, nullable=False),
)
