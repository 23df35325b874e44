"""App data: one JSON value per instance."""

import sqlite3
from typing import Any

import msgspec


def put(db: sqlite3.Connection, instance_id: int, json: str) -> None:
    db.execute(
        "INSERT INTO app_data VALUES (?, ?) ON CONFLICT (instance_id) DO UPDATE SET json = excluded.json",
        (instance_id, json),
    )


def find(db: sqlite3.Connection, instance_id: int) -> tuple[Any] | None:
    """The value in a tuple of its own, or None when nothing was set."""
    row = db.execute("SELECT json FROM app_data WHERE instance_id = ?", (instance_id,)).fetchone()
    return (msgspec.json.decode(row[0]),) if row else None
