"""Every test of Jinja2's registry, in three tables.

A test is supported, with its parameters; or computed at compile time; or refused, with the reason.
`tests/template/test_every_node.py` compares the tables together with `jinja2.tests.TESTS`.
"""

from collections.abc import Mapping
from types import MappingProxyType

_COMPARED = {
    "!=": "ne",
    "<": "lt",
    "<=": "lteq",
    "==": "eq",
    ">": "gt",
    ">=": "gteq",
    "eq": "eq",
    "equalto": "eq",
    "ge": "gteq",
    "greaterthan": "gt",
    "gt": "gt",
    "le": "lteq",
    "lessthan": "lt",
    "lt": "lt",
    "ne": "ne",
}

SUPPORTED: Mapping[str, tuple[str, tuple[str, ...]]] = MappingProxyType(
    {
        **{name: (operator, ("other",)) for name, operator in _COMPARED.items()},
        "boolean": ("is_boolean", ()),
        "callable": ("is_callable", ()),
        "defined": ("is_defined", ()),
        "divisibleby": ("is_divisibleby", ("num",)),
        "escaped": ("is_escaped", ()),
        "even": ("is_even", ()),
        "false": ("is_false", ()),
        "float": ("is_float", ()),
        "in": ("is_in", ("seq",)),
        "integer": ("is_integer", ()),
        "iterable": ("is_iterable", ()),
        "lower": ("is_lower", ()),
        "mapping": ("is_mapping", ()),
        "none": ("is_none", ()),
        "number": ("is_number", ()),
        "odd": ("is_odd", ()),
        "sameas": ("is_sameas", ("other",)),
        "sequence": ("is_sequence", ()),
        "string": ("is_string", ()),
        "true": ("is_true", ()),
        "undefined": ("is_undefined", ()),
        "upper": ("is_upper", ()),
    }
)
"""The helper of each test, which returns a boolean, and the helper's parameters, by the test's name in Jinja2.

For a test that compares, `eq` or `lt` for example, it is the operator in Jinja2's nodes instead of a helper.
"""

COMPILED = frozenset({"filter", "test"})
"""Tests that are computed at compile time, because all filters and tests are known then."""

REFUSED: Mapping[str, str] = MappingProxyType({})
