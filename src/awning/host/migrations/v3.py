"""Version 3: a turn has a number that its holder raises, in the place of a time of its holder's clock.

Turns of the version before are dropped: their holders are workers that this version replaces.
"""

from sqlalchemy import Connection


def forward(connection: Connection) -> None:
    connection.exec_driver_sql("DELETE FROM turn")
    connection.exec_driver_sql("ALTER TABLE turn DROP COLUMN until")
    connection.exec_driver_sql("ALTER TABLE turn ADD COLUMN beat INTEGER NOT NULL DEFAULT 0")
