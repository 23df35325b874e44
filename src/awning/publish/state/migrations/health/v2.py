"""Version 2: the windows of gates, and what each address and each instance reported in a window."""

from sqlalchemy import Column, Connection, Float, Integer, MetaData, String, Table

from awning.publish.state.layout import make

METADATA = MetaData()
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


def forward(connection: Connection) -> None:
    make(connection, [WINDOW, SENDER])
