"""Default snippets as a website's cache holds them."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedDefault:
    head: str
    body: str
    since: datetime


def put(db: sqlite3.Connection, website_id: int, app_id: int, cached: CachedDefault) -> None:
    db.execute(
        "INSERT OR REPLACE INTO cached_default VALUES (?, ?, ?, ?, ?)",
        (website_id, app_id, cached.head, cached.body, cached.since.isoformat()),
    )


def find(db: sqlite3.Connection, website_id: int, app_id: int) -> CachedDefault | None:
    row = db.execute(
        "SELECT * FROM cached_default WHERE website_id = ? AND app_id = ?", (website_id, app_id)
    ).fetchone()
    if row is None:
        return None
    return CachedDefault(head=row["head"], body=row["body"], since=datetime.fromisoformat(row["since"]))


def purge_website(db: sqlite3.Connection, website_id: int) -> None:
    db.execute("DELETE FROM cached_default WHERE website_id = ?", (website_id,))


def purge_app(db: sqlite3.Connection, app_id: int) -> None:
    db.execute("DELETE FROM cached_default WHERE app_id = ?", (app_id,))
