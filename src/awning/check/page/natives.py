"""What the language brings along: methods of arrays, texts, functions, objects and promises.

Only what decides how often a callback runs, or which text an event name is, is worked out; everything else gives a
symbol.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from awning.check.page.conditions import added, decide
from awning.check.page.run import Run, is_tainted
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
MOST_TURNS = 2
"""How often one function is run as a timer or listener."""


def argument(args: list[Value], index: int) -> Value:
    return args[index] if index < len(args) else UNDEFINED


def later(run: Run, callback: Value, args: list[Value], node: Node) -> None:
    """Call it after everything that runs now: a timer, a promise, an answer.

    What starts itself again and again has a turn once more when all events have been delivered.
    """
    if isinstance(callback, Callable_):
        turn = _turn(run, callback, node)
        if turn <= MOST_TURNS + 1:
            queue = run.jobs if turn <= MOST_TURNS else run.listeners
            queue.append(lambda: run.call(run, callback, UNDEFINED, args, node))


def _turn(run: Run, callback: Value, node: Node) -> int:
    key = callback.node.start if isinstance(callback, Func) else -node.start - 1
    key = key * 64 + len(run.delivering)
    run.scheduled[key] = run.scheduled.get(key, 0) + 1
    return run.scheduled[key]


def listen(run: Run, event: Value, callback: Value, node: Node) -> None:
    """Call it when something happens: at once after the script for the page's own beginning, else at the end."""
    if not isinstance(callback, Callable_):
        if isinstance(callback, Obj) and "handleEvent" in callback.props:
            listen(run, event, callback.props["handleEvent"], node)
        return
    if not run.delivering and isinstance(event, str) and event.lower() in READY:
        later(run, callback, [run.symbol("event")], node)
    elif _turn(run, callback, node) <= MOST_TURNS:
        run.listeners.append(lambda: run.call(run, callback, UNDEFINED, [run.symbol("event")], node))


def over(run: Run, items: list[Value], callback: Value, node: Node, this: Value = UNDEFINED) -> Steps:
    """What a callback gives for each item."""
    made = []
    for index, item in enumerate(list(items)):
        made.append((yield from run.call(run, callback, this, [item, index, Arr(items)], node)))
    return made


Method = Callable[[Run, Value, list[Value], Node], Steps]


def _for_each(run: Run, this: Arr, args: list[Value], node: Node) -> Steps:
    yield from over(run, this.items, argument(args, 0), node, argument(args, 1))
    return UNDEFINED


def _map(run: Run, this: Arr, args: list[Value], node: Node) -> Steps:
    return Arr((yield from over(run, this.items, argument(args, 0), node, argument(args, 1))))


def _flat_map(run: Run, this: Arr, args: list[Value], node: Node) -> Steps:
    made = yield from over(run, this.items, argument(args, 0), node)
    return Arr(_flat(made))


def _flat(items: list[Value]) -> list[Value]:
    return [inner for item in items for inner in (item.items if isinstance(item, Arr) else [item])]


def _searching(stop: bool, result: Callable[[list[Value], list[Value], bool], Value]) -> Method:
    """`some`, `every`, `find`: until an answer is `stop`."""

    def search(run: Run, this: Arr, args: list[Value], node: Node) -> Steps:
        for item in list(this.items):
            answer = yield from run.call(run, argument(args, 0), UNDEFINED, [item], node)
            if decide(run, answer) is stop:
                return result(this.items, [item], True)
        return result(this.items, [UNDEFINED], False)

    return search


def _filter(run: Run, this: Arr, args: list[Value], node: Node) -> Steps:
    items = list(this.items)
    answers = yield from over(run, items, argument(args, 0), node)
    return Arr([item for item, answer in zip(items, answers, strict=True) if decide(run, answer)])


def _reduce(run: Run, this: Arr, args: list[Value], node: Node) -> Steps:
    items = list(this.items)
    total = args[1] if len(args) > 1 else items.pop(0) if items else UNDEFINED
    for index, item in enumerate(items, len(this.items) - len(items)):
        total = yield from run.call(run, argument(args, 0), UNDEFINED, [total, item, index], node)
    return total


def _plain(work: Callable[[Run, Value, list[Value]], Value]) -> Method:
    def method(run: Run, this: Value, args: list[Value], _node: Node) -> Steps:
        return work(run, this, args)
        yield

    return method


def _push(_run: Run, this: Arr, args: list[Value]) -> Value:
    this.items.extend(args)
    return len(this.items)


def _take(index: int) -> Callable[[Run, Arr, list[Value]], Value]:
    return lambda _run, this, _args: this.items.pop(index) if this.items else UNDEFINED


def _join(run: Run, this: Arr, args: list[Value]) -> Value:
    glue = argument(args, 0)
    text: Value = ""
    for index, item in enumerate(this.items):
        text = added(run, text, "," if glue is UNDEFINED else glue) if index else text
        text = added(run, text, item)
    return text


def _slice(_run: Run, this: Arr, args: list[Value]) -> Value:
    ends = [
        int(one) if isinstance(one, (int, float)) else None for one in (argument(args, 0), argument(args, 1))
    ]
    return Arr(this.items[ends[0] : ends[1]])


def _has(run: Run, this: Arr, args: list[Value]) -> Value:
    wanted = argument(args, 0)
    if isinstance(wanted, Sym) or any(isinstance(item, Sym) for item in this.items):
        return run.symbol(f"{show(wanted)} in {','.join(map(show, this.items))}")
    return any(strictly_equal(item, wanted) for item in this.items)


def _index(run: Run, this: Arr, args: list[Value]) -> Value:
    wanted = argument(args, 0)
    if isinstance(wanted, Sym) or any(isinstance(item, Sym) for item in this.items):
        return run.symbol(f"index of {show(wanted)} in {','.join(map(show, this.items))}")
    return next((i for i, item in enumerate(this.items) if strictly_equal(item, wanted)), -1)


def _at(_run: Run, this: Arr, args: list[Value]) -> Value:
    index = argument(args, 0)
    inside = isinstance(index, int) and -len(this.items) <= index < len(this.items)
    return this.items[index] if inside else UNDEFINED


_ARRAY: dict[str, Method] = {
    "forEach": _for_each,
    "map": _map,
    "flatMap": _flat_map,
    "filter": _filter,
    "reduce": _reduce,
    "some": _searching(True, lambda _items, _found, stopped: stopped),
    "every": _searching(False, lambda _items, _found, stopped: not stopped),
    "find": _searching(True, lambda _items, found, _stopped: found[0]),
    "findIndex": _searching(True, lambda items, found, stopped: items.index(found[0]) if stopped else -1),
    "push": _plain(_push),
    "unshift": _plain(lambda _run, this, args: this.items.__setitem__(slice(0, 0), args)),
    "pop": _plain(_take(-1)),
    "shift": _plain(_take(0)),
    "join": _plain(_join),
    "slice": _plain(_slice),
    "includes": _plain(_has),
    "indexOf": _plain(_index),
    "at": _plain(_at),
    "flat": _plain(lambda _run, this, _args: Arr(_flat(this.items))),
    "concat": _plain(lambda _run, this, args: Arr([*this.items, *_flat(args)])),
    "reverse": _plain(lambda _run, this, _args: Arr(this.items[::-1])),
    "sort": _plain(lambda _run, this, _args: this),
    "values": _plain(lambda _run, this, _args: Arr(list(this.items))),
    "keys": _plain(lambda _run, this, _args: Arr(list(range(len(this.items))))),
    "entries": _plain(lambda _run, this, _args: Arr([Arr([i, one]) for i, one in enumerate(this.items)])),
}


def _splitting(_run: Run, this: str, args: list[Value]) -> Value:
    glue = argument(args, 0)
    if glue == "":
        return Arr(list(this))
    return Arr(list(this.split(glue))) if isinstance(glue, str) else Sym(f"{this!r}.split")


def matched(regex: Value, text: str) -> Value:
    """Whether a regular expression of the script is found in a text; a symbol where Python reads it otherwise."""
    pattern, _, flags = regex.key.removeprefix("regex:/").rpartition("/")
    try:
        return re.search(pattern, text, re.IGNORECASE if "i" in flags else 0) is not None
    except re.error:
        return Sym(f"{regex.key}.test({text!r})")


def _match(run: Run, this: str, args: list[Value]) -> Value:
    regex = argument(args, 0)
    if not isinstance(regex, Sym) or not regex.key.startswith("regex:"):
        return run.symbol(f"{this!r}.match({show(regex)})")
    found = matched(regex, this)
    return Arr([run.symbol(f"{this!r}.match")]) if found is True else None if found is False else found


def _replace(run: Run, this: str, args: list[Value]) -> Value:
    old, new = argument(args, 0), argument(args, 1)
    if isinstance(old, str) and isinstance(new, str):
        return this.replace(old, new, 1)
    if isinstance(old, Sym) and old.key.startswith("regex:") and isinstance(new, str) and "$" not in new:
        pattern, _, flags = old.key.removeprefix("regex:/").rpartition("/")
        try:
            return re.sub(pattern, new.replace("\\", r"\\"), this, count=0 if "g" in flags else 1)
        except re.error:
            pass
    return run.symbol(f"{this!r}.replace({show(old)},{show(new)})", *args)


def _text(work: Callable[..., Value]) -> Method:
    """A method of texts whose arguments are all known, else a symbol."""

    def method(run: Run, this: str, args: list[Value], _node: Node) -> Steps:
        if all(is_primitive(one) for one in args):
            try:
                return work(this, *args)
            except (TypeError, ValueError, AttributeError, IndexError):
                pass
        return run.symbol(f"{this!r}({','.join(map(show, args))})", *args)
        yield

    return method


_TEXT: dict[str, Method] = {
    "endsWith": _text(lambda s, end: s.endswith(end)),
    "startsWith": _text(lambda s, start: s.startswith(start)),
    "includes": _text(lambda s, part: part in s),
    "indexOf": _text(lambda s, part: s.find(part)),
    "lastIndexOf": _text(lambda s, part: s.rfind(part)),
    "replace": _plain(_replace),
    "match": _plain(_match),
    "search": _plain(lambda run, this, args: -1 if _match(run, this, args) is None else run.symbol("found")),
    "replaceAll": _text(lambda s, old, new: s.replace(old, new)),
    "slice": _text(lambda s, start=None, end=None: s[start:end]),
    "substring": _text(lambda s, start=0, end=None: s[start:end]),
    "substr": _text(lambda s, start=0, n=None: s[start:] if n is None else s[start:][:n]),
    "charAt": _text(lambda s, index=0: s[index]),
    "trim": _text(lambda s: s.strip()),
    "toLowerCase": _text(lambda s: s.lower()),
    "toUpperCase": _text(lambda s: s.upper()),
    "toString": _text(lambda s: s),
    "repeat": _text(lambda s, n: s * min(int(n), 100)),
    "concat": _text(lambda s, *more: s + "".join(map(as_text, more))),
    "split": _plain(_splitting),
}


def _native(table: dict[str, Method], key: str, kind: str) -> Value:
    return Native(key, table[key]) if key in table else Sym(f"{kind}.{key}")


def array_method(key: str) -> Value:
    return _native(_ARRAY, key, "array")


def text_method(key: str) -> Value:
    return _native(_TEXT, key, "text")


def _call(run: Run, this: Value, args: list[Value], node: Node) -> Steps:
    return (yield from run.call(run, this, argument(args, 0), args[1:], node))


def _apply(run: Run, this: Value, args: list[Value], node: Node) -> Steps:
    given = argument(args, 1)
    listed = given.items if isinstance(given, Arr) else []
    return (yield from run.call(run, this, argument(args, 0), listed, node))


_FUNCTION: dict[str, Method] = {
    "call": _call,
    "apply": _apply,
    "bind": _plain(lambda _run, this, args: Bound(this, argument(args, 0), args[1:])),
}


def function_method(key: str) -> Value:
    return _native(_FUNCTION, key, "function") if key in _FUNCTION else UNDEFINED


def _collection_set(_run: Run, this: Obj, args: list[Value]) -> Value:
    items = this.props["items"].items
    if this.kind == "set":
        if not any(one is args[0] or strictly_equal(one, args[0]) for one in items):
            items.append(args[0])
        return this
    pair = next((one for one in items if strictly_equal(one.items[0], args[0])), None)
    if pair is None:
        items.append(Arr(list(args[:2])))
    else:
        pair.items[1] = args[1]
    return this


def _collection_get(_run: Run, this: Obj, args: list[Value]) -> Value:
    pairs = this.props["items"].items
    return next((one.items[1] for one in pairs if strictly_equal(one.items[0], args[0])), UNDEFINED)


def _collection_has(_run: Run, this: Obj, args: list[Value]) -> Value:
    keys = [one.items[0] if this.kind == "map" else one for one in this.props["items"].items]
    return any(strictly_equal(one, args[0]) for one in keys)


def _collection_each(run: Run, this: Obj, args: list[Value], node: Node) -> Steps:
    for one in list(this.props["items"].items):
        given = one.items[::-1] if this.kind == "map" else [one, one]
        yield from run.call(run, argument(args, 0), UNDEFINED, given, node)
    return UNDEFINED


def _collection_values(_run: Run, this: Obj, _args: list[Value]) -> Value:
    return Arr([one.items[1] if this.kind == "map" else one for one in this.props["items"].items])


_COLLECTION: dict[str, Method] = {
    "set": _plain(_collection_set),
    "add": _plain(_collection_set),
    "get": _plain(_collection_get),
    "has": _plain(_collection_has),
    "forEach": _collection_each,
    "values": _plain(_collection_values),
    "keys": _plain(
        lambda _run, this, _args: Arr(
            [one.items[0] if this.kind == "map" else one for one in this.props["items"].items]
        )
    ),
    "entries": _plain(lambda _run, this, _args: this.props["items"]),
}
_OBJECT: dict[str, Method] = {
    "hasOwnProperty": _plain(lambda _run, this, args: as_text(args[0]) in this.props if args else False),
    "toString": _plain(lambda _run, _this, _args: "[object Object]"),
}


def object_method(owner: Obj, key: str) -> Value:
    if owner.kind in {"map", "set"}:
        if key == "size":
            return len(owner.props["items"].items)
        if key in _COLLECTION:
            return Native(key, _COLLECTION[key])
    return Native(key, _OBJECT[key]) if key in _OBJECT else UNDEFINED


def _then(run: Run, this: Promise, args: list[Value], node: Node) -> Steps:
    made = Promise(UNDEFINED, False, this.key)

    def job() -> Steps:
        callback = argument(args, 1 if this.rejected else 0)
        if isinstance(callback, Callable_):
            given = yield from run.call(run, callback, UNDEFINED, [this.value], node)
            made.value = given.value if isinstance(given, Promise) else given
        else:
            made.value, made.rejected = this.value, this.rejected
        return UNDEFINED

    run.jobs.append(job)
    return made
    yield


def _catch(run: Run, this: Promise, args: list[Value], node: Node) -> Steps:
    return (yield from _then(run, this, [UNDEFINED, *args], node))


def _finally(run: Run, this: Promise, args: list[Value], node: Node) -> Steps:
    later(run, argument(args, 0), [], node)
    return this
    yield


_PROMISE: dict[str, Method] = {"then": _then, "catch": _catch, "finally": _finally}


@lru_cache(maxsize=8)
def promise_method(key: str) -> Value:
    return _native(_PROMISE, key, "promise")


__all__ = ["argument", "array_method", "is_tainted", "later", "listen"]
