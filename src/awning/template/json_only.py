"""Finds the templates whose values are all JSON. Their modules import shorter helpers.

`|safe`, macros, block sets, generators and arithmetic make other values: Markup, values that Python prints in its own
notation, NaN. Without them, all values of a template are JSON: literals, and the values of its context. The shorter
helpers cannot print a list, or a number that Python prints with an exponent (below 0.0001, or from 1e16 on): that is an
error at run time. So a template that contains such a number as a literal does not get them.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from jinja2 import nodes

from awning.template import filters, intl
from awning.template.js_value import ValueKind
from awning.template.numbers import FIRST_EXPONENT, FIRST_FIXED
from awning.template.template_set import ParsedTemplate

SHORTER: Mapping[str, str] = MappingProxyType({"iterate": "json_iterate", "truth": "json_truth"})
"""The shorter helper for each helper that has one."""

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
"""Types of nodes: statements that make only JSON values, and expressions that are JSON if their operands are."""

_FILTERS = frozenset({"capitalize", "d", "default", "first", "join", "last", "lower", "trim", "upper"})
"""Filters whose result is a JSON value if their operands are JSON values."""


def meets_only_json(templates: Iterable[ParsedTemplate]) -> bool:
    """Return whether all values in these templates are JSON, and no number literal is printed with an exponent."""
    return all(_is_plain(node) for template in templates for node in template.everything)


def _is_plain(node: nodes.Node) -> bool:
    if type(node) in _NODES:
        return True
    if isinstance(node, nodes.Filter):
        spec = filters.SUPPORTED.get(node.name)
        texts = spec is not None and spec.kind is ValueKind.TEXT
        return texts or node.name in _FILTERS or node.name in {"count", "length"} or node.name in intl.FILTERS
    if isinstance(node, nodes.Const):
        number = abs(node.value) if isinstance(node.value, (int, float)) else 0
        return number == 0 or FIRST_FIXED <= number < FIRST_EXPONENT
    if isinstance(node, nodes.Call):
        return isinstance(node.node, nodes.Name) and node.node.name == "t"
    return isinstance(node, nodes.For) and not node.recursive
