"""Loops. Over a list that is not known: no round, one or two."""

from awning.check.budget import ROUNDS
from awning.check.page import early
from awning.check.page.conditions import decide
from awning.check.page.functions import settled
from awning.check.page.joined import none_or_some
from awning.check.page.members import elements
from awning.check.page.patterns import assign_from, bind, declare_in
from awning.check.page.run import Left, Run
from awning.check.page.throwing import require_iterable
from awning.check.page.values import UNDEFINED, Obj, Scope, Steps, Sym, Value
from awning.check.script.tree import Node


def _goes_on(left: Left, labels: tuple[str, ...]) -> bool:
    """Whether the loop continues; a break or return out of it is passed on."""
    if left.label and left.label not in labels:
        raise left
    if left.how == "continue":
        return True
    if left.how == "break":
        return False
    raise left


def _round(run: Run, node: Node, scope: Scope) -> Steps:
    """One time through a loop's body: whether it goes on."""
    try:
        yield from run.execute(run, node.fields["body"], scope)
    except Left as left:
        return _goes_on(left, _labels(node, scope))
    return True


def _labels(node: Node, scope: Scope) -> tuple[str, ...]:
    holder = scope.holder(" label")
    label = holder.names[" label"] if holder else None
    return (label[1],) if label and label[0] is node else ()


def for_(run: Run, node: Node, scope: Scope) -> Steps:
    inside = Scope(scope)
    if "initializer" in node.fields:
        yield from run.execute(run, node.fields["initializer"], inside)
    return (yield from while_(run, node, inside))


def while_(run: Run, node: Node, scope: Scope) -> Steps:
    """`for(;;)`, `while`: a condition on a symbol is a choice for two rounds, then false."""
    condition = node.fields.get("condition")
    if condition is not None and condition.type.endswith("_statement"):
        condition = condition.kids[0] if condition.kids else None
    first = node.fields.get("initializer")
    own = tuple(scope.names) if first is not None and first.type == "lexical_declaration" else ()
    unknown = 0
    for _ in range(ROUNDS):
        if condition is not None:
            value = yield from run.evaluate(run, condition, scope)
            unknown += isinstance(value, Sym)
            if unknown > 2 or not decide(run, value):
                break
        inside = Scope(scope, names={name: scope.names[name] for name in own})
        goes_on = yield from _round(run, node, inside)
        scope.names.update({name: inside.names[name] for name in own})
        if not goes_on:
            break
        if "increment" in node.fields:
            yield from run.evaluate(run, node.fields["increment"], scope)
    return UNDEFINED


def do(run: Run, node: Node, scope: Scope) -> Steps:
    if (yield from _round(run, node, scope)):
        yield from while_(run, node, scope)
    return UNDEFINED


def for_in(run: Run, node: Node, scope: Scope) -> Steps:
    value = yield from run.evaluate(run, node.fields["right"], scope)
    if any(kid.type == "await" for kid in node.kids) or "for await" in node.text[:12]:
        run.awaited = value
        yield
        value = settled(run, value)
    if node.fields["operator"].type == "of":
        require_iterable(run, value)
        if early.iterated(run, value, node):
            return UNDEFINED
    items = _items(run, node, value)
    if items and isinstance(items[0], _Maybe):
        every = [one.value for one in items]
        if none_or_some(run, node, items[0].symbol, lambda: _rounds(run, node, every, scope)):
            return UNDEFINED
    yield from _rounds(run, node, items, scope)
    return UNDEFINED


def _rounds(run: Run, node: Node, items: list[Value], scope: Scope) -> Steps:
    for item in items:
        inside = Scope(scope)
        if isinstance(item, _Maybe):
            if not item.comes(run):
                break
            item = item.value  # noqa: PLW2901 - the element itself
        declares = "kind" in node.fields
        to = declare_in(inside) if declares else assign_from(run, scope)
        yield from bind(run, node.fields["left"], item, inside, to)
        if not (yield from _round(run, node, inside)):
            break
    return UNDEFINED


class _Maybe:
    """An element that may be there: the first or second of a list that is not known."""

    def __init__(self, symbol: Sym, index: int) -> None:
        self.symbol = symbol
        self.index = index
        self.value = Sym(f"{symbol.key}[{index}]"[:300], taint=symbol.taint)

    def comes(self, run: Run) -> bool:
        return at_least(run, self.symbol, self.index + 1)


def at_least(run: Run, symbol: Sym, count: int) -> bool:
    """Whether a list that is not known has that many elements."""
    length = Sym(f"{symbol.key}.length"[:300])
    return run.choices.holds(length, lambda n: isinstance(n, (int, float)) and n >= count, (count,))


def _items(run: Run, node: Node, value: Value) -> list[Value]:
    if node.fields["operator"].type == "in":
        known = elements(value)
        if known is not None:
            return [str(index) for index in range(len(known))]
        if isinstance(value, Obj):
            return list(value.props)
    else:
        known = elements(value)
        if known is not None:
            return list(known[:ROUNDS])
    keys = node.fields["operator"].type == "in"
    symbol = (
        Sym(value.key, taint=value.taint and not keys)
        if isinstance(value, Sym)
        else Sym(f"items:{node.start}")
    )
    return [_Maybe(symbol, 0), _Maybe(symbol, 1)]
