"""The AI credit rules 1 to 6, as functions of plain values (Reseller API, AI credit rules).

This module uses neither the database nor the clock nor HTTP.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from awning.contract.reseller_calls import SUBSCRIPTIONS
from awning.contract.reseller_errors import (
    ABOVE_PLAN,
    BAD_CREDITS,
    CREDITS_ARE_FREE,
    EXTRA_CREDITS_DAYS,
    FEE_UNPAID,
    LEAST_ADDITION,
    LEAST_LIMIT,
    MAX_CREDITS_FIELD,
    MOST_CREDITS,
)
from awning_harness.service.assumptions import Assumptions
from awning_harness.service.reseller.envelope import Refusal, bad_request

FREE = "free"
PLANS = (FREE, *SUBSCRIPTIONS)
_LONGEST = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms of a reseller: whether pricing is in effect, whether the signup fee is paid, the default limit."""

    priced: bool
    fee_paid: bool
    default_limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """The AI credits of one website, and its usage this month."""

    plan: str = FREE
    limit: int = 0
    used: int = 0
    """The number of monthly credits that were used this month."""
    extra: int = 0
    extra_until: datetime | None = None

    def extra_at(self, now: datetime) -> int:
        """Return the remaining extra credits; 0 when they have expired."""
        return self.extra if self.extra_until is not None and now < self.extra_until else 0


def plan_credits(plan: str, assumptions: Assumptions) -> int:
    return int(assumptions["plan-credits"].split(",")[PLANS.index(plan)])


def starting_limit(terms: Terms, assumptions: Assumptions) -> int:
    """Return the monthly credits of a new website (rules 5 and 6)."""
    free = plan_credits(FREE, assumptions)
    if not terms.fee_paid:
        return free
    return terms.default_limit if terms.priced else min(terms.default_limit, free)


def change_plan(held: Allowance, plan: str, terms: Terms, assumptions: Assumptions) -> Allowance:
    """Return the allowance after a change of the website's plan (rules 2 and 3)."""
    if terms.priced:
        return replace(held, plan=plan)
    most = plan_credits(plan, assumptions)
    raised = plan != FREE and 0 < held.limit < most
    capped = held.limit > most and assumptions["plan-lowered"] == "capped"
    return replace(held, plan=plan, limit=most if raised or capped else held.limit)


def with_limit(held: Allowance, text: str | None, terms: Terms, assumptions: Assumptions) -> Allowance:
    """Return the allowance after ai_limit/set (rules 1, 2, 3, 6). Raises Refusal when a rule forbids the limit."""
    wanted = _credits(text, LEAST_LIMIT, terms, assumptions)
    most = plan_credits(held.plan, assumptions)
    if not terms.priced and wanted > most:
        raise Refusal(ABOVE_PLAN, fields={MAX_CREDITS_FIELD: most})
    return replace(held, limit=wanted)


def with_extra(
    held: Allowance, text: str | None, terms: Terms, now: datetime, assumptions: Assumptions
) -> Allowance:
    """Return the allowance after ai_credits/add (rules 4, 6). Expired extra credits are not carried over.

    Raises Refusal when a rule forbids the addition.
    """
    added = _credits(text, LEAST_ADDITION, terms, assumptions)
    if not terms.priced:
        raise Refusal(CREDITS_ARE_FREE)
    if held.plan == FREE and assumptions["extra-without-premium"] == "refused":
        raise bad_request("Extra AI credits need a Premium plan")
    until = now + timedelta(days=EXTRA_CREDITS_DAYS)
    return replace(held, extra=held.extra_at(now) + added, extra_until=until)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """The credits of one use of AI: monthly credits, extra credits, and missing credits (`unspent`)."""

    monthly: int
    extra: int
    unspent: int


def spending(held: Allowance, wanted: int, now: datetime) -> Spent:
    """Return how a use of AI that needs `wanted` credits is paid (rule 4).

    Monthly credits are spent first, then extra credits, which need a paid plan.
    """
    monthly = min(wanted, max(0, held.limit - held.used))
    available = held.extra_at(now) if held.plan != FREE else 0
    extra = min(wanted - monthly, available)
    return Spent(monthly=monthly, extra=extra, unspent=wanted - monthly - extra)


def _credits(text: str | None, least: int, terms: Terms, assumptions: Assumptions) -> int:
    """Return the parameter `credits`. Raises Refusal: 601 when the fee is not paid, 507 when the number is invalid."""
    value_first = assumptions["credit-error-order"] == "value-first"
    if not terms.fee_paid and not value_first:
        raise Refusal(FEE_UNPAID)
    amount = whole_number(text)
    if amount is None or not least <= amount <= MOST_CREDITS:
        raise Refusal(BAD_CREDITS)
    if not terms.fee_paid:
        raise Refusal(FEE_UNPAID)
    return amount


def whole_number(text: str | None) -> int | None:
    """Return the number in `text` if it consists of at most 12 ASCII digits, else None."""
    if text is None or not text.isascii() or not text.isdecimal() or len(text) > _LONGEST:
        return None
    return int(text)
