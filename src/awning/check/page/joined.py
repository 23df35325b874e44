"""Both ways of a condition in one run, where they leave nothing behind but values.

Most conditions of a script decide what a text says, not what is called. Such a condition is not chosen about: both ways
are run, each from the same beginning, and a variable that differs after them holds either value. What does more
(inits, subscribes, writes a property, leaves the block, asks about another symbol) ends the trial; everything is as it
was before, and the condition becomes a choice after all.
"""

from collections.abc import Callable
from dataclasses import replace

from awning.check.page.choices import Unjoined
from awning.check.page.conditions import follow
from awning.check.page.run import MISSING, Left, Log, Run, Thrown, is_tainted
from awning.check.page.values import Steps, Sym, Value, is_primitive, show, strictly_equal, truthy
from awning.check.script.tree import Node

Way = Callable[[], Steps]
_IN_NAMES = ("price", "cart", "checkout", "after", "content", "updated")


def either(
    run: Run, node: Node, condition: Way, one: Way, other: Way, *, values: bool = False
) -> tuple[Value] | None:
    """What both ways gave, joined where `values` are wanted; None where it has to be chosen about."""
    if node.splits:
        return None
    functions, entered = len(run.functions), len(run.entered)
    log: Log = {}
    run.trials.append(log)
    run.choices.frozen += 1
    try:
        asked = _to_the_end(condition())
        value = _both(run, asked, one, other, values=values)
    except _Known:
        _take_back(log)
        return None
    except (Unjoined, Left, Thrown):
        _take_back(log)
        del run.functions[functions:]
        while len(run.entered) > entered:
            run.entered.popitem()
        node.splits = True
        return None
    finally:
        run.trials.pop()
        run.choices.frozen -= 1
    if run.trials:
        for key, old in log.items():
            run.trials[-1].setdefault(key, old)
    return (value,)


def _both(run: Run, asked: Value, one: Way, other: Way, *, values: bool) -> Value:
    if not isinstance(asked, Sym) or not run.choices.is_open(asked):
        raise _Known
    first, after_one = _tried(run, one)
    second, after_other = _tried(run, other)
    value = join(run, asked, first, second) if values else None
    _join_variables(run, asked, after_one, after_other)
    return value


def none_or_some(run: Run, node: Node, symbol: Sym, some: Way) -> bool:
    """Whether a loop over a list that is not known could be run as one: without a round, and with what `some` does."""
    length = Sym(f"{symbol.key}.length"[:300])
    any_ = follow(length, f"({length.key}>=1)", lambda n: isinstance(n, (int, float)) and n >= 1)
    done = either(run, node, lambda: _given(any_), some, lambda: _given(None))
    return done is not None


def _given(value: Value) -> Steps:
    return value
    yield


class _Known(Exception):
    """There is nothing to join: the condition is decided."""


def _to_the_end(steps: Steps) -> Value:
    """Run it without a pause: where `await` would pause, other code runs."""
    try:
        next(steps)
    except StopIteration as done:
        return done.value
    steps.close()
    raise Unjoined


def _tried(run: Run, way: Way) -> tuple[Value, Log]:
    """What a way gives, and its variables; they are as before afterwards."""
    log: Log = {}
    run.trials.append(log)
    try:
        value = _to_the_end(way())
        left: Log = {(at, name): (scope, scope.names[name]) for (at, name), (scope, _) in log.items()}
    finally:
        run.trials.pop()
        _take_back(log)
    return value, left


def _take_back(log: Log) -> None:
    for (_, name), (scope, old) in log.items():
        if old is MISSING:
            scope.names.pop(name, None)
        else:
            scope.names[name] = old


def _join_variables(run: Run, condition: Sym, one: Log, other: Log) -> None:
    for key in {**one, **other}:
        scope, _ = one.get(key) or other[key]
        before = scope.names.get(key[1], MISSING)
        first = one[key][1] if key in one else before
        second = other[key][1] if key in other else before
        run.write(scope, key[1], join(run, condition, first, second))


def join(run: Run, condition: Sym, one: Value, other: Value) -> Value:
    """A value that is `one` where the condition holds. Raises Unjoined where what is called may hang on it."""
    if one is other or (is_primitive(one) and is_primitive(other) and strictly_equal(one, other)):
        return one
    if not _says_only(run, one) or not _says_only(run, other):
        raise Unjoined
    key = f"({condition.key}?{show(one)}:{show(other)})"[:300]
    if is_primitive(one) and is_primitive(other):
        made = follow(condition, key, lambda asked: one if truthy(asked) else other)
        return replace(made, text=isinstance(one, str) and isinstance(other, str))
    return Sym(key, taint=is_tainted(one) or is_tainted(other), text=_is_text(one) and _is_text(other))


def _says_only(run: Run, value: Value) -> bool:
    """Whether it is a value whose text does not become part of an event's name."""
    if isinstance(value, str):
        part = any(word in value for word in (*_IN_NAMES, run.dialect.event_prefix))
        return not part or "<" in value or " " in value
    return isinstance(value, Sym) or (value is not MISSING and is_primitive(value))


def _is_text(value: Value) -> bool:
    return isinstance(value, str) or (isinstance(value, Sym) and value.text)
