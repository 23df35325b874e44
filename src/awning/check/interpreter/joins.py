"""Runs both branches of a condition in one execution, and joins them if they differ only in the values of variables.

Most conditions of a script choose a string, not a call. For such a condition both branches run from the same state. A
variable that then differs gets the join of its two values. The join fails if a branch calls initContentHandler,
subscribes, writes a property, leaves the block, pauses at `await`, or needs a decision about another symbolic value.
The state is then restored, and the condition becomes a decision of the path condition.
"""

from collections.abc import Callable
from dataclasses import replace

from awning.check.interpreter.execution import (
    MISSING,
    AbruptCompletion,
    Execution,
    ThrownException,
    WriteLog,
    taint_of,
)
from awning.check.interpreter.operators import derive
from awning.check.interpreter.path_condition import JoinFailed
from awning.check.interpreter.values import (
    UNDEFINED,
    Steps,
    Symbolic,
    Value,
    is_primitive,
    strictly_equal,
    symbol_key,
    truthy,
)
from awning.script.tree import Node

Way = Callable[[], Steps]
_IN_NAMES = ("price", "cart", "checkout", "after", "content", "updated")


def join_branches(
    run: Execution, node: Node, condition: Way, then: Way, else_: Way, *, values: bool = False
) -> tuple[Value] | None:
    """Run both branches, and return their joined value in a tuple. Without `values`, the tuple holds None.

    Returns None if the join fails or has failed at this node before. Also returns None if there is nothing to join: the
    condition is not symbolic, or the path already decides it.
    """
    if node.splits:
        return None
    functions, entered = len(run.functions), len(run.called_functions)
    log: WriteLog = {}
    run.write_logs.append(log)
    run.path.frozen += 1
    try:
        symbol = _run_without_pause(condition())
        value = _run_both(run, symbol, then, else_, values=values)
    except _Decided:
        _undo(log)
        return None
    except (JoinFailed, AbruptCompletion, ThrownException):
        _undo(log)
        del run.functions[functions:]
        while len(run.called_functions) > entered:
            run.called_functions.popitem()
        node.splits = True
        return None
    finally:
        run.write_logs.pop()
        run.path.frozen -= 1
    if run.write_logs:
        for key, old in log.items():
            run.write_logs[-1].setdefault(key, old)
    return (value,)


def _run_both(run: Execution, symbol: Value, then: Way, else_: Way, *, values: bool) -> Value:
    if not isinstance(symbol, Symbolic) or not run.path.is_open(symbol):
        raise _Decided
    first, after_one = _run_branch(run, then)
    second, after_other = _run_branch(run, else_)
    value = join(run, symbol, first, second) if values else None
    _join_variables(run, symbol, after_one, after_other)
    return value


def join_loop(run: Execution, node: Node, symbol: Symbolic, rounds: Callable[[int], Steps]) -> bool:
    """Run a loop over a symbolic list as the join of zero, one and two rounds. Returns False if this fails."""
    length = Symbolic(f"{symbol.key}.length"[:300])
    has_one = derive(length, f"({length.key}>=1)", lambda n: isinstance(n, (int, float)) and n >= 1)
    two = derive(length, f"({length.key}>=2)", lambda n: isinstance(n, (int, float)) and n >= 2)

    def some() -> Steps:
        if not run.path.is_open(two):
            return (yield from rounds(2 if run.path.holds(two) else 1))
        if join_branches(run, node, lambda: _result(two), lambda: rounds(2), lambda: rounds(1)) is None:
            raise JoinFailed
        return UNDEFINED

    return join_branches(run, node, lambda: _result(has_one), some, lambda: _result(None)) is not None


def _result(value: Value) -> Steps:
    return value
    yield


class _Decided(Exception):
    """Raised when the condition is not symbolic, or the path already decides it, so there is nothing to join."""


def _run_without_pause(steps: Steps) -> Value:
    """Run a branch to its end. Raises JoinFailed when `await` pauses it, because other code could run then."""
    try:
        next(steps)
    except StopIteration as done:
        return done.value
    steps.close()
    raise JoinFailed


def _run_branch(run: Execution, way: Way) -> tuple[Value, WriteLog]:
    """Run a branch, then restore the variables that it has written.

    Returns the branch's result, and the written variables with their new values.
    """
    log: WriteLog = {}
    run.write_logs.append(log)
    try:
        value = _run_without_pause(way())
        left: WriteLog = {(at, name): (scope, scope.names[name]) for (at, name), (scope, _) in log.items()}
    finally:
        run.write_logs.pop()
        _undo(log)
    return value, left


def _undo(log: WriteLog) -> None:
    for (_, name), (scope, old) in log.items():
        if old is MISSING:
            scope.names.pop(name, None)
        else:
            scope.names[name] = old


def _join_variables(run: Execution, condition: Symbolic, then: WriteLog, else_: WriteLog) -> None:
    for key in {**then, **else_}:
        scope, _ = then.get(key) or else_[key]
        before = scope.names.get(key[1], MISSING)
        first = then[key][1] if key in then else before
        second = else_[key][1] if key in else_ else before
        run.write(scope, key[1], join(run, condition, first, second))


def join(run: Execution, condition: Symbolic, then: Value, else_: Value) -> Value:
    """Return the value that is `then` if the condition holds, and else `else_`.

    Raises JoinFailed for a value that cannot be joined (`_is_plain_value`).
    """
    if then is else_ or (is_primitive(then) and is_primitive(else_) and strictly_equal(then, else_)):
        return then
    if not _is_plain_value(run, then) or not _is_plain_value(run, else_):
        raise JoinFailed
    key = f"({condition.key}?{symbol_key(then)}:{symbol_key(else_)})"[:300]
    if is_primitive(then) and is_primitive(else_):
        joined = derive(condition, key, lambda truth: then if truthy(truth) else else_)
        return replace(joined, text=isinstance(then, str) and isinstance(else_, str))
    return Symbolic(key, taint=taint_of(then, else_), text=_is_text(then) and _is_text(else_))


def _is_plain_value(run: Execution, value: Value) -> bool:
    """Return whether a value may be joined: a symbolic value, or a primitive that is not part of an event's name."""
    if isinstance(value, str):
        part = any(word in value for word in (*_IN_NAMES, run.dialect.event_prefix))
        return not part or "<" in value or " " in value
    return isinstance(value, Symbolic) or (value is not MISSING and is_primitive(value))


def _is_text(value: Value) -> bool:
    return isinstance(value, str) or (isinstance(value, Symbolic) and value.text)


def at_least(run: Execution, symbol: Symbolic, count: int) -> bool:
    """Decide whether a symbolic list has at least `count` elements."""
    length = Symbolic(f"{symbol.key}.length"[:300])
    return run.path.holds(length, lambda n: isinstance(n, (int, float)) and n >= count, (count,))


_ACTS = frozenset({
    "call_expression", "new_expression", "assignment_expression", "augmented_assignment_expression",
    "update_expression", "return_statement", "throw_statement", "break_statement", "continue_statement",
    "await_expression", "yield_expression", "function_declaration", "variable_declaration",
    "class_declaration", "ERROR",
})  # fmt: skip


def is_quiet(node: Node) -> bool:
    """Return whether the code only computes a value.

    Such code writes no variable or property, calls no function, leaves no block, and does not pause at `await` or
    `yield`.
    """
    if node.quiet is None:
        for inner in reversed(list(node.walk())):  # children before their parents
            if inner.quiet is None:
                inner.quiet = inner.type not in _ACTS and all(kid.quiet for kid in inner.kids)
    return node.quiet is True
