"""Built-in functions of objects, functions and collections.

A result is computed only if it decides how often a callback runs or what an event's name is. Any other result is a
symbolic value.
"""

from collections.abc import Callable

from awning.check.interpreter.execution import Execution, ThrownException
from awning.check.interpreter.values import (
    UNDEFINED,
    ArrayValue,
    BoundFunction,
    FunctionValue,
    NativeFunction,
    ObjectValue,
    Steps,
    Symbolic,
    Value,
    as_text,
    is_primitive,
    show,
    strictly_equal,
)
from awning.script.tree import Node

NOTHING_ELSE = frozenset({
    "forEach", "map", "flatMap", "filter", "reduce", "reduceRight", "some", "every", "find", "findIndex",
    "join", "slice", "includes", "indexOf", "at", "flat", "concat", "values", "keys", "entries", "endsWith",
    "startsWith", "lastIndexOf", "replace", "match", "matchAll", "search", "replaceAll", "substring", "substr",
    "charAt", "trim", "toLowerCase", "toUpperCase", "toString", "repeat", "split", "call", "apply", "bind",
    "get", "has", "hasOwnProperty", "String", "Boolean", "given", "from", "of", "fromEntries", "setContent",
})  # fmt: skip
"""Functions that change nothing which later code asks about; what setContent is given is judged either way."""


def argument(args: list[Value], index: int) -> Value:
    return args[index] if index < len(args) else UNDEFINED


Method = Callable[[Execution, Value, list[Value], Node], Steps]


def plain(work: Callable[[Execution, Value, list[Value]], Value]) -> Method:
    def method(run: Execution, this: Value, args: list[Value], _node: Node) -> Steps:
        return work(run, this, args)
        yield

    return method


def own_itself(this: Value) -> Value | None:
    return this


def own_collection(this: Value) -> ObjectValue | None:
    return this if isinstance(this, ObjectValue) and this.kind in {"map", "set"} else None


def own_object(this: Value) -> ObjectValue | ArrayValue | FunctionValue | None:
    return this if isinstance(this, (ObjectValue, ArrayValue, FunctionValue)) else None


def native(
    table: dict[str, Method], key: str, kind: str, own: Callable[[Value], Value | None] = own_itself
) -> Value:
    """A method from a table. `own` makes its `this` one that the method is written for, or gives None.

    A method may be borrowed for anything: `Array.prototype.map.call(list, f)`.
    """
    if key not in table:
        return Symbolic(f"{kind}.{key}")

    def borrowed(run: Execution, this: Value, args: list[Value], node: Node) -> Steps:
        owner = own(this)
        if owner is not None:
            return (yield from table[key](run, owner, args, node))
        if this is None or this is UNDEFINED:
            raise ThrownException(run.symbol("error"))
        if isinstance(this, Symbolic):
            return (yield from run.method(run, this, Symbolic(f"{this.key}.{key}"[:300]), args, node))
        return run.symbol(f"{kind}.{key}:{node.start}", *args)

    return NativeFunction(key, borrowed)


def given(value: Value) -> NativeFunction:
    """A function that gives it."""
    return NativeFunction("given", plain(lambda _run, _this, _args: value))


def _call(run: Execution, this: Value, args: list[Value], node: Node) -> Steps:
    return (yield from run.call(run, this, argument(args, 0), args[1:], node))


def _apply(run: Execution, this: Value, args: list[Value], node: Node) -> Steps:
    given = argument(args, 1)
    listed = given.items if isinstance(given, ArrayValue) else []
    return (yield from run.call(run, this, argument(args, 0), listed, node))


_OF_FUNCTIONS = frozenset(
    {"call", "apply", "bind", "length", "name", "toString", "valueOf", "hasOwnProperty"}
)
_FUNCTION: dict[str, Method] = {
    "call": _call,
    "apply": _apply,
    "bind": plain(lambda _run, this, args: BoundFunction(this, argument(args, 0), args[1:])),
}


def function_method(key: str, *, known: bool) -> Value:
    """`known`: a function of the script, which has nothing but what the script gives it."""
    return UNDEFINED if known and key not in _OF_FUNCTIONS else native(_FUNCTION, key, "function")


def _collection_set(_run: Execution, this: ObjectValue, args: list[Value]) -> Value:
    items = this.props["items"].items
    key, value = argument(args, 0), argument(args, 1)
    if this.kind == "set":
        if not any(one is key or strictly_equal(one, key) for one in items):
            items.append(key)
        return this
    pair = next((one for one in items if strictly_equal(one.items[0], key)), None)
    if pair is None:
        items.append(ArrayValue([key, value]))
    else:
        pair.items[1] = value
    return this


def _collection_get(_run: Execution, this: ObjectValue, args: list[Value]) -> Value:
    key, pairs = argument(args, 0), this.props["items"].items
    return next((one.items[1] for one in pairs if strictly_equal(one.items[0], key)), UNDEFINED)


def _collection_has(_run: Execution, this: ObjectValue, args: list[Value]) -> Value:
    key = argument(args, 0)
    keys = [one.items[0] if this.kind == "map" else one for one in this.props["items"].items]
    return any(strictly_equal(one, key) for one in keys)


def _collection_each(run: Execution, this: ObjectValue, args: list[Value], node: Node) -> Steps:
    for one in list(this.props["items"].items):
        given = one.items[::-1] if this.kind == "map" else [one, one]
        yield from run.call(run, argument(args, 0), UNDEFINED, given, node)
    return UNDEFINED


def _collection_values(_run: Execution, this: ObjectValue, _args: list[Value]) -> Value:
    return ArrayValue([one.items[1] if this.kind == "map" else one for one in this.props["items"].items])


_COLLECTION: dict[str, Method] = {
    "set": plain(_collection_set),
    "add": plain(_collection_set),
    "get": plain(_collection_get),
    "has": plain(_collection_has),
    "forEach": _collection_each,
    "values": plain(_collection_values),
    "keys": plain(
        lambda _run, this, _args: ArrayValue(
            [one.items[0] if this.kind == "map" else one for one in this.props["items"].items]
        )
    ),
    "entries": plain(lambda _run, this, _args: this.props["items"]),
}


def _has_own(run: Execution, this: ObjectValue | ArrayValue | FunctionValue, args: list[Value]) -> Value:
    key = argument(args, 0)
    if not is_primitive(key):
        return run.symbol(f"hasOwnProperty({show(key)})")
    text = as_text(key)
    return text in this.props or (
        isinstance(this, ArrayValue) and text.isdecimal() and int(text[:9]) < len(this.items)
    )


_OBJECT: dict[str, Method] = {
    "hasOwnProperty": plain(_has_own),
    "toString": plain(lambda _run, _this, _args: "[object Object]"),
}


_OF_OBJECTS = frozenset({
    "hasOwnProperty", "toString", "toLocaleString", "valueOf", "constructor", "isPrototypeOf", "propertyIsEnumerable",
    "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "__proto__",
})  # fmt: skip


def object_method(owner: ObjectValue, key: str) -> Value:
    if owner.kind in {"map", "set"}:
        if key == "size":
            return len(owner.props["items"].items)
        if key in _COLLECTION:
            return native(_COLLECTION, key, owner.kind, own_collection)
    if owner.kind == "object" and key not in _OF_OBJECTS:
        return UNDEFINED
    return native(_OBJECT, key, owner.kind, own_object)


def _listed(part: str) -> Method:
    def listed(run: Execution, _this: Value, args: list[Value], _node: Node) -> Steps:
        value = argument(args, 0)
        if isinstance(value, ArrayValue):
            value = ObjectValue({str(index): one for index, one in enumerate(value.items)})
        if not isinstance(value, ObjectValue):
            return run.symbol(f"{part}({show(value)})", value)
        if part == "keys":
            return ArrayValue(list(value.props))
        if part == "values":
            return ArrayValue(list(value.props.values()))
        return ArrayValue([ArrayValue([key, one]) for key, one in value.props.items()])
        yield

    return listed


def _assign(_run: Execution, _this: Value, args: list[Value]) -> Value:
    target = argument(args, 0)
    for one in args[1:]:
        if isinstance(one, ObjectValue) and isinstance(target, (ObjectValue, FunctionValue)):
            target.props.update(one.props)
    return target


def _from_entries(run: Execution, _this: Value, args: list[Value]) -> Value:
    pairs = argument(args, 0)
    items = pairs.props["items"] if isinstance(pairs, ObjectValue) and pairs.kind == "map" else pairs
    known = isinstance(items, ArrayValue) and all(
        isinstance(one, ArrayValue) and len(one.items) == 2 and is_primitive(one.items[0])
        for one in items.items
    )
    if not known:
        return run.symbol(f"fromEntries({show(pairs)})", pairs)
    return ObjectValue({as_text(one.items[0]): one.items[1] for one in items.items})


def _create(_run: Execution, _this: Value, args: list[Value]) -> Value:
    proto, described = argument(args, 0), argument(args, 1)
    made = ObjectValue(proto=proto if isinstance(proto, ObjectValue) else None)
    if isinstance(described, ObjectValue):
        for key, one in described.props.items():
            _describe(made, key, one)
    return made


def _define(_run: Execution, _this: Value, args: list[Value]) -> Value:
    target, key = argument(args, 0), argument(args, 1)
    if isinstance(target, ObjectValue) and is_primitive(key):
        _describe(target, as_text(key), argument(args, 2))
    return target


def _describe(target: ObjectValue, key: str, described: Value) -> None:
    if isinstance(described, ObjectValue) and "get" in described.props:
        target.getters[key] = described.props["get"]
    if isinstance(described, ObjectValue) and "set" in described.props:
        target.setters[key] = described.props["set"]
    if isinstance(described, ObjectValue) and "value" in described.props:
        target.props[key] = described.props["value"]


def _inherit(_run: Execution, _this: Value, args: list[Value]) -> Value:
    target, proto = argument(args, 0), argument(args, 1)
    if isinstance(target, ObjectValue) and isinstance(proto, ObjectValue) and not _is_on_chain(target, proto):
        target.proto = proto
    return target


def _is_on_chain(wanted: ObjectValue, start: ObjectValue | None) -> bool:
    while start is not None and start is not wanted:
        start = start.proto
    return start is wanted


def first_argument(_run: Execution, _this: Value, args: list[Value]) -> Value:
    return argument(args, 0)


OBJECT: dict[str, Method] = {
    "keys": _listed("keys"),
    "values": _listed("values"),
    "entries": _listed("entries"),
    "getOwnPropertyNames": _listed("keys"),
    "assign": plain(_assign),
    "fromEntries": plain(_from_entries),
    "create": plain(_create),
    "defineProperty": plain(_define),
    "setPrototypeOf": plain(_inherit),
    **dict.fromkeys(("freeze", "seal", "preventExtensions"), plain(first_argument)),
}
