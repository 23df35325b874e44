"""A reseller's balance. Once a month, the cost of the previous month's AI usage is added (Reseller API, Balance).

No job runs at midnight. Instead, the first read of the balance in a new month adds the costs of past months. A credit
costs the price at the time of its use, and nothing if it was used before pricing was in effect.
"""

import sqlite3
from dataclasses import dataclass

from awning_harness.service.reseller import accounts
from awning_harness.service.reseller.envelope import month_of, rounded_cents
from awning_harness.service.reseller.transaction import Transaction

_USED = (
    "SELECT month, sum(cost_millionths) AS cost, sum(ai_usage.monthly) AS monthly, sum(ai_usage.extra) AS extra"
    " FROM ai_usage"
    " JOIN reseller_website USING (website_id) WHERE reseller_id = ? GROUP BY month ORDER BY month"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Month:
    """The AI usage of one month. `cents` is its cost, whether or not it was added to the balance."""

    name: str
    monthly: int
    extra: int
    cents: int


def months(db: sqlite3.Connection, reseller_id: int) -> tuple[Month, ...]:
    """Return all months with usage, the oldest first."""
    return tuple(
        Month(
            name=row["month"],
            monthly=row["monthly"],
            extra=row["extra"],
            cents=rounded_cents(row["cost"]),
        )
        for row in db.execute(_USED, (reseller_id,)).fetchall()
    )


def this_month(transaction: Transaction, reseller_id: int) -> tuple[int, int]:
    """Return the credits used so far this month, and their cost in cents."""
    current = month_of(transaction.now, transaction.assumptions)
    usage = next((month for month in months(transaction.db, reseller_id) if month.name == current), None)
    return (usage.monthly + usage.extra, usage.cents) if usage else (0, 0)


def settle(transaction: Transaction, reseller_id: int) -> None:
    """Add to the balance the costs of past months that were not added yet."""
    db = transaction.db
    rows = db.execute("SELECT month, cents FROM ai_bill WHERE reseller_id = ?", (reseller_id,))
    billed = {row["month"]: row["cents"] for row in rows}
    current = month_of(transaction.now, transaction.assumptions)
    for month in months(db, reseller_id):
        due = month.cents - billed.get(month.name, 0)
        if month.name < current and due:
            db.execute(
                "INSERT OR REPLACE INTO ai_bill VALUES (?, ?, ?)", (reseller_id, month.name, month.cents)
            )
            charge(db, reseller_id, due)


def charge(db: sqlite3.Connection, reseller_id: int, cents: int) -> None:
    """Add an amount to the balance."""
    db.execute("UPDATE reseller SET balance_cents = balance_cents + ? WHERE id = ?", (cents, reseller_id))


def balance_cents(transaction: Transaction, reseller_id: int) -> int:
    settle(transaction, reseller_id)
    reseller = accounts.find(transaction.db, reseller_id)
    return reseller.balance_cents if reseller else 0
