"""Settings that survive a restart: the clock and the assumptions."""

import sqlite3


def put(db: sqlite3.Connection, name: str, value: str) -> None:
    db.execute(
        "INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (name, value),
    )


def find(db: sqlite3.Connection, name: str) -> str | None:
    row = db.execute("SELECT value FROM setting WHERE name = ?", (name,)).fetchone()
    return row[0] if row else None


def starting_with(db: sqlite3.Connection, prefix: str) -> dict[str, str]:
    """The settings whose name begins with `prefix`, by the rest of their name."""
    rows = db.execute("SELECT name, value FROM setting WHERE substr(name, 1, ?) = ?", (len(prefix), prefix))
    return {row["name"][len(prefix) :]: row["value"] for row in rows}
