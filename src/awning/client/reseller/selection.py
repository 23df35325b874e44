"""Selects and sorts websites by their fields. `--where`, `--columns`, `--json` and CSV use the same field names."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo
from types import MappingProxyType
from typing import Any

from awning.client.reseller.condition import compile_condition
from awning.client.reseller.resources import FREE, Website
from awning.contract.reseller_calls import SUBSCRIPTIONS
from awning.diagnostics import did_you_mean
from awning.errors import ConfigurationError

WEBSITE_FIELDS: Mapping[str, str] = MappingProxyType(
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
"""The fields of a website, each with a description of its value."""

FIELD_VALUES: Mapping[str, Sequence[str]] = MappingProxyType({"plan": (FREE, *SUBSCRIPTIONS)})
"""The possible values of the fields that allow only some texts."""


def fields_of(website: Website) -> dict[str, Any]:
    return {name: getattr(website, name) for name in WEBSITE_FIELDS}


def field_names(text: str) -> tuple[str, ...]:
    """Parse names of fields, separated by commas or spaces.

    Raises ConfigurationError without any name, and for a name that is no field.
    """
    names = _names(text)
    if not names:
        raise ConfigurationError(
            "--columns needs a field", hint="such as id,brandname, or leave out --columns"
        )
    for name in names:
        if name not in WEBSITE_FIELDS:
            hint = did_you_mean(name, WEBSITE_FIELDS) or f"there are {', '.join(WEBSITE_FIELDS)}"
            raise ConfigurationError(f'there is no column "{name}"', hint=hint)
    return names


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


def _sort_field(sort: str) -> str:
    """Return the field of `--sort`. Raises ConfigurationError unless the text names exactly one."""
    text = sort.removeprefix("-")
    if len(_names(text)) != 1:
        raise ConfigurationError("--sort needs one field", hint="such as -ai_spent, or leave out --sort")
    return field_names(text)[0]


class WebsiteSelection:
    """Selects websites by a condition, and sorts them by one field. A minus before the field reverses the order.

    Raises ConfigurationError when the condition or the name of the field is wrong, or when `sort` names no or several
    fields.
    """

    def __init__(self, where: str | None, sort: str | None, zone: tzinfo) -> None:
        self._holds = (
            compile_condition(where, WEBSITE_FIELDS, zone, FIELD_VALUES) if where is not None else None
        )
        self._sort_field = None if sort is None else _sort_field(sort)
        self._descending = (sort or "").startswith("-")

    def select(self, websites: Iterable[Website]) -> list[Website]:
        """Return the selected websites. Raises ConfigurationError when values cannot be compared."""
        holds, name = self._holds, self._sort_field
        chosen = [website for website in websites if holds is None or holds(fields_of(website))]
        if name is not None:
            values = [(getattr(website, name), website) for website in chosen]
            values.sort(key=lambda pair: (pair[0] is not None, pair[0] or 0), reverse=self._descending)
            chosen = [website for _, website in values]
        return chosen
