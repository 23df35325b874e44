"""Version 3: a turn has a number that its holder raises, instead of a time by its holder's clock.

Turns of version 2 are deleted: their holders are workers that the new version replaces.
"""

from sqlalchemy import Connection


def forward(connection: Connection) -> None:
    connection.exec_driver_sql("DELETE FROM turn")
    connection.exec_driver_sql("ALTER TABLE turn DROP COLUMN until")
    connection.exec_driver_sql("ALTER TABLE turn ADD COLUMN beat INTEGER NOT NULL DEFAULT 0")
