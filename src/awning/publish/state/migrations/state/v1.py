"""Version 1: the key of the keyed hashes, which a state directory has as a file."""

from sqlalchemy import Column, Connection, MetaData, String, Table

from awning.publish.state.layout import make

SETTING = Table(
    "setting", MetaData(), Column("name", String, primary_key=True), Column("value", String, nullable=False)
)


def forward(connection: Connection) -> None:
    make(connection, [SETTING])
