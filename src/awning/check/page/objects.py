"""Object's own functions, as far as they decide what is called."""

from awning.check.page.natives import Method, argument, plain
from awning.check.page.run import Run
from awning.check.page.values import Arr, Func, Obj, Steps, Value, as_text, is_primitive, show
from awning.check.script.tree import Node


def _listed(part: str) -> Method:
    def listed(run: Run, _this: Value, args: list[Value], _node: Node) -> Steps:
        value = argument(args, 0)
        if isinstance(value, Arr):
            value = Obj({str(index): one for index, one in enumerate(value.items)})
        if not isinstance(value, Obj):
            return run.symbol(f"{part}({show(value)})", value)
        if part == "keys":
            return Arr(list(value.props))
        if part == "values":
            return Arr(list(value.props.values()))
        return Arr([Arr([key, one]) for key, one in value.props.items()])
        yield

    return listed


def _assign(_run: Run, _this: Value, args: list[Value]) -> Value:
    target = argument(args, 0)
    for one in args[1:]:
        if isinstance(one, Obj) and isinstance(target, (Obj, Func)):
            target.props.update(one.props)
    return target


def _from_entries(run: Run, _this: Value, args: list[Value]) -> Value:
    pairs = argument(args, 0)
    items = pairs.props["items"] if isinstance(pairs, Obj) and pairs.kind == "map" else pairs
    known = isinstance(items, Arr) and all(
        isinstance(one, Arr) and len(one.items) == 2 and is_primitive(one.items[0]) for one in items.items
    )
    if not known:
        return run.symbol(f"fromEntries({show(pairs)})", pairs)
    return Obj({as_text(one.items[0]): one.items[1] for one in items.items})


def _create(_run: Run, _this: Value, args: list[Value]) -> Value:
    proto, described = argument(args, 0), argument(args, 1)
    made = Obj(proto=proto if isinstance(proto, Obj) else None)
    if isinstance(described, Obj):
        for key, one in described.props.items():
            _describe(made, key, one)
    return made


def _define(_run: Run, _this: Value, args: list[Value]) -> Value:
    target, key = argument(args, 0), argument(args, 1)
    if isinstance(target, Obj) and is_primitive(key):
        _describe(target, as_text(key), argument(args, 2))
    return target


def _describe(target: Obj, key: str, described: Value) -> None:
    if isinstance(described, Obj) and "get" in described.props:
        target.getters[key] = described.props["get"]
    if isinstance(described, Obj) and "set" in described.props:
        target.setters[key] = described.props["set"]
    if isinstance(described, Obj) and "value" in described.props:
        target.props[key] = described.props["value"]


def _inherit(_run: Run, _this: Value, args: list[Value]) -> Value:
    target, proto = argument(args, 0), argument(args, 1)
    if isinstance(target, Obj) and isinstance(proto, Obj) and not _is_on_chain(target, proto):
        target.proto = proto
    return target


def _is_on_chain(wanted: Obj, start: Obj | None) -> bool:
    while start is not None and start is not wanted:
        start = start.proto
    return start is wanted


def first(_run: Run, _this: Value, args: list[Value]) -> Value:
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
    **dict.fromkeys(("freeze", "seal", "preventExtensions"), plain(first)),
}
