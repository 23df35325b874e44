"""Installations a user has asked for and not yet accepted: known by a token in the callback's path."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallRequest:
    app_id: int
    website_id: int
    language: str


def add(db: sqlite3.Connection, token: str, request: InstallRequest, now: datetime) -> None:
    db.execute(
        "INSERT INTO install_request VALUES (?, ?, ?, ?, ?)",
        (token, request.app_id, request.website_id, request.language, now.isoformat()),
    )


def find(db: sqlite3.Connection, token: str) -> InstallRequest | None:
    row = db.execute("SELECT * FROM install_request WHERE token = ?", (token,)).fetchone()
    if row is None:
        return None
    return InstallRequest(app_id=row["app_id"], website_id=row["website_id"], language=row["language"])


def take(db: sqlite3.Connection, token: str) -> InstallRequest | None:
    """The request, which is used up."""
    request = find(db, token)
    db.execute("DELETE FROM install_request WHERE token = ?", (token,))
    return request
