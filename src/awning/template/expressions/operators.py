"""Arithmetic and `~`. Python's meaning for every type: helpers, unless both operands are known to be numbers."""

from jinja2 import nodes

from awning.template.expressions.core import as_value, expression, sure
from awning.template.frame import Frame
from awning.template.value import Js, Kind

HELPERS = {
    nodes.Sub: "sub",
    nodes.Mul: "mul",
    nodes.Div: "div",
    nodes.FloorDiv: "floordiv",
    nodes.Mod: "mod",
    nodes.Pow: "pow",
}
INLINE = {nodes.Sub: "-", nodes.Mul: "*"}


def number_kind(left: Js, right: Js) -> Kind:
    """The kind of what arithmetic on two operands gives, if it gives a number."""
    if Kind.FLOAT in {left.kind, right.kind}:
        return Kind.FLOAT
    return Kind.NUMBER if left.is_number and right.is_number else Kind.ANY


def add(node: nodes.Node, frame: Frame) -> Js:
    assert isinstance(node, nodes.Add)
    left, right = operands(node, frame)
    if (left.is_number and right.is_number) or left.kind is right.kind is Kind.TEXT:
        kind = Kind.TEXT if left.kind is Kind.TEXT else number_kind(left, right)
        return Js(f"({left.code} + {right.code})", kind)
    return Js(f"{frame.use('add')}({as_value(left, frame)}, {as_value(right, frame)})")


def operands(node: nodes.BinExpr, frame: Frame) -> tuple[Js, Js]:
    """Both operands; where both are declared to be of one kind, or known to be, as that."""
    left, right = expression(node.left, frame), expression(node.right, frame)
    if (left.is_declared_number and right.is_declared_number) or left.known is right.known is Kind.TEXT:
        return sure(left, frame), sure(right, frame)
    return left, right


def arithmetic(node: nodes.Node, frame: Frame) -> Js:
    assert isinstance(node, nodes.BinExpr)
    left, right = operands(node, frame)
    numbers = left.is_number and right.is_number
    kind = number_kind(left, right) if numbers else Kind.ANY
    if isinstance(node, nodes.Div):
        kind = Kind.FLOAT
    operator = INLINE.get(type(node))
    if operator and numbers:
        return Js(f"({left.code} {operator} {right.code})", kind)
    helper = frame.use(HELPERS[type(node)])
    return Js(f"{helper}({as_value(left, frame)}, {as_value(right, frame)})", kind)


def unary(node: nodes.Node, frame: Frame) -> Js:
    assert isinstance(node, nodes.UnaryExpr)
    operand = expression(node.node, frame)
    if operand.promise is Kind.NUMBER:
        operand = sure(operand, frame)
    if operand.is_number:
        kind = Kind.FLOAT if operand.kind is Kind.FLOAT else Kind.NUMBER
        return Js(f"(-{operand.code})" if isinstance(node, nodes.Neg) else operand.code, kind)
    helper = frame.use("neg" if isinstance(node, nodes.Neg) else "pos")
    return Js(f"{helper}({as_value(operand, frame)})", Kind.NUMBER)


def concat(node: nodes.Node, frame: Frame) -> Js:
    """`~`: text unless an operand is Markup, then all others are escaped (`jinja2.runtime.markup_join`)."""
    assert isinstance(node, nodes.Concat)
    parts = [expression(part, frame) for part in node.nodes]
    if all(part.known in {Kind.TEXT, Kind.NUMBER, Kind.COUNT, Kind.FLOAT, Kind.BOOL} for part in parts):
        return Js(f"({' + '.join(joined(part, frame) for part in parts)})", Kind.TEXT)
    return Js(f"{frame.use('concat')}({', '.join(as_value(part, frame) for part in parts)})")


def joined(part: Js, frame: Frame) -> str:
    """A part of a text, as one."""
    if part.known is Kind.TEXT:
        return sure(part, frame).code
    if part.promise is Kind.NUMBER:
        return f"{frame.use('num')}({sure(part, frame).code})"
    return f"{frame.use('str')}({part.code})"
