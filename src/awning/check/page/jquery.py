"""jQuery's own functions that decide what runs: `$.each`, `$.map`, `$.extend`, `$.proxy`, `$(ready)`."""

from collections.abc import Callable

from awning.check.page.members import get
from awning.check.page.natives import argument
from awning.check.page.run import Run
from awning.check.page.values import UNDEFINED, Arr, Bound, Callable_, Func, Obj, Steps, Sym, Value
from awning.check.script.tree import Node

JQUERY = frozenset({"$", "jQuery"})


def own_function(owner: Sym, name: str, args: list[Value]) -> "Own | None":
    """The function, where all that it needs is known."""
    if owner.key not in JQUERY or name not in _OWN:
        return None
    knows, work = _OWN[name]
    return work if knows(args) else None


def given_jquery(callback: Value) -> Value:
    """What is called when the document is ready gets jQuery: `jQuery(function ($) { ... })`."""
    return Bound(callback, UNDEFINED, [Sym("$")]) if isinstance(callback, Callable_) else callback


def _pairs(value: Value) -> list[tuple[Value, Value]]:
    return list(enumerate(value.items)) if isinstance(value, Arr) else list(value.props.items())


def _lists(args: list[Value]) -> bool:
    plain = isinstance(argument(args, 0), Obj) and args[0].kind == "object"
    return (plain or isinstance(argument(args, 0), Arr)) and isinstance(argument(args, 1), Callable_)


def _each(run: Run, args: list[Value], node: Node) -> Steps:
    for key, one in _pairs(args[0]):
        if (yield from run.call(run, args[1], one, [key, one], node)) is False:
            break
    return args[0]


def _map(run: Run, args: list[Value], node: Node) -> Steps:
    made = []
    for key, one in _pairs(args[0]):
        given = yield from run.call(run, args[1], UNDEFINED, [one, key], node)
        made += given.items if isinstance(given, Arr) else [] if given in (None, UNDEFINED) else [given]
    return Arr(made)


def _extends(args: list[Value]) -> bool:
    return isinstance(args[1 if argument(args, 0) is True else 0] if args else None, (Obj, Func))


def _extend(_run: Run, args: list[Value], _node: Node) -> Steps:
    target, *others = args[1:] if args[0] is True else args
    for one in others:
        if isinstance(one, Obj):
            target.props.update({key: value for key, value in one.props.items() if value is not UNDEFINED})
            if isinstance(target, Obj):
                target.getters.update(one.getters)
    return target
    yield


def _binds(args: list[Value]) -> bool:
    return isinstance(argument(args, 0), Callable_) or isinstance(argument(args, 1), str)


def _proxy(run: Run, args: list[Value], node: Node) -> Steps:
    """`$.proxy(function, this)` and `$.proxy(this, "name")`."""
    if isinstance(args[0], Callable_):
        return Bound(args[0], argument(args, 1), args[2:])
    return Bound((yield from get(run, args[0], args[1], node)), args[0], args[2:])


Own = Callable[[Run, list[Value], Node], Steps]
_OWN: dict[str, tuple[Callable[[list[Value]], bool], Own]] = {
    "each": (_lists, _each),
    "map": (_lists, _map),
    "extend": (_extends, _extend),
    "proxy": (_binds, _proxy),
}
