"""The figures of `awning reseller report`: usage, the month's forecast, who is near a limit, what expires soon.

Pure: websites, balance and an instant in, figures out. The forecast goes on as the month went so far, for each
website up to what it still may use; a credit costs what this month's credits have cost on average.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from awning.client.reseller import Balance, Money, Website

BINS = 10
SHORTEST = timedelta(hours=1)
"""Less of a month than this says nothing about the rest of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """`near` is a share of the monthly limit, `soon` how long before extra credits expire."""

    near: float = 0.8
    soon: timedelta = timedelta(days=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """One website's line. `share` is of the monthly limit, None where that is 0; `expected` at the month's end."""

    website: Website
    share: float | None
    expected: int
    expected_cost: Money
    near_limit: bool
    expiring: bool

    def fields(self) -> Mapping[str, Any]:
        one = self.website
        return {
            "id": one.id,
            "brandname": one.brandname,
            "plan": one.plan,
            "ai_limit": one.ai_limit,
            "ai_spent": one.ai_spent,
            "share": None if self.share is None else round(self.share, 3),
            "expected": self.expected,
            "expected_cost": self.expected_cost,
            "ai_extra": one.ai_extra,
            "ai_extra_until": one.ai_extra_until,
            "near_limit": self.near_limit,
            "expiring": self.expiring,
        }


COLUMNS = (
    "id", "brandname", "plan", "ai_limit", "ai_spent", "share", "expected", "expected_cost", "ai_extra",
    "ai_extra_until", "near_limit", "expiring",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All of it. `elapsed` is the part of the month that is over."""

    at: datetime
    elapsed: float
    balance: Balance
    usage: tuple[Usage, ...]

    @property
    def expected(self) -> int:
        return sum(one.expected for one in self.usage)

    @property
    def expected_cost(self) -> Money:
        return _price(self.balance).times(Decimal(self.expected)).rounded()

    @property
    def near_limit(self) -> tuple[Usage, ...]:
        """The fullest first."""
        return tuple(sorted((u for u in self.usage if u.near_limit), key=lambda u: -(u.share or 0)))

    @property
    def expiring(self) -> tuple[Usage, ...]:
        """The first to expire first."""
        found = [(u.website.ai_extra_until, u.website.id, u) for u in self.usage if u.expiring]
        return tuple(u for until, _, u in sorted(found, key=lambda one: one[:2]) if until is not None)

    @property
    def shares(self) -> tuple[int, ...]:
        """How many websites have used 0 to 10 %, ... 90 to 100 % of their limit."""
        counts = [0] * BINS
        for one in self.usage:
            if one.share is not None:
                counts[min(BINS - 1, int(one.share * BINS))] += 1
        return tuple(counts)

    def summary(self) -> Mapping[str, Any]:
        return {
            "at": self.at,
            "websites": len(self.usage),
            "premium_websites": self.balance.premium_websites,
            "credits_used": self.balance.ai_credits,
            "cost_so_far": self.balance.ai_cost,
            "credits_expected": self.expected,
            "cost_expected": self.expected_cost,
            "balance": self.balance.current,
            "billing_threshold": self.balance.threshold,
            "near_limit": len(self.near_limit),
            "extra_expiring": len(self.expiring),
        }


def figures(websites: Iterable[Website], balance: Balance, at: datetime, limits: Thresholds) -> Report:
    """`at` is in the zone in which the service's months begin."""
    start = at.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    month = (start + timedelta(days=32)).replace(day=1) - start
    elapsed = max(at - start, SHORTEST) / month
    price = _price(balance)
    usage = tuple(_usage(one, at, elapsed, price, limits) for one in websites)
    return Report(at=at, elapsed=elapsed, balance=balance, usage=usage)


def _usage(one: Website, at: datetime, elapsed: float, price: Money, limits: Thresholds) -> Usage:
    share = one.ai_spent / one.ai_limit if one.ai_limit else None
    until = one.ai_extra_until
    left = max(0, one.ai_limit - one.ai_spent) + (one.ai_extra if one.premium else 0)
    expected = min(round(one.ai_spent / elapsed), one.ai_spent + left)
    return Usage(
        website=one,
        share=share,
        expected=expected,
        expected_cost=price.times(Decimal(expected)).rounded(),
        near_limit=share is not None and share >= limits.near,
        expiring=one.ai_extra > 0 and until is not None and at <= until < at + limits.soon,
    )


def _price(balance: Balance) -> Money:
    """What a credit costs on average; 0 as long as none was used."""
    if not balance.ai_credits:
        return balance.ai_cost.times(Decimal(0))
    return balance.ai_cost.times(Decimal(1) / balance.ai_credits)
