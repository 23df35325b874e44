"""Joins: both branches of a condition in one execution, if they differ only in the values of variables.

Most conditions of a script decide what a text says, not what is called. For such a condition both branches run, each
from the same state, and a variable that differs after them gets the join of its two values. A side effect (init, a
subscription, a written property, leaving the block, a question about another symbolic value) makes the join fail. The
state is then restored and the condition becomes a decision of the path condition.
"""

from collections.abc import Callable
from dataclasses import replace

from awning.check.interpreter.execution import (
    MISSING,
    AbruptCompletion,
    Execution,
    ThrownException,
    WriteLog,
    is_tainted,
)
from awning.check.interpreter.operators import follow
from awning.check.interpreter.path_condition import JoinFailed
from awning.check.interpreter.values import (
    UNDEFINED,
    Steps,
    Symbolic,
    Value,
    is_primitive,
    show,
    strictly_equal,
    truthy,
)
from awning.script.tree import Node

Way = Callable[[], Steps]
_IN_NAMES = ("price", "cart", "checkout", "after", "content", "updated")


def join_branches(
    run: Execution, node: Node, condition: Way, one: Way, other: Way, *, values: bool = False
) -> tuple[Value] | None:
    """What both ways gave, joined where `values` are wanted; None where it has to be chosen about."""
    if node.splits:
        return None
    functions, entered = len(run.functions), len(run.called_functions)
    log: WriteLog = {}
    run.write_logs.append(log)
    run.path.frozen += 1
    try:
        asked = _to_the_end(condition())
        value = _both(run, asked, one, other, values=values)
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


def _both(run: Execution, asked: Value, one: Way, other: Way, *, values: bool) -> Value:
    if not isinstance(asked, Symbolic) or not run.path.is_open(asked):
        raise _Decided
    first, after_one = _run_branch(run, one)
    second, after_other = _run_branch(run, other)
    value = join(run, asked, first, second) if values else None
    _join_variables(run, asked, after_one, after_other)
    return value


def join_loop(run: Execution, node: Node, symbol: Symbolic, rounds: Callable[[int], Steps]) -> bool:
    """Whether a loop over an unknown list could be run as one: joined are no round, one and two."""
    length = Symbolic(f"{symbol.key}.length"[:300])
    one = follow(length, f"({length.key}>=1)", lambda n: isinstance(n, (int, float)) and n >= 1)
    two = follow(length, f"({length.key}>=2)", lambda n: isinstance(n, (int, float)) and n >= 2)

    def some() -> Steps:
        if not run.path.is_open(two):
            return (yield from rounds(2 if run.path.holds(two) else 1))
        if join_branches(run, node, lambda: _result(two), lambda: rounds(2), lambda: rounds(1)) is None:
            raise JoinFailed
        return UNDEFINED

    return join_branches(run, node, lambda: _result(one), some, lambda: _result(None)) is not None


def _result(value: Value) -> Steps:
    return value
    yield


class _Decided(Exception):
    """There is nothing to join: the condition is decided."""


def _to_the_end(steps: Steps) -> Value:
    """Run it without a pause: where `await` would pause, other code runs."""
    try:
        next(steps)
    except StopIteration as done:
        return done.value
    steps.close()
    raise JoinFailed


def _run_branch(run: Execution, way: Way) -> tuple[Value, WriteLog]:
    """What a way gives, and its variables; they are as before afterwards."""
    log: WriteLog = {}
    run.write_logs.append(log)
    try:
        value = _to_the_end(way())
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


def _join_variables(run: Execution, condition: Symbolic, one: WriteLog, other: WriteLog) -> None:
    for key in {**one, **other}:
        scope, _ = one.get(key) or other[key]
        before = scope.names.get(key[1], MISSING)
        first = one[key][1] if key in one else before
        second = other[key][1] if key in other else before
        run.write(scope, key[1], join(run, condition, first, second))


def join(run: Execution, condition: Symbolic, one: Value, other: Value) -> Value:
    """A value that is `one` where the condition holds. Raises Unjoined where what is called may hang on it."""
    if one is other or (is_primitive(one) and is_primitive(other) and strictly_equal(one, other)):
        return one
    if not _is_plain_value(run, one) or not _is_plain_value(run, other):
        raise JoinFailed
    key = f"({condition.key}?{show(one)}:{show(other)})"[:300]
    if is_primitive(one) and is_primitive(other):
        made = follow(condition, key, lambda asked: one if truthy(asked) else other)
        return replace(made, text=isinstance(one, str) and isinstance(other, str))
    return Symbolic(key, taint=is_tainted(one) or is_tainted(other), text=_is_text(one) and _is_text(other))


def _is_plain_value(run: Execution, value: Value) -> bool:
    """Whether it is a value whose text does not become part of an event's name."""
    if isinstance(value, str):
        part = any(word in value for word in (*_IN_NAMES, run.dialect.event_prefix))
        return not part or "<" in value or " " in value
    return isinstance(value, Symbolic) or (value is not MISSING and is_primitive(value))


def _is_text(value: Value) -> bool:
    return isinstance(value, str) or (isinstance(value, Symbolic) and value.text)


def at_least(run: Execution, symbol: Symbolic, count: int) -> bool:
    """Whether a list that is not known has that many elements."""
    length = Symbolic(f"{symbol.key}.length"[:300])
    return run.path.holds(length, lambda n: isinstance(n, (int, float)) and n >= count, (count,))


_ACTS = frozenset({
    "call_expression", "new_expression", "assignment_expression", "augmented_assignment_expression",
    "update_expression", "return_statement", "throw_statement", "break_statement", "continue_statement",
    "await_expression", "yield_expression", "function_declaration", "variable_declaration",
    "class_declaration", "ERROR",
})  # fmt: skip


def is_quiet(node: Node) -> bool:
    """Whether running it changes no variable, calls nothing and leaves nothing."""
    if node.quiet is None:
        for inner in reversed(list(node.walk())):  # what is inside comes before what holds it
            if inner.quiet is None:
                inner.quiet = inner.type not in _ACTS and all(kid.quiet for kid in inner.kids)
    return node.quiet is True
