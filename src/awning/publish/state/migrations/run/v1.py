"""Version 1: the runs of `publish apply`, with state, waves and gate, and the number of waves that have passed."""

from sqlalchemy import Boolean, Column, Connection, Integer, MetaData, String, Table, Text

from awning.publish.state.layout import make

PUBLISH_RUN = Table(
    "publish_run",
    MetaData(),
    Column("run", Integer, primary_key=True, autoincrement=False),
    Column("release", Integer, nullable=False),
    Column("base_url", String, nullable=False),
    Column("is_whole", Boolean, nullable=False),
    Column("state", String, nullable=False),
    Column("rollout", Text, nullable=False),
    Column("passed", Integer, nullable=False),
    Column("continues", Integer),
    Column("reason", Text),
    Column("began_at", String, nullable=False),
    Column("changed_at", String, nullable=False),
)


def forward(connection: Connection) -> None:
    make(connection, [PUBLISH_RUN])
