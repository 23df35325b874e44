"""The realm: the global objects of a page, and a new execution that has them."""

from collections.abc import Hashable

from awning.check.interpreter import builtins, events
from awning.check.interpreter.arrays import call_for_each
from awning.check.interpreter.builtins import OBJECT, argument, first_argument
from awning.check.interpreter.calls import call_value
from awning.check.interpreter.dom_events import defect_of
from awning.check.interpreter.exceptions import thrown_error
from awning.check.interpreter.execution import Execution, is_tainted, taint_of, unescaped, with_source
from awning.check.interpreter.expressions import evaluate
from awning.check.interpreter.operators import add, negate
from awning.check.interpreter.path_condition import PathCondition
from awning.check.interpreter.statements import execute
from awning.check.interpreter.tasks import (
    TIMERS,
    add_listener,
    gather_promises,
    make_promise,
    reject,
    resolve,
)
from awning.check.interpreter.unknown_calls import call_unknown_method
from awning.check.interpreter.values import (
    CALLABLE,
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
    as_text,
    is_primitive,
    symbol_key,
    type_of,
)
from awning.contract import Dialect
from awning.script import SLOT_FUNCTIONS
from awning.script.tree import Node


def new_run(dialect: Dialect, path: PathCondition) -> Execution:
    page = Environment(function=True)
    run = Execution(
        dialect=dialect,
        path=path,
        page=page,
        evaluate=evaluate,
        execute=execute,
        call=call_value,
        method=call_unknown_method,
        budget=path.budget,
    )
    page.names.update(_globals(dialect))
    return run


def _reporting_function(rule: str, text: str) -> builtins.Method:
    def reported(run: Execution, _this: Value, args: list[Value], node: Node) -> Steps:
        run.report(rule, node, text)
        tainted = next((argument_ for argument_ in args if is_tainted(argument_)), None)
        if tainted is not None and rule == "document-write":
            run.report("raw-html", node, unescaped(tainted, "document.write()"))
        return run.symbol(f"{rule}:{node.start}")
        yield

    return reported


def _array_from(run: Execution, _this: Value, args: list[Value], node: Node) -> Steps:
    source, callback = argument(args, 0), argument(args, 1)
    items = source.items if isinstance(source, ArrayValue) else None
    if isinstance(source, ObjectValue):
        length = source.props.get("length", 0)
        items = (
            source.props["items"].items
            if source.kind in {"map", "set"}
            else ([UNDEFINED] * min(int(length), 50) if isinstance(length, (int, float)) else None)
        )
    if items is None:
        return Symbolic(f"Array.from({symbol_key(source)})"[:300], taint=taint_of(source))
    if isinstance(callback, CALLABLE):
        return ArrayValue((yield from call_for_each(run, items, callback, node)))
    return ArrayValue(list(items))


def _array(run: Execution, _this: Value, args: list[Value], _node: Node) -> Steps:
    if len(args) == 1 and isinstance(args[0], (int, float)) and (args[0] < 0 or args[0] % 1):
        raise thrown_error(run)
    if len(args) == 1 and isinstance(args[0], int):
        return ArrayValue([UNDEFINED] * min(args[0], 50))
    return ArrayValue(list(args))
    yield


def _identity(value: Value) -> Hashable:
    """Return a key that identifies a value in a set."""
    return (type_of(value), value) if is_primitive(value) else id(value)


def _collection(kind: str) -> builtins.Method:
    def make(_run: Execution, _this: Value, args: list[Value], _node: Node) -> Steps:
        source = argument(args, 0)
        items = list(source.items) if isinstance(source, ArrayValue) else []
        if kind == "set":
            items = list({_identity(item): item for item in items}.values())
        return ObjectValue({"items": ArrayValue(items)}, kind=kind)
        yield

    return make


def _string(_run: Execution, _this: Value, args: list[Value], _node: Node) -> Steps:
    value = argument(args, 0)
    return as_text(value) if is_primitive(value) else value
    yield


def _string_raw(run: Execution, _this: Value, args: list[Value], _node: Node) -> Steps:
    """Execute the tag function `String.raw`."""
    first = argument(args, 0)
    texts = first.items if isinstance(first, ArrayValue) else [first]
    value: Value = ""
    for index, text in enumerate(texts):
        value = add(run, value, text)
        if index < min(len(args), len(texts)) - 1:
            value = add(run, value, args[index + 1])
    return value
    yield


def _live(run: Execution, _this: Value, args: list[Value], node: Node) -> Steps:
    """Execute awning's function `live(render, { mounted, on })`. Its handlers run after the content is inserted."""
    behaviour = argument(args, 1)
    handlers = behaviour.props.get("on") if isinstance(behaviour, ObjectValue) else None
    if isinstance(behaviour, ObjectValue):
        add_listener(run, "mounted", behaviour.props.get("mounted", UNDEFINED), node)
    for key, handler in handlers.props.items() if isinstance(handlers, ObjectValue) else ():
        if defect := defect_of(key):
            run.report("dead-handler", handler.node if isinstance(handler, FunctionValue) else node, defect)
        add_listener(run, "handled", handler, node)
    return argument(args, 0)
    yield


def _boolean(_run: Execution, _this: Value, args: list[Value], _node: Node) -> Steps:
    return negate(negate(argument(args, 0)))
    yield


def _reflect(run: Execution, _this: Value, args: list[Value], node: Node) -> Steps:
    listed = argument(args, 2)
    items = listed.items if isinstance(listed, ArrayValue) else []
    return (yield from call_value(run, argument(args, 0), argument(args, 1), items, node))


def _slot(run: Execution, _this: Value, args: list[Value], node: Node) -> Steps:
    """Execute awning's function for a slot, such as `afterPrice(render)`. The page inserts the result of `render`."""
    parameter = ObjectValue({
        name: Symbolic(name, taint=name if name in {"item", "variant", "cart", "cartData"} else "")
        for name in ("item", "variant", "cart", "cartData", "currency", "page", "data", "t")
    })  # fmt: skip
    html = yield from call_value(run, argument(args, 0), UNDEFINED, [parameter], node)
    if isinstance(html, PromiseValue):
        html = html.value
    if is_tainted(html):
        message = "the render function returns a value of the payload as HTML without escaping"
        run.report("raw-html", node, with_source(message, html))
    return run.symbol(f"slot:{node.start}")


def _native(name: str, call: builtins.Method, **props: builtins.Method) -> NativeFunction:
    return NativeFunction(name, call, {key: NativeFunction(key, method) for key, method in props.items()})


def _with_prototype(native: NativeFunction, prototype: Value) -> NativeFunction:
    """Add a `prototype`, so that `Array.prototype.slice`, for example, is a method of an empty list."""
    native.props["prototype"] = prototype
    return native


def _globals(dialect: Dialect) -> dict[str, Value]:
    window = ObjectValue(kind="window")
    no_write = _reporting_function("document-write", "document.write replaces or blocks the page")
    no_eval = _reporting_function("no-eval", "text is run as code")
    document = ObjectValue(
        {name: NativeFunction(name, no_write) for name in ("write", "writeln")}, kind="document"
    )
    names: dict[str, Value] = {
        dialect.global_object: ObjectValue({"subscribeEvent": NativeFunction("subscribeEvent", events.subscribe)}),
        "document": document,
        "eval": NativeFunction("eval", no_eval),
        "Function": NativeFunction("Function", no_eval),
        "Promise": _native(
            "Promise", make_promise, resolve=resolve, reject=reject, all=gather_promises, allSettled=gather_promises,
            race=gather_promises, any=gather_promises,
        ),
        "Object": _with_prototype(_native("Object", builtins.simple_method(first_argument), **OBJECT), ObjectValue()),
        "Array": _with_prototype(_native("Array", _array, **{"from": _array_from, "of": _array}), ArrayValue()),
        "Map": NativeFunction("Map", _collection("map")),
        "WeakMap": NativeFunction("WeakMap", _collection("map")),
        "Set": NativeFunction("Set", _collection("set")),
        "WeakSet": NativeFunction("WeakSet", _collection("set")),
        "String": _with_prototype(_native("String", _string, raw=_string_raw), ""),
        "Boolean": NativeFunction("Boolean", _boolean),
        "Proxy": NativeFunction("Proxy", builtins.simple_method(first_argument)),
        "Reflect": ObjectValue({"apply": NativeFunction("apply", _reflect)}),
        **{name: NativeFunction(name, call) for name, call in TIMERS.items()},
        **{f"import awning {name}": NativeFunction(name, _slot) for name in SLOT_FUNCTIONS},
        "import awning live": NativeFunction("live", _live),
        "import awning remembered": NativeFunction("remembered", builtins.simple_method(first_argument)),
        **dict.fromkeys(("window", "self", "globalThis", "top", "parent", "this"), window),
    }  # fmt: skip
    return names
