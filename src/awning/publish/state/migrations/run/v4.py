"""Version 4: the rate that the service's "too many calls" has lowered, which the workers of a fleet share."""

from sqlalchemy import Connection

COLUMNS = {"lowered_to": "DOUBLE PRECISION"}


def forward(connection: Connection) -> None:
    for name, kind in COLUMNS.items():
        connection.exec_driver_sql(f"ALTER TABLE publish_rate ADD COLUMN {name} {kind}")
