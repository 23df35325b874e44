"""Amounts: whole cents inside, a currency code followed by the amount outside (Reseller API, Balance)."""

from decimal import ROUND_HALF_UP, Decimal

from awning_harness.service.assumptions import Assumptions

_FORMS = {"spaced": "{code} {amount:.2f}", "joined": "{code}{amount:.2f}", "grouped": "{code} {amount:,.2f}"}


def cost_cents(credits_used: int, price: str) -> int:
    """What so many credits cost, rounded half up to the cent."""
    cents = credits_used * Decimal(price) * 100
    return int(cents.quantize(Decimal(1), rounding=ROUND_HALF_UP))


def cents_of(amount: str) -> int:
    return int(Decimal(amount) * 100)


def money(cents: int, assumptions: Assumptions) -> str:
    """`EUR 12.34`, in the currency and form that are assumed."""
    form = _FORMS[assumptions["money-format"]]
    return form.format(code=assumptions["currency"], amount=Decimal(cents) / 100)
