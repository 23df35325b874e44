"""A reseller as the portal shows it, and what a person may do to its websites there.

Separate from the calls of the API: a person needs no token, and may also suspend a website.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from awning_harness.service.reseller import accounts, billing, changes, sites
from awning_harness.service.reseller.accounts import Reseller
from awning_harness.service.reseller.billing import Month
from awning_harness.service.reseller.calendar import written
from awning_harness.service.reseller.credits import FREE, PLANS
from awning_harness.service.reseller.money import cents_of, money
from awning_harness.service.reseller.sites import Site

if TYPE_CHECKING:
    from awning_harness.service.service import Service

PAGE = 50
MONTHS = 12
MOST_STATUS = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthBar:
    """One month of the chart: lengths in hundredths of the month with most credits."""

    month: Month
    cost: str
    monthly: float
    extra: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """One page of a reseller."""

    reseller: Reseller
    sites: tuple[Site, ...]
    count: int
    page: int
    premium: int
    balance: str
    cost_this_month: str
    threshold: str
    months: tuple[MonthBar, ...]
    date: Callable[[datetime | None], str]

    @property
    def pages(self) -> int:
        return max(1, -(-self.count // PAGE))


def overview(service: "Service", reseller_id: int, page: int) -> Overview:
    """Raises LookupError."""
    now, assumptions = service.clock.now(), service.assumptions
    reseller = service.resellers.find(reseller_id)
    every = service.resellers.sites(reseller_id)
    with service.database.writing() as db:
        owed = billing.balance_cents(db, reseller_id, now, assumptions)
        _, cost = billing.this_month(db, reseller_id, now, assumptions)
        months = billing.months(db, reseller_id)[-MONTHS:]
    page = min(max(page, 1), max(1, -(-len(every) // PAGE)))
    return Overview(
        reseller=reseller,
        sites=every[(page - 1) * PAGE : page * PAGE],
        count=len(every),
        page=page,
        premium=sum(site.ai.plan != FREE for site in every),
        balance=money(owed, assumptions),
        cost_this_month=money(cost, assumptions),
        threshold=money(cents_of(assumptions["billing-threshold"]), assumptions),
        months=_bars(months, lambda cents: money(cents, assumptions)),
        date=lambda instant: written(instant, assumptions) or "never",
    )


def set_plan(service: "Service", reseller_id: int, website_id: int, plan: str) -> None:
    """Change a website's plan under the credit rules. Raises LookupError, ValueError."""
    if plan not in PLANS:
        raise ValueError(f"plan must be one of {', '.join(PLANS)}")
    _change(service, reseller_id, website_id, changes.set_plan, plan)


def set_state(service: "Service", reseller_id: int, website_id: int, state: str) -> None:
    """Enable, disable or suspend a website. Raises LookupError, ValueError."""
    if state not in changes.STATES:
        raise ValueError(f"state must be one of {', '.join(changes.STATES)}")
    _change(service, reseller_id, website_id, changes.set_state, state)


def set_status(service: "Service", reseller_id: int, website_id: int, status: int) -> None:
    """Give a website any websiteStatus, whose meanings are mostly not shown. Raises LookupError, ValueError."""
    if not 0 <= status <= MOST_STATUS:
        raise ValueError(f"status must be a whole number from 0 to {MOST_STATUS}")
    now = service.clock.now()
    with service.database.writing() as db:
        site = sites.find(db, reseller_id, website_id, now, service.assumptions)
        if site is None:
            raise LookupError(f"reseller {reseller_id} has no website {website_id}")
        sites.set_status(db, site, status, now)


def _change(
    service: "Service", reseller_id: int, website_id: int, change: Callable[..., None], wanted: str
) -> None:
    """Read and write in one transaction: a call of the API may come at the same moment."""
    now, assumptions = service.clock.now(), service.assumptions
    with service.database.writing() as db:
        reseller = accounts.find(db, reseller_id)
        site = sites.find(db, reseller_id, website_id, now, assumptions)
        if reseller is None or site is None:
            raise LookupError(f"reseller {reseller_id} has no website {website_id}")
        change(db, site, wanted, terms=reseller.terms, now=now, assumptions=assumptions)


def _bars(months: tuple[Month, ...], shown: Callable[[int], str]) -> tuple[MonthBar, ...]:
    most = max((month.monthly + month.extra for month in months), default=0) or 1
    return tuple(
        MonthBar(
            month=month,
            cost=shown(month.cents),
            monthly=round(month.monthly / most * 100, 2),
            extra=round(month.extra / most * 100, 2),
        )
        for month in months
    )
