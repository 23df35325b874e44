"""Callbacks that run later: timers, listeners, promises and microtasks."""

from contextlib import suppress
from functools import lru_cache

from awning.check.budget import JOBS
from awning.check.interpreter.builtins import Method, argument, native_method
from awning.check.interpreter.execution import Execution, ThrownException, finish
from awning.check.interpreter.values import (
    CALLABLE,
    UNDEFINED,
    ArrayValue,
    FunctionValue,
    NativeFunction,
    ObjectValue,
    PromiseValue,
    Steps,
    Symbolic,
    Value,
)
from awning.script.tree import Node

INTERVAL_ROUNDS = 3
"""The maximum number of rounds of an interval. It ends earlier if it is cleared or has called initContentHandler."""


def set_timeout(run: Execution, _this: Value, args: list[Value], node: Node) -> Steps:
    _report_text(run, args, node)
    timer = ObjectValue(kind="timer")
    schedule(run, argument(args, 0), args[2:], node, unless=timer)
    return timer
    yield


def set_interval(run: Execution, _this: Value, args: list[Value], node: Node) -> Steps:
    _report_text(run, args, node)
    timer = ObjectValue(kind="timer")
    callback = argument(args, 0)

    def round_(left: int) -> Steps:
        before = len(run.init_calls)
        if not timer.props.get("cleared"):
            yield from run.call(run, callback, UNDEFINED, args[2:], node)
            if left > 1 and len(run.init_calls) == before:
                run.tasks.append(lambda: round_(left - 1))
        return UNDEFINED

    if isinstance(callback, CALLABLE):
        run.tasks.append(lambda: round_(INTERVAL_ROUNDS))
    return timer
    yield


def clear_timer(_run: Execution, _this: Value, args: list[Value], _node: Node) -> Steps:
    timer = argument(args, 0)
    if isinstance(timer, ObjectValue) and timer.kind == "timer":
        timer.props["cleared"] = True
    return UNDEFINED
    yield


def request_frame(run: Execution, _this: Value, args: list[Value], node: Node) -> Steps:
    """Execute requestAnimationFrame, or a similar function."""
    timer = ObjectValue(kind="timer")
    schedule(run, argument(args, 0), [run.symbol("time")], node, unless=timer)
    return timer
    yield


def queue_microtask(run: Execution, _this: Value, args: list[Value], node: Node) -> Steps:
    schedule(run, argument(args, 0), [], node, soon=True)
    return UNDEFINED
    yield


def _report_text(run: Execution, args: list[Value], node: Node) -> None:
    code = argument(args, 0)
    if isinstance(code, str) or (isinstance(code, Symbolic) and code.text):
        run.report("no-eval", node, "a timer that is given text runs it as code")


TIMERS: dict[str, Method] = {
    "setTimeout": set_timeout,
    "setInterval": set_interval,
    **dict.fromkeys(
        ("clearTimeout", "clearInterval", "cancelAnimationFrame", "cancelIdleCallback"), clear_timer
    ),
    **dict.fromkeys(("requestAnimationFrame", "requestIdleCallback", "setImmediate"), request_frame),
    "queueMicrotask": queue_microtask,
}


READY = {"domcontentloaded", "load", "ready", "readystatechange", "pageshow"}


ENDS = {"load", "error"}


MOST_TURNS = 2
"""One function is scheduled at most this many times. A timer's function may run once more, at the end (`schedule`)."""


def schedule(
    run: Execution,
    callback: Value,
    args: list[Value],
    node: Node,
    *,
    unless: ObjectValue | None = None,
    soon: bool = False,
) -> None:
    """Schedule a callback to run after the current code: for a timer, a promise or a response.

    The callback does not run if the timer `unless` is cleared. With `soon` the callback runs before any timer. A
    function that was already scheduled `MOST_TURNS` times runs once more, after all events are delivered.
    """
    run.side_effect()
    if isinstance(callback, CALLABLE):
        turn = _count_turn(run, callback, node)
        if turn <= MOST_TURNS + 1:
            first = run.microtasks if soon else run.tasks
            queue = first if turn <= MOST_TURNS else run.pending_listeners
            queue.append(lambda: _run_task(run, callback, args, node, unless))


def _run_task(
    run: Execution, callback: Value, args: list[Value], node: Node, timer: ObjectValue | None
) -> Steps:
    if timer is None or not timer.props.get("cleared"):
        yield from run.call(run, callback, run.page.names["window"], args, node)
    return UNDEFINED


def _count_turn(run: Execution, callback: Value, node: Node) -> int:
    key = callback.node.start if isinstance(callback, FunctionValue) else -node.start - 1
    key = key * 64 + len(run.deliveries)
    run.turns[key] = run.turns.get(key, 0) + 1
    return run.turns[key]


def add_listener(run: Execution, event: Value, callback: Value, node: Node) -> None:
    """Schedule a callback for an event of the page.

    A callback for the loading of the page runs after the scripts, as a timer does. Any other callback runs at the end
    of the page's life, unless the script fires its event itself. So does any callback that is added during a delivery.
    """
    run.side_effect()
    if not isinstance(callback, CALLABLE):
        if isinstance(callback, ObjectValue) and "handleEvent" in callback.props:
            add_listener(run, event, callback.props["handleEvent"], node)
        return
    names = {name.split(".")[0] for name in event.split()} if isinstance(event, str) else set()
    for name in names:
        run.page_listeners.setdefault(name, []).append(callback)
    if not run.deliveries and any(name.lower() in READY for name in names):
        schedule(run, callback, [run.symbol("event")], node)
    elif names and names <= ENDS and any(callback in run.page_listeners.get(end, ()) for end in ENDS - names):
        return  # either `load` or `error` is fired, never both
    elif _count_turn(run, callback, node) <= MOST_TURNS:
        run.pending_listeners.append(lambda: _run_listener(run, names, callback, node))


def _run_listener(run: Execution, names: set[str], callback: Value, node: Node) -> Steps:
    """Run a listener, unless the script has fired the event itself and so has already called the listener."""
    if not names & run.fired_events:
        yield from run.call(run, callback, Symbolic("element"), [run.symbol("event")], node)
    return UNDEFINED


def own_promise(this: Value) -> PromiseValue | None:
    return this if isinstance(this, PromiseValue) else None


def _then(run: Execution, this: PromiseValue, args: list[Value], node: Node) -> Steps:
    promise = PromiseValue(UNDEFINED, False, this.key)

    def job() -> Steps:
        callback = argument(args, 1 if this.rejected else 0)
        if isinstance(callback, CALLABLE):
            returned = yield from run.call(run, callback, UNDEFINED, [this.value], node)
            promise.value = returned.value if isinstance(returned, PromiseValue) else returned
        else:
            promise.value, promise.rejected = this.value, this.rejected
        promise.settled = True
        return UNDEFINED

    (run.microtasks if this.settled else run.tasks).append(job)
    return promise
    yield


def _catch(run: Execution, this: PromiseValue, args: list[Value], node: Node) -> Steps:
    return (yield from _then(run, this, [UNDEFINED, *args], node))


def _finally(run: Execution, this: PromiseValue, args: list[Value], node: Node) -> Steps:
    schedule(run, argument(args, 0), [], node, soon=this.settled)
    return this
    yield


_PROMISE: dict[str, Method] = {"then": _then, "catch": _catch, "finally": _finally}


@lru_cache(maxsize=8)
def promise_method(key: str) -> Value:
    return native_method(_PROMISE, key, "promise", own_promise)


def make_promise(run: Execution, _this: Value, args: list[Value], node: Node) -> Steps:
    """Evaluate `new Promise(executor)`. The executor runs at once."""
    promise = PromiseValue(run.symbol(f"promise:{node.start}"), False, f"promise:{node.start}")

    def settle(rejected: bool) -> NativeFunction:
        def settled(_run: Execution, _this: Value, arguments: list[Value], _node: Node) -> Steps:
            promise.value, promise.rejected, promise.settled = argument(arguments, 0), rejected, True
            return UNDEFINED
            yield

        return NativeFunction("settle", settled)

    yield from run.call(run, argument(args, 0), UNDEFINED, [settle(False), settle(True)], node)
    return promise


def resolve(_run: Execution, _this: Value, args: list[Value], _node: Node) -> Steps:
    value = argument(args, 0)
    unknown = (
        isinstance(value, Symbolic) and not value.taint
    )  # a tainted value is part of the payload, which is never a promise
    return value if unknown or isinstance(value, PromiseValue) else PromiseValue(value, settled=True)
    yield


def reject(_run: Execution, _this: Value, args: list[Value], _node: Node) -> Steps:
    return PromiseValue(argument(args, 0), True, settled=True)
    yield


def gather_promises(_run: Execution, _this: Value, args: list[Value], _node: Node) -> Steps:
    items = argument(args, 0)
    values = items.items if isinstance(items, ArrayValue) else []
    return PromiseValue(
        ArrayValue([item.value if isinstance(item, PromiseValue) else item for item in values])
    )
    yield


def end_of_script(run: Execution) -> None:
    """Run the callbacks of settled promises, after a script has ended."""
    for _ in range(JOBS):
        if not run.microtasks:
            return
        with suppress(ThrownException):
            finish(run.microtasks.popleft()())
    run.budget.leave_out(f"timers, promises and listeners after the first {JOBS}", run.offset)


def drain(run: Execution, *, listeners: bool = False) -> None:
    """Run all waiting timers, promises and responses; with `listeners` also all listeners.

    After `JOBS` of them, the others are left out.
    """
    for _ in range(JOBS):
        end_of_script(run)
        if not run.tasks and listeners and run.pending_listeners:
            run.tasks.append(run.pending_listeners.popleft())
        if not run.tasks:
            return
        run.path.forget_the_page()
        try:
            finish(run.tasks.popleft()())
        except ThrownException:
            continue
    run.budget.leave_out(f"timers, promises and listeners after the first {JOBS}", run.offset)
