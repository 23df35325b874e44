"""What the conditions of Jinja2 around a place say, so that two places on one page can be told from two that exclude
each other.

Equal texts of conditions have equal values: a variable that changes between them is not followed.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from jinja2 import Environment, TemplateSyntaxError, nodes

from awning.template import tests

_OPPOSITES = {"ne": "eq", "notin": "in", "gteq": "lt", "lteq": "gt"}
MOST_CHARACTERS = 150
"""The longest condition that is read. A longer one equals only its own text."""
_SYNTAX = Environment(autoescape=True)
_ONE_ROUND = frozenset({"loop.first", "loop.last"})
_NUMBERS = frozenset({"loop.index", "loop.index0", "loop.revindex", "loop.revindex0"})


class Fact(NamedTuple):
    """An expression that is true or false. With `value`, it is whether the expression equals this value."""

    expression: str
    holds: bool
    value: str = ""


@lru_cache(maxsize=1000)
def facts_of(condition: str, *, holds: bool) -> frozenset[Fact]:
    """Return what is known where a condition is true, or false. There is none for an empty one."""
    if not condition:
        return frozenset()
    node = _parsed(condition)
    return frozenset(_facts(node, holds) if node else [Fact(condition, holds)])


def contradict(facts: Iterable[Fact], others: Iterable[Fact]) -> bool:
    """Return whether two sets of facts cannot be true at once."""
    known: dict[tuple[str, bool], list[Fact]] = {}
    for fact in facts:
        known.setdefault((fact.expression, bool(fact.value)), []).append(fact)
    return any(
        fact.holds != other.holds
        if fact.value == other.value
        else fact.holds and other.holds and _is_known(fact) and _is_known(other)
        for other in others
        for fact in known.get((other.expression, bool(other.value)), ())
    )


def _is_known(fact: Fact) -> bool:
    return fact.value.startswith("Const(")


def is_one_round(fact: Fact) -> bool:
    """Return whether at most one round of a loop has this fact, as with `loop.first`."""
    return fact.holds and (
        fact.expression in _ONE_ROUND or (fact.expression in _NUMBERS and bool(fact.value))
    )


@lru_cache(maxsize=1000)
def names_in(condition: str) -> frozenset[str]:
    """Return the names of the variables in a condition."""
    node = _parsed(condition) if condition else None
    if node is None:
        return frozenset()
    return frozenset(name.name for name in (node, *node.find_all(nodes.Name)) if isinstance(name, nodes.Name))


def _parsed(condition: str) -> nodes.Node | None:
    if len(condition) > MOST_CHARACTERS:
        return None
    try:
        output = _SYNTAX.parse("{{ (" + condition + ") }}").body[0]
    except (TemplateSyntaxError, ValueError, IndexError):
        return None
    return output.nodes[0] if isinstance(output, nodes.Output) and len(output.nodes) == 1 else None


def _facts(node: nodes.Node, holds: bool) -> Iterator[Fact]:
    match node:
        case nodes.Not():
            yield from _facts(node.node, not holds)
        case nodes.And() if holds:
            yield from (Fact(repr(node), holds), *_facts(node.left, holds), *_facts(node.right, holds))
        case nodes.Or() if not holds:
            yield from (Fact(repr(node), holds), *_facts(node.left, holds), *_facts(node.right, holds))
        case nodes.Filter(name="length" | "count", node=nodes.Node() as items):
            yield from _facts(items, holds)
        case nodes.Test(name=name) if (spec := tests.SUPPORTED.get(name)) and spec.opposite:
            positive = nodes.Test(node.node, spec.opposite, node.args, node.kwargs, None, None)
            yield Fact(_shown(positive), not holds)
        case nodes.Compare(ops=[operand]):
            yield from _comparison(node.expr, operand.op, operand.expr, holds)
        case _:
            yield Fact(_shown(node), holds)


def _comparison(left: nodes.Node, operator: str, right: nodes.Node, holds: bool) -> Iterator[Fact]:
    if operator in _OPPOSITES:
        operator, holds = _OPPOSITES[operator], not holds
    if operator == "gt" and isinstance(right, nodes.Const) and right.value == 0:
        yield from _facts(left, holds)
    elif operator == "eq":
        yield Fact(_shown(left), holds, _shown(right))
        if holds and isinstance(right, nodes.Const) and right.value:
            yield Fact(_shown(left), holds)
    else:
        yield Fact(f"{_shown(left)} {operator} {_shown(right)}", holds)


def _shown(node: nodes.Node) -> str:
    if isinstance(node, nodes.Name):
        return node.name
    return f"{_shown(node.node)}.{node.attr}" if isinstance(node, nodes.Getattr) else repr(node)
