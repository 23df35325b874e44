"""Version 2: chunks and their owners, the rate that the workers of a fleet share, and the settings of a fleet's run."""

from sqlalchemy import BigInteger, Column, Connection, Float, Index, Integer, MetaData, String, Table, Text

from awning.publish.state.layout import make

COLUMNS = {"settings": "TEXT"}
METADATA = MetaData()
PUBLISH_CHUNK = Table(
    "publish_chunk",
    METADATA,
    Column("run", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("wave", Integer, nullable=False),
    Column("instances", Text, nullable=False),
    Column("state", String, nullable=False),
    Column("owner", String),
    Column("worker", String),
    Column("claims", Integer, nullable=False),
    Column("leased_until", Float),
    Column("job", BigInteger),
    Column("counts", Text),
)
Index("publish_chunk_state", PUBLISH_CHUNK.c.run, PUBLISH_CHUNK.c.state)
PUBLISH_RATE = Table(
    "publish_rate",
    METADATA,
    Column("run", Integer, primary_key=True, autoincrement=False),
    Column("calls", Float, nullable=False),
    Column("at", Float, nullable=False),
    Column("quiet_until", Float, nullable=False),
)


def forward(connection: Connection) -> None:
    for name, kind in COLUMNS.items():
        connection.exec_driver_sql(f"ALTER TABLE publish_run ADD COLUMN {name} {kind}")
    make(connection, [PUBLISH_CHUNK, PUBLISH_RATE])
