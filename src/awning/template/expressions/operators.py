"""Lowers literals, operators (also `not`), comparisons, and the choices between two values: `and`, `or`, `if`."""

from collections.abc import Sequence

from jinja2 import nodes

from awning.template.emit import Js, ValueKind, js_string
from awning.template.frame import Frame
from awning.template.lowering import (
    as_value,
    checked,
    condition,
    expression,
    lower_expression,
    truth,
    value,
    values,
)
from awning.template.numbers import canonical, number_literal


@lower_expression.register
def constant(node: nodes.Const, frame: Frame) -> Js:
    """Lower a literal. Raises TemplateRefusal when it is an integer that is too large for a double."""
    constant = node.value
    if constant is None:
        return Js("null")
    if isinstance(constant, bool):
        return Js("true" if constant else "false", ValueKind.BOOL)
    if isinstance(constant, str):
        return Js(js_string(constant), ValueKind.TEXT)
    try:
        return number(constant)
    except OverflowError:
        raise frame.refuse(
            "template-number-range", "this number is larger than any that JavaScript can hold", node
        ) from None


def number(constant: float) -> Js:
    """Lower a number literal. Python distinguishes 1.0 from 1, JavaScript does not."""
    kind = ValueKind.FLOAT if not isinstance(constant, int) and constant.is_integer() else ValueKind.NUMBER
    return Js(number_literal(canonical(constant)), kind)


@lower_expression.register
def sequence(node: nodes.List | nodes.Tuple, frame: Frame) -> Js:
    items = values(node.items, frame)
    if isinstance(node, nodes.Tuple):
        return Js(f"{frame.use('tuple')}({items})", ValueKind.LIST)
    return Js(f"[{items}]", ValueKind.LIST)


@lower_expression.register
def mapping(node: nodes.Dict, frame: Frame) -> Js:
    """Lower a mapping: a plain object if all keys are literal strings.

    Otherwise a helper builds it, so that keys keep their types.
    """
    keys: list[nodes.Node] = [pair.key for pair in node.items]
    if all(isinstance(key, nodes.Const) and isinstance(key.value, str) for key in keys):
        pairs = ", ".join(f"[{value(pair.key, frame)}]: {value(pair.value, frame)}" for pair in node.items)
        return Js(f"({{{pairs}}})")
    pairs = ", ".join(f"[{value(pair.key, frame)}, {value(pair.value, frame)}]" for pair in node.items)
    return Js(f"{frame.use('dict')}([{pairs}])")


ARITHMETIC = {
    nodes.Sub: "sub",
    nodes.Mul: "mul",
    nodes.Div: "div",
    nodes.FloorDiv: "floordiv",
    nodes.Mod: "mod",
    nodes.Pow: "pow",
}
INLINE = {nodes.Sub: "-", nodes.Mul: "*"}


def number_kind(left: Js, right: Js) -> ValueKind:
    """Return the kind of the result of arithmetic: FLOAT with a float, NUMBER with two other numbers, else ANY."""
    if ValueKind.FLOAT in {left.kind, right.kind}:
        return ValueKind.FLOAT
    return ValueKind.NUMBER if left.is_number and right.is_number else ValueKind.ANY


@lower_expression.register
def add(node: nodes.Add, frame: Frame) -> Js:
    left, right = operands(node, frame)
    if (left.is_number and right.is_number) or left.kind is right.kind is ValueKind.TEXT:
        kind = ValueKind.TEXT if left.kind is ValueKind.TEXT else number_kind(left, right)
        return Js(f"({left.code} + {right.code})", kind)
    return Js(f"{frame.use('add')}({as_value(left, frame)}, {as_value(right, frame)})")


def operands(node: nodes.BinExpr, frame: Frame) -> tuple[Js, Js]:
    """Lower both operands.

    If both are declared or known as numbers, or both as strings, the declared types are checked at run time.
    """
    left, right = expression(node.left, frame), expression(node.right, frame)
    if (left.is_declared_number and right.is_declared_number) or left.known is right.known is ValueKind.TEXT:
        return checked(left, frame), checked(right, frame)
    return left, right


@lower_expression.register
def arithmetic(
    node: nodes.Sub | nodes.Mul | nodes.Div | nodes.FloorDiv | nodes.Mod | nodes.Pow, frame: Frame
) -> Js:
    left, right = operands(node, frame)
    numbers = left.is_number and right.is_number
    kind = number_kind(left, right) if numbers else ValueKind.ANY
    if isinstance(node, nodes.Div):
        kind = ValueKind.FLOAT
    operator = INLINE.get(type(node))
    if operator and numbers:
        return Js(f"({left.code} {operator} {right.code})", kind)
    helper = frame.use(ARITHMETIC[type(node)])
    return Js(f"{helper}({as_value(left, frame)}, {as_value(right, frame)})", kind)


@lower_expression.register
def unary(node: nodes.Neg | nodes.Pos, frame: Frame) -> Js:
    operand = expression(node.node, frame)
    if operand.promise is ValueKind.NUMBER:
        operand = checked(operand, frame)
    if operand.is_number:
        kind = ValueKind.FLOAT if operand.kind is ValueKind.FLOAT else ValueKind.NUMBER
        return Js(f"(-{operand.code})" if isinstance(node, nodes.Neg) else operand.code, kind)
    helper = frame.use("neg" if isinstance(node, nodes.Neg) else "pos")
    return Js(f"{helper}({as_value(operand, frame)})", ValueKind.NUMBER)


@lower_expression.register
def concat(node: nodes.Concat, frame: Frame) -> Js:
    """Lower the operator `~`.

    The result is a string. If an operand is Markup, the result is Markup and the other operands are escaped
    (`jinja2.runtime.markup_join`).
    """
    parts = [expression(part, frame) for part in node.nodes]
    if all(
        part.known in {ValueKind.TEXT, ValueKind.NUMBER, ValueKind.COUNT, ValueKind.FLOAT, ValueKind.BOOL}
        for part in parts
    ):
        return Js(f"({' + '.join(string_part(part, frame) for part in parts)})", ValueKind.TEXT)
    return Js(f"{frame.use('concat')}({', '.join(as_value(part, frame) for part in parts)})")


def string_part(part: Js, frame: Frame) -> str:
    """Return code that converts one operand of `~` to a string."""
    if part.known is ValueKind.TEXT:
        return checked(part, frame).code
    if part.promise is ValueKind.NUMBER:
        return f"{frame.use('num')}({checked(part, frame).code})"
    return f"{frame.use('str')}({part.code})"


COMPARISONS = {"eq": "eq", "ne": "eq", "in": "contains", "notin": "contains"}
NUMERIC = {"eq": "===", "ne": "!==", "lt": "<", "lteq": "<=", "gt": ">", "gteq": ">="}
ORDERED = frozenset({"lt", "lteq", "gt", "gteq"})
NEGATED = frozenset({"ne", "notin"})


@lower_expression.register
def compare(node: nodes.Compare, frame: Frame) -> Js:
    return Js(comparison_chain(expression(node.expr, frame), node.ops, frame), ValueKind.BOOL)


def comparison_chain(left: Js, operands: Sequence[nodes.Operand], frame: Frame) -> str:
    first, *rest = operands
    right = expression(first.expr, frame)
    if not rest:
        return comparison_code(left, first.op, right, frame)
    held_left, held_right = frame.compilation.temporary(), frame.compilation.temporary()
    again = with_variable(held_right, right)
    test = comparison_code(with_variable(held_left, left), first.op, again, frame)
    return (
        f"(({held_left}, {held_right}) => {test} && {comparison_chain(again, rest, frame)})"
        f"({as_value(left, frame)}, {as_value(right, frame)})"
    )


def with_variable(variable: str, js: Js) -> Js:
    return Js(variable, js.kind if js.kind is not ValueKind.HTML else ValueKind.ANY, js.promise)


def comparison_code(left: Js, operator: str, right: Js, frame: Frame) -> str:
    """Return the code of one comparison.

    Declared types are checked only for `<`, `>` and the like: for `==`, a value of another type is unequal.
    """
    numbers = left.is_declared_number and right.is_declared_number
    if operator in {"eq", "ne"} and (numbers or left.known is right.known is ValueKind.TEXT):
        return f"({left.code} {NUMERIC[operator]} {right.code})"
    if operator in ORDERED and numbers:
        return f"({checked(left, frame).code} {NUMERIC[operator]} {checked(right, frame).code})"
    if operator in ORDERED:
        order = f"{frame.use('order')}({as_value(left, frame)}, {as_value(right, frame)})"
        return f"({order} {NUMERIC[operator]} 0)"
    call = f"{frame.use(COMPARISONS[operator])}({as_value(left, frame)}, {as_value(right, frame)})"
    return f"(!{call})" if operator in NEGATED else call


@lower_expression.register
def conjunction(node: nodes.And, frame: Frame) -> Js:
    return either(node, frame, "&&")


@lower_expression.register
def disjunction(node: nodes.Or, frame: Frame) -> Js:
    return either(node, frame, "||")


def either(node: nodes.And | nodes.Or, frame: Frame, operator: str) -> Js:
    left, right = expression(node.left, frame), expression(node.right, frame)
    if left.promise or left.kind is ValueKind.BOOL or left.kind is right.known is ValueKind.TEXT:
        return either_of(f"({left.code} {operator} {as_value(right, frame)})", left, right)
    temporary = frame.compilation.temporary()
    test = truth(Js(temporary), frame)
    arms = (as_value(right, frame), temporary) if operator == "&&" else (temporary, as_value(right, frame))
    return Js(f"({temporary} => {test} ? {arms[0]} : {arms[1]})({as_value(left, frame)})")


def either_of(code: str, left: Js, right: Js) -> Js:
    """Return the result of an expression whose value is `left` or `right`.

    If both have the same kind, the result has this kind. If the kind of one of them is only declared (`Js.promise`),
    the kind of the result is only declared, too.
    """
    if left.promise is right.promise is None:
        return Js(code, left.kind if left.kind is right.kind else ValueKind.ANY)
    return Js(code, promise=left.known if left.known is right.known else None)


@lower_expression.register
def negation(node: nodes.Not, frame: Frame) -> Js:
    return Js(f"(!{test(node.node, frame)})", ValueKind.BOOL)


def test(node: nodes.Node, frame: Frame) -> str:
    """Return the code of a condition. Only truth matters, so `and` and `or` need not return an operand."""
    if isinstance(node, nodes.And):
        return f"({test(node.left, frame)} && {test(node.right, frame)})"
    if isinstance(node, nodes.Or):
        return f"({test(node.left, frame)} || {test(node.right, frame)})"
    return condition(node, frame)


@lower_expression.register
def conditional(node: nodes.CondExpr, frame: Frame) -> Js:
    then = expression(node.expr1, frame)
    if node.expr2 is None:
        return Js(f"({test(node.test, frame)} ? {as_value(then, frame)} : undefined)")
    other = expression(node.expr2, frame)
    if then.kind is other.kind and then.kind is not ValueKind.ANY:
        return Js(f"({test(node.test, frame)} ? {then.code} : {other.code})", then.kind)
    code = f"({test(node.test, frame)} ? {as_value(then, frame)} : {as_value(other, frame)})"
    return either_of(code, then, other)
