"""Amounts: whole cents inside, a currency code followed by the amount outside (Reseller API, Balance)."""

from decimal import ROUND_HALF_UP, Decimal

from awning_harness.service.assumptions import Assumptions

_FORMS = {"spaced": "{code} {amount:.2f}", "joined": "{code}{amount:.2f}", "grouped": "{code} {amount:,.2f}"}


def millionths(credits_used: int, price: str) -> int:
    """What so many credits cost, in millionths of the currency's unit: a month is rounded as a whole."""
    return int(credits_used * Decimal(price) * 1_000_000)


def rounded_cents(cost_millionths: int) -> int:
    """Half up to the cent."""
    return int((Decimal(cost_millionths) / 10_000).quantize(Decimal(1), rounding=ROUND_HALF_UP))


def cents_of(amount: str) -> int:
    return int(Decimal(amount) * 100)


def money(cents: int, assumptions: Assumptions) -> str:
    """`EUR 12.34`, in the currency and form that are assumed."""
    form = _FORMS[assumptions["money-format"]]
    return form.format(code=assumptions["currency"], amount=Decimal(cents) / 100)
