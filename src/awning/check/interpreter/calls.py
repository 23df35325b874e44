"""Executes calls: finds the callee, its `this` and its arguments."""

import re

from awning.check.budget import ITEMS, NESTING
from awning.check.interpreter import early_dom, events
from awning.check.interpreter.builtins import NOTHING_ELSE, argument
from awning.check.interpreter.events import event_object
from awning.check.interpreter.exceptions import is_present, require_iterable, thrown_error
from awning.check.interpreter.execution import Execution
from awning.check.interpreter.functions import call_function, construct_class
from awning.check.interpreter.properties import elements, get
from awning.check.interpreter.strings import can_be_read, new_regular_expression
from awning.check.interpreter.tasks import add_listener
from awning.check.interpreter.unknown_calls import call_unknown, call_unknown_method
from awning.check.interpreter.values import (
    UNDEFINED,
    ArrayValue,
    BoundFunction,
    Environment,
    FunctionValue,
    InitHandler,
    NativeFunction,
    ObjectValue,
    PromiseValue,
    Steps,
    Symbolic,
    Value,
    is_primitive,
    symbol_key,
)
from awning.script.tree import Node

LINKS = {"member_expression", "subscript_expression", "call_expression"}


class ChainStopped(Exception):
    """Raised when `?.` follows null or undefined: the rest of the chain (`.b.c()` in `a?.b.c()`) does not run."""


def reference(run: Execution, node: Node, scope: Environment) -> Steps:
    """Return the `this` and the value of an expression that may be called.

    For a member such as `owner.name`, `this` is the owner; for `super.name`, it is the `this` of the current function.
    For any other expression, it is UNDEFINED. Raises ChainStopped when a `?.` in the expression ends the chain.
    """
    while node.type in {"parenthesized_expression", "non_null_expression"} and node.kids:
        node = node.kids[0]
    if node.type not in {"member_expression", "subscript_expression"}:
        return UNDEFINED, (yield from _link(run, node, scope))
    owner = yield from _link(run, node.fields["object"], scope)
    if "optional_chain" in node.fields and (early_dom.is_null(run, owner) or not is_present(run, owner)):
        raise ChainStopped
    name: Value
    if node.type == "member_expression":
        name = node.fields["property"].text
    else:
        name = yield from run.evaluate(run, node.fields["index"], scope)
    if node.fields["object"].type == "super" and isinstance(owner, ObjectValue):
        value = yield from get(run, owner, name, node)
        holder = scope.holder("this")
        return (holder.names["this"] if holder else UNDEFINED), value
    return owner, (yield from get(run, owner, name, node))


def _link(run: Execution, node: Node, scope: Environment) -> Steps:
    """Return the value of the expression before a `.`, `[` or `(`.

    Raises ChainStopped when a `?.` in it ends the chain.
    """
    if node.type not in LINKS:
        return (yield from run.evaluate(run, node, scope))
    run.tick()
    nesting = run.nesting
    if nesting >= NESTING:
        return run.too_deep(node)
    run.nesting = nesting + 1
    try:
        if node.type == "call_expression":
            return (yield from _call(run, node, scope))
        return (yield from reference(run, node, scope))[1]
    finally:
        run.nesting = nesting


def member(run: Execution, node: Node, scope: Environment) -> Steps:
    try:
        return (yield from reference(run, node, scope))[1]
    except ChainStopped:
        return UNDEFINED


def call(run: Execution, node: Node, scope: Environment) -> Steps:
    try:
        return (yield from _call(run, node, scope))
    except ChainStopped:
        return UNDEFINED


def _call(run: Execution, node: Node, scope: Environment) -> Steps:
    target = node.fields["function"]
    if target.type == "super":
        return (yield from _super(run, node, scope))
    owner, callee = yield from reference(run, target, scope)
    argument_list = node.fields.get("arguments")
    is_optional = "optional_chain" in node.fields or "?." in node.marks
    if is_optional and not is_present(run, callee):
        raise ChainStopped
    if argument_list is None or argument_list.type == "template_string":
        args = (yield from _tagged(run, argument_list, scope)) if argument_list else []
    else:
        args = yield from evaluate_items(run, argument_list.kids, scope)
    if (
        isinstance(callee, Symbolic)
        and isinstance(owner, ObjectValue)
        and owner.kind in {"window", "document"}
    ):
        owner = Symbolic(owner.kind)
    if isinstance(callee, Symbolic) and isinstance(owner, Symbolic) and target.type != "identifier":
        return (yield from call_unknown_method(run, owner, callee, args, node))
    return (yield from run.call(run, callee, owner, args, node))


def _tagged(run: Execution, node: Node, scope: Environment) -> Steps:
    """Return the arguments of a tagged template: the list of its strings, then each value."""
    texts, values = [""], []
    for kid in node.kids:
        if kid.type == "template_substitution":
            values.append((yield from run.evaluate(run, kid.kids[0], scope)))
            texts.append("")
        else:
            texts[-1] += literal_part(kid)
    return [ArrayValue(list(texts)), *values]


def _super(run: Execution, node: Node, scope: Environment) -> Steps:
    args = yield from evaluate_items(run, node.fields["arguments"].kids, scope)
    holder = scope.holder("super")
    this = scope.holder("this")
    if holder is not None and this is not None:
        base = holder.names["super"]
        if isinstance(base, ObjectValue) and "constructor" in base.props:
            yield from construct(run, base.props["constructor"], args, node, this.names["this"])
    return UNDEFINED


def new(run: Execution, node: Node, scope: Environment) -> Steps:
    callee = yield from run.evaluate(run, node.fields["constructor"], scope)
    argument_list = node.fields.get("arguments")
    args = (yield from evaluate_items(run, argument_list.kids, scope)) if argument_list else []
    return (yield from construct(run, callee, args, node))


def call_value(run: Execution, callee: Value, this: Value, args: list[Value], node: Node) -> Steps:
    """Call a value. Raises ThrownException when the value is a class or is certainly not a function."""
    run.tick()
    if isinstance(callee, FunctionValue):
        if callee.is_class:
            raise thrown_error(run)
        return (yield from call_function(run, callee, this, args, node))
    if isinstance(callee, InitHandler) or (
        isinstance(callee, NativeFunction) and callee.name not in NOTHING_ELSE
    ):
        run.side_effect()
    if isinstance(callee, InitHandler):
        return events.call_init(run, callee, node)
    if isinstance(callee, NativeFunction):
        run.budget.spend(_size(this) + sum(map(_size, args)))
        return (yield from callee.call(run, this, args, node))
    if isinstance(callee, BoundFunction):
        return (yield from call_value(run, callee.target, callee.this, [*callee.first, *args], node))
    if isinstance(callee, Symbolic):
        return (yield from call_unknown(run, callee, args, node))
    if (
        is_primitive(callee)
        or isinstance(callee, (ArrayValue, PromiseValue))
        or (isinstance(callee, ObjectValue) and callee.kind == "object")
    ):
        raise thrown_error(run)
    return run.symbol(f"call:{node.start}")


def _size(value: Value) -> int:
    """Return how many steps a native function spends on a value. This depends on the size of the value."""
    if isinstance(value, str):
        return len(value) >> 8
    if isinstance(value, ArrayValue):
        return len(value.items) >> 4
    if not isinstance(value, ObjectValue):
        return 0
    return len(value.props["items"].items if value.kind in {"map", "set"} else value.props) >> 4


def construct(
    run: Execution, callee: Value, args: list[Value], node: Node, this: ObjectValue | None = None
) -> Steps:
    """Execute `new callee(...)`.

    Raises ThrownException when the callee is not a constructor, or for an invalid regular expression.
    """
    if isinstance(callee, FunctionValue) and callee.is_class:
        object_ = this or ObjectValue(proto=callee.props["prototype"])
        return (yield from construct_class(run, callee, object_, args, node))
    if is_primitive(callee) or (isinstance(callee, FunctionValue) and callee.arrow):
        raise thrown_error(run)
    if isinstance(callee, FunctionValue):
        proto = callee.props.setdefault("prototype", ObjectValue())
        object_ = this or ObjectValue(proto=proto if isinstance(proto, ObjectValue) else None)
        returned = yield from run.call(run, callee, object_, args, node)
        return returned if isinstance(returned, (ObjectValue, FunctionValue)) else object_
    if isinstance(callee, (NativeFunction, InitHandler, BoundFunction)):
        return (yield from run.call(run, callee, this or ObjectValue(), args, node))
    name = callee.key if isinstance(callee, Symbolic) else "function"
    if name in {"CustomEvent", "Event"}:
        return event_object(args)
    if name == "RegExp" and all(isinstance(text, str) for text in args):
        regex = new_regular_expression(*args[:2])
        if not can_be_read(regex):
            raise thrown_error(run)
        return regex
    if name.endswith("Observer"):
        add_listener(run, "observed", argument(args, 0), node)
        return Symbolic(f"new {name}#{run.steps}@{node.start}")
    return (yield from call_unknown(run, Symbolic(f"new {name}"), args, node))


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}


def literal_part(kid: Node) -> str:
    if kid.type != "escape_sequence":
        return kid.text
    code = kid.text[1:]
    if match := re.fullmatch(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}", code):
        return chr(min(int(next(filter(None, match.groups())), 16), 0x10FFFF))
    return _ESCAPES.get(code, code)


def evaluate_items(run: Execution, nodes: list[Node], scope: Environment) -> Steps:
    """Return the values of array elements or arguments. Spreads are expanded as far as `ITEMS` allows."""
    items: list[Value] = []
    for kid in nodes:
        if kid.type == "spread_element":
            inner = yield from run.evaluate(run, kid.kids[0], scope)
            require_iterable(run, inner)
            known = elements(inner)
            run.budget.spend(len(known or ()) // 16)
            if known is None or len(items) + len(known) > max(ITEMS, len(nodes)):
                known = [run.symbol(f"{symbol_key(inner)}[]", inner, *(known or ()))]
            items += known
        elif kid.type == "hole":
            items.append(UNDEFINED)
        else:
            items.append((yield from run.evaluate(run, kid, scope)))
    return items
