"""Methods of arrays.

The result must be exact in two respects: how often a callback runs, and which items the array has afterwards.
"""

from collections.abc import Callable
from itertools import pairwise

from awning.check.budget import ITEMS
from awning.check.interpreter.builtins import Method, argument, native_method, simple_method
from awning.check.interpreter.exceptions import thrown_error
from awning.check.interpreter.execution import Execution
from awning.check.interpreter.operators import add, decide
from awning.check.interpreter.values import (
    UNDEFINED,
    ArrayValue,
    ObjectValue,
    Steps,
    Symbolic,
    Value,
    strictly_equal,
    symbol_key,
)
from awning.script.tree import Node


def call_for_each(
    run: Execution, items: list[Value], callback: Value, node: Node, this: Value = UNDEFINED
) -> Steps:
    """Call a callback for each item, and return the list of its results."""
    results = []
    for index, item in enumerate(list(items)):
        results.append((yield from run.call(run, callback, this, [item, index, ArrayValue(items)], node)))
    return results


def _for_each(run: Execution, this: ArrayValue, args: list[Value], node: Node) -> Steps:
    yield from call_for_each(run, this.items, argument(args, 0), node, argument(args, 1))
    return UNDEFINED


def _map(run: Execution, this: ArrayValue, args: list[Value], node: Node) -> Steps:
    return ArrayValue((yield from call_for_each(run, this.items, argument(args, 0), node, argument(args, 1))))


def _flat_map(run: Execution, this: ArrayValue, args: list[Value], node: Node) -> Steps:
    results = yield from call_for_each(run, this.items, argument(args, 0), node)
    return _flat(run, results)


def _flat(run: Execution, items: list[Value]) -> Value:
    """Return the items as one array, with the items of each inner array in its place: `flat`, `flatMap` and `concat`.

    The length is computed before the list is built, because a short list may contain the same long list a thousand
    times.
    """
    run.budget.spend(len(items) // 16)
    if sum(len(item.items) if isinstance(item, ArrayValue) else 1 for item in items) > ITEMS:
        return run.symbol(f"long list:{run.offset}", *items)
    return run.known_list(
        [inner for item in items for inner in (item.items if isinstance(item, ArrayValue) else [item])]
    )


def _concatenated(run: Execution, this: ArrayValue, args: list[Value]) -> Value:
    return _flat(run, [ArrayValue(this.items), *args])


def _search_method(stop: bool, result: Callable[[list[Value], list[Value], bool], Value]) -> Method:
    """Return a method such as `some` or `find`, which calls the callback until it returns `stop`.

    `result` makes the method's result from three arguments: the items of the array, a list with the item at which the
    search stopped (or undefined), and whether the search stopped.
    """

    def search(run: Execution, this: ArrayValue, args: list[Value], node: Node) -> Steps:
        for item in list(this.items):
            answer = yield from run.call(run, argument(args, 0), UNDEFINED, [item], node)
            if decide(run, answer) is stop:
                return result(this.items, [item], True)
        return result(this.items, [UNDEFINED], False)

    return search


def _filter(run: Execution, this: ArrayValue, args: list[Value], node: Node) -> Steps:
    items = list(this.items)
    answers = yield from call_for_each(run, items, argument(args, 0), node)
    return ArrayValue([item for item, answer in zip(items, answers, strict=True) if decide(run, answer)])


def _reduce(run: Execution, this: ArrayValue, args: list[Value], node: Node) -> Steps:
    items = list(this.items)
    if len(args) < 2 and not items:
        raise thrown_error(run)
    total = args[1] if len(args) > 1 else items.pop(0) if items else UNDEFINED
    for index, item in enumerate(items, len(this.items) - len(items)):
        total = yield from run.call(run, argument(args, 0), UNDEFINED, [total, item, index], node)
    return total


def _reduce_right(run: Execution, this: ArrayValue, args: list[Value], node: Node) -> Steps:
    return (yield from _reduce(run, ArrayValue(this.items[::-1]), args, node))


def _sort(run: Execution, this: ArrayValue, args: list[Value], node: Node) -> Steps:
    """Execute the array method `sort`. The callback is called for neighbouring items, but the order does not change."""
    for left, right in pairwise(list(this.items)):
        if args:
            yield from run.call(run, args[0], UNDEFINED, [right, left], node)
    return this


def _splice(_run: Execution, this: ArrayValue, args: list[Value]) -> Value:
    start, count = argument(args, 0), argument(args, 1)
    if not isinstance(start, int) or not (isinstance(count, int) or len(args) < 2):
        return ArrayValue()
    start = max(start + len(this.items), 0) if start < 0 else start
    end = len(this.items) if len(args) < 2 else start + max(count, 0)
    removed = this.items[start:end]
    this.items[start:end] = args[2:]
    return ArrayValue(removed)


def _fill(_run: Execution, this: ArrayValue, args: list[Value]) -> Value:
    this.items[:] = [argument(args, 0)] * len(this.items)
    return this


def _next(_run: Execution, this: ArrayValue, _args: list[Value]) -> Value:
    """Execute the method `next` of an iterator, which is represented as a list."""
    at = this.props.get(" at", 0)
    this.props[" at"] = at + 1
    done = at >= len(this.items)
    return ObjectValue({"done": done, "value": UNDEFINED if done else this.items[at]})


def _push(_run: Execution, this: ArrayValue, args: list[Value]) -> Value:
    this.items.extend(args)
    return len(this.items)


def _unshift(_run: Execution, this: ArrayValue, args: list[Value]) -> Value:
    this.items[:0] = args
    return len(this.items)


def _take(index: int) -> Callable[[Execution, ArrayValue, list[Value]], Value]:
    return lambda _run, this, _args: this.items.pop(index) if this.items else UNDEFINED


def _join(run: Execution, this: ArrayValue, args: list[Value]) -> Value:
    glue = argument(args, 0)
    text: Value = ""
    for index, item in enumerate(this.items):
        text = add(run, text, "," if glue is UNDEFINED else glue) if index else text
        text = add(run, text, item)
    return text


def _slice(_run: Execution, this: ArrayValue, args: list[Value]) -> Value:
    ends = [
        int(bound) if isinstance(bound, (int, float)) else None
        for bound in (argument(args, 0), argument(args, 1))
    ]
    return ArrayValue(this.items[ends[0] : ends[1]])


def _has(run: Execution, this: ArrayValue, args: list[Value]) -> Value:
    searched = argument(args, 0)
    if isinstance(searched, Symbolic) or any(isinstance(item, Symbolic) for item in this.items):
        return run.symbol(f"{symbol_key(searched)} in {','.join(map(symbol_key, this.items))}")
    return any(strictly_equal(item, searched) for item in this.items)


def _index(run: Execution, this: ArrayValue, args: list[Value]) -> Value:
    searched = argument(args, 0)
    if isinstance(searched, Symbolic) or any(isinstance(item, Symbolic) for item in this.items):
        return run.symbol(f"index of {symbol_key(searched)} in {','.join(map(symbol_key, this.items))}")
    return next((i for i, item in enumerate(this.items) if strictly_equal(item, searched)), -1)


def _at(_run: Execution, this: ArrayValue, args: list[Value]) -> Value:
    index = argument(args, 0)
    inside = isinstance(index, int) and -len(this.items) <= index < len(this.items)
    return this.items[index] if inside else UNDEFINED


_ARRAY: dict[str, Method] = {
    "forEach": _for_each,
    "map": _map,
    "flatMap": _flat_map,
    "filter": _filter,
    "reduce": _reduce,
    "reduceRight": _reduce_right,
    "splice": simple_method(_splice),
    "fill": simple_method(_fill),
    "next": simple_method(_next),
    "some": _search_method(True, lambda _items, _matches, stopped: stopped),
    "every": _search_method(False, lambda _items, _matches, stopped: not stopped),
    "find": _search_method(True, lambda _items, matches, _stopped: matches[0]),
    "findIndex": _search_method(
        True, lambda items, matches, stopped: items.index(matches[0]) if stopped else -1
    ),
    "push": simple_method(_push),
    "unshift": simple_method(_unshift),
    "pop": simple_method(_take(-1)),
    "shift": simple_method(_take(0)),
    "join": simple_method(_join),
    "slice": simple_method(_slice),
    "includes": simple_method(_has),
    "indexOf": simple_method(_index),
    "at": simple_method(_at),
    "flat": simple_method(lambda run, this, _args: _flat(run, this.items)),
    "concat": simple_method(_concatenated),
    "reverse": simple_method(lambda _run, this, _args: ArrayValue(this.items[::-1])),
    "sort": _sort,
    "values": simple_method(lambda _run, this, _args: ArrayValue(list(this.items))),
    "keys": simple_method(lambda _run, this, _args: ArrayValue(list(range(len(this.items))))),
    "entries": simple_method(
        lambda _run, this, _args: ArrayValue(
            [ArrayValue([index, item]) for index, item in enumerate(this.items)]
        )
    ),
}


def array_method(key: str) -> Value:
    return native_method(_ARRAY, key, "array", _own_list)


def _own_list(this: Value) -> ArrayValue | None:
    """Return the array itself, or an array made of a string or of an array-like object; None for any other value."""
    if isinstance(this, ArrayValue):
        return this
    if isinstance(this, str):
        return ArrayValue(list(this))
    length = this.props.get("length") if isinstance(this, ObjectValue) else None
    if isinstance(length, int) and 0 <= length <= ITEMS:
        return ArrayValue([this.props.get(str(index), UNDEFINED) for index in range(length)])
    return None
