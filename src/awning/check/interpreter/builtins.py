"""Built-in functions of objects, functions and collections.

A result is computed only if it may decide how often a callback runs, or the name of an event. Any other result is a
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
    strictly_equal,
    symbol_key,
)
from awning.script.tree import Node

NOTHING_ELSE = frozenset({
    "forEach", "map", "flatMap", "filter", "reduce", "reduceRight", "some", "every", "find", "findIndex",
    "join", "slice", "includes", "indexOf", "at", "flat", "concat", "values", "keys", "entries", "endsWith",
    "startsWith", "lastIndexOf", "replace", "match", "matchAll", "search", "replaceAll", "substring", "substr",
    "charAt", "trim", "toLowerCase", "toUpperCase", "toString", "repeat", "split", "call", "apply", "bind",
    "get", "has", "hasOwnProperty", "String", "Boolean", "given", "from", "of", "fromEntries", "setContent",
})  # fmt: skip
"""Functions that may be called while a join is tried, because they have no side effect of their own.

`setContent` has a side effect, but its argument is checked in each branch.
"""


def argument(args: list[Value], index: int) -> Value:
    return args[index] if index < len(args) else UNDEFINED


Method = Callable[[Execution, Value, list[Value], Node], Steps]


def simple_method(work: Callable[[Execution, Value, list[Value]], Value]) -> Method:
    def method(run: Execution, this: Value, args: list[Value], _node: Node) -> Steps:
        return work(run, this, args)
        yield

    return method


def accept_any(this: Value) -> Value | None:
    return this


def accept_collection(this: Value) -> ObjectValue | None:
    return this if isinstance(this, ObjectValue) and this.kind in {"map", "set"} else None


def accept_object(this: Value) -> ObjectValue | ArrayValue | FunctionValue | None:
    return this if isinstance(this, (ObjectValue, ArrayValue, FunctionValue)) else None


def native_method(
    table: dict[str, Method], key: str, kind: str, own: Callable[[Value], Value | None] = accept_any
) -> Value:
    """Return a method from a table; a symbolic value for a key that is not in the table.

    `own` converts the method's `this` to the type that the method needs, or returns None.

    A method may be called with any `this`: `Array.prototype.map.call(list, f)`. If `own` returns None for null or
    undefined, the method raises ThrownException; for any other value, its result is symbolic.
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


def function_returning(value: Value) -> NativeFunction:
    """Return a function that returns the value."""
    return NativeFunction("given", simple_method(lambda _run, _this, _args: value))


def _call(run: Execution, this: Value, args: list[Value], node: Node) -> Steps:
    return (yield from run.call(run, this, argument(args, 0), args[1:], node))


def _apply(run: Execution, this: Value, args: list[Value], node: Node) -> Steps:
    listed_argument = argument(args, 1)
    listed = listed_argument.items if isinstance(listed_argument, ArrayValue) else []
    return (yield from run.call(run, this, argument(args, 0), listed, node))


_OF_FUNCTIONS = frozenset(
    {"call", "apply", "bind", "length", "name", "toString", "valueOf", "hasOwnProperty"}
)
_FUNCTION: dict[str, Method] = {
    "call": _call,
    "apply": _apply,
    "bind": simple_method(lambda _run, this, args: BoundFunction(this, argument(args, 0), args[1:])),
}


def function_method(key: str, *, known: bool) -> Value:
    """Return a method of a function; UNDEFINED if a function of the script (`known`) does not have it."""
    return UNDEFINED if known and key not in _OF_FUNCTIONS else native_method(_FUNCTION, key, "function")


def _collection_set(_run: Execution, this: ObjectValue, args: list[Value]) -> Value:
    items = this.props["items"].items
    key, value = argument(args, 0), argument(args, 1)
    if this.kind == "set":
        if not any(item is key or strictly_equal(item, key) for item in items):
            items.append(key)
        return this
    pair = next((item for item in items if strictly_equal(item.items[0], key)), None)
    if pair is None:
        items.append(ArrayValue([key, value]))
    else:
        pair.items[1] = value
    return this


def _collection_get(_run: Execution, this: ObjectValue, args: list[Value]) -> Value:
    key, pairs = argument(args, 0), this.props["items"].items
    return next((item.items[1] for item in pairs if strictly_equal(item.items[0], key)), UNDEFINED)


def _collection_has(_run: Execution, this: ObjectValue, args: list[Value]) -> Value:
    key = argument(args, 0)
    keys = [item.items[0] if this.kind == "map" else item for item in this.props["items"].items]
    return any(strictly_equal(item, key) for item in keys)


def _collection_each(run: Execution, this: ObjectValue, args: list[Value], node: Node) -> Steps:
    for item in list(this.props["items"].items):
        arguments = item.items[::-1] if this.kind == "map" else [item, item]
        yield from run.call(run, argument(args, 0), UNDEFINED, arguments, node)
    return UNDEFINED


def _collection_values(_run: Execution, this: ObjectValue, _args: list[Value]) -> Value:
    return ArrayValue([item.items[1] if this.kind == "map" else item for item in this.props["items"].items])


_COLLECTION: dict[str, Method] = {
    "set": simple_method(_collection_set),
    "add": simple_method(_collection_set),
    "get": simple_method(_collection_get),
    "has": simple_method(_collection_has),
    "forEach": _collection_each,
    "values": simple_method(_collection_values),
    "keys": simple_method(
        lambda _run, this, _args: ArrayValue(
            [item.items[0] if this.kind == "map" else item for item in this.props["items"].items]
        )
    ),
    "entries": simple_method(lambda _run, this, _args: this.props["items"]),
}


def _has_own(run: Execution, this: ObjectValue | ArrayValue | FunctionValue, args: list[Value]) -> Value:
    key = argument(args, 0)
    if not is_primitive(key):
        return run.symbol(f"hasOwnProperty({symbol_key(key)})")
    text = as_text(key)
    return text in this.props or (
        isinstance(this, ArrayValue) and text.isdecimal() and int(text[:9]) < len(this.items)
    )


_OBJECT: dict[str, Method] = {
    "hasOwnProperty": simple_method(_has_own),
    "toString": simple_method(lambda _run, _this, _args: "[object Object]"),
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
            return native_method(_COLLECTION, key, owner.kind, accept_collection)
    if owner.kind == "object" and key not in _OF_OBJECTS:
        return UNDEFINED
    return native_method(_OBJECT, key, owner.kind, accept_object)


def _listed(part: str) -> Method:
    def listed(run: Execution, _this: Value, args: list[Value], _node: Node) -> Steps:
        value = argument(args, 0)
        if isinstance(value, ArrayValue):
            value = ObjectValue({str(index): item for index, item in enumerate(value.items)})
        if not isinstance(value, ObjectValue):
            return run.symbol(f"{part}({symbol_key(value)})", value)
        if part == "keys":
            return ArrayValue(list(value.props))
        if part == "values":
            return ArrayValue(list(value.props.values()))
        return ArrayValue([ArrayValue([key, item]) for key, item in value.props.items()])
        yield

    return listed


def _assign(_run: Execution, _this: Value, args: list[Value]) -> Value:
    target = argument(args, 0)
    for source in args[1:]:
        if isinstance(source, ObjectValue) and isinstance(target, (ObjectValue, FunctionValue)):
            target.props.update(source.props)
    return target


def _from_entries(run: Execution, _this: Value, args: list[Value]) -> Value:
    pairs = argument(args, 0)
    items = pairs.props["items"] if isinstance(pairs, ObjectValue) and pairs.kind == "map" else pairs
    known = isinstance(items, ArrayValue) and all(
        isinstance(pair, ArrayValue) and len(pair.items) == 2 and is_primitive(pair.items[0])
        for pair in items.items
    )
    if not known:
        return run.symbol(f"fromEntries({symbol_key(pairs)})", pairs)
    return ObjectValue({as_text(pair.items[0]): pair.items[1] for pair in items.items})


def _create(_run: Execution, _this: Value, args: list[Value]) -> Value:
    proto, described = argument(args, 0), argument(args, 1)
    object_ = ObjectValue(proto=proto if isinstance(proto, ObjectValue) else None)
    if isinstance(described, ObjectValue):
        for key, descriptor in described.props.items():
            _describe(object_, key, descriptor)
    return object_


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


def _is_on_chain(prototype: ObjectValue, start: ObjectValue | None) -> bool:
    while start is not None and start is not prototype:
        start = start.proto
    return start is prototype


def first_argument(_run: Execution, _this: Value, args: list[Value]) -> Value:
    return argument(args, 0)


OBJECT: dict[str, Method] = {
    "keys": _listed("keys"),
    "values": _listed("values"),
    "entries": _listed("entries"),
    "getOwnPropertyNames": _listed("keys"),
    "assign": simple_method(_assign),
    "fromEntries": simple_method(_from_entries),
    "create": simple_method(_create),
    "defineProperty": simple_method(_define),
    "setPrototypeOf": simple_method(_inherit),
    **dict.fromkeys(("freeze", "seal", "preventExtensions"), simple_method(first_argument)),
}
