"""Which templates meet nothing but JSON: for those a snippet carries shorter helpers.

What `|safe`, macros, block sets, generators and arithmetic bring is not in JSON: HTML that is not escaped again, values
with Python's own notation, numbers that are none. A template without them gives only what it was given, and texts.
What JSON has no form for cannot come: a number beyond 0.0001 and 1e16, which Python writes with an exponent, is an
error like a list; a template that holds such a number itself is none of these.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from jinja2 import nodes

from awning.template import filters, intl
from awning.template.js_value import ValueKind
from awning.template.numbers import FIRST_EXPONENT, FIRST_FIXED
from awning.template.unit import Unit

SHORTER: Mapping[str, str] = MappingProxyType({"iterate": "json_iterate", "truth": "json_truth"})
"""What stands in for a helper in such a template."""

_NODES = frozenset(
    {
        nodes.And,
        nodes.Assign,
        nodes.Block,
        nodes.Compare,
        nodes.CondExpr,
        nodes.Extends,
        nodes.Getattr,
        nodes.Getitem,
        nodes.If,
        nodes.Include,
        nodes.Keyword,
        nodes.List,
        nodes.Name,
        nodes.Not,
        nodes.Operand,
        nodes.Or,
        nodes.Output,
        nodes.Scope,
        nodes.Template,
        nodes.TemplateData,
        nodes.Test,
        nodes.Tuple,
        nodes.With,
    }
)
"""Nodes that make no value but truth, and statements that only place or name one."""

_FILTERS = frozenset({"capitalize", "d", "default", "first", "join", "last", "lower", "trim", "upper"})
"""Filters that give JSON for JSON. Those that always give a text, or a length, do too."""


def meets_only_json(units: Iterable[Unit]) -> bool:
    """Whether no value in these templates can be anything but JSON or a text."""
    return all(_is_plain(node) for unit in units for node in unit.everything)


def _is_plain(node: nodes.Node) -> bool:
    if type(node) in _NODES:
        return True
    if isinstance(node, nodes.Filter):
        found = filters.SUPPORTED.get(node.name)
        texts = found is not None and found.kind is ValueKind.TEXT
        return texts or node.name in _FILTERS or node.name in {"count", "length"} or node.name in intl.FILTERS
    if isinstance(node, nodes.Const):
        number = abs(node.value) if isinstance(node.value, (int, float)) else 0
        return number == 0 or FIRST_FIXED <= number < FIRST_EXPONENT
    if isinstance(node, nodes.Call):
        return isinstance(node.node, nodes.Name) and node.node.name == "t"
    return isinstance(node, nodes.For) and not node.recursive
