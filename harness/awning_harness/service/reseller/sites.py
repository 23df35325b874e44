"""The websites of resellers: queries, AI credits, login links, and the record that the API sends."""

import secrets
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from awning.contract.reseller_errors import STATUS_ENABLED
from awning_harness.service.reseller.credits import FREE, Allowance, Spent
from awning_harness.service.reseller.envelope import millionths, month_of, written
from awning_harness.service.reseller.transaction import Transaction
from awning_harness.service.store.database import insert, read_row
from awning_harness.service.vault import digest

_SELECT = (
    "SELECT reseller_website.*, website.id, user_name AS owner_name, unsubscribed AS owner_unsubscribed,"
    " website.brandname, website.owner_email, website.owner_email_confirmed AS owner_confirmed, website.created,"
    ' ai_limit AS "limit", coalesce(ai_usage.monthly, 0) AS used, coalesce(ai_usage.extra, 0) AS used_extra'
    " FROM reseller_website JOIN website ON website.id = reseller_website.website_id"
    " LEFT JOIN ai_usage ON ai_usage.website_id = reseller_website.website_id AND ai_usage.month = ?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One website of a reseller, with its usage in one month."""

    id: int
    reseller_id: int
    brandname: str
    owner_name: str
    owner_email: str
    owner_confirmed: bool
    owner_unsubscribed: bool
    country: str
    alias: str
    type: int
    status: int
    created: datetime
    modified: datetime
    accessed: datetime | None
    used_extra: int
    ai: Allowance


def add(
    db: sqlite3.Connection,
    *,
    website_id: int,
    reseller_id: int,
    limit: int,
    owner_name: str,
    country: str,
    now: datetime,
) -> None:
    """Assign a website to a reseller: enabled, on the free plan."""
    insert(
        db,
        "reseller_website",
        website_id=website_id,
        reseller_id=reseller_id,
        user_name=owner_name,
        country=country,
        unsubscribed=False,
        alias=f"site{website_id}",
        type=1,
        modified=now,
        status=STATUS_ENABLED,
        plan=FREE,
        ai_limit=limit,
    )


def count(db: sqlite3.Connection, reseller_id: int) -> int:
    row = db.execute("SELECT count(*) FROM reseller_website WHERE reseller_id = ?", (reseller_id,)).fetchone()
    number: int = row[0]
    return number


def of_reseller(transaction: Transaction, reseller_id: int) -> Iterator[Site]:
    values = (month_of(transaction.now, transaction.assumptions), reseller_id)
    rows = transaction.db.execute(f"{_SELECT} WHERE reseller_id = ? ORDER BY website.id", values)
    return (_site(row) for row in rows)


def find(transaction: Transaction, reseller_id: int, website_id: int) -> Site | None:
    values = (month_of(transaction.now, transaction.assumptions), reseller_id, website_id)
    query = f"{_SELECT} WHERE reseller_id = ? AND website.id = ?"
    row = transaction.db.execute(query, values).fetchone()
    return _site(row) if row else None


def set_status(transaction: Transaction, site: Site, status: int) -> None:
    transaction.db.execute(
        "UPDATE reseller_website SET status = ?, modified = ? WHERE website_id = ?",
        (status, transaction.now.isoformat(), site.id),
    )


def set_accessed(db: sqlite3.Connection, website_id: int, now: datetime) -> None:
    db.execute("UPDATE reseller_website SET accessed = ? WHERE website_id = ?", (now.isoformat(), website_id))


def set_allowance(transaction: Transaction, site: Site, ai: Allowance) -> None:
    """Set plan, limit and extra credits. The usage does not change."""
    until = ai.extra_until.isoformat() if ai.extra_until else None
    transaction.db.execute(
        "UPDATE reseller_website SET plan = ?, ai_limit = ?, extra = ?, extra_until = ?, modified = ?"
        " WHERE website_id = ?",
        (ai.plan, ai.limit, ai.extra, until, transaction.now.isoformat(), site.id),
    )


def use(db: sqlite3.Connection, site: Site, spent: Spent, *, month: str, price: str | None) -> None:
    """Add used credits to a month's usage, and subtract the extra ones from the website's extra credits.

    `price` is the current price of a credit, or None while credits are free of charge.
    """
    cost = millionths(spent.monthly + spent.extra, price) if price is not None else 0
    db.execute(
        "INSERT INTO ai_usage VALUES (?, ?, ?, ?, ?) ON CONFLICT (website_id, month) DO UPDATE SET"
        " monthly = monthly + excluded.monthly, extra = extra + excluded.extra,"
        " cost_millionths = cost_millionths + excluded.cost_millionths",
        (site.id, month, spent.monthly, spent.extra, cost),
    )
    db.execute("UPDATE reseller_website SET extra = extra - ? WHERE website_id = ?", (spent.extra, site.id))


def record(transaction: Transaction, site: Site, url: Callable[[int], str]) -> dict[str, Any]:
    """Return the record of the specification (Reseller API, Website), with its fields in the same order."""
    ai, now, assumptions = site.ai, transaction.now, transaction.assumptions
    expired = ai.extra_until is not None and now >= ai.extra_until
    hidden = expired and assumptions["expired-extra-date"] == "null"
    all_used = ai.used + (site.used_extra if assumptions["ai-spent"] == "all" else 0)
    return {
        "userName": site.owner_name,
        "userEmail": site.owner_email,
        "userCountry": site.country,
        "userCreated": written(site.created, assumptions),
        "userIsConfirmed": site.owner_confirmed,
        "userIsUnsubscribed": site.owner_unsubscribed,
        "websiteID": site.id,
        "websiteBrandname": site.brandname,
        "websiteAlias": site.alias,
        "websiteUrl": url(site.id),
        "websiteType": site.type,
        "websiteCreated": written(site.created, assumptions),
        "websiteModified": written(site.modified, assumptions),
        "websiteAccessed": written(site.accessed, assumptions),
        "websiteStatus": site.status,
        "websiteIsPremium": ai.plan == "premium",
        "websiteIsPremiumPlus": ai.plan == "premiumplus",
        "websiteIsPremiumPro": ai.plan == "premiumpro",
        "aiMonthlyLimit": ai.limit,
        "aiSpentThisMonth": all_used,
        "aiExtraCredits": ai.extra_at(now),
        "aiExtraCreditsValidUntil": None if hidden else written(ai.extra_until, assumptions),
    }


def _site(row: sqlite3.Row) -> Site:
    return read_row(Site, row, ai=read_row(Allowance, row))


def add_login_link(db: sqlite3.Connection, website_id: int, now: datetime) -> str:
    token = secrets.token_hex(16)
    insert(db, "login_link", digest=digest(token), website_id=website_id, created=now)
    return token


def take_login_link(db: sqlite3.Connection, token: str, now: datetime, lifetime: timedelta) -> int | None:
    """Use up a login link. Returns the number of its website; None when the link is unknown, used or expired."""
    row = db.execute("SELECT * FROM login_link WHERE digest = ? AND NOT used", (digest(token),)).fetchone()
    if row is None or now >= datetime.fromisoformat(row["created"]) + lifetime:
        return None
    db.execute("UPDATE login_link SET used = 1 WHERE digest = ?", (row["digest"],))
    website_id: int = row["website_id"]
    return website_id
