"""What the language brings along: methods of arrays, texts, functions, objects and promises.

Only what decides how often a callback runs, or which text an event name is, is worked out; everything else gives a
symbol.
"""

from collections.abc import Callable
from functools import lru_cache

from awning.check.page.run import Run, Thrown
from awning.check.page.values import (
    UNDEFINED,
    Arr,
    Bound,
    Callable_,
    Func,
    Native,
    Obj,
    Promise,
    Steps,
    Sym,
    Value,
    as_text,
    is_primitive,
    show,
    strictly_equal,
)
from awning.check.script.tree import Node

READY = {"domcontentloaded", "load", "ready", "readystatechange", "pageshow"}
NOTHING_ELSE = frozenset({
    "forEach", "map", "flatMap", "filter", "reduce", "reduceRight", "some", "every", "find", "findIndex",
    "join", "slice", "includes", "indexOf", "at", "flat", "concat", "values", "keys", "entries", "endsWith",
    "startsWith", "lastIndexOf", "replace", "match", "matchAll", "search", "replaceAll", "substring", "substr",
    "charAt", "trim", "toLowerCase", "toUpperCase", "toString", "repeat", "split", "call", "apply", "bind",
    "get", "has", "hasOwnProperty", "String", "Boolean", "given", "from", "of", "fromEntries", "setContent",
})  # fmt: skip
"""Functions that change nothing which later code asks about; what setContent is given is judged either way."""
ENDS = {"load", "error"}
MOST_TURNS = 2
"""How often one function is run as a timer or listener."""


def argument(args: list[Value], index: int) -> Value:
    return args[index] if index < len(args) else UNDEFINED


def later(
    run: Run, callback: Value, args: list[Value], node: Node, *, unless: Obj | None = None, soon: bool = False
) -> None:
    """Call it after everything that runs now: a timer, a promise, an answer. `unless` is a timer not to be cleared.
    `soon` is before any timer.

    What starts itself again and again has a turn once more when all events have been delivered.
    """
    run.matters()
    if isinstance(callback, Callable_):
        turn = _turn(run, callback, node)
        if turn <= MOST_TURNS + 1:
            first = run.microtasks if soon else run.jobs
            queue = first if turn <= MOST_TURNS else run.listeners
            queue.append(lambda: _waited(run, callback, args, node, unless))


def _waited(run: Run, callback: Value, args: list[Value], node: Node, timer: Obj | None) -> Steps:
    if timer is None or not timer.props.get("cleared"):
        yield from run.call(run, callback, run.page.names["window"], args, node)
    return UNDEFINED


def _turn(run: Run, callback: Value, node: Node) -> int:
    key = callback.node.start if isinstance(callback, Func) else -node.start - 1
    key = key * 64 + len(run.delivering)
    run.scheduled[key] = run.scheduled.get(key, 0) + 1
    return run.scheduled[key]


def listen(run: Run, event: Value, callback: Value, node: Node) -> None:
    """Call it when something happens: at once after the script for the page's own beginning, else at the end."""
    run.matters()
    if not isinstance(callback, Callable_):
        if isinstance(callback, Obj) and "handleEvent" in callback.props:
            listen(run, event, callback.props["handleEvent"], node)
        return
    names = {name.split(".")[0] for name in event.split()} if isinstance(event, str) else set()
    for name in names:
        run.heard.setdefault(name, []).append(callback)
    if not run.delivering and any(name.lower() in READY for name in names):
        later(run, callback, [run.symbol("event")], node)
    elif names and names <= ENDS and any(callback in run.heard.get(end, ()) for end in ENDS - names):
        return  # an image has come or has failed, never both
    elif _turn(run, callback, node) <= MOST_TURNS:
        run.listeners.append(lambda: _happened(run, names, callback, node))


def _happened(run: Run, names: set[str], callback: Value, node: Node) -> Steps:
    """Unless the script fires that event itself: then whoever listens has been called."""
    if not names & run.fired:
        yield from run.call(run, callback, Sym("element"), [run.symbol("event")], node)
    return UNDEFINED


Method = Callable[[Run, Value, list[Value], Node], Steps]


def plain(work: Callable[[Run, Value, list[Value]], Value]) -> Method:
    def method(run: Run, this: Value, args: list[Value], _node: Node) -> Steps:
        return work(run, this, args)
        yield

    return method


def own_itself(this: Value) -> Value | None:
    return this


def own_promise(this: Value) -> Promise | None:
    return this if isinstance(this, Promise) else None


def own_collection(this: Value) -> Obj | None:
    return this if isinstance(this, Obj) and this.kind in {"map", "set"} else None


def own_object(this: Value) -> Obj | Arr | Func | None:
    return this if isinstance(this, (Obj, Arr, Func)) else None


def native(
    table: dict[str, Method], key: str, kind: str, own: Callable[[Value], Value | None] = own_itself
) -> Value:
    """A method from a table. `own` makes its `this` one that the method is written for, or gives None.

    A method may be borrowed for anything: `Array.prototype.map.call(list, f)`.
    """
    if key not in table:
        return Sym(f"{kind}.{key}")

    def borrowed(run: Run, this: Value, args: list[Value], node: Node) -> Steps:
        owner = own(this)
        if owner is not None:
            return (yield from table[key](run, owner, args, node))
        if this is None or this is UNDEFINED:
            raise Thrown(run.symbol("error"))
        if isinstance(this, Sym):
            return (yield from run.method(run, this, Sym(f"{this.key}.{key}"[:300]), args, node))
        return run.symbol(f"{kind}.{key}:{node.start}", *args)

    return Native(key, borrowed)


def given(value: Value) -> Native:
    """A function that gives it."""
    return Native("given", plain(lambda _run, _this, _args: value))


def _call(run: Run, this: Value, args: list[Value], node: Node) -> Steps:
    return (yield from run.call(run, this, argument(args, 0), args[1:], node))


def _apply(run: Run, this: Value, args: list[Value], node: Node) -> Steps:
    given = argument(args, 1)
    listed = given.items if isinstance(given, Arr) else []
    return (yield from run.call(run, this, argument(args, 0), listed, node))


_OF_FUNCTIONS = frozenset(
    {"call", "apply", "bind", "length", "name", "toString", "valueOf", "hasOwnProperty"}
)
_FUNCTION: dict[str, Method] = {
    "call": _call,
    "apply": _apply,
    "bind": plain(lambda _run, this, args: Bound(this, argument(args, 0), args[1:])),
}


def function_method(key: str, *, known: bool) -> Value:
    """`known`: a function of the script, which has nothing but what the script gives it."""
    return UNDEFINED if known and key not in _OF_FUNCTIONS else native(_FUNCTION, key, "function")


def _collection_set(_run: Run, this: Obj, args: list[Value]) -> Value:
    items = this.props["items"].items
    key, value = argument(args, 0), argument(args, 1)
    if this.kind == "set":
        if not any(one is key or strictly_equal(one, key) for one in items):
            items.append(key)
        return this
    pair = next((one for one in items if strictly_equal(one.items[0], key)), None)
    if pair is None:
        items.append(Arr([key, value]))
    else:
        pair.items[1] = value
    return this


def _collection_get(_run: Run, this: Obj, args: list[Value]) -> Value:
    key, pairs = argument(args, 0), this.props["items"].items
    return next((one.items[1] for one in pairs if strictly_equal(one.items[0], key)), UNDEFINED)


def _collection_has(_run: Run, this: Obj, args: list[Value]) -> Value:
    key = argument(args, 0)
    keys = [one.items[0] if this.kind == "map" else one for one in this.props["items"].items]
    return any(strictly_equal(one, key) for one in keys)


def _collection_each(run: Run, this: Obj, args: list[Value], node: Node) -> Steps:
    for one in list(this.props["items"].items):
        given = one.items[::-1] if this.kind == "map" else [one, one]
        yield from run.call(run, argument(args, 0), UNDEFINED, given, node)
    return UNDEFINED


def _collection_values(_run: Run, this: Obj, _args: list[Value]) -> Value:
    return Arr([one.items[1] if this.kind == "map" else one for one in this.props["items"].items])


_COLLECTION: dict[str, Method] = {
    "set": plain(_collection_set),
    "add": plain(_collection_set),
    "get": plain(_collection_get),
    "has": plain(_collection_has),
    "forEach": _collection_each,
    "values": plain(_collection_values),
    "keys": plain(
        lambda _run, this, _args: Arr(
            [one.items[0] if this.kind == "map" else one for one in this.props["items"].items]
        )
    ),
    "entries": plain(lambda _run, this, _args: this.props["items"]),
}


def _has_own(run: Run, this: Obj | Arr | Func, args: list[Value]) -> Value:
    key = argument(args, 0)
    if not is_primitive(key):
        return run.symbol(f"hasOwnProperty({show(key)})")
    text = as_text(key)
    return text in this.props or (
        isinstance(this, Arr) and text.isdecimal() and int(text[:9]) < len(this.items)
    )


_OBJECT: dict[str, Method] = {
    "hasOwnProperty": plain(_has_own),
    "toString": plain(lambda _run, _this, _args: "[object Object]"),
}


_OF_OBJECTS = frozenset({
    "hasOwnProperty", "toString", "toLocaleString", "valueOf", "constructor", "isPrototypeOf", "propertyIsEnumerable",
    "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "__proto__",
})  # fmt: skip


def object_method(owner: Obj, key: str) -> Value:
    if owner.kind in {"map", "set"}:
        if key == "size":
            return len(owner.props["items"].items)
        if key in _COLLECTION:
            return native(_COLLECTION, key, owner.kind, own_collection)
    if owner.kind == "object" and key not in _OF_OBJECTS:
        return UNDEFINED
    return native(_OBJECT, key, owner.kind, own_object)


def _then(run: Run, this: Promise, args: list[Value], node: Node) -> Steps:
    made = Promise(UNDEFINED, False, this.key)

    def job() -> Steps:
        callback = argument(args, 1 if this.rejected else 0)
        if isinstance(callback, Callable_):
            given = yield from run.call(run, callback, UNDEFINED, [this.value], node)
            made.value = given.value if isinstance(given, Promise) else given
        else:
            made.value, made.rejected = this.value, this.rejected
        made.settled = True
        return UNDEFINED

    (run.microtasks if this.settled else run.jobs).append(job)
    return made
    yield


def _catch(run: Run, this: Promise, args: list[Value], node: Node) -> Steps:
    return (yield from _then(run, this, [UNDEFINED, *args], node))


def _finally(run: Run, this: Promise, args: list[Value], node: Node) -> Steps:
    later(run, argument(args, 0), [], node, soon=this.settled)
    return this
    yield


_PROMISE: dict[str, Method] = {"then": _then, "catch": _catch, "finally": _finally}


@lru_cache(maxsize=8)
def promise_method(key: str) -> Value:
    return native(_PROMISE, key, "promise", own_promise)
