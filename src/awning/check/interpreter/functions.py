"""Functions and classes of the script: closures, calls, async functions."""

import re

from awning.check.budget import CALLS
from awning.check.interpreter.execution import AbruptCompletion, Execution, ThrownException, is_tainted
from awning.check.interpreter.patterns import bind, declare_in, property_name
from awning.check.interpreter.properties import get
from awning.check.interpreter.values import (
    UNDEFINED,
    ArrayValue,
    Environment,
    FunctionValue,
    NativeFunction,
    ObjectValue,
    PromiseValue,
    Steps,
    Symbolic,
    Value,
)
from awning.script.tree import Node

ESCAPER = re.compile(r"esc(?![a-z])|escape|saniti[sz]|purif|encode|clean", re.IGNORECASE)
"""Matches names of functions that are trusted to escape HTML."""


def make_function(run: Execution, node: Node, scope: Environment, name: str = "") -> FunctionValue:
    named = node.fields.get("name")
    arrow = node.type == "arrow_function"
    function = FunctionValue(node, scope, arrow=arrow, name=name or (named.text if named else ""))
    if node.type == "function_expression" and named is not None:
        function.scope = Environment(scope, names={named.text: function})
    if not run.delivered:  # `call_remaining_functions` does not call functions that a callback makes
        run.functions.append(function)
    return function


def call_function(run: Execution, func: FunctionValue, this: Value, args: list[Value], node: Node) -> Steps:
    run.called_functions.setdefault(func.node.start)
    if run.depth >= CALLS:
        return run.symbol(f"{func.name}:deep")
    scope = Environment(func.scope, function=True)
    if not func.arrow:
        sloppy = (this is UNDEFINED or this is None) and not is_strict(run, func)
        scope.names["this"] = run.page.names["window"] if sloppy else this
        scope.names["arguments"] = ArrayValue(args)
        if func.base is not None:
            scope.names["super"] = func.base
    run.depth += 1
    try:
        if "async" in func.node.marks:
            run.side_effect()
            promise = PromiseValue(key=f"{func.name}@{func.node.start}")
            advance(run, _body(run, func, scope, args), promise)
            return promise
        if "*" in func.node.marks:
            return (yield from _collect(run, func, scope, args))
        value = yield from _body(run, func, scope, args)
    finally:
        run.depth -= 1
    if is_tainted(value) and ESCAPER.search(func.name):
        return Symbolic(f"escaped {value.key}"[:300])
    return value


_STRICT = re.compile(r"""\{\s*(?:"use strict"|'use strict')""")


def is_strict(run: Execution, func: FunctionValue) -> bool:
    """Return whether a function is strict code. If it is not, a missing `this` is the window."""
    body = func.node.fields.get("body")
    start = func.node.start
    if any(begins <= start < ends for begins, ends in run.strict_ranges):
        return True
    return func.node.type == "method_definition" or bool(body and _STRICT.match(body.text))


def _collect(run: Execution, func: FunctionValue, scope: Environment, args: list[Value]) -> Steps:
    """Return the values that a generator function yields. It runs to its end at once."""
    run.yielded.append([])
    try:
        yield from _body(run, func, scope, args)
    finally:
        items = run.yielded.pop()
    return ArrayValue(items)


def _body(run: Execution, func: FunctionValue, scope: Environment, args: list[Value]) -> Steps:
    yield from _parameters(run, func.node, scope, args)
    body = func.node.fields.get("body")
    if body is None:
        return UNDEFINED
    if body.type != "statement_block":
        return (yield from run.evaluate(run, body, scope))
    try:
        yield from run.execute(run, body, scope)
    except AbruptCompletion as left:
        if left.how == "return":
            return left.value
    return UNDEFINED


def _parameters(run: Execution, node: Node, scope: Environment, args: list[Value]) -> Steps:
    alone = node.fields.get("parameter")
    listed = node.fields.get("parameters")
    targets = [alone] if alone is not None else listed.kids if listed is not None else []
    for index, target in enumerate(targets):
        inner = target.fields.get("pattern", target)
        if inner.type == "rest_pattern":
            yield from bind(run, inner.kids[0], ArrayValue(args[index:]), scope, declare_in(scope))
            return UNDEFINED
        if inner.type == "this":
            continue
        value = args[index] if index < len(args) else UNDEFINED
        yield from bind(run, target, value, scope, declare_in(scope))
    return UNDEFINED


def await_value(run: Execution, value: Value) -> Value:
    """Return the value of `await`.

    Inside `try`, raises ThrownException when the promise is rejected. For an unknown promise, this is a decision of the
    path.
    """
    if isinstance(value, PromiseValue):
        if value.rejected and run.try_depth:
            raise ThrownException(value.value)
        return value.value
    if isinstance(value, Symbolic):
        if run.try_depth and not run.path.choose(f"kept {value.key}"):
            raise ThrownException(run.symbol("error"))
        return run.symbol(f"await {value.key}", value)
    return value


def is_settled(value: Value) -> bool:
    """Return whether `await value` continues as soon as no other code runs, without waiting for timers or hosts."""
    return value.settled if isinstance(value, PromiseValue) else not isinstance(value, Symbolic)


def advance(run: Execution, body: Steps, promise: PromiseValue) -> None:
    """Run an async function to its next `await`, and schedule the rest. At its end, settle `promise`."""
    nesting, depth, guarded = run.nesting, run.depth, run.try_depth
    try:
        next(body)
    except StopIteration as done:
        inner = done.value
        promise.value = inner.value if isinstance(inner, PromiseValue) else inner
        promise.settled = not isinstance(inner, PromiseValue) or inner.settled
    except ThrownException as thrown:
        promise.rejected, promise.value, promise.settled = True, thrown.value, True
    else:
        queue = run.microtasks if is_settled(run.awaited) else run.tasks
        queue.append(lambda: _resume(run, body, promise))
    finally:
        run.nesting, run.depth, run.try_depth = nesting, depth, guarded


def _resume(run: Execution, body: Steps, promise: PromiseValue) -> Steps:
    advance(run, body, promise)
    return UNDEFINED
    yield


def make_class(run: Execution, node: Node, scope: Environment) -> Steps:
    """Make a class: a function whose `prototype` holds its methods."""
    proto, base = ObjectValue(), UNDEFINED
    heritage = next((kid for kid in node.kids if kid.type == "class_heritage"), None)
    if heritage is not None and heritage.kids:
        clause = heritage.kids[0]
        base = yield from run.evaluate(run, clause.fields.get("value", clause), scope)
    if isinstance(base, (Symbolic, NativeFunction)):
        proto.proto = ObjectValue(kind="open")
    if isinstance(base, FunctionValue):
        proto.proto = yield from get(run, base, "prototype", node)
    inside = Environment(scope)
    class_ = FunctionValue(
        node, inside, is_class=True, base=base, name=node.fields["name"].text if "name" in node.fields else ""
    )
    class_.props["prototype"] = proto
    proto.props["constructor"] = class_
    inside.names[class_.name] = class_
    class_.fields = yield from _members(run, node, inside, class_, proto)
    return class_


def _members(
    run: Execution, node: Node, scope: Environment, class_: FunctionValue, proto: ObjectValue
) -> Steps:
    fields: list[tuple[Node, Environment]] = []
    for kid in node.fields["body"].kids:
        static = "static" in kid.marks
        if kid.type == "method_definition":
            name = str((yield from property_name(run, kid.fields["name"], scope)))
            method = make_function(run, kid, scope, name)
            method.base = class_.base if static else proto.proto
            if "get" in kid.marks:
                proto.getters[name] = method
            elif "set" in kid.marks:
                proto.setters[name] = method
            else:
                (class_.props if static else proto.props)[name if name != "constructor" else " new"] = method
        elif kid.type == "public_field_definition" and static and "value" in kid.fields:
            class_.props[kid.fields["name"].text] = yield from run.evaluate(run, kid.fields["value"], scope)
        elif kid.type == "public_field_definition":
            fields.append((kid, scope))
        elif kid.type == "class_static_block":
            yield from run.execute(run, kid, Environment(scope, function=True, names={"this": class_}))
    return tuple(fields)


def construct_class(
    run: Execution, class_: FunctionValue, this: ObjectValue, args: list[Value], node: Node
) -> Steps:
    run.called_functions.setdefault(class_.node.start)
    prototype = class_.props["prototype"]
    constructor = prototype.props.get(" new")
    if constructor is None and isinstance(class_.base, FunctionValue) and class_.base.is_class:
        yield from construct_class(run, class_.base, this, args, node)
    for field, scope in class_.fields:
        if "value" in field.fields:
            inner = Environment(scope, function=True, names={"this": this})
            this.props[field.fields["name"].text] = yield from run.evaluate(run, field.fields["value"], inner)
    if constructor is not None:
        # TypeScript's `constructor(private init: Init)` sets properties.
        listed = constructor.node.fields["parameters"].kids
        for target, value in zip(listed, args, strict=False):
            modified = any(kid.type in {"accessibility_modifier", "override_modifier"} for kid in target.kids)
            if (modified or target.text.startswith("readonly")) and "pattern" in target.fields:
                this.props[target.fields["pattern"].text] = value
        yield from run.call(run, constructor, this, args, node)
    return this
