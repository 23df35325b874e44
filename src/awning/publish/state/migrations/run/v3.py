"""Version 3: the highest number of the runs that have no row in publish_run, such as rollbacks."""

from sqlalchemy import Column, Connection, Integer, MetaData, Table

from awning.publish.state.layout import make

PUBLISH_LAST_RUN = Table(
    "publish_last_run",
    MetaData(),
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("run", Integer, nullable=False),
)


def forward(connection: Connection) -> None:
    make(connection, [PUBLISH_LAST_RUN])
