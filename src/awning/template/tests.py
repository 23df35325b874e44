"""Every test of Jinja2's registry, one row each.

`tests/template/test_every_node.py` compares the table with `jinja2.tests.TESTS`. The compiler, the reference
environment, the inference of types and `awning check` read the rows.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType

from jinja2.filters import FILTERS
from jinja2.tests import TESTS

from awning.template.own_filters import FILTERS as OWN_FILTERS


class Reads(Enum):
    """What a test reads of its value, for the inference of variable types."""

    PARTS = auto()
    """It may read anything in it."""
    VALUE = auto()
    """Its result does not depend on the parts of the value."""
    KIND = auto()
    """It reads the type of the value only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JinjaTest:
    """All that is known of a test, but for what its helper does."""

    helper: str = ""
    """The helper, which returns a boolean. For a test that compares, the operator in Jinja2's nodes, such as `lt`."""
    parameters: tuple[str, ...] = ()
    reads_text: bool = False
    """Whether it converts its value to text, which a list and a mapping do not have."""
    orders: bool = False
    """Whether it orders values. A list and a mapping have no order."""
    by_number_kind: bool = False
    """Whether it tells an integer from a float."""
    reads: Reads = Reads.PARTS
    opposite: str | None = None
    """The test that is true exactly when this one is false, of the two the one that conditions are described by."""
    names: Collection[str] | None = None
    """The names that it knows. All of them are known at compile time, and so is its result. None for other tests."""
    twin: Callable[..., bool] | None = None
    """Its function in the reference environment, if that is not Jinja2's."""


_eq = JinjaTest(helper="eq", parameters=("other",))
_ne = JinjaTest(helper="ne", parameters=("other",))
_lt = JinjaTest(helper="lt", parameters=("other",), orders=True)
_le = JinjaTest(helper="lteq", parameters=("other",), orders=True)
_gt = JinjaTest(helper="gt", parameters=("other",), orders=True)
_ge = JinjaTest(helper="gteq", parameters=("other",), orders=True)

SUPPORTED: Mapping[str, JinjaTest] = MappingProxyType(
    {
        "!=": _ne,
        "<": _lt,
        "<=": _le,
        "==": _eq,
        ">": _gt,
        ">=": _ge,
        "boolean": JinjaTest(helper="is_boolean", reads=Reads.KIND),
        "callable": JinjaTest(helper="is_callable", reads=Reads.KIND),
        "defined": JinjaTest(helper="is_defined", reads=Reads.VALUE),
        "divisibleby": JinjaTest(helper="is_divisibleby", parameters=("num",), reads=Reads.VALUE),
        "eq": _eq,
        "equalto": _eq,
        "escaped": JinjaTest(helper="is_escaped", reads=Reads.KIND),
        "even": JinjaTest(helper="is_even", reads=Reads.VALUE),
        "false": JinjaTest(helper="is_false", reads=Reads.VALUE),
        "filter": JinjaTest(
            names={*FILTERS, *(name for name, spec in OWN_FILTERS.items() if spec.twin is not None)}
        ),
        "float": JinjaTest(helper="is_float", by_number_kind=True, reads=Reads.KIND),
        "ge": _ge,
        "greaterthan": _gt,
        "gt": _gt,
        "in": JinjaTest(helper="is_in", parameters=("seq",)),
        "integer": JinjaTest(helper="is_integer", by_number_kind=True, reads=Reads.KIND),
        "iterable": JinjaTest(helper="is_iterable", reads=Reads.KIND),
        "le": _le,
        "lessthan": _lt,
        "lower": JinjaTest(helper="is_lower", reads_text=True),
        "lt": _lt,
        "mapping": JinjaTest(helper="is_mapping", reads=Reads.KIND),
        "ne": _ne,
        "none": JinjaTest(helper="is_none", reads=Reads.VALUE),
        "number": JinjaTest(helper="is_number", reads=Reads.KIND),
        "odd": JinjaTest(helper="is_odd", opposite="even", reads=Reads.VALUE),
        "sameas": JinjaTest(helper="is_sameas", parameters=("other",)),
        "sequence": JinjaTest(helper="is_sequence", reads=Reads.KIND),
        "string": JinjaTest(helper="is_string", reads=Reads.KIND),
        "test": JinjaTest(names=TESTS),
        "true": JinjaTest(helper="is_true", reads=Reads.VALUE),
        "undefined": JinjaTest(helper="is_undefined", opposite="defined", reads=Reads.VALUE),
        "upper": JinjaTest(helper="is_upper", reads_text=True),
    }
)
"""The tests by their names in Jinja2."""
