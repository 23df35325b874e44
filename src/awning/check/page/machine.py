"""Puts a run together: the page's globals, and the one function through which everything is called."""

from collections.abc import Hashable

from awning.check.page import delivery, foreign, methods, natives
from awning.check.page.arrays import over
from awning.check.page.choices import Choices
from awning.check.page.conditions import added, negated
from awning.check.page.expressions import evaluate
from awning.check.page.functions import call_function
from awning.check.page.natives import NOTHING_ELSE, argument
from awning.check.page.objects import OBJECT, first
from awning.check.page.run import Run, Sighting
from awning.check.page.statements import execute
from awning.check.page.throwing import error
from awning.check.page.timers import TIMERS
from awning.check.page.values import (
    UNDEFINED,
    Arr,
    Bound,
    Callable_,
    Func,
    Init,
    Native,
    Obj,
    Promise,
    Scope,
    Steps,
    Sym,
    Value,
    as_text,
    is_primitive,
    show,
    type_of,
)
from awning.check.script.tree import Node
from awning.contract import Dialect


def new_run(dialect: Dialect, choices: Choices) -> Run:
    page = Scope(function=True)
    run = Run(
        dialect=dialect,
        choices=choices,
        page=page,
        evaluate=evaluate,
        execute=execute,
        call=call_anything,
        method=methods.method,
        budget=choices.budget,
    )
    page.names.update(_globals(dialect))
    return run


def call_anything(run: Run, callee: Value, this: Value, args: list[Value], node: Node) -> Steps:
    run.tick()
    if isinstance(callee, Func):
        if callee.is_class:
            raise error(run)
        return (yield from call_function(run, callee, this, args, node))
    if isinstance(callee, Init) or (isinstance(callee, Native) and callee.name not in NOTHING_ELSE):
        run.matters()
    if isinstance(callee, Init):
        return delivery.initialise(run, callee, node)
    if isinstance(callee, Native):
        run.budget.spend(_size(this) + sum(map(_size, args)))
        return (yield from callee.call(run, this, args, node))
    if isinstance(callee, Bound):
        return (yield from call_anything(run, callee.target, callee.this, [*callee.first, *args], node))
    if isinstance(callee, Sym):
        return (yield from foreign.call(run, callee, args, node))
    if (
        is_primitive(callee)
        or isinstance(callee, (Arr, Promise))
        or (isinstance(callee, Obj) and callee.kind == "object")
    ):
        raise error(run)
    return run.symbol(f"call:{node.start}")


def _size(value: Value) -> int:
    """What handling a value costs, in steps."""
    if isinstance(value, str):
        return len(value) >> 8
    if isinstance(value, Arr):
        return len(value.items) >> 4
    if not isinstance(value, Obj):
        return 0
    return len(value.props["items"].items if value.kind in {"map", "set"} else value.props) >> 4


def _reported(rule: str, text: str) -> natives.Method:
    def reported(run: Run, _this: Value, args: list[Value], node: Node) -> Steps:
        run.report(rule, node, text)
        if any(getattr(one, "taint", False) for one in args) and rule == "document-write":
            run.report(
                "raw-html",
                node,
                "a value of the payload or of the address goes into document.write() without escaping",
            )
        return run.symbol(f"{rule}:{node.start}")
        yield

    return reported


def _promise(run: Run, _this: Value, args: list[Value], node: Node) -> Steps:
    """`new Promise(executor)`: the executor runs at once."""
    made = Promise(run.symbol(f"promise:{node.start}"), False, f"promise:{node.start}")

    def settle(rejected: bool) -> Native:
        def settled(_run: Run, _this: Value, given: list[Value], _node: Node) -> Steps:
            made.value, made.rejected, made.settled = argument(given, 0), rejected, True
            return UNDEFINED
            yield

        return Native("settle", settled)

    yield from call_anything(run, argument(args, 0), UNDEFINED, [settle(False), settle(True)], node)
    return made


def _resolved(_run: Run, _this: Value, args: list[Value], _node: Node) -> Steps:
    value = argument(args, 0)
    unknown = isinstance(value, Sym) and not value.taint  # the payload is no promise
    return value if unknown or isinstance(value, Promise) else Promise(value, settled=True)
    yield


def _rejected(_run: Run, _this: Value, args: list[Value], _node: Node) -> Steps:
    return Promise(argument(args, 0), True, settled=True)
    yield


def _gathered(_run: Run, _this: Value, args: list[Value], _node: Node) -> Steps:
    items = argument(args, 0)
    values = items.items if isinstance(items, Arr) else []
    return Promise(Arr([one.value if isinstance(one, Promise) else one for one in values]))
    yield


def _array_from(run: Run, _this: Value, args: list[Value], node: Node) -> Steps:
    source, callback = argument(args, 0), argument(args, 1)
    items = source.items if isinstance(source, Arr) else None
    if isinstance(source, Obj):
        length = source.props.get("length", 0)
        items = (
            source.props["items"].items
            if source.kind in {"map", "set"}
            else ([UNDEFINED] * min(int(length), 50) if isinstance(length, (int, float)) else None)
        )
    if items is None:
        return Sym(f"Array.from({show(source)})"[:300], taint=getattr(source, "taint", False))
    if isinstance(callback, Callable_):
        return Arr((yield from over(run, items, callback, node)))
    return Arr(list(items))


def _array(run: Run, _this: Value, args: list[Value], _node: Node) -> Steps:
    if len(args) == 1 and isinstance(args[0], (int, float)) and (args[0] < 0 or args[0] % 1):
        raise error(run)
    if len(args) == 1 and isinstance(args[0], int):
        return Arr([UNDEFINED] * min(args[0], 50))
    return Arr(list(args))
    yield


def _identity(value: Value) -> Hashable:
    """What a set knows a value by."""
    return (type_of(value), value) if is_primitive(value) else id(value)


def _collection(kind: str) -> natives.Method:
    def make(_run: Run, _this: Value, args: list[Value], _node: Node) -> Steps:
        given = argument(args, 0)
        items = list(given.items) if isinstance(given, Arr) else []
        if kind == "set":
            items = list({_identity(one): one for one in items}.values())
        return Obj({"items": Arr(items)}, kind=kind)
        yield

    return make


def _string(_run: Run, _this: Value, args: list[Value], _node: Node) -> Steps:
    value = argument(args, 0)
    return as_text(value) if is_primitive(value) else value
    yield


def _raw(run: Run, _this: Value, args: list[Value], _node: Node) -> Steps:
    """String.raw, as a tag."""
    first = argument(args, 0)
    texts = first.items if isinstance(first, Arr) else [first]
    value: Value = ""
    for index, text in enumerate(texts):
        value = added(run, value, text)
        if index < min(len(args), len(texts)) - 1:
            value = added(run, value, args[index + 1])
    return value
    yield


def _live(run: Run, _this: Value, args: list[Value], node: Node) -> Steps:
    """live(render, { mounted, on }) of awning itself: both are called after the content is there."""
    behaviour = argument(args, 1)
    handlers = behaviour.props.get("on") if isinstance(behaviour, Obj) else None
    if isinstance(behaviour, Obj):
        natives.listen(run, "mounted", behaviour.props.get("mounted", UNDEFINED), node)
    for handler in handlers.props.values() if isinstance(handlers, Obj) else ():
        natives.listen(run, "handled", handler, node)
    return argument(args, 0)
    yield


def _boolean(_run: Run, _this: Value, args: list[Value], _node: Node) -> Steps:
    return negated(negated(argument(args, 0)))
    yield


def _reflect(run: Run, _this: Value, args: list[Value], node: Node) -> Steps:
    listed = argument(args, 2)
    items = listed.items if isinstance(listed, Arr) else []
    return (yield from call_anything(run, argument(args, 0), argument(args, 1), items, node))


def _slot(run: Run, _this: Value, args: list[Value], node: Node) -> Steps:
    """afterPrice(render) of awning itself: what render gives is inserted."""
    given = Obj({
        name: Sym(name, taint=name in {"item", "variant", "cart", "cartData"})
        for name in ("item", "variant", "cart", "cartData", "currency", "page", "data", "t")
    })  # fmt: skip
    html = yield from call_anything(run, argument(args, 0), UNDEFINED, [given], node)
    if isinstance(html, Promise):
        html = html.value
    if getattr(html, "taint", False):
        run.report(
            "raw-html", node, "the render function gives a value of the payload as HTML without escaping"
        )
    return run.symbol(f"slot:{node.start}")


def _native(name: str, call: natives.Method, **props: natives.Method) -> Native:
    return Native(name, call, {key: Native(key, one) for key, one in props.items()})


def _with_prototype(native: Native, prototype: Value) -> Native:
    """`Array.prototype.slice` is a method of an empty list."""
    native.props["prototype"] = prototype
    return native


def _globals(dialect: Dialect) -> dict[str, Value]:
    window = Obj(kind="window")
    no_write = _reported("document-write", "document.write replaces or blocks the page")
    no_eval = _reported("no-eval", "text is run as code")
    document = Obj({name: Native(name, no_write) for name in ("write", "writeln")}, kind="document")
    names: dict[str, Value] = {
        dialect.global_object: Obj({"subscribeEvent": Native("subscribeEvent", delivery.subscribe)}),
        "document": document,
        "eval": Native("eval", no_eval),
        "Function": Native("Function", no_eval),
        "Promise": _native(
            "Promise", _promise, resolve=_resolved, reject=_rejected, all=_gathered, allSettled=_gathered,
            race=_gathered, any=_gathered,
        ),
        "Object": _with_prototype(_native("Object", natives.plain(first), **OBJECT), Obj()),
        "Array": _with_prototype(_native("Array", _array, **{"from": _array_from, "of": _array}), Arr()),
        "Map": Native("Map", _collection("map")),
        "WeakMap": Native("WeakMap", _collection("map")),
        "Set": Native("Set", _collection("set")),
        "WeakSet": Native("WeakSet", _collection("set")),
        "String": _with_prototype(_native("String", _string, raw=_raw), ""),
        "Boolean": Native("Boolean", _boolean),
        "Proxy": Native("Proxy", natives.plain(first)),
        "Reflect": Obj({"apply": Native("apply", _reflect)}),
        **{name: Native(name, one) for name, one in TIMERS.items()},
        **{f"import awning {name}": Native(name, _slot) for name in ("afterPrice", "afterCart", "afterCheckout")},
        "import awning live": Native("live", _live),
        **dict.fromkeys(("window", "self", "globalThis", "top", "parent", "this"), window),
    }  # fmt: skip
    return names


__all__ = ["Sighting", "call_anything", "new_run"]
