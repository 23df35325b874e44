"""The records of the Reseller API as typed values, and how they are read (Reseller API, Resources and their fields).

Every field in the specification's tables must be present with its type. Other fields are ignored, except all of the
settings and the balance's link to the signup fee. The specification does not show the time zone of dates. So the caller
passes it, and all datetime values have a time zone.

An amount is a currency code followed by a number (Balance). The specification does not show its exact form, so several
are accepted: with or without a space, and with or without
thousands grouped by commas or spaces.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Self, TypeVar

from awning.client.operation import Fields
from awning.client.responses import MalformedField
from awning.contract.reseller_calls import SUBSCRIPTIONS
from awning.contract.reseller_errors import STATUS_ENABLED
from awning.contract.reseller_fields import SETTINGS_FIELDS, SIGNUP_FEE_FIELD

_FORM = re.compile(r"([A-Z]{3})\s?(-?\d{1,3}(?:[, ]\d{3}){1,5}|-?\d{1,18})(\.\d{1,4})?", re.ASCII)
"""A longer amount is none: decimal arithmetic here has 28 digits."""
_DECIMALS = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}
"""The currencies that have not two decimals (ISO 4217, list one, 2024)."""
_SMALLEST = {
    code: Decimal(10) ** -decimals for decimals, codes in _DECIMALS.items() for code in codes.split()
}
_CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in one currency. `str` writes it with the decimals of the currency: `EUR 12.34`, `JPY 1234`."""

    currency: str
    amount: Decimal

    @classmethod
    def read(cls, text: str) -> Self:
        """Parse an amount. Raises ValueError when `text` is not an amount."""
        match = _FORM.fullmatch(text.strip())
        if match is None:
            raise ValueError("not a currency code followed by an amount")
        whole = re.sub("[, ]", "", match[2])
        return cls(match[1], Decimal(whole + (match[3] or "")))

    def __str__(self) -> str:
        return f"{self.currency} {self.rounded().amount:f}"

    def rounded(self) -> "Money":
        """Return the amount rounded to the currency's smallest unit, with halves rounded away from zero.

        Adding 0 takes the sign from a negative zero.
        """
        smallest = _SMALLEST.get(self.currency, _CENT)
        return Money(self.currency, self.amount.quantize(smallest, rounding=ROUND_HALF_UP) + 0)

    def times(self, factor: Decimal) -> "Money":
        return Money(self.currency, self.amount * factor)


T = TypeVar("T")
FREE = "free"
DATE_LENGTH = len("YYYY-MM-DD HH:MM:SS")
_FLAGS = dict(
    zip(SUBSCRIPTIONS, ("websiteIsPremium", "websiteIsPremiumPlus", "websiteIsPremiumPro"), strict=True)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Website:
    """One website. `plan` is `free`, or the name of its subscription."""

    id: int
    brandname: str
    alias: str
    url: str
    type: int
    status: int
    created: datetime
    modified: datetime
    accessed: datetime | None
    plan: str
    ai_limit: int
    ai_spent: int
    ai_extra: int
    ai_extra_until: datetime | None
    owner_name: str
    owner_email: str
    owner_country: str
    owner_created: datetime
    owner_confirmed: bool
    owner_unsubscribed: bool

    @property
    def premium(self) -> bool:
        """Whether the website has a paid subscription."""
        return self.plan != FREE

    @property
    def enabled(self) -> bool:
        return self.status == STATUS_ENABLED


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    id: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """The balance of a reseller. `signup_fee_link` is set only while the fee is unpaid (observed)."""

    premium_websites: int
    current: Money
    threshold: Money
    ai_credits: int
    ai_cost: Money
    signup_fee_link: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of a reseller, by name. `others` are those that the specification does not list."""

    values: Mapping[str, str | int]
    others: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.values[name] if name in self.values else self.others[name]


def website(fields: Fields, zone: tzinfo) -> Website:
    """Return the website in `fields`. Raises MalformedField when a field is missing or has another type."""
    return Website(
        id=need(fields, "websiteID", int),
        brandname=need(fields, "websiteBrandname", str),
        alias=need(fields, "websiteAlias", str),
        url=need(fields, "websiteUrl", str),
        type=need(fields, "websiteType", int),
        status=need(fields, "websiteStatus", int),
        created=_date(fields, "websiteCreated", zone),
        modified=_date(fields, "websiteModified", zone),
        accessed=_optional_date(fields, "websiteAccessed", zone),
        plan=_plan(fields),
        ai_limit=need(fields, "aiMonthlyLimit", int),
        ai_spent=need(fields, "aiSpentThisMonth", int),
        ai_extra=need(fields, "aiExtraCredits", int),
        ai_extra_until=_optional_date(fields, "aiExtraCreditsValidUntil", zone),
        owner_name=need(fields, "userName", str),
        owner_email=need(fields, "userEmail", str),
        owner_country=need(fields, "userCountry", str),
        owner_created=_date(fields, "userCreated", zone),
        owner_confirmed=need(fields, "userIsConfirmed", bool),
        owner_unsubscribed=need(fields, "userIsUnsubscribed", bool),
    )


def domain(fields: Fields) -> Domain:
    return Domain(id=need(fields, "domainID", int), name=need(fields, "domain", str))


def balance(fields: Fields) -> Balance:
    link = fields.get(SIGNUP_FEE_FIELD)
    return Balance(
        premium_websites=need(fields, "premiumWebsites", int),
        current=_money(fields, "currentBalance"),
        threshold=_money(fields, "billingThreshold"),
        ai_credits=need(fields, "aiCreditsThisMonth", int),
        ai_cost=_money(fields, "aiCostThisMonth"),
        signup_fee_link=link if isinstance(link, str) else None,
    )


def settings(fields: Fields) -> Settings:
    values: dict[str, str | int] = {
        f.name: need(fields, f.name, int) if f.kind == "integer" else need(fields, f.name, str)
        for f in SETTINGS_FIELDS
    }
    others = {name: value for name, value in fields.items() if name not in values and name != "error"}
    return Settings(values=values, others=others)


def listed(fields: Fields, name: str) -> list[Fields]:
    """Return the array of objects called `name`. Raises MalformedField when it is anything else."""
    values = need(fields, name, list)
    if not all(isinstance(value, dict) for value in values):
        raise MalformedField(f'"{name}" holds something that is not an object')
    return values


def need(fields: Fields, name: str, kind: type[T]) -> T:
    """Return the value of a field. Raises MalformedField when it is missing or has another type."""
    value = fields.get(name)
    if type(value) is not kind:
        actual = "missing" if name not in fields else f"a {type(value).__name__}"
        raise MalformedField(f'"{name}" is {actual}, not a {kind.__name__}')
    return value


def _plan(fields: Fields) -> str:
    """Return the subscription whose flag is true; `free` when none is. Of several, the highest one counts."""
    held = [plan for plan, flag in _FLAGS.items() if need(fields, flag, bool)]
    return held[-1] if held else FREE


def _date(fields: Fields, name: str, zone: tzinfo) -> datetime:
    text = need(fields, name, str)
    try:
        instant = datetime.fromisoformat(text) if len(text) == DATE_LENGTH else None
    except ValueError:
        instant = None
    if instant is None or instant.tzinfo is not None:
        raise MalformedField(f'"{name}" is not YYYY-MM-DD HH:MM:SS')
    return instant.replace(tzinfo=zone)


def _optional_date(fields: Fields, name: str, zone: tzinfo) -> datetime | None:
    if name in fields and fields[name] is None:
        return None
    return _date(fields, name, zone)


def _money(fields: Fields, name: str) -> Money:
    try:
        return Money.read(need(fields, name, str))
    except MalformedField:
        raise
    except ValueError as error:
        raise MalformedField(f'"{name}" is {error}') from None
