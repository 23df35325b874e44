"""jQuery's functions that call or combine functions: `$.each`, `$.map`, `$.extend`, `$.proxy`, `$(ready)`."""

from collections.abc import Callable

from awning.check.interpreter.builtins import argument
from awning.check.interpreter.execution import Execution
from awning.check.interpreter.properties import get
from awning.check.interpreter.values import (
    CALLABLE,
    UNDEFINED,
    ArrayValue,
    BoundFunction,
    FunctionValue,
    ObjectValue,
    Steps,
    Symbolic,
    Value,
)
from awning.script.tree import Node

JQUERY = frozenset({"$", "jQuery"})


def own_function(owner: Symbolic, name: str, args: list[Value]) -> "Own | None":
    """Return the implementation of a jQuery function; None for another function or unsuitable arguments."""
    if owner.key not in JQUERY or name not in _OWN:
        return None
    knows, work = _OWN[name]
    return work if knows(args) else None


def given_jquery(callback: Value) -> Value:
    """Return the callback with jQuery as its first argument: `jQuery(function ($) { ... })`."""
    return BoundFunction(callback, UNDEFINED, [Symbolic("$")]) if isinstance(callback, CALLABLE) else callback


def _pairs(value: Value) -> list[tuple[Value, Value]]:
    return list(enumerate(value.items)) if isinstance(value, ArrayValue) else list(value.props.items())


def _lists(args: list[Value]) -> bool:
    plain = isinstance(argument(args, 0), ObjectValue) and args[0].kind == "object"
    return (plain or isinstance(argument(args, 0), ArrayValue)) and isinstance(argument(args, 1), CALLABLE)


def _each(run: Execution, args: list[Value], node: Node) -> Steps:
    for key, item in _pairs(args[0]):
        if (yield from run.call(run, args[1], item, [key, item], node)) is False:
            break
    return args[0]


def _map(run: Execution, args: list[Value], node: Node) -> Steps:
    results = []
    for key, item in _pairs(args[0]):
        returned = yield from run.call(run, args[1], UNDEFINED, [item, key], node)
        results += (
            returned.items
            if isinstance(returned, ArrayValue)
            else []
            if returned in (None, UNDEFINED)
            else [returned]
        )
    return ArrayValue(results)


def _extends(args: list[Value]) -> bool:
    return isinstance(
        args[1 if argument(args, 0) is True else 0] if args else None, (ObjectValue, FunctionValue)
    )


def _extend(_run: Execution, args: list[Value], _node: Node) -> Steps:
    target, *others = args[1:] if args[0] is True else args
    for source in others:
        if isinstance(source, ObjectValue):
            target.props.update({key: value for key, value in source.props.items() if value is not UNDEFINED})
            if isinstance(target, ObjectValue):
                target.getters.update(source.getters)
    return target
    yield


def _binds(args: list[Value]) -> bool:
    return isinstance(argument(args, 0), CALLABLE) or isinstance(argument(args, 1), str)


def _proxy(run: Execution, args: list[Value], node: Node) -> Steps:
    """Execute `$.proxy(function, this)` or `$.proxy(this, "name")`."""
    if isinstance(args[0], CALLABLE):
        return BoundFunction(args[0], argument(args, 1), args[2:])
    return BoundFunction((yield from get(run, args[0], args[1], node)), args[0], args[2:])


Own = Callable[[Execution, list[Value], Node], Steps]
_OWN: dict[str, tuple[Callable[[list[Value]], bool], Own]] = {
    "each": (_lists, _each),
    "map": (_lists, _map),
    "extend": (_extends, _extend),
    "proxy": (_binds, _proxy),
}
