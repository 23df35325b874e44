"""The usage of AI credits, and the limits and expiries that websites reach soon.

`usage_report` is a pure function of websites, balance, a time and thresholds. The forecast assumes that each website
continues to use credits at this month's rate, up to its limits, and that a credit costs this month's average.

`upcoming` is a pure function of websites and a time. A limit is reached when a website goes on as it did this month.
Monthly limits begin anew with each month, so a limit that is not reached by then is not listed. The specification shows
no expiry but that of extra credits.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta, tzinfo
from decimal import Decimal
from enum import StrEnum
from typing import Any

from awning.client.reseller import Balance, Money, Website
from awning.errors import ConfigurationError

BINS = 10
YEARS = range(1970, 3000)
"""The years that `report_instant` accepts. A date a month before or ten years after (`--soon`) fits `datetime`, too."""
SHORTEST = timedelta(hours=1)
"""The minimum for the elapsed time of the month. Without it, a report for the start of a month would divide by 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """When the report lists a website.

    It is listed as `near_limit` when the used share of its monthly limit is at least `near`, and as `expiring` when it
    has extra credits that expire within the time `soon`.
    """

    near: float = 0.8
    soon: timedelta = timedelta(days=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebsiteUsage:
    """The usage of one website.

    `share` is the used share of the monthly limit, or None when the limit is 0. `expected` is the forecast of the
    credits used by the end of the month.
    """

    website: Website
    share: float | None
    expected: int
    expected_cost: Money
    near_limit: bool
    expiring: bool

    def fields(self) -> Mapping[str, Any]:
        website = self.website
        return {
            "id": website.id,
            "brandname": website.brandname,
            "plan": website.plan,
            "ai_limit": website.ai_limit,
            "ai_spent": website.ai_spent,
            "share": None if self.share is None else round(self.share, 3),
            "expected": self.expected,
            "expected_cost": self.expected_cost,
            "ai_extra": website.ai_extra,
            "ai_extra_until": website.ai_extra_until,
            "near_limit": self.near_limit,
            "expiring": self.expiring,
        }


COLUMNS = (
    "id", "brandname", "plan", "ai_limit", "ai_spent", "share", "expected", "expected_cost", "ai_extra",
    "ai_extra_until", "near_limit", "expiring",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageReport:
    """The usage of all websites. `elapsed` is the part of the month that is over: above 0 (`SHORTEST`), at most 1."""

    at: datetime
    elapsed: float
    balance: Balance
    usage: tuple[WebsiteUsage, ...]

    @property
    def expected(self) -> int:
        return sum(usage.expected for usage in self.usage)

    @property
    def expected_cost(self) -> Money:
        return _price(self.balance).times(Decimal(self.expected)).rounded()

    @property
    def near_limit(self) -> tuple[WebsiteUsage, ...]:
        """The websites near their limit, the largest share first."""
        return tuple(sorted((u for u in self.usage if u.near_limit), key=lambda u: -(u.share or 0)))

    @property
    def expiring(self) -> tuple[WebsiteUsage, ...]:
        """The websites whose extra credits expire soon, the first to expire first."""
        rows = [(u.website.ai_extra_until, u.website.id, u) for u in self.usage if u.expiring]
        return tuple(u for until, _, u in sorted(rows, key=lambda row: row[:2]) if until is not None)

    @property
    def shares(self) -> tuple[int, ...]:
        """The number of websites that used 0 to 10 %, 10 to 20 %, ... 90 % or more of their limit.

        Websites with a limit of 0 are left out.
        """
        counts = [0] * BINS
        for usage in self.usage:
            if usage.share is not None:
                counts[min(BINS - 1, int(usage.share * BINS))] += 1
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


def usage_report(
    websites: Iterable[Website], balance: Balance, at: datetime, limits: Thresholds
) -> UsageReport:
    """Return the report for the time `at`. Months begin in the time zone of `at`, which is the service's zone."""
    start, month = month_of(at)
    elapsed = max(at - start, SHORTEST) / month
    price = _price(balance)
    usage = tuple(_usage(website, at, elapsed, price, limits) for website in websites)
    return UsageReport(at=at, elapsed=elapsed, balance=balance, usage=usage)


def month_of(at: datetime) -> tuple[datetime, timedelta]:
    """Return the beginning of a time's month, and the length of the month."""
    start = at.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return start, (start + timedelta(days=32)).replace(day=1) - start


def _usage(website: Website, at: datetime, elapsed: float, price: Money, limits: Thresholds) -> WebsiteUsage:
    share = website.ai_spent / website.ai_limit if website.ai_limit else None
    until = website.ai_extra_until
    left = max(0, website.ai_limit - website.ai_spent) + (website.ai_extra if website.premium else 0)
    expected = min(round(website.ai_spent / elapsed), website.ai_spent + left)
    return WebsiteUsage(
        website=website,
        share=share,
        expected=expected,
        expected_cost=price.times(Decimal(expected)).rounded(),
        near_limit=share is not None and share >= limits.near,
        expiring=website.ai_extra > 0 and until is not None and at <= until < at + limits.soon,
    )


def _price(balance: Balance) -> Money:
    """Return the average cost of a credit this month; 0 when none was used."""
    if not balance.ai_credits:
        return balance.ai_cost.times(Decimal(0))
    return balance.ai_cost.times(Decimal(1) / balance.ai_credits)


def report_instant(text: str | None, zone: tzinfo) -> datetime:
    """Return the time of `--at`, or now. A time without an offset is in the service's zone.

    Raises ConfigurationError when `text` is not a date and time, or its year is not in `YEARS`.
    """
    if text is None:
        return datetime.now(zone)
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        instant = None
    if instant is None or instant.year not in YEARS:
        raise ConfigurationError(
            f'--at: "{text}" is not a date and time, or its year is out of range',
            hint="such as 2026-03-10T12:00",
        )
    return instant.astimezone(zone) if instant.tzinfo else instant.replace(tzinfo=zone)


def other_month_warning(at: datetime, now: datetime) -> str | None:
    """Return a warning about a report for another month than the present one; None in the present month.

    The Reseller API returns a website's used credits of the current month only (`aiSpentThisMonth`).
    """
    month = at.astimezone(now.tzinfo)
    if (month.year, month.month) == (now.year, now.month):
        return None
    return (
        f"the service returns only the credits of its current month. Unless its clock is set to {month:%Y-%m}, as a "
        f"simulated service's may be, used, cost and expected are of {now:%Y-%m}"
    )


class UpcomingKind(StrEnum):
    LIMIT = "limit"
    EXPIRY = "expiry"


@dataclass(frozen=True, slots=True, kw_only=True)
class Upcoming:
    """One event to come. `at` is when; for a limit it is an estimate, and now when it is reached already.

    `credits` are the credits that are left until the limit, or that expire.
    """

    at: datetime
    kind: UpcomingKind
    website: int
    brandname: str
    plan: str
    credits: int

    def fields(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


def upcoming(websites: Iterable[Website], at: datetime, within: timedelta) -> tuple[Upcoming, ...]:
    """Return what happens in the time `within` from `at` on, the first event first.

    Months begin in the time zone of `at`, which is the service's zone.
    """
    end = at + within
    events = [event for website in websites for event in (_limit(website, at), _expiry(website)) if event]
    events = [event for event in events if event.at == at or at < event.at < end]
    return tuple(sorted(events, key=lambda event: (event.at, event.website, event.kind)))


def _limit(website: Website, at: datetime) -> Upcoming | None:
    left = website.ai_limit - website.ai_spent
    if not website.ai_limit or not website.ai_spent:
        return None
    start, length = month_of(at)
    elapsed = max(at - start, SHORTEST)
    reached = at if left <= 0 else at + elapsed * (left / website.ai_spent)
    if reached >= start + length:
        return None
    return Upcoming(at=reached, kind=UpcomingKind.LIMIT, credits=max(0, left), **_named(website))


def _expiry(website: Website) -> Upcoming | None:
    until = website.ai_extra_until
    if until is None or not website.ai_extra:
        return None
    return Upcoming(at=until, kind=UpcomingKind.EXPIRY, credits=website.ai_extra, **_named(website))


def _named(website: Website) -> dict[str, Any]:
    return {"website": website.id, "brandname": website.brandname, "plan": website.plan}
