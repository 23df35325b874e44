"""Expressions and literals: a table with one function for each type of node."""

import math
import re
from collections.abc import Callable

from awning.check.budget import NESTING
from awning.check.interpreter.calls import call, evaluate_items, literal_part, member, new
from awning.check.interpreter.exceptions import (
    holds_text_or_number,
    require_declared,
    require_iterable,
    thrown_error,
)
from awning.check.interpreter.execution import Execution, taint_of
from awning.check.interpreter.functions import await_value, make_class, make_function
from awning.check.interpreter.joins import is_quiet, join_branches
from awning.check.interpreter.operators import add, binary, decide, decide_nullish, negate, typed
from awning.check.interpreter.path_condition import JoinFailed
from awning.check.interpreter.patterns import assign_from, assign_member, bind, property_name, remove_member
from awning.check.interpreter.properties import elements
from awning.check.interpreter.strings import regular_expression
from awning.check.interpreter.values import (
    UNDEFINED,
    UNSET,
    ArrayValue,
    BigInt,
    Environment,
    ObjectValue,
    Steps,
    Symbolic,
    Value,
    as_number,
    as_same_number,
    is_primitive,
    symbol_key,
)
from awning.script.tree import Node

LONGEST_NUMBER = 200
"""The maximum number of characters of a number literal. The value of a longer literal is infinity."""


def number(_run: Execution, node: Node, _scope: Environment) -> Steps:
    value = literal_number(node.text.replace("_", "").rstrip("n"))
    return BigInt(value) if node.text.endswith("n") and isinstance(value, int) else value
    yield


def literal_number(text: str) -> int | float:
    """Return the value of a number literal. An integer that is too large to be exact is rounded."""
    if len(text) > LONGEST_NUMBER:
        return math.inf
    if re.fullmatch(r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+", text):
        return as_number(float(int(text, 0)))
    try:
        return as_number(float(text))
    except ValueError:  # not a number: the script has a syntax error
        return math.nan


def string(run: Execution, node: Node, _scope: Environment) -> Steps:
    return run.known_text("".join(literal_part(kid) for kid in node.kids))
    yield


def template(run: Execution, node: Node, scope: Environment) -> Steps:
    text: Value = ""
    for kid in node.kids:
        part: Value = literal_part(kid)
        if kid.type == "template_substitution":
            part = yield from run.evaluate(run, kid.kids[0], scope)
        text = add(run, text, part)
    return text


def object_(run: Execution, node: Node, scope: Environment) -> Steps:
    result = ObjectValue()
    for kid in node.kids:
        if kid.type == "spread_element":
            other = yield from run.evaluate(run, kid.kids[0], scope)
            if isinstance(other, ObjectValue):
                run.budget.spend(len(other.props) // 8)
                result.props.update(other.props)
        elif kid.type == "shorthand_property_identifier":
            result.props[kid.text] = yield from run.evaluate(run, kid, scope)
        elif kid.type == "method_definition":
            yield from _method(run, kid, scope, result)
        elif kid.type == "pair":
            name = yield from property_name(run, kid.fields["key"], scope)
            result.props[
                symbol_key(name) if isinstance(name, Symbolic) else str(name)
            ] = yield from run.evaluate(run, kid.fields["value"], scope)
    return result


def _method(run: Execution, node: Node, scope: Environment, owner: ObjectValue) -> Steps:
    name = yield from property_name(run, node.fields["name"], scope)
    function = make_function(run, node, scope)
    if "get" in node.marks:
        owner.getters[str(name)] = function
    elif "set" in node.marks:
        owner.setters[str(name)] = function
    else:
        owner.props[str(name)] = function
    return UNDEFINED


def array(run: Execution, node: Node, scope: Environment) -> Steps:
    """Evaluate an array literal. `[...list]` of a symbolic list is a list of the same length, not of one element."""
    if [kid.type for kid in node.kids] == ["spread_element"]:
        inner = yield from run.evaluate(run, node.kids[0].kids[0], scope)
        require_iterable(run, inner)
        known = elements(inner)
        return run.known_list(list(known)) if known is not None else run.symbol(symbol_key(inner), inner)
    return ArrayValue((yield from evaluate_items(run, node.kids, scope)))


_LOGICAL = {"&&", "||", "??"}


def evaluate(run: Execution, node: Node, scope: Environment) -> Steps:
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


def _inner(run: Execution, node: Node, scope: Environment) -> Steps:
    """Evaluate the expression inside parentheses, a cast or `x!`."""
    return (yield from run.evaluate(run, node.kids[0], scope)) if node.kids else UNDEFINED


def _name(run: Execution, node: Node, scope: Environment) -> Steps:
    name = node.text
    holder = scope.holder(name)
    if holder is None:
        if node.type != "property_identifier":
            require_declared(run, name)
        return Symbolic(name[:300])
    value = holder.names[name]
    if value is UNSET:
        raise thrown_error(run)
    return value
    yield


def _function(run: Execution, node: Node, scope: Environment) -> Steps:
    return make_function(run, node, scope)
    yield


def _class(run: Execution, node: Node, scope: Environment) -> Steps:
    return (yield from make_class(run, node, scope))


def _assignment(run: Execution, node: Node, scope: Environment) -> Steps:
    left, right = node.fields["left"], node.fields["right"]
    value = yield from run.evaluate(run, right, scope)
    yield from store(run, left, value, scope)
    return value


def store(run: Execution, left: Node, value: Value, scope: Environment) -> Steps:
    if left.type in {"member_expression", "subscript_expression"}:
        return (yield from assign_member(run, left, value, scope))
    return (yield from bind(run, left, value, scope, assign_from(run, scope)))


def _augmented(run: Execution, node: Node, scope: Environment) -> Steps:
    left, sign = node.fields["left"], node.fields["operator"].type[:-1]
    old = yield from run.evaluate(run, left, scope)
    if sign in _LOGICAL:
        if not _evaluates_right(run, sign, old):
            return old
        value = yield from run.evaluate(run, node.fields["right"], scope)
    else:
        value = binary(run, sign, old, (yield from run.evaluate(run, node.fields["right"], scope)))
    yield from store(run, left, value, scope)
    return value


def _evaluates_right(run: Execution, sign: str, left: Value) -> bool:
    """Return whether `&&`, `||` or `??` evaluates its right side."""
    if sign == "??":
        return decide_nullish(run, left)
    return decide(run, left) is (sign == "&&")


def _update(run: Execution, node: Node, scope: Environment) -> Steps:
    target = node.fields["argument"]
    old = yield from run.evaluate(run, target, scope)
    step = -1 if node.fields["operator"].type == "++" else 1
    value = binary(run, "-", old, as_same_number(step, old))
    yield from store(run, target, value, scope)
    return old if node.start == target.start else value


def _unary(run: Execution, node: Node, scope: Environment) -> Steps:
    sign, argument = node.fields["operator"].type, node.fields["argument"]
    if sign == "typeof" and argument.type == "identifier" and scope.holder(argument.text) is None:
        return typed(Symbolic(argument.text[:300]))
    value = yield from run.evaluate(run, argument, scope)
    if sign == "!":
        return negate(value)
    if sign == "typeof":
        return typed(value)
    if sign in {"void", "delete"}:
        if sign == "delete" and argument.type in {"member_expression", "subscript_expression"}:
            yield from remove_member(run, argument, scope)
        return UNDEFINED
    if sign == "+" and isinstance(value, BigInt):
        raise thrown_error(run)
    if sign in "+-" and isinstance(value, (int, float)):
        return as_same_number(-value, value) if sign == "-" else value
    return Symbolic(f"{sign}{symbol_key(value)}"[:300])


def _binary(run: Execution, node: Node, scope: Environment) -> Steps:
    """Evaluate a chain of operators from left to right, in a loop, because the tree of a long sum is deep."""
    operations = [node]
    while (left_node := operations[-1].fields["left"]).type == "binary_expression":
        operations.append(left_node)
    left = yield from run.evaluate(run, left_node, scope)
    for operation in reversed(operations):
        run.tick()
        left = yield from _operated(run, operation, left, scope)
    return left


def _operated(run: Execution, node: Node, left: Value, scope: Environment) -> Steps:
    sign = node.fields["operator"].type
    if sign in _LOGICAL:
        if run.write_logs and isinstance(left, Symbolic) and run.path.is_open(left):
            return _unknown(run, sign, left, (yield from run.evaluate(run, node.fields["right"], scope)))
        if sign != "&&" and isinstance(left, Symbolic) and _plain_text(run, node.fields["right"]):
            return run.symbol(f"({left.key}{sign}{node.fields['right'].text})", left)
        return (
            (yield from run.evaluate(run, node.fields["right"], scope))
            if _evaluates_right(run, sign, left)
            else left
        )
    right = yield from run.evaluate(run, node.fields["right"], scope)
    if sign == "in" and holds_text_or_number(right):
        raise thrown_error(run)
    if sign == "instanceof" and (
        is_primitive(right) or (isinstance(right, ObjectValue) and right.kind == "object")
    ):
        raise thrown_error(run)
    return binary(run, sign, left, right)


def _unknown(run: Execution, sign: str, left: Symbolic, right: Value) -> Value:
    """Return the symbolic result of `&&`, `||` or `??` without a decision about `left`.

    Raises JoinFailed when `right` is an object, because a symbolic value cannot represent it.
    """
    if not isinstance(right, Symbolic) and not is_primitive(right):
        raise JoinFailed
    return run.symbol(f"({left.key}{sign}{symbol_key(right)})", left, right)


def _plain_text(run: Execution, node: Node) -> bool:
    """Return whether the default in an expression such as `item.name || "?"` is a literal, but not an event's name.

    With such a default, the value is symbolic without a decision about the left side.
    """
    quoted = node.type == "string" and run.dialect.event_prefix not in node.text
    return quoted or node.type == "number"


def _ternary(run: Execution, node: Node, scope: Environment) -> Steps:
    then, else_ = node.fields["consequence"], node.fields["alternative"]
    tried = join_branches(
        run,
        node,
        lambda: run.evaluate(run, node.fields["condition"], scope),
        lambda: run.evaluate(run, then, scope),
        lambda: run.evaluate(run, else_, scope),
        values=True,
    )
    if tried is not None:
        return tried[0]
    condition = yield from run.evaluate(run, node.fields["condition"], scope)
    if isinstance(condition, Symbolic) and is_quiet(then) and is_quiet(else_):
        first = yield from run.evaluate(run, then, scope)
        second = yield from run.evaluate(run, else_, scope)
        if _joins(run, first) and _joins(run, second):
            return Symbolic(
                f"({condition.key}?{symbol_key(first)}:{symbol_key(second)})"[:300],
                taint=taint_of(first, second),
            )
        return first if decide(run, condition) else second
    return (yield from run.evaluate(run, then if decide(run, condition) else else_, scope))


def _joins(run: Execution, value: Value) -> bool:
    if isinstance(value, str):
        return not value.startswith(run.dialect.event_prefix) and "updated" not in value
    return isinstance(value, Symbolic) or (is_primitive(value) and not isinstance(value, bool))


def _await(run: Execution, node: Node, scope: Environment) -> Steps:
    value = yield from run.evaluate(run, node.kids[0], scope)
    run.awaited = value
    yield
    return await_value(run, value)


def _yield(run: Execution, node: Node, scope: Environment) -> Steps:
    value = (yield from run.evaluate(run, node.kids[0], scope)) if node.kids else UNDEFINED
    run.side_effect()
    if run.yielded:
        known = elements(value) if "*" in node.marks else None
        run.yielded[-1].extend(known if known is not None else [value])
    return run.symbol(f"yield:{node.start}")


def _sequence(run: Execution, node: Node, scope: Environment) -> Steps:
    value: Value = UNDEFINED
    for kid in node.kids:
        value = yield from run.evaluate(run, kid, scope)
    return value


def _constant(value: Value) -> "Member":
    def constant(_run: Execution, _node: Node, _scope: Environment) -> Steps:
        return value
        yield

    return constant


def _type(run: Execution, node: Node, _scope: Environment) -> Steps:
    return run.symbol(f"{node.type}:{node.text}")
    yield


def _regex(_run: Execution, node: Node, _scope: Environment) -> Steps:
    return regular_expression(node.text)
    yield


Member = Callable[[Execution, Node, Environment], Steps]

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
