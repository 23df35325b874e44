"""The tables of runs.

publish_run     each run of `publish apply`. `gate_since` is when it began to wait at a gate, while it does.
                `taken_back_by` is the run that took it back when a gate stopped it, `rolled_back_by` the run with which
                an operator took back its release from all instances
publish_chunk   some instances of a run by several machines, and the worker that owns them
publish_rate    how many calls the workers of a run may still send, until when the service asked for a pause, and the
                rate to which its "too many calls" lowered the calls of the run, also without workers
"""

from sqlalchemy import BigInteger, Boolean, Column, Float, Index, Integer, MetaData, String, Table, Text

METADATA = MetaData()
PUBLISH_RUN = Table(
    "publish_run",
    METADATA,
    Column("run", Integer, primary_key=True, autoincrement=False),
    Column("release", Integer, nullable=False),
    Column("base_url", String, nullable=False),
    Column("is_whole", Boolean, nullable=False),
    Column("state", String, nullable=False),
    Column("rollout", Text, nullable=False),
    Column("passed", Integer, nullable=False),
    Column("continues", Integer),
    Column("reason", Text),
    Column("gate_since", String),
    Column("taken_back_by", Integer),
    Column("rolled_back_by", Integer),
    Column("began_at", String, nullable=False),
    Column("changed_at", String, nullable=False),
    Column("cancelled_at", String),
    Column("cancelled_by", String),
    Column("settings", Text),
)
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
    Column("lowered_to", Float),
)
