"""Version 3: the holder of a turn raises a number. In version 2 it wrote a time.

Turns of version 2 are deleted, because the workers that hold them are replaced by workers of the new version.
"""

from sqlalchemy import Connection


def forward(connection: Connection) -> None:
    connection.exec_driver_sql("DELETE FROM turn")
    connection.exec_driver_sql("ALTER TABLE turn DROP COLUMN until")
    connection.exec_driver_sql("ALTER TABLE turn ADD COLUMN beat INTEGER NOT NULL DEFAULT 0")
