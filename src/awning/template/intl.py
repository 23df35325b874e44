"""Filters that Jinja2 does not have: money, numbers and dates over the browser's Intl (jsrc/runtime/intl, money.ts).

They are an extension with a definition of their own, docs/formatting.md, held to Intl itself by tests/formatting: the
reference environment, which is Python's, does not have them. What a filter takes from the page is a variable of the
template, as `t` is: `x|money` means `x|money(currency=currency)`, `x|number` means `x|number(language=language)`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from jinja2 import nodes

_ZONE = "zone=undefined"
_LENGTHS = ("full", "long", "medium", "short")
_RELATIVE_UNITS = ("second", "minute", "hour", "day", "week", "month", "quarter", "year")
_UNITS = (
    *(
        "acre",
        "bit",
        "byte",
        "celsius",
        "centimeter",
        "day",
        "degree",
        "fahrenheit",
        "fluid-ounce",
        "foot",
        "gallon",
    ),
    *(
        "gigabit",
        "gigabyte",
        "gram",
        "hectare",
        "hour",
        "inch",
        "kilobit",
        "kilobyte",
        "kilogram",
        "kilometer",
    ),
    *("liter", "megabit", "megabyte", "meter", "microsecond", "mile", "mile-scandinavian", "milliliter"),
    *("millimeter", "millisecond", "minute", "month", "nanosecond", "ounce", "percent", "petabyte", "pound"),
    *("second", "stone", "terabit", "terabyte", "week", "yard", "year"),
)
"""Sanctioned single units of ECMA-402; two may be joined by `-per-`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntlFilter:
    """One filter: its helper, the variable it takes from the page, its other parameters, the texts they may be."""

    helper: str
    page: str
    parameters: tuple[str, ...] = ()
    choices: Mapping[str, tuple[str, ...]]
    says: str
    """What it does, for the page of what templates cover."""

    @property
    def dated(self) -> bool:
        """Whether it takes a date; the others take a number."""
        return _ZONE in self.parameters


def _filter(helper: str, page: str, *parameters: str, says: str, **choices: tuple[str, ...]) -> IntlFilter:
    return IntlFilter(
        helper=helper, page=page, parameters=parameters, choices=MappingProxyType(choices), says=says
    )


FILTERS: Mapping[str, IntlFilter] = MappingProxyType(
    {
        "date": _filter(
            "filter_date", "language", 'style="medium"', _ZONE, style=_LENGTHS, says="a day of the calendar"
        ),
        "datetime": _filter(
            "filter_datetime", "language", 'style="medium"', _ZONE, style=_LENGTHS, says="a day and a time"
        ),
        "money": _filter("filter_money", "currency", says="an amount as the shop displays prices"),
        "number": _filter("filter_number", "language", "digits=undefined", says="a number"),
        "percent": _filter("filter_percent", "language", "digits=undefined", says="a share of 1, in percent"),
        "relative": _filter(
            "filter_relative", "language", "unit", unit=_RELATIVE_UNITS, says="a distance in time, in words"
        ),
        "time": _filter(
            "filter_time", "language", 'style="short"', _ZONE, style=_LENGTHS, says="a time of day"
        ),
        "unit": _filter(
            "filter_unit",
            "language",
            "unit",
            "digits=undefined",
            'width="short"',
            unit=_UNITS,
            width=("short", "long", "narrow"),
            says="a number with a unit of measure",
        ),
    }
)


def names(found: IntlFilter) -> tuple[str, ...]:
    """The parameters in a template's order; what the page gives is the last."""
    own = tuple(parameter.partition("=")[0] for parameter in found.parameters)
    return (*own, found.page)


def given(node: nodes.Filter, found: IntlFilter) -> dict[str, nodes.Expr]:
    """The arguments of a use by name."""
    named: dict[str, nodes.Expr] = {str(keyword.key): keyword.value for keyword in node.kwargs}
    return dict(zip(names(found), node.args, strict=False)) | named


def signature(found: IntlFilter) -> tuple[str, ...]:
    """The parameters as an author may write them; without a default where one must be given."""
    own = tuple(parameter.replace("=undefined", "=none") for parameter in found.parameters)
    return (*own, f"{found.page}={found.page}")


NAMED = re.compile("|".join(FILTERS))


def complete(tree: nodes.Template, source: str) -> None:
    """Write out what these filters leave to the page, so that scoping sees the variable. `source` is the text."""
    if not NAMED.search(source):
        return
    for node in tree.find_all(nodes.Filter):
        mapping = node.name == "map" and node.args and isinstance(node.args[0], nodes.Const)
        name = node.args[0].value if mapping and isinstance(node.args[0], nodes.Const) else node.name
        found = FILTERS.get(name) if isinstance(name, str) else None
        if found is None:
            continue
        order = names(found)
        given = {*order[: len(node.args) - int(bool(mapping))], *(keyword.key for keyword in node.kwargs)}
        if found.page not in given:
            variable = nodes.Name(found.page, "load", lineno=node.lineno)
            added: Any = nodes.Keyword(found.page, variable, lineno=node.lineno)
            node.kwargs = [*node.kwargs, added]


def fits(text: object, allowed: tuple[str, ...]) -> bool:
    """Whether a literal is one of the texts that a parameter may be; what is no text is not judged."""
    return not isinstance(text, str) or all(part in allowed for part in text.split("-per-"))
