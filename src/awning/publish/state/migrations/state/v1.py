"""Version 1: the table `setting`. Its only row has the key of the keyed hashes.

Only a PostgreSQL database has this table. A state directory has the key in the file `key` instead.
"""

from sqlalchemy import Column, Connection, MetaData, String, Table

from awning.publish.state.layout import make

SETTING = Table(
    "setting", MetaData(), Column("name", String, primary_key=True), Column("value", String, nullable=False)
)


def forward(connection: Connection) -> None:
    make(connection, [SETTING])
