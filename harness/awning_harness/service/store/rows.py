"""Rows of the tables as frozen dataclasses, whose fields have the names of columns."""

import sqlite3
from datetime import datetime
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def insert(db: sqlite3.Connection, table: str, **columns: Any) -> int:
    """Add a row, and return its number. An instant is stored in ISO 8601."""
    values = {n: v.isoformat() if isinstance(v, datetime) else v for n, v in columns.items()}
    places = ", ".join(f":{name}" for name in values)
    statement = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({places})"  # noqa: S608 - our names
    return db.execute(statement, values).lastrowid or 0


def read_row(kind: type[T], row: sqlite3.Row, **others: Any) -> T:
    """Return a row as a dataclass. `others` are the fields that are no columns. Other columns are left out."""
    return msgspec.convert({**row, **others}, kind, strict=False)


def find_row(db: sqlite3.Connection, table: str, number: int) -> sqlite3.Row | None:
    """Return the row with this id; None when there is none."""
    row: sqlite3.Row | None = db.execute(f"SELECT * FROM {table} WHERE id = ?", (number,)).fetchone()  # noqa: S608
    return row
