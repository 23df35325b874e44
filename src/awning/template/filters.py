"""Every filter of Jinja2's registry: supported, with its parameters, or refused, with the reason.

A test compares the table with `jinja2.filters.FILTERS`. Parameters are those of Jinja2's functions after the value,
with defaults as JavaScript. A name with `?` is a flag: only its truth matters. Filters with arguments of their own
form, such as `map` and `format`, have no parameters here: `awning.template.expressions.filters` reads their arguments.
The compiler, the reference environment, the inference of types and the docs read these rows.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType
from typing import Any

from awning.template.emit import ValueKind


class Items(Enum):
    """What a filter does with the items of a list, for the inference of variable types."""

    OPEN = auto()
    """It may read anything in them."""
    NEW = auto()
    """It reads nothing in them. Its result is something else."""
    COUNTED = auto()
    """It counts them."""
    SAME = auto()
    """It reads nothing in them, and its result has them or some of them."""
    CHOSEN = auto()
    """It may read anything in them, and its result has them or some of them."""
    ONE = auto()
    """It reads nothing in them, and its result is one of them."""
    BEST = auto()
    """It may read anything in them, and its result is one of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterSpec:
    """All that is known of a filter, but for what its helper does."""

    helper: str
    parameters: tuple[str, ...] = ()
    kind: ValueKind = ValueKind.ANY
    """The kind of its result."""
    keeps_markup: bool = False
    """Whether the filter returns HTML for HTML. Only such a filter may be used on a `filter` block or a `set` block."""
    of_strings: bool = False
    """Whether it returns a string for a string. If an argument is Markup, the result may be Markup."""
    reads_text: bool = False
    """Whether it converts its value and arguments to text, which a list and a mapping do not have."""
    orders: bool = False
    """Whether it orders values. A list and a mapping have no order."""
    items: Items = Items.OPEN
    """What it does with the items of a list."""
    twin: Callable[..., Any] | None = None
    """Its function in the reference environment, if that is not Jinja2's."""

    @property
    def attribute_at(self) -> int | None:
        """The position of the argument that names an attribute, which is read of each item; None without one."""
        names = [parameter.partition("=")[0] for parameter in self.parameters]
        return names.index("attribute") if "attribute" in names else None


_default = FilterSpec(helper="filter_default", parameters=('default_value=""', "boolean?=false"))
_escape = FilterSpec(helper="filter_escape", keeps_markup=True, reads_text=True)
_length = FilterSpec(helper="filter_length", kind=ValueKind.NUMBER, items=Items.COUNTED)

SUPPORTED: Mapping[str, FilterSpec] = MappingProxyType(
    {
        "abs": FilterSpec(helper="filter_abs", kind=ValueKind.NUMBER),
        "attr": FilterSpec(helper="filter_attr", parameters=("name",), items=Items.NEW),
        "batch": FilterSpec(
            helper="filter_batch",
            parameters=("linecount", "fill_with=null"),
            kind=ValueKind.GENERATOR,
            items=Items.NEW,
        ),
        "capitalize": FilterSpec(
            helper="filter_capitalize", keeps_markup=True, of_strings=True, reads_text=True
        ),
        "center": FilterSpec(
            helper="filter_center",
            parameters=("width=80",),
            keeps_markup=True,
            of_strings=True,
            reads_text=True,
        ),
        "count": _length,
        "d": _default,
        "default": _default,
        "dictsort": FilterSpec(
            helper="filter_dictsort",
            parameters=("case_sensitive?=false", 'by="key"', "reverse=false"),
            kind=ValueKind.LIST,
            orders=True,
        ),
        "e": _escape,
        "escape": _escape,
        "filesizeformat": FilterSpec(
            helper="filter_filesizeformat", parameters=("binary?=false",), kind=ValueKind.TEXT
        ),
        "first": FilterSpec(helper="filter_first", items=Items.ONE),
        "float": FilterSpec(helper="filter_float", parameters=("default=0",), kind=ValueKind.FLOAT),
        "forceescape": FilterSpec(helper="filter_forceescape", keeps_markup=True, reads_text=True),
        "format": FilterSpec(helper="filter_format", reads_text=True),
        "groupby": FilterSpec(
            helper="filter_groupby",
            parameters=("attribute", "default=null", "case_sensitive?=false"),
            kind=ValueKind.LIST,
            orders=True,
        ),
        "indent": FilterSpec(
            helper="filter_indent",
            parameters=("width=4", "first?=false", "blank?=false"),
            keeps_markup=True,
            of_strings=True,
        ),
        "int": FilterSpec(helper="filter_int", parameters=("default=0", "base=10")),
        "items": FilterSpec(helper="filter_items", kind=ValueKind.GENERATOR),
        "join": FilterSpec(helper="filter_join", parameters=('d=""', "attribute=null")),
        "last": FilterSpec(helper="filter_last", items=Items.ONE),
        "length": _length,
        "list": FilterSpec(helper="filter_list", kind=ValueKind.LIST, items=Items.SAME),
        "lower": FilterSpec(helper="filter_lower", keeps_markup=True, of_strings=True, reads_text=True),
        "map": FilterSpec(helper="filter_map", kind=ValueKind.GENERATOR),
        "max": FilterSpec(
            helper="filter_max",
            parameters=("case_sensitive?=false", "attribute=null"),
            orders=True,
            items=Items.BEST,
        ),
        "min": FilterSpec(
            helper="filter_min",
            parameters=("case_sensitive?=false", "attribute=null"),
            orders=True,
            items=Items.BEST,
        ),
        "reject": FilterSpec(helper="filter_select", kind=ValueKind.GENERATOR, items=Items.CHOSEN),
        "rejectattr": FilterSpec(
            helper="filter_select", parameters=("attribute",), kind=ValueKind.GENERATOR, items=Items.CHOSEN
        ),
        "replace": FilterSpec(
            helper="filter_replace",
            parameters=("old", "new", "count=null"),
            keeps_markup=True,
            reads_text=True,
        ),
        "reverse": FilterSpec(helper="filter_reverse", items=Items.SAME),
        "round": FilterSpec(
            helper="filter_round", parameters=("precision=0", 'method="common"'), kind=ValueKind.NUMBER
        ),
        "safe": FilterSpec(helper="filter_safe", keeps_markup=True, reads_text=True),
        "select": FilterSpec(helper="filter_select", kind=ValueKind.GENERATOR, items=Items.CHOSEN),
        "selectattr": FilterSpec(
            helper="filter_select", parameters=("attribute",), kind=ValueKind.GENERATOR, items=Items.CHOSEN
        ),
        "slice": FilterSpec(
            helper="filter_slice",
            parameters=("slices", "fill_with=null"),
            kind=ValueKind.GENERATOR,
            items=Items.NEW,
        ),
        "sort": FilterSpec(
            helper="filter_sort",
            parameters=("reverse=false", "case_sensitive?=false", "attribute=null"),
            kind=ValueKind.LIST,
            orders=True,
            items=Items.CHOSEN,
        ),
        "string": FilterSpec(helper="filter_string", keeps_markup=True, of_strings=True, reads_text=True),
        "striptags": FilterSpec(helper="filter_striptags", kind=ValueKind.TEXT, reads_text=True),
        "sum": FilterSpec(helper="filter_sum", parameters=("attribute=null", "start=0")),
        "title": FilterSpec(
            helper="filter_title", kind=ValueKind.TEXT, keeps_markup=True, of_strings=True, reads_text=True
        ),
        "tojson": FilterSpec(helper="filter_tojson", parameters=("indent=null",)),
        "trim": FilterSpec(
            helper="filter_trim",
            parameters=("chars=null",),
            keeps_markup=True,
            of_strings=True,
            reads_text=True,
        ),
        "truncate": FilterSpec(
            helper="filter_truncate",
            parameters=("length=255", "killwords?=false", 'end="..."', "leeway=null"),
            keeps_markup=True,
            of_strings=True,
        ),
        "unique": FilterSpec(
            helper="filter_unique",
            parameters=("case_sensitive?=false", "attribute=null"),
            kind=ValueKind.GENERATOR,
            items=Items.CHOSEN,
        ),
        "upper": FilterSpec(helper="filter_upper", keeps_markup=True, of_strings=True, reads_text=True),
        "urlencode": FilterSpec(helper="filter_urlencode", kind=ValueKind.TEXT, reads_text=True),
        "urlize": FilterSpec(
            helper="filter_urlize",
            parameters=(
                "trim_url_limit=null",
                "nofollow?=false",
                "target=null",
                "rel=null",
                "extra_schemes=null",
            ),
            reads_text=True,
        ),
        "wordcount": FilterSpec(helper="filter_wordcount", kind=ValueKind.NUMBER, reads_text=True),
        "wordwrap": FilterSpec(
            helper="filter_wordwrap",
            parameters=("width=79", "break_long_words?=true", "wrapstring=null", "break_on_hyphens?=true"),
            keeps_markup=True,
            of_strings=True,
        ),
        "xmlattr": FilterSpec(helper="filter_xmlattr", parameters=("autospace?=true",), reads_text=True),
    }
)

REFUSED: Mapping[str, str] = MappingProxyType(
    {
        "pprint": "it prints Python's own notation for debugging",
        "random": "it is random: no two renderings agree",
    }
)
