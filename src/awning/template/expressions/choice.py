"""`and`, `or`, `not`, inline `if`: as in Python the value is one of the operands, and the other is not evaluated."""

from jinja2 import nodes

from awning.template.expressions.core import as_value, condition, expression, same_kind, truth
from awning.template.frame import Frame
from awning.template.value import Js, Kind

BLANK = '""'


def conjunction(node: nodes.Node, frame: Frame) -> Js:
    assert isinstance(node, nodes.And)
    return either(node, frame, "&&")


def disjunction(node: nodes.Node, frame: Frame) -> Js:
    assert isinstance(node, nodes.Or)
    return either(node, frame, "||")


def either(node: nodes.And | nodes.Or, frame: Frame, operator: str) -> Js:
    left, right = expression(node.left, frame), expression(node.right, frame)
    if left.promise or left.kind is Kind.BOOL or left.kind is right.known is Kind.TEXT:
        return same_kind(f"({left.code} {operator} {as_value(right, frame)})", left, right)
    held = frame.session.temporary()
    test = truth(Js(held), frame)
    arms = (as_value(right, frame), held) if operator == "&&" else (held, as_value(right, frame))
    return Js(f"({held} => {test} ? {arms[0]} : {arms[1]})({as_value(left, frame)})")


def negation(node: nodes.Node, frame: Frame) -> Js:
    assert isinstance(node, nodes.Not)
    return Js(f"(!{test(node.node, frame)})", Kind.BOOL)


def test(node: nodes.Node, frame: Frame) -> str:
    """A condition: `and` and `or` need not give back an operand here."""
    if isinstance(node, nodes.And):
        return f"({test(node.left, frame)} && {test(node.right, frame)})"
    if isinstance(node, nodes.Or):
        return f"({test(node.left, frame)} || {test(node.right, frame)})"
    return condition(node, frame)


def conditional(node: nodes.Node, frame: Frame) -> Js:
    assert isinstance(node, nodes.CondExpr)
    then = expression(node.expr1, frame)
    if node.expr2 is None:
        nothing = left_out(node, frame)
        kind = Kind.TEXT if nothing == BLANK and then.kind is Kind.TEXT else Kind.ANY
        return Js(f"({test(node.test, frame)} ? {as_value(then, frame)} : {nothing})", kind)
    other = expression(node.expr2, frame)
    if then.kind is other.kind and then.kind is not Kind.ANY:
        return Js(f"({test(node.test, frame)} ? {then.code} : {other.code})", then.kind)
    code = f"({test(node.test, frame)} ? {as_value(then, frame)} : {as_value(other, frame)})"
    return same_kind(code, then, other)


def left_out(node: nodes.CondExpr, frame: Frame) -> str:
    """Code of what an inline `if` without `else` leaves out."""
    if id(node) in frame.session.unchosen.lasting:
        return f"{frame.use('unchosen')}()"
    return BLANK if id(node) in frame.session.unchosen.blank else "undefined"
