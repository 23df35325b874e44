"""The fields of a website as `--where`, `--columns`, `--json` and CSV call them: one set of names for all four."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from awning.client.reseller import Money, Website
from awning.client.reseller.records import FREE
from awning.contract.reseller_calls import SUBSCRIPTIONS
from awning.diagnostics import did_you_mean
from awning.errors import ConfigurationError

ABOUT: Mapping[str, str] = MappingProxyType(
    {
        "id": "number",
        "brandname": "text",
        "alias": "text",
        "url": "text",
        "plan": "free, premium, premiumplus, premiumpro",
        "premium": "whether any subscription is paid for",
        "enabled": "true or false",
        "status": "number: 1 enabled, 4 suspended",
        "type": "number",
        "ai_limit": "monthly AI credits",
        "ai_spent": "used this month",
        "ai_extra": "extra credits left",
        "ai_extra_until": "date or null",
        "created": "date",
        "modified": "date",
        "accessed": "date or null",
        "owner_name": "text",
        "owner_email": "text",
        "owner_country": "code",
        "owner_created": "date",
        "owner_confirmed": "true or false",
        "owner_unsubscribed": "true or false",
    }
)
SHOWN = ("id", "brandname", "plan", "enabled", "ai_limit", "ai_spent", "ai_extra")
"""Of a table, unless others are asked for: 80 columns have room for these."""
CHOICES: Mapping[str, Sequence[str]] = MappingProxyType({"plan": (FREE, *SUBSCRIPTIONS)})
"""Fields that can have only these texts."""


def fields_of(website: Website) -> dict[str, Any]:
    return {name: getattr(website, name) for name in ABOUT}


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Money):
        return {"currency": value.currency, "amount": str(value.rounded().amount)}
    return str(value) if isinstance(value, Decimal) else value


def shown(value: Any) -> str:
    """A value as a table has it."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M")
    return str(value)


def chosen(text: str) -> tuple[str, ...]:
    """The columns of `--columns`, by commas or spaces."""
    names = tuple(text.replace(",", " ").split())
    for name in names:
        if name not in ABOUT:
            hint = did_you_mean(name, ABOUT) or f"there are {', '.join(ABOUT)}"
            raise ConfigurationError(f'there is no column "{name}"', hint=hint)
    return names
