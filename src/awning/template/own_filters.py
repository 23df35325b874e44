"""The filters that Jinja2 does not have.

They format with the browser's Intl (jsrc/runtime/intl): docs/formatting.md defines them, and tests/formatting compares
them with Intl. Python has no Intl, so they have no twin.

The currency or the language that a filter needs is a variable of the template, like `t`: `x|money` means
`x|money(currency=currency)`, `x|number` means `x|number(language=language)`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from jinja2 import nodes

from awning.template.emit import ValueKind
from awning.template.filters import FilterSpec
from awning.template.types import VariableUse

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
class OwnFilter(FilterSpec):
    """A filter that Jinja2 does not have. Without a `twin`, only a browser renders it.

    Its helper gets the value, the variable of the page if it reads one, and the arguments, without defaults at the end.
    """

    kind: ValueKind = ValueKind.TEXT
    takes: VariableUse = VariableUse.PRINTED
    """What its value is."""
    page: VariableUse | None = None
    """The variable of the page that it reads, which is also its last parameter."""
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The strings that are allowed for a parameter, by the parameter's name."""
    description: str
    """What the filter shows, for docs/template-coverage.md."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all parameters in order."""
        own = (parameter.partition("=")[0] for parameter in self.parameters)
        return (*own, *filter(None, (self.page,)))

    @property
    def signature(self) -> tuple[str, ...]:
        """All parameters as an author writes them. A parameter without a default is required."""
        own = (parameter.replace("=undefined", "=none") for parameter in self.parameters)
        return (*own, *(f"{page}={page}" for page in filter(None, (self.page,))))


def _date(helper: str, style: str, description: str) -> OwnFilter:
    return OwnFilter(
        helper=helper,
        takes=VariableUse.MOMENT,
        page=VariableUse.LANGUAGE,
        parameters=(f'style="{style}"', "zone=undefined"),
        choices=MappingProxyType({"style": ("full", "long", "medium", "short")}),
        description=description,
    )


def _number(helper: str, *parameters: str, description: str, **choices: tuple[str, ...]) -> OwnFilter:
    return OwnFilter(
        helper=helper,
        takes=VariableUse.AMOUNT,
        page=VariableUse.LANGUAGE,
        parameters=parameters,
        choices=MappingProxyType(choices),
        description=description,
    )


FILTERS: Mapping[str, OwnFilter] = MappingProxyType(
    {
        "date": _date("filter_date", "medium", "a day of the calendar"),
        "datetime": _date("filter_datetime", "medium", "a day and a time"),
        "money": OwnFilter(
            helper="filter_money",
            takes=VariableUse.AMOUNT,
            page=VariableUse.CURRENCY,
            description="an amount as the shop displays prices",
        ),
        "number": _number("filter_number", "digits=undefined", description="a number"),
        "percent": _number("filter_percent", "digits=undefined", description="a share of 1, in percent"),
        "relative": _number(
            "filter_relative", "unit", unit=_RELATIVE_UNITS, description="a distance in time, in words"
        ),
        "time": _date("filter_time", "short", "a time of day"),
        "unit": _number(
            "filter_unit",
            "unit",
            "digits=undefined",
            'width="short"',
            unit=_UNITS,
            width=("short", "long", "narrow"),
            description="a number with a unit of measure",
        ),
    }
)


def arguments_by_name(node: nodes.Filter, spec: OwnFilter) -> dict[str, nodes.Expr]:
    """Return the arguments of one use of a filter, by parameter name."""
    named: dict[str, nodes.Expr] = {str(keyword.key): keyword.value for keyword in node.kwargs}
    return dict(zip(spec.names, node.args, strict=False)) | named


NAMED = re.compile("|".join(FILTERS))


def write_out_page_arguments(tree: nodes.Template, source: str) -> None:
    """Add the variables of the page as arguments to the filters in a tree, so that the scope phase finds them."""
    if not NAMED.search(source):
        return
    for node in tree.find_all(nodes.Filter):
        mapping = node.name == "map" and node.args and isinstance(node.args[0], nodes.Const)
        name = node.args[0].value if mapping and isinstance(node.args[0], nodes.Const) else node.name
        spec = FILTERS.get(name) if isinstance(name, str) else None
        if spec is None or spec.page is None:
            continue
        names_used = {
            *spec.names[: len(node.args) - int(bool(mapping))],
            *(keyword.key for keyword in node.kwargs),
        }
        if spec.page not in names_used:
            variable = nodes.Name(spec.page.value, "load", lineno=node.lineno)
            added: Any = nodes.Keyword(spec.page.value, variable, lineno=node.lineno)
            node.kwargs = [*node.kwargs, added]


def is_allowed(text: object, allowed: tuple[str, ...]) -> bool:
    """Return whether a literal is allowed for a parameter. Only strings are restricted.

    Of the units of measure, two may be joined: `meter-per-second` (ECMA-402, IsWellFormedUnitIdentifier).
    """
    if not isinstance(text, str) or text in allowed:
        return True
    numerator, _, denominator = text.partition("-per-")
    return allowed == _UNITS and numerator in allowed and denominator in allowed
