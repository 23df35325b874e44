"""Timers: each runs after what runs now, an interval again until it is cleared, and none that was cleared."""

from awning.check.page.natives import Method, argument, later
from awning.check.page.run import Run
from awning.check.page.values import UNDEFINED, Callable_, Obj, Steps, Sym, Value
from awning.check.script.tree import Node

ROUNDS = 3
"""How often an interval comes back, unless it has called initContentHandler: then what it does is known."""


def timeout(run: Run, _this: Value, args: list[Value], node: Node) -> Steps:
    _no_text(run, args, node)
    made = Obj(kind="timer")
    later(run, argument(args, 0), args[2:], node, unless=made)
    return made
    yield


def interval(run: Run, _this: Value, args: list[Value], node: Node) -> Steps:
    _no_text(run, args, node)
    made = Obj(kind="timer")
    callback = argument(args, 0)

    def round_(left: int) -> Steps:
        before = len(run.inits)
        if not made.props.get("cleared"):
            yield from run.call(run, callback, UNDEFINED, args[2:], node)
            if left > 1 and len(run.inits) == before:
                run.jobs.append(lambda: round_(left - 1))
        return UNDEFINED

    if isinstance(callback, Callable_):
        run.jobs.append(lambda: round_(ROUNDS))
    return made
    yield


def clear(_run: Run, _this: Value, args: list[Value], _node: Node) -> Steps:
    timer = argument(args, 0)
    if isinstance(timer, Obj) and timer.kind == "timer":
        timer.props["cleared"] = True
    return UNDEFINED
    yield


def frame(run: Run, _this: Value, args: list[Value], node: Node) -> Steps:
    """requestAnimationFrame and its like."""
    made = Obj(kind="timer")
    later(run, argument(args, 0), [run.symbol("time")], node, unless=made)
    return made
    yield


def microtask(run: Run, _this: Value, args: list[Value], node: Node) -> Steps:
    later(run, argument(args, 0), [], node, soon=True)
    return UNDEFINED
    yield


def _no_text(run: Run, args: list[Value], node: Node) -> None:
    code = argument(args, 0)
    if isinstance(code, str) or (isinstance(code, Sym) and code.text):
        run.report("no-eval", node, "a timer that is given text runs it as code")


TIMERS: dict[str, Method] = {
    "setTimeout": timeout,
    "setInterval": interval,
    **dict.fromkeys(("clearTimeout", "clearInterval", "cancelAnimationFrame", "cancelIdleCallback"), clear),
    **dict.fromkeys(("requestAnimationFrame", "requestIdleCallback", "setImmediate"), frame),
    "queueMicrotask": microtask,
}
