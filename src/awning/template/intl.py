"""The filters for money, numbers and dates, which Jinja2 does not have.

They format with the browser's Intl (jsrc/runtime/intl, money.ts). The reference environment runs in Python, so it does
not have them. docs/formatting.md defines them, and tests/formatting compares them with Intl.

The currency or the language that a filter needs is a variable of the template, like `t`: `x|money` means
`x|money(currency=currency)`, `x|number` means `x|number(language=language)`.
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
"""The units that ECMA-402 sanctions (`is_allowed` accepts two of them joined by `-per-`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntlFilter:
    """One filter: the helper that it calls, the variable of the page that it reads, and its other parameters.

    `choices` has the strings that are allowed for a parameter, by the parameter's name.
    """

    helper: str
    page: str
    parameters: tuple[str, ...] = ()
    choices: Mapping[str, tuple[str, ...]]
    description: str
    """What the filter does, for docs/template-coverage.md."""

    @property
    def dated(self) -> bool:
        """Whether the filter takes a date. The others take a number."""
        return _ZONE in self.parameters


def _filter(
    helper: str, page: str, *parameters: str, description: str, **choices: tuple[str, ...]
) -> IntlFilter:
    return IntlFilter(
        helper=helper,
        page=page,
        parameters=parameters,
        choices=MappingProxyType(choices),
        description=description,
    )


FILTERS: Mapping[str, IntlFilter] = MappingProxyType(
    {
        "date": _filter(
            "filter_date",
            "language",
            'style="medium"',
            _ZONE,
            style=_LENGTHS,
            description="a day of the calendar",
        ),
        "datetime": _filter(
            "filter_datetime",
            "language",
            'style="medium"',
            _ZONE,
            style=_LENGTHS,
            description="a day and a time",
        ),
        "money": _filter("filter_money", "currency", description="an amount as the shop displays prices"),
        "number": _filter("filter_number", "language", "digits=undefined", description="a number"),
        "percent": _filter(
            "filter_percent", "language", "digits=undefined", description="a share of 1, in percent"
        ),
        "relative": _filter(
            "filter_relative",
            "language",
            "unit",
            unit=_RELATIVE_UNITS,
            description="a distance in time, in words",
        ),
        "time": _filter(
            "filter_time", "language", 'style="short"', _ZONE, style=_LENGTHS, description="a time of day"
        ),
        "unit": _filter(
            "filter_unit",
            "language",
            "unit",
            "digits=undefined",
            'width="short"',
            unit=_UNITS,
            width=("short", "long", "narrow"),
            description="a number with a unit of measure",
        ),
    }
)


def parameter_names(spec: IntlFilter) -> tuple[str, ...]:
    """Return the names of the parameters in order. The last one is the variable of the page."""
    own = tuple(parameter.partition("=")[0] for parameter in spec.parameters)
    return (*own, spec.page)


def arguments_by_name(node: nodes.Filter, spec: IntlFilter) -> dict[str, nodes.Expr]:
    """Return the arguments of one use of a filter, by parameter name."""
    named: dict[str, nodes.Expr] = {str(keyword.key): keyword.value for keyword in node.kwargs}
    return dict(zip(parameter_names(spec), node.args, strict=False)) | named


def signature(spec: IntlFilter) -> tuple[str, ...]:
    """Return the parameters as an author writes them. A parameter without a default is required."""
    own = tuple(parameter.replace("=undefined", "=none") for parameter in spec.parameters)
    return (*own, f"{spec.page}={spec.page}")


NAMED = re.compile("|".join(FILTERS))


def write_out_page_arguments(tree: nodes.Template, source: str) -> None:
    """Add the variables of the page as arguments to the filters in a tree, so that the scope phase finds them."""
    if not NAMED.search(source):
        return
    for node in tree.find_all(nodes.Filter):
        mapping = node.name == "map" and node.args and isinstance(node.args[0], nodes.Const)
        name = node.args[0].value if mapping and isinstance(node.args[0], nodes.Const) else node.name
        spec = FILTERS.get(name) if isinstance(name, str) else None
        if spec is None:
            continue
        order = parameter_names(spec)
        names_used = {
            *order[: len(node.args) - int(bool(mapping))],
            *(keyword.key for keyword in node.kwargs),
        }
        if spec.page not in names_used:
            variable = nodes.Name(spec.page, "load", lineno=node.lineno)
            added: Any = nodes.Keyword(spec.page, variable, lineno=node.lineno)
            node.kwargs = [*node.kwargs, added]


def is_allowed(text: object, allowed: tuple[str, ...]) -> bool:
    """Return whether a literal is allowed for a parameter. Only strings are restricted.

    Of the units of measure, two may be joined: `meter-per-second` (ECMA-402, IsWellFormedUnitIdentifier).
    """
    if not isinstance(text, str) or text in allowed:
        return True
    numerator, _, denominator = text.partition("-per-")
    return allowed == _UNITS and numerator in allowed and denominator in allowed
