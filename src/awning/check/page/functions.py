"""Functions and classes of the script: closures, calls, async bodies that pause."""

import re
from collections.abc import Generator

from awning.check.budget import CALLS
from awning.check.page.members import get
from awning.check.page.patterns import bind, declare_in, property_name
from awning.check.page.run import Left, Run, Thrown, is_tainted
from awning.check.page.values import (
    UNDEFINED,
    Arr,
    Func,
    Native,
    Obj,
    Promise,
    Scope,
    Steps,
    Sym,
    Value,
)
from awning.check.script.tree import Node

ESCAPER = re.compile(r"esc(?![a-z])|escape|saniti[sz]|purif|encode|clean", re.IGNORECASE)
"""Names of functions that are trusted to make text safe."""


def closure(run: Run, node: Node, scope: Scope, name: str = "") -> Func:
    named = node.fields.get("name")
    arrow = node.type == "arrow_function"
    made = Func(node, scope, arrow=arrow, name=name or (named.text if named else ""))
    if node.type == "function_expression" and named is not None:
        made.scope = Scope(scope, names={named.text: made})
    if not run.kept:  # what a callback makes is called by it, or by whom it was given to
        run.functions.append(made)
    return made


def call_function(run: Run, func: Func, this: Value, args: list[Value], node: Node) -> Steps:
    run.entered.setdefault(func.node.start)
    if run.depth >= CALLS:
        return run.symbol(f"{func.name}:deep")
    scope = _opened(run, func, this, args)
    run.depth += 1
    try:
        if "async" in func.node.marks:
            run.matters()
            promise = Promise(key=f"{func.name}@{func.node.start}")
            advance(run, _body(run, func, scope, args), promise)
            return promise
        if "*" in func.node.marks:
            return (yield from _collect(run, func, scope, args))
        value = yield from _body(run, func, scope, args)
    finally:
        run.depth -= 1
    if is_tainted(value) and ESCAPER.search(func.name):
        return Sym(f"escaped {value.key}"[:300])
    return value


_STRICT = re.compile(r"""\{\s*(?:"use strict"|'use strict')""")


def is_strict(run: Run, func: Func) -> bool:
    """Whether its `this` is what it is called with, and not the window where that is nothing."""
    body = func.node.fields.get("body")
    start = func.node.start
    if any(begins <= start < ends for begins, ends in run.strict):
        return True
    return func.node.type == "method_definition" or bool(body and _STRICT.match(body.text))


def _opened(run: Run, func: Func, this: Value, args: list[Value]) -> Scope:
    scope = Scope(func.scope, function=True)
    if not func.arrow:
        sloppy = (this is UNDEFINED or this is None) and not is_strict(run, func)
        scope.names["this"] = run.page.names["window"] if sloppy else this
        scope.names["arguments"] = Arr(args)
        if func.base is not None:
            scope.names["super"] = func.base
    return scope


def _collect(run: Run, func: Func, scope: Scope, args: list[Value]) -> Steps:
    """A generator's values, run to its end at once."""
    run.collected.append([])
    try:
        yield from _body(run, func, scope, args)
    finally:
        items = run.collected.pop()
    return Arr(items)


def _body(run: Run, func: Func, scope: Scope, args: list[Value]) -> Steps:
    yield from _parameters(run, func.node, scope, args)
    body = func.node.fields.get("body")
    if body is None:
        return UNDEFINED
    if body.type != "statement_block":
        return (yield from run.evaluate(run, body, scope))
    try:
        yield from run.execute(run, body, scope)
    except Left as left:
        if left.how == "return":
            return left.value
    return UNDEFINED


def _parameters(run: Run, node: Node, scope: Scope, args: list[Value]) -> Steps:
    alone = node.fields.get("parameter")
    listed = node.fields.get("parameters")
    targets = [alone] if alone is not None else listed.kids if listed is not None else []
    for index, target in enumerate(targets):
        inner = target.fields.get("pattern", target)
        if inner.type == "rest_pattern":
            yield from bind(run, inner.kids[0], Arr(args[index:]), scope, declare_in(scope))
            return UNDEFINED
        if inner.type == "this":
            continue
        value = args[index] if index < len(args) else UNDEFINED
        yield from bind(run, target, value, scope, declare_in(scope))
    return UNDEFINED


def settled(run: Run, value: Value) -> Value:
    """What `await` gives."""
    if isinstance(value, Promise):
        if value.rejected and run.guarded:
            raise Thrown(value.value)
        return value.value
    if isinstance(value, Sym):
        if run.guarded and not run.choices.choose(f"kept {value.key}"):
            raise Thrown(run.symbol("error"))
        return run.symbol(f"await {value.key}", value)
    return value


def is_settled(value: Value) -> bool:
    """Whether `await` goes on with it as soon as no script runs."""
    return value.settled if isinstance(value, Promise) else not isinstance(value, Sym)


def advance(run: Run, body: Steps, promise: Promise) -> None:
    """Run an async body to its next `await`; the rest is a job for later."""
    nesting, depth, guarded = run.nesting, run.depth, run.guarded
    try:
        next(body)
    except StopIteration as done:
        inner = done.value
        promise.value = inner.value if isinstance(inner, Promise) else inner
        promise.settled = not isinstance(inner, Promise) or inner.settled
    except Thrown as thrown:
        promise.rejected, promise.value, promise.settled = True, thrown.value, True
    else:
        queue = run.microtasks if is_settled(run.awaited) else run.jobs
        queue.append(lambda: _resume(run, body, promise))
    finally:
        run.nesting, run.depth, run.guarded = nesting, depth, guarded


def _resume(run: Run, body: Steps, promise: Promise) -> Steps:
    advance(run, body, promise)
    return UNDEFINED
    yield


def finish(steps: Generator[None, None, Value]) -> Value:
    """Run to the end without pausing."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value


def make_class(run: Run, node: Node, scope: Scope) -> Steps:
    """A class is a function whose `prototype` holds its methods."""
    proto, base = Obj(), UNDEFINED
    heritage = next((kid for kid in node.kids if kid.type == "class_heritage"), None)
    if heritage is not None and heritage.kids:
        clause = heritage.kids[0]
        base = yield from run.evaluate(run, clause.fields.get("value", clause), scope)
    if isinstance(base, (Sym, Native)):
        proto.proto = Obj(kind="open")
    if isinstance(base, Func):
        proto.proto = yield from get(run, base, "prototype", node)
    inside = Scope(scope)
    made = Func(node, inside, is_class=True, base=base, name=_class_name(node))
    made.props["prototype"] = proto
    proto.props["constructor"] = made
    inside.names[made.name] = made
    made.fields = yield from _members(run, node, inside, made, proto)
    return made


def _class_name(node: Node) -> str:
    return node.fields["name"].text if "name" in node.fields else ""


def _members(run: Run, node: Node, scope: Scope, made: Func, proto: Obj) -> Steps:
    fields: list[tuple[Node, Scope]] = []
    for kid in node.fields["body"].kids:
        static = "static" in kid.marks
        if kid.type == "method_definition":
            name = str((yield from property_name(run, kid.fields["name"], scope)))
            method = closure(run, kid, scope, name)
            method.base = made.base if static else proto.proto
            if "get" in kid.marks:
                proto.getters[name] = method
            elif "set" in kid.marks:
                proto.setters[name] = method
            else:
                (made.props if static else proto.props)[name if name != "constructor" else " new"] = method
        elif kid.type == "public_field_definition" and static and "value" in kid.fields:
            made.props[kid.fields["name"].text] = yield from run.evaluate(run, kid.fields["value"], scope)
        elif kid.type == "public_field_definition":
            fields.append((kid, scope))
        elif kid.type == "class_static_block":
            yield from run.execute(run, kid, Scope(scope, function=True, names={"this": made}))
    return tuple(fields)


def construct_class(run: Run, made: Func, this: Obj, args: list[Value], node: Node) -> Steps:
    run.entered.setdefault(made.node.start)
    prototype = made.props["prototype"]
    constructor = prototype.props.get(" new")
    if constructor is None and isinstance(made.base, Func) and made.base.is_class:
        yield from construct_class(run, made.base, this, args, node)
    for field, scope in made.fields:
        if "value" in field.fields:
            inner = Scope(scope, function=True, names={"this": this})
            this.props[field.fields["name"].text] = yield from run.evaluate(run, field.fields["value"], inner)
    if constructor is not None:
        _property_parameters(constructor, this, args)
        yield from run.call(run, constructor, this, args, node)
    return this


def _property_parameters(constructor: Func, this: Obj, args: list[Value]) -> None:
    """TypeScript's `constructor(private init: Init)`."""
    listed = constructor.node.fields["parameters"].kids
    for target, value in zip(listed, args, strict=False):
        modified = any(kid.type in {"accessibility_modifier", "override_modifier"} for kid in target.kids)
        if (modified or target.text.startswith("readonly")) and "pattern" in target.fields:
            this.props[target.fields["pattern"].text] = value


__all__ = ["advance", "call_function", "closure", "construct_class", "finish", "make_class"]
