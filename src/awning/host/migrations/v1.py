"""Version 1: installations and sessions."""

from sqlalchemy import Column, Connection, Float, MetaData, String, Table

from awning.publish.state.layout import make

METADATA = MetaData()
STEPS = ("installed_at", "configured_at", "published_at", "announced_at", "removing_at", "removed_at")
INSTALLATION = Table(
    "installation",
    METADATA,
    Column("key", String, primary_key=True),
    Column("auth_code", String),
    Column("url", String),
    Column("brand", String),
    Column("begun_at", Float, nullable=False),
    *(Column(step, Float) for step in STEPS),
)
SESSION = Table(
    "session",
    METADATA,
    Column("id", String, primary_key=True),
    Column("digest", String, nullable=False),
    Column("key", String, nullable=False, index=True),
    Column("language", String, nullable=False),
    Column("return_link", String),
    Column("begun_at", Float, nullable=False, index=True),
)


def forward(connection: Connection) -> None:
    make(connection, [INSTALLATION, SESSION])
