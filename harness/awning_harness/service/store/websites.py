"""Websites: the shops on which apps are installed. Each has a cache of the apps' default snippets."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

import msgspec

Row = sqlite3.Row
LARGEST_ID = 2**63 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Website:
    """One website. `languages` are codes; the first one is the main language."""

    id: int
    languages: tuple[str, ...]
    brandname: str
    owner_email: str = "owner@example.com"
    owner_email_confirmed: bool = True


def add(
    db: sqlite3.Connection,
    *,
    languages: tuple[str, ...],
    brandname: str | None,
    owner_email: str,
    owner_email_confirmed: bool,
    now: datetime,
) -> Website:
    """Make a website. If `brandname` is None, the brand name is "Simulated shop" with the website's number."""
    number = db.execute(
        "INSERT INTO website (brandname, languages, owner_email, owner_email_confirmed, created)"
        " VALUES (?, ?, ?, ?, ?)",
        (
            brandname or "",
            msgspec.json.encode(languages).decode(),
            owner_email,
            owner_email_confirmed,
            now.isoformat(),
        ),
    ).lastrowid
    if brandname is None:
        db.execute("UPDATE website SET brandname = 'Simulated shop ' || id WHERE id = ?", (number,))
    added = find(db, number or 0)
    if added is None:
        raise LookupError("a website is there once it was added")
    return added


def find(db: sqlite3.Connection, website_id: int) -> Website | None:
    if not 0 < website_id <= LARGEST_ID:  # SQLite cannot hold a larger number
        return None
    row = db.execute("SELECT * FROM website WHERE id = ?", (website_id,)).fetchone()
    return _website(row) if row else None


def find_all(db: sqlite3.Connection) -> tuple[Website, ...]:
    return tuple(_website(row) for row in db.execute("SELECT * FROM website ORDER BY id"))


def _website(row: Row) -> Website:
    return Website(
        id=row["id"],
        languages=tuple(msgspec.json.decode(row["languages"])),
        brandname=row["brandname"],
        owner_email=row["owner_email"],
        owner_email_confirmed=bool(row["owner_email_confirmed"]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedDefault:
    head: str
    body: str
    since: datetime


def put_cached_default(db: sqlite3.Connection, website_id: int, app_id: int, cached: CachedDefault) -> None:
    db.execute(
        "INSERT OR REPLACE INTO cached_default VALUES (?, ?, ?, ?, ?)",
        (website_id, app_id, cached.head, cached.body, cached.since.isoformat()),
    )


def find_cached_default(db: sqlite3.Connection, website_id: int, app_id: int) -> CachedDefault | None:
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
