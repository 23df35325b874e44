"""Limits that websites reach soon, and extra credits that expire soon: a pure function of websites and a time.

A limit is reached when a website goes on as it did this month. Monthly limits begin anew with each month, so a limit
that is not reached by then is not listed. The specification shows no expiry but that of extra credits.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from awning.client.reseller.resources import Website
from awning.client.reseller.usage import SHORTEST, month_of


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
