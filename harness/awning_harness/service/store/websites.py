"""Websites: the shops on which apps are installed. Each has a cache of the apps' default snippets."""

import sqlite3
from dataclasses import asdict, dataclass
from datetime import datetime

import msgspec

from awning_harness.service.store.database import find_row, insert, read_row

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
    number = insert(
        db,
        "website",
        brandname=brandname or "",
        languages=msgspec.json.encode(languages).decode(),
        owner_email=owner_email,
        owner_email_confirmed=owner_email_confirmed,
        created=now,
    )
    if brandname is None:
        brandname = f"Simulated shop {number}"
        db.execute("UPDATE website SET brandname = ? WHERE id = ?", (brandname, number))
    return Website(
        id=number,
        languages=languages,
        brandname=brandname,
        owner_email=owner_email,
        owner_email_confirmed=owner_email_confirmed,
    )


def find(db: sqlite3.Connection, website_id: int) -> Website | None:
    if not 0 < website_id <= LARGEST_ID:  # SQLite cannot hold a larger number
        return None
    row = find_row(db, "website", website_id)
    return _website(row) if row else None


def find_all(db: sqlite3.Connection) -> tuple[Website, ...]:
    return tuple(_website(row) for row in db.execute("SELECT * FROM website ORDER BY id"))


def _website(row: sqlite3.Row) -> Website:
    return read_row(Website, row, languages=msgspec.json.decode(row["languages"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedDefault:
    head: str
    body: str
    since: datetime


def put_cached_default(db: sqlite3.Connection, website_id: int, app_id: int, cached: CachedDefault) -> None:
    db.execute("DELETE FROM cached_default WHERE website_id = ? AND app_id = ?", (website_id, app_id))
    insert(db, "cached_default", website_id=website_id, app_id=app_id, **asdict(cached))


def find_cached_default(db: sqlite3.Connection, website_id: int, app_id: int) -> CachedDefault | None:
    row = db.execute(
        "SELECT * FROM cached_default WHERE website_id = ? AND app_id = ?", (website_id, app_id)
    ).fetchone()
    return read_row(CachedDefault, row) if row else None


def purge_website(db: sqlite3.Connection, website_id: int) -> None:
    db.execute("DELETE FROM cached_default WHERE website_id = ?", (website_id,))


def purge_app(db: sqlite3.Connection, app_id: int) -> None:
    db.execute("DELETE FROM cached_default WHERE app_id = ?", (app_id,))
