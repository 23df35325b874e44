"""Version 3: the keyed hash of each instance, its website's address and languages, and the release it is held at.

The keyed hash needs the key of the state store, so the inventory computes it for older rows when it is opened.
"""

from sqlalchemy import Connection

COLUMNS = {
    "instance": {
        "key": "VARCHAR",
        "website_url": "VARCHAR",
        "website_languages": "VARCHAR",
        "refreshed_at": "VARCHAR",
        "pinned": "INTEGER",
    },
    "removed": {"key": "VARCHAR", "pinned": "INTEGER"},
}


def forward(connection: Connection) -> None:
    for table, columns in COLUMNS.items():
        for name, kind in columns.items():
            connection.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {name} {kind}")
        connection.exec_driver_sql(f"CREATE UNIQUE INDEX {table}_key ON {table} (key)")
