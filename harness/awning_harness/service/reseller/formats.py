"""Writes dates, months and amounts of money as this API does.

Dates are in one time zone, which is an assumption. In the code and the database, amounts are whole cents, and the
costs of AI credits are millionths of the currency's unit. The API writes a currency code followed by the amount
(Reseller API, Balance).
"""

from datetime import datetime, tzinfo
from decimal import ROUND_HALF_UP, Decimal
from functools import cache

from awning.contract.reseller_fields import DATETIME_FORMAT
from awning_harness.service.assumptions import Assumptions


def local(instant: datetime, assumptions: Assumptions) -> datetime:
    return instant.astimezone(_zone(assumptions["reseller-time-zone"]))


def written(instant: datetime | None, assumptions: Assumptions) -> str | None:
    """Return the instant as `YYYY-MM-DD HH:MM:SS`; None when `instant` is None."""
    return None if instant is None else local(instant, assumptions).strftime(DATETIME_FORMAT)


def month_of(instant: datetime, assumptions: Assumptions) -> str:
    """Return the month in a form such as `2026-03`. These strings sort in the order of the months."""
    return local(instant, assumptions).strftime("%Y-%m")


@cache
def _zone(offset: str) -> tzinfo | None:
    return datetime.strptime(offset, "%z").tzinfo


_FORMS = {"spaced": "{code} {amount:.2f}", "joined": "{code}{amount:.2f}", "grouped": "{code} {amount:,.2f}"}


def millionths(credits_used: int, price: str) -> int:
    """Return the cost of credits in millionths of the currency's unit.

    Only the cost of a whole month is rounded to cents.
    """
    return int(credits_used * Decimal(price) * 1_000_000)


def rounded_cents(cost_millionths: int) -> int:
    """Return the cost in cents, rounded half up."""
    return int((Decimal(cost_millionths) / 10_000).quantize(Decimal(1), rounding=ROUND_HALF_UP))


def cents_of(amount: str) -> int:
    return int(Decimal(amount) * 100)


def money(cents: int, assumptions: Assumptions) -> str:
    """Return an amount such as `EUR 12.34`, in the currency and the form that the assumptions name."""
    form = _FORMS[assumptions["money-format"]]
    return form.format(code=assumptions["currency"], amount=Decimal(cents) / 100)
