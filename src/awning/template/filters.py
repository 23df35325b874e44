"""Every filter of Jinja2's registry: supported, with its parameters, or refused, with the reason.

A test compares the table with `jinja2.filters.FILTERS`. Parameters are those of Jinja2's functions after the value,
with defaults as JavaScript. A name with `?` is a flag: only its truth matters. Filters with arguments of their own
form, such as `map` and `format`, have no parameters here: `awning.template.expressions.filters` reads their arguments.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from awning.template.js_value import ValueKind


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterSpec:
    """A filter: its helper, its parameters, and the kind of its result."""

    helper: str
    parameters: tuple[str, ...] = ()
    kind: ValueKind = ValueKind.ANY
    keeps_markup: bool = False
    """Whether the filter returns HTML for HTML. Only such a filter may be used on a `filter` block or a `set` block."""


def spec(
    helper: str, *parameters: str, kind: ValueKind = ValueKind.ANY, keeps_markup: bool = False
) -> FilterSpec:
    return FilterSpec(helper=helper, parameters=parameters, kind=kind, keeps_markup=keeps_markup)


_default = spec("filter_default", 'default_value=""', "boolean?=false")
_escape = spec("filter_escape", keeps_markup=True)
_length = spec("filter_length", kind=ValueKind.NUMBER)

SUPPORTED: Mapping[str, FilterSpec] = MappingProxyType(
    {
        "abs": spec("filter_abs", kind=ValueKind.NUMBER),
        "attr": spec("filter_attr", "name"),
        "batch": spec("filter_batch", "linecount", "fill_with=null", kind=ValueKind.GENERATOR),
        "capitalize": spec("filter_capitalize", keeps_markup=True),
        "center": spec("filter_center", "width=80", keeps_markup=True),
        "count": _length,
        "d": _default,
        "default": _default,
        "dictsort": spec(
            "filter_dictsort", "case_sensitive?=false", 'by="key"', "reverse=false", kind=ValueKind.LIST
        ),
        "e": _escape,
        "escape": _escape,
        "filesizeformat": spec("filter_filesizeformat", "binary?=false", kind=ValueKind.TEXT),
        "first": spec("filter_first"),
        "float": spec("filter_float", "default=0", kind=ValueKind.FLOAT),
        "forceescape": spec("filter_forceescape", keeps_markup=True),
        "format": spec("filter_format"),
        "groupby": spec(
            "filter_groupby", "attribute", "default=null", "case_sensitive?=false", kind=ValueKind.LIST
        ),
        "indent": spec("filter_indent", "width=4", "first?=false", "blank?=false", keeps_markup=True),
        "int": spec("filter_int", "default=0", "base=10"),
        "items": spec("filter_items", kind=ValueKind.GENERATOR),
        "join": spec("filter_join", 'd=""', "attribute=null"),
        "last": spec("filter_last"),
        "length": _length,
        "list": spec("filter_list", kind=ValueKind.LIST),
        "lower": spec("filter_lower", keeps_markup=True),
        "map": spec("filter_map", kind=ValueKind.GENERATOR),
        "max": spec("filter_max", "case_sensitive?=false", "attribute=null"),
        "min": spec("filter_min", "case_sensitive?=false", "attribute=null"),
        "reject": spec("filter_select", kind=ValueKind.GENERATOR),
        "rejectattr": spec("filter_select", kind=ValueKind.GENERATOR),
        "replace": spec("filter_replace", "old", "new", "count=null", keeps_markup=True),
        "reverse": spec("filter_reverse"),
        "round": spec("filter_round", "precision=0", 'method="common"', kind=ValueKind.NUMBER),
        "safe": spec("filter_safe", keeps_markup=True),
        "select": spec("filter_select", kind=ValueKind.GENERATOR),
        "selectattr": spec("filter_select", kind=ValueKind.GENERATOR),
        "slice": spec("filter_slice", "slices", "fill_with=null", kind=ValueKind.GENERATOR),
        "sort": spec(
            "filter_sort", "reverse=false", "case_sensitive?=false", "attribute=null", kind=ValueKind.LIST
        ),
        "string": spec("filter_string", keeps_markup=True),
        "striptags": spec("filter_striptags", kind=ValueKind.TEXT),
        "sum": spec("filter_sum", "attribute=null", "start=0"),
        "title": spec("filter_title", kind=ValueKind.TEXT, keeps_markup=True),
        "tojson": spec("filter_tojson", "indent=null"),
        "trim": spec("filter_trim", "chars=null", keeps_markup=True),
        "truncate": spec(
            "filter_truncate", "length=255", "killwords?=false", 'end="..."', "leeway=null", keeps_markup=True
        ),
        "unique": spec("filter_unique", "case_sensitive?=false", "attribute=null", kind=ValueKind.GENERATOR),
        "upper": spec("filter_upper", keeps_markup=True),
        "urlencode": spec("filter_urlencode", kind=ValueKind.TEXT),
        "urlize": spec(
            "filter_urlize",
            "trim_url_limit=null",
            "nofollow?=false",
            "target=null",
            "rel=null",
            "extra_schemes=null",
        ),
        "wordcount": spec("filter_wordcount", kind=ValueKind.NUMBER),
        "wordwrap": spec(
            "filter_wordwrap",
            "width=79",
            "break_long_words?=true",
            "wrapstring=null",
            "break_on_hyphens?=true",
            keeps_markup=True,
        ),
        "xmlattr": spec("filter_xmlattr", "autospace?=true"),
    }
)

REFUSED: Mapping[str, str] = MappingProxyType(
    {
        "pprint": "it prints Python's own notation for debugging",
        "random": "it is random: no two renderings agree",
    }
)

OF_STRINGS = frozenset(
    {"capitalize", "center", "indent", "lower", "string", "title", "trim", "truncate", "upper", "wordwrap"}
)
"""Filters that return a string for a string. If an argument is Markup, the result may be Markup."""
