"""Expressions: one function for each kind of node, found in a table."""

from collections.abc import Callable

from awning.check.budget import NESTING
from awning.check.page.calls import call, member, new
from awning.check.page.choices import Unjoined
from awning.check.page.conditions import binary, decide, decide_nullish, negated, typed
from awning.check.page.functions import closure, make_class, settled
from awning.check.page.joined import either
from awning.check.page.literals import array, number, object_, string, template
from awning.check.page.members import elements
from awning.check.page.patterns import assign_from, assign_member, bind, remove_member
from awning.check.page.quiet import is_quiet
from awning.check.page.regex import regular_expression
from awning.check.page.run import Run, is_tainted
from awning.check.page.throwing import error, holds_text_or_number, require_declared
from awning.check.page.values import (
    UNDEFINED,
    UNSET,
    Obj,
    Scope,
    Steps,
    Sym,
    Value,
    is_primitive,
    show,
)
from awning.check.script.tree import Node

_LOGICAL = {"&&", "||", "??"}


def evaluate(run: Run, node: Node, scope: Scope) -> Steps:
    run.tick()
    nesting = run.nesting
    if nesting >= NESTING:
        return run.too_deep(node)
    run.nesting = nesting + 1
    try:
        expression = EXPRESSIONS.get(node.type)
        if expression is not None:
            return (yield from expression(run, node, scope))
        for kid in node.kids:
            yield from run.execute(run, kid, scope)
        return run.symbol(f"{node.type}:{node.start}")
    finally:
        run.nesting = nesting


def _inner(run: Run, node: Node, scope: Scope) -> Steps:
    """Parentheses, casts, `x!`."""
    return (yield from run.evaluate(run, node.kids[0], scope)) if node.kids else UNDEFINED


def _name(run: Run, node: Node, scope: Scope) -> Steps:
    name = node.text
    holder = scope.holder(name)
    if holder is None:
        if node.type != "property_identifier":
            require_declared(run, name)
        return Sym(name[:300])
    value = holder.names[name]
    if value is UNSET:
        raise error(run)
    return value
    yield


def _function(run: Run, node: Node, scope: Scope) -> Steps:
    return closure(run, node, scope)
    yield


def _class(run: Run, node: Node, scope: Scope) -> Steps:
    return (yield from make_class(run, node, scope))


def _assignment(run: Run, node: Node, scope: Scope) -> Steps:
    left, right = node.fields["left"], node.fields["right"]
    value = yield from run.evaluate(run, right, scope)
    yield from store(run, left, value, scope)
    return value


def store(run: Run, left: Node, value: Value, scope: Scope) -> Steps:
    if left.type in {"member_expression", "subscript_expression"}:
        return (yield from assign_member(run, left, value, scope))
    return (yield from bind(run, left, value, scope, assign_from(run, scope)))


def _augmented(run: Run, node: Node, scope: Scope) -> Steps:
    left, sign = node.fields["left"], node.fields["operator"].type[:-1]
    old = yield from run.evaluate(run, left, scope)
    if sign in _LOGICAL:
        if not _goes_on(run, sign, old):
            return old
        value = yield from run.evaluate(run, node.fields["right"], scope)
    else:
        value = binary(run, sign, old, (yield from run.evaluate(run, node.fields["right"], scope)))
    yield from store(run, left, value, scope)
    return value


def _goes_on(run: Run, sign: str, left: Value) -> bool:
    """Whether `&&`, `||` or `??` looks at its right side."""
    if sign == "??":
        return decide_nullish(run, left)
    return decide(run, left) is (sign == "&&")


def _update(run: Run, node: Node, scope: Scope) -> Steps:
    target = node.fields["argument"]
    old = yield from run.evaluate(run, target, scope)
    value = binary(run, "-", old, -1 if node.fields["operator"].type == "++" else 1)
    yield from store(run, target, value, scope)
    return old if node.start == target.start else value


def _unary(run: Run, node: Node, scope: Scope) -> Steps:
    sign, argument = node.fields["operator"].type, node.fields["argument"]
    if sign == "typeof" and argument.type == "identifier" and scope.holder(argument.text) is None:
        return typed(Sym(argument.text[:300]))
    value = yield from run.evaluate(run, argument, scope)
    if sign == "!":
        return negated(value)
    if sign == "typeof":
        return typed(value)
    if sign in {"void", "delete"}:
        if sign == "delete" and argument.type in {"member_expression", "subscript_expression"}:
            yield from remove_member(run, argument, scope)
        return UNDEFINED
    if sign in "+-" and isinstance(value, (int, float)):
        return -value if sign == "-" else value
    return Sym(f"{sign}{show(value)}"[:300])


def _binary(run: Run, node: Node, scope: Scope) -> Steps:
    """Operators from left to right: a sum of a thousand texts is a tree as deep, and is not nested."""
    operations = [node]
    while (left_node := operations[-1].fields["left"]).type == "binary_expression":
        operations.append(left_node)
    left = yield from run.evaluate(run, left_node, scope)
    for operation in reversed(operations):
        run.tick()
        left = yield from _operated(run, operation, left, scope)
    return left


def _operated(run: Run, node: Node, left: Value, scope: Scope) -> Steps:
    sign = node.fields["operator"].type
    if sign in _LOGICAL:
        if run.trials and isinstance(left, Sym) and run.choices.is_open(left):
            return _unknown(run, sign, left, (yield from run.evaluate(run, node.fields["right"], scope)))
        if sign != "&&" and isinstance(left, Sym) and _plain_text(run, node.fields["right"]):
            return run.symbol(f"({left.key}{sign}{node.fields['right'].text})", left)
        return (
            (yield from run.evaluate(run, node.fields["right"], scope)) if _goes_on(run, sign, left) else left
        )
    right = yield from run.evaluate(run, node.fields["right"], scope)
    if sign == "in" and holds_text_or_number(right):
        raise error(run)
    if sign == "instanceof" and (is_primitive(right) or (isinstance(right, Obj) and right.kind == "object")):
        raise error(run)
    return binary(run, sign, left, right)


def _unknown(run: Run, sign: str, left: Sym, right: Value) -> Value:
    """`left && right` while nothing is chosen."""
    if not isinstance(right, Sym) and not is_primitive(right):
        raise Unjoined
    return run.symbol(f"({left.key}{sign}{show(right)})", left, right)


def _plain_text(run: Run, node: Node) -> bool:
    """A default that decides nothing: `item.name || "?"`."""
    quoted = node.type == "string" and run.dialect.event_prefix not in node.text
    return quoted or node.type == "number"


def _ternary(run: Run, node: Node, scope: Scope) -> Steps:
    one, other = node.fields["consequence"], node.fields["alternative"]
    tried = either(
        run,
        node,
        lambda: run.evaluate(run, node.fields["condition"], scope),
        lambda: run.evaluate(run, one, scope),
        lambda: run.evaluate(run, other, scope),
        values=True,
    )
    if tried is not None:
        return tried[0]
    condition = yield from run.evaluate(run, node.fields["condition"], scope)
    if isinstance(condition, Sym) and is_quiet(one) and is_quiet(other):
        first = yield from run.evaluate(run, one, scope)
        second = yield from run.evaluate(run, other, scope)
        if _joins(run, first) and _joins(run, second):
            return Sym(
                f"({condition.key}?{show(first)}:{show(second)})"[:300],
                taint=is_tainted(first) or is_tainted(second),
            )
        return first if decide(run, condition) else second
    return (yield from run.evaluate(run, one if decide(run, condition) else other, scope))


def _joins(run: Run, value: Value) -> bool:
    if isinstance(value, str):
        return not value.startswith(run.dialect.event_prefix) and "updated" not in value
    return isinstance(value, Sym) or (is_primitive(value) and not isinstance(value, bool))


def _await(run: Run, node: Node, scope: Scope) -> Steps:
    value = yield from run.evaluate(run, node.kids[0], scope)
    run.awaited = value
    yield
    return settled(run, value)


def _yield(run: Run, node: Node, scope: Scope) -> Steps:
    value = (yield from run.evaluate(run, node.kids[0], scope)) if node.kids else UNDEFINED
    run.matters()
    if run.collected:
        known = elements(value) if "*" in node.marks else None
        run.collected[-1].extend(known if known is not None else [value])
    return run.symbol(f"yield:{node.start}")


def _sequence(run: Run, node: Node, scope: Scope) -> Steps:
    value: Value = UNDEFINED
    for kid in node.kids:
        value = yield from run.evaluate(run, kid, scope)
    return value


def _constant(value: Value) -> "Member":
    def constant(_run: Run, _node: Node, _scope: Scope) -> Steps:
        return value
        yield

    return constant


def _type(run: Run, node: Node, _scope: Scope) -> Steps:
    return run.symbol(f"{node.type}:{node.text}")
    yield


def _regex(_run: Run, node: Node, _scope: Scope) -> Steps:
    return regular_expression(node.text)
    yield


Member = Callable[[Run, Node, Scope], Steps]

EXPRESSIONS: dict[str, Member] = {
    **dict.fromkeys(
        (
            "parenthesized_expression",
            "as_expression",
            "satisfies_expression",
            "non_null_expression",
            "spread_element",
            "instantiation_expression",
        ),
        _inner,
    ),
    **dict.fromkeys(
        ("identifier", "this", "super", "property_identifier", "shorthand_property_identifier"), _name
    ),
    **dict.fromkeys(("function_expression", "arrow_function", "generator_function", "function"), _function),
    **dict.fromkeys(("member_expression", "subscript_expression"), member),
    **dict.fromkeys(("meta_property", "import", "predefined_type"), _type),
    "regex": _regex,
    "type_assertion": lambda run, node, scope: run.evaluate(run, node.kids[-1], scope),
    "number": number,
    "string": string,
    "template_string": template,
    "object": object_,
    "array": array,
    "class": _class,
    "call_expression": call,
    "new_expression": new,
    "assignment_expression": _assignment,
    "augmented_assignment_expression": _augmented,
    "update_expression": _update,
    "unary_expression": _unary,
    "binary_expression": _binary,
    "ternary_expression": _ternary,
    "await_expression": _await,
    "yield_expression": _yield,
    "sequence_expression": _sequence,
    "undefined": _constant(UNDEFINED),
    "null": _constant(None),
    "true": _constant(True),
    "false": _constant(False),
}

__all__ = ["evaluate"]
