"""One-time login links: kept as digests, gone after the first use or their time."""

import secrets
import sqlite3
from datetime import datetime, timedelta

from awning_harness.service.vault import digest


def add(db: sqlite3.Connection, website_id: int, now: datetime) -> str:
    token = secrets.token_hex(16)
    db.execute("INSERT INTO login_link VALUES (?, ?, ?, 0)", (digest(token), website_id, now.isoformat()))
    return token


def take(db: sqlite3.Connection, token: str, now: datetime, lifetime: timedelta) -> int | None:
    """The website of a link that was not used and is in time; it is used up."""
    row = db.execute("SELECT * FROM login_link WHERE digest = ? AND NOT used", (digest(token),)).fetchone()
    if row is None or now >= datetime.fromisoformat(row["created"]) + lifetime:
        return None
    db.execute("UPDATE login_link SET used = 1 WHERE digest = ?", (row["digest"],))
    website_id: int = row["website_id"]
    return website_id
