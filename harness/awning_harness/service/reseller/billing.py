"""What a reseller owes: AI usage, added to the balance once a month for the month before (Reseller API, Balance).

There is no job that runs at midnight: whoever looks at the balance first in a new month adds what the months
before have cost, each once. Only credits that were used while pricing was in effect cost anything.
"""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from awning_harness.service.assumptions import Assumptions
from awning_harness.service.reseller import accounts
from awning_harness.service.reseller.calendar import month_of
from awning_harness.service.reseller.money import cost_cents

_USED = (
    "SELECT month, sum(billable) AS billable, sum(ai_usage.monthly) AS monthly, sum(ai_usage.extra) AS extra"
    " FROM ai_usage"
    " JOIN reseller_website USING (website_id) WHERE reseller_id = ? GROUP BY month ORDER BY month"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Month:
    """The AI usage of one month. `cents` is its cost, billed or not."""

    name: str
    monthly: int
    extra: int
    billable: int
    cents: int
    billed: bool


def months(
    db: sqlite3.Connection, reseller_id: int, now: datetime, assumptions: Assumptions
) -> tuple[Month, ...]:
    """All months with usage, the oldest first."""
    billed = {
        row["month"]: row["cents"]
        for row in db.execute("SELECT month, cents FROM ai_bill WHERE reseller_id = ?", (reseller_id,))
    }
    price, current = assumptions["credit-price"], month_of(now, assumptions)
    return tuple(
        Month(
            name=row["month"],
            monthly=row["monthly"],
            extra=row["extra"],
            billable=row["billable"],
            cents=billed.get(row["month"], cost_cents(row["billable"], price)),
            billed=row["month"] in billed and row["month"] != current,
        )
        for row in db.execute(_USED, (reseller_id,))
    )


def this_month(
    db: sqlite3.Connection, reseller_id: int, now: datetime, assumptions: Assumptions
) -> tuple[int, int]:
    """Credits used so far this month, and their cost in cents."""
    month = month_of(now, assumptions)
    row = db.execute(
        "SELECT coalesce(sum(ai_usage.monthly + ai_usage.extra), 0), coalesce(sum(billable), 0) FROM ai_usage"
        " JOIN reseller_website USING (website_id) WHERE reseller_id = ? AND month = ?",
        (reseller_id, month),
    ).fetchone()
    return row[0], cost_cents(row[1], assumptions["credit-price"])


def settle(db: sqlite3.Connection, reseller_id: int, now: datetime, assumptions: Assumptions) -> None:
    """Add what past months have cost and was not added yet."""
    bills = {
        row["month"]: row["credits"]
        for row in db.execute("SELECT month, credits FROM ai_bill WHERE reseller_id = ?", (reseller_id,))
    }
    current = month_of(now, assumptions)
    due = [
        (row["month"], row["billable"] - bills.get(row["month"], 0))
        for row in db.execute(_USED, (reseller_id,)).fetchall()
        if row["month"] < current and row["billable"] > bills.get(row["month"], 0)
    ]
    for month, credits_used in due:
        _add(db, reseller_id, month, credits_used, cost_cents(credits_used, assumptions["credit-price"]))


def charge(db: sqlite3.Connection, reseller_id: int, cents: int) -> None:
    """Add to the balance."""
    db.execute("UPDATE reseller SET balance_cents = balance_cents + ? WHERE id = ?", (cents, reseller_id))


def balance_cents(db: sqlite3.Connection, reseller_id: int, now: datetime, assumptions: Assumptions) -> int:
    settle(db, reseller_id, now, assumptions)
    reseller = accounts.find(db, reseller_id)
    return reseller.balance_cents if reseller else 0


def _add(db: sqlite3.Connection, reseller_id: int, month: str, credits_used: int, cents: int) -> None:
    db.execute(
        "INSERT INTO ai_bill VALUES (?, ?, ?, ?) ON CONFLICT (reseller_id, month) DO UPDATE SET"
        " credits = credits + excluded.credits, cents = cents + excluded.cents",
        (reseller_id, month, credits_used, cents),
    )
    charge(db, reseller_id, cents)
