"""Comparisons, also chained ones: `a < b < c` evaluates each operand at most once, as in Python."""

from collections.abc import Sequence

from jinja2 import nodes

from awning.template.expressions.core import as_value, expression, sure
from awning.template.frame import Frame
from awning.template.value import Js, Kind

HELPERS = {
    "eq": "eq",
    "ne": "eq",
    "lt": "lt",
    "lteq": "le",
    "gt": "gt",
    "gteq": "ge",
    "in": "contains",
    "notin": "contains",
}
NUMERIC = {"eq": "===", "ne": "!==", "lt": "<", "lteq": "<=", "gt": ">", "gteq": ">="}
ORDERED = frozenset({"lt", "lteq", "gt", "gteq"})
NEGATED = frozenset({"ne", "notin"})


def compare(node: nodes.Node, frame: Frame) -> Js:
    assert isinstance(node, nodes.Compare)
    return Js(chain(expression(node.expr, frame), node.ops, frame), Kind.BOOL)


def chain(left: Js, operands: Sequence[nodes.Operand], frame: Frame) -> str:
    first, *rest = operands
    right = expression(first.expr, frame)
    if not rest:
        return compared(left, first.op, right, frame)
    held_left, held_right = frame.session.temporary(), frame.session.temporary()
    again = held(held_right, right)
    test = compared(held(held_left, left), first.op, again, frame)
    return (
        f"(({held_left}, {held_right}) => {test} && {chain(again, rest, frame)})"
        f"({as_value(left, frame)}, {as_value(right, frame)})"
    )


def held(variable: str, js: Js) -> Js:
    return Js(variable, js.kind if js.kind is not Kind.HTML else Kind.ANY, js.promise)


def compared(left: Js, operator: str, right: Js, frame: Frame) -> str:
    """What breaks its promise equals no literal, and has no order."""
    numbers = left.is_declared_number and right.is_declared_number
    if operator in {"eq", "ne"} and (numbers or left.known is right.known is Kind.TEXT):
        return f"({left.code} {NUMERIC[operator]} {right.code})"
    if operator in ORDERED and numbers:
        return f"({sure(left, frame).code} {NUMERIC[operator]} {sure(right, frame).code})"
    if operator in ORDERED and not frame.session.options.containers:
        order = f"{frame.use('order')}({as_value(left, frame)}, {as_value(right, frame)})"
        return f"({order} {NUMERIC[operator]} 0)"
    call = f"{frame.use(HELPERS[operator])}({as_value(left, frame)}, {as_value(right, frame)})"
    return f"(!{call})" if operator in NEGATED else call
