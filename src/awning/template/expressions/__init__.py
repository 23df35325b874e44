"""Phase 4a: lowering of expressions, one family per file. `TABLE` has the function for each type of node.

A test walks the concrete subclasses of `jinja2.nodes.Expr`: each one is in `TABLE` or refused by name in `REFUSED`.
"""

from collections.abc import Mapping
from types import MappingProxyType

from jinja2 import nodes

from awning.template.expressions import (
    access,
    calls,
    filters,
    operators,
)
from awning.template.frame import Expression, Frame
from awning.template.js_value import Js

TABLE: Mapping[type[nodes.Node], Expression] = MappingProxyType(
    {
        nodes.Add: operators.add,
        nodes.And: operators.conjunction,
        nodes.Call: calls.call,
        nodes.Compare: operators.compare,
        nodes.Concat: operators.concat,
        nodes.CondExpr: operators.conditional,
        nodes.Const: operators.constant,
        nodes.Dict: operators.mapping,
        nodes.Div: operators.arithmetic,
        nodes.Filter: filters.lower_filter,
        nodes.FloorDiv: operators.arithmetic,
        nodes.Getattr: access.attribute,
        nodes.Getitem: access.item,
        nodes.List: operators.sequence,
        nodes.Mod: operators.arithmetic,
        nodes.Mul: operators.arithmetic,
        nodes.Name: access.name,
        nodes.Neg: operators.unary,
        nodes.Not: operators.negation,
        nodes.Or: operators.disjunction,
        nodes.Pos: operators.unary,
        nodes.Pow: operators.arithmetic,
        nodes.Sub: operators.arithmetic,
        nodes.Test: filters.lower_test,
        nodes.Tuple: operators.sequence,
    }
)

REFUSED: Mapping[type[nodes.Node], str] = MappingProxyType(
    {
        nodes.ContextReference: "only extensions make it",
        nodes.DerivedContextReference: "only extensions make it",
        nodes.EnvironmentAttribute: "only extensions make it",
        nodes.ExtensionAttribute: "only extensions make it",
        nodes.ImportedName: "only extensions make it",
        nodes.InternalName: "only extensions make it",
        nodes.MarkSafe: "only extensions make it",
        nodes.MarkSafeIfAutoescape: "only extensions make it",
        nodes.NSRef: "a target of set, compiled with it",
        nodes.Slice: "a subscript, compiled with it",
        nodes.TemplateData: "text, compiled with its output",
    }
)


def expression(node: nodes.Node, frame: Frame) -> Js:
    """Lower one expression.

    Raises TemplateRefusal when its kind is not supported, or the function for its kind refuses it.
    """
    stored = frame.compilation.stored.get(id(node))
    if stored is not None:
        return stored
    lower = TABLE.get(type(node))
    if lower is None:
        reason = REFUSED.get(type(node), "it is not known to the compiler")
        raise frame.refuse(
            "template-unsupported", f"{type(node).__name__} cannot be compiled: {reason}", node
        )
    return lower(node, frame)
