"""What an inline `if` without `else` leaves out: it prints nothing, and unlike a missing name it has no parts.

At run time it is a value of its own (jsrc/runtime/template/unchosen.ts). Where nothing but its text or its truth is
ever asked for, undefined does as well, and a snippet does not carry that value.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from jinja2 import nodes

from awning.template import intl
from awning.template.names import GLOBALS
from awning.template.scope import names_set, names_taken
from awning.template.unit import Unit

_DEFAULT = frozenset({"d", "default"})

_ASKING = _DEFAULT | {
    "capitalize",
    "count",
    "e",
    "escape",
    "length",
    "lower",
    "string",
    "title",
    "trim",
    "upper",
}
"""Filters to which it is an empty text, like undefined."""

_ALIKE = frozenset({"defined", "none", "undefined"})
"""Tests that do not tell it from undefined."""

_EQUAL = frozenset({"eq", "ne"})


@dataclass(frozen=True, slots=True)
class MissingBranches:
    """What stands for what inline `if`s leave out, by their ids; for all others it is undefined."""

    lasting: frozenset[int] = frozenset()
    """Those of which something else than text and truth may be asked: a value of its own."""
    blank: frozenset[int] = frozenset()
    """Those that stand in a list that is written there and joined: an empty text, which undefined is not to `join`."""


def find_missing_branches(units: Iterable[Unit]) -> MissingBranches:
    trees = {unit.name: unit.everything for unit in units}
    everything = list(chain.from_iterable(trees.values()))
    found = {id(one) for one in everything if isinstance(one, nodes.CondExpr) and one.expr2 is None}
    if not found:
        return MissingBranches()
    blank = {id(item) for node in everything for item in _joined(node)} & found
    return MissingBranches(frozenset(found - blank - _passing(trees, everything)), frozenset(blank))


def _joined(node: nodes.Node) -> list[nodes.Expr]:
    """The items of a list that is written there and joined as they are."""
    if isinstance(node, nodes.Filter) and node.name == "join" and not _has_attribute(node):
        return _items(node.node)
    return []


def _has_attribute(node: nodes.Filter) -> bool:
    return len(node.args) > 1 or any(keyword.key == "attribute" for keyword in node.kwargs)


def _items(node: nodes.Node | None) -> list[nodes.Expr]:
    return node.items if isinstance(node, (nodes.List, nodes.Tuple)) else []


def _passing(trees: Mapping[str, Sequence[nodes.Node]], everything: list[nodes.Node]) -> set[int]:
    """The ids of inline `if`s and names that are only asked for text and truth.

    What a variable is given is, if all that reads a variable of that name is. What a template that is imported sets is
    read as an attribute too, where nobody looks.
    """
    own = set().union(*map(names_set, trees.values()))
    operands = chain.from_iterable(chain(_asked(node), _handed(node, own)) for node in everything)
    asked = {id(leaf) for one in operands for leaf in _leaves(one)}
    assigned = [*chain.from_iterable(map(_assigned, everything)), *_arguments(everything)]
    reads = {
        id(node): node.name for node in everything if isinstance(node, nodes.Name) and node.ctx == "load"
    }
    return asked | _only_printed(assigned, asked, reads, _exported(trees, everything))


def _only_printed(
    assigned: Sequence[tuple[set[str], nodes.Node]],
    asked: Container[int],
    reads: Mapping[int, str],
    exported: Iterable[str],
) -> set[int]:
    """The leaves of what is assigned to names of which nothing more is asked than text and truth.

    A name of which more is asked takes the leaves of what it is given with it, and those that are names in turn.
    """
    leaves = [[id(leaf) for leaf in _leaves(one)] for _, one in assigned]
    uses = Counter(chain.from_iterable(leaves))
    given_to: dict[str, list[int]] = {}
    for at, (names, _) in enumerate(assigned):
        for name in names:
            given_to.setdefault(name, []).append(at)
    waiting = [*exported, *(name for leaf, name in reads.items() if leaf not in asked and not uses[leaf])]
    searched: set[str] = set()
    dropped: set[int] = set()
    while waiting:
        name = waiting.pop()
        if name in searched:
            continue
        searched.add(name)
        for at in given_to.get(name, ()):
            if at in dropped:
                continue
            dropped.add(at)
            for leaf in leaves[at]:
                uses[leaf] -= 1
                if not uses[leaf] and leaf in reads and leaf not in asked:
                    waiting.append(reads[leaf])
    return {leaf for leaf, count in uses.items() if count}


def _exported(trees: Mapping[str, Sequence[nodes.Node]], everything: list[nodes.Node]) -> set[str]:
    """The names that are set in templates that others import, or in a parent of theirs."""
    imports = [node for node in everything if isinstance(node, (nodes.Import, nodes.FromImport))]
    if imports and any(isinstance(node, nodes.Extends) for node in everything):
        return set().union(*map(names_set, trees.values()))
    names = {one.template.value for one in imports if isinstance(one.template, nodes.Const)}
    return set().union(*(names_set(tree) for name, tree in trees.items() if name in names))


def _asked(node: nodes.Node) -> Iterator[nodes.Node]:
    """The operands of which a node wants nothing but text or truth, or the items, of which there are none."""
    match node:
        case nodes.Output() | nodes.Concat():
            yield from node.nodes
        case nodes.If() | nodes.CondExpr():
            yield node.test
        case nodes.For():
            yield from [node.iter, *([node.test] if node.test else [])]
        case nodes.Not():
            yield node.node
        case nodes.Or():
            yield node.left
        case nodes.Test() if node.name in _ALIKE:
            yield node.node
        case nodes.Filter() if node.node and node.name in _ASKING:
            yield node.node
        case nodes.Filter(name="select", args=[]):
            yield from _items(node.node)
        case nodes.Compare() if all(
            one.op in _EQUAL and isinstance(one.expr, nodes.Const) for one in node.ops
        ):
            yield node.expr


def _handed(node: nodes.Node, own: Container[str]) -> Iterator[nodes.Node]:
    """The operands that go to a script, which knows one undefined. A `t` among the `own` names is not the messages'."""
    match node:
        case nodes.Filter() if node.node and node.name in intl.FILTERS:
            yield from [node.node, *node.args, *(keyword.value for keyword in node.kwargs)]
        case nodes.Call(node=nodes.Name(name="t")) if "t" not in own:
            yield from (keyword.value for keyword in node.kwargs)


def _leaves(node: nodes.Node) -> Iterator[nodes.Node]:
    """The inline `if`s and names whose value may be that of the expression, where that is undefined."""
    match node:
        case nodes.Name():
            yield node
        case nodes.CondExpr():
            yield node
            yield from _leaves(node.expr1)
            yield from _leaves(node.expr2) if node.expr2 else ()
        case nodes.And():
            yield from chain(_leaves(node.left), _leaves(node.right))
        case nodes.Or():
            yield from _leaves(node.right)
        case nodes.Filter() if node.name in _DEFAULT:
            for one in [*node.args, *(keyword.value for keyword in node.kwargs)]:
                yield from _leaves(one)


def _assigned(node: nodes.Node) -> Iterator[tuple[set[str], nodes.Node]]:
    """Names, and what a statement gives them."""
    match node:
        case nodes.Assign(target=nodes.Name(name=name)):
            yield {name}, node.node
        case nodes.With():
            for target, one in zip(node.targets, node.values, strict=True):
                if isinstance(target, nodes.Name):
                    yield {target.name}, one
        case nodes.Macro():
            for parameter, one in zip(reversed(node.args), reversed(node.defaults), strict=False):
                yield {parameter.name}, one


def _arguments(everything: list[nodes.Node]) -> Iterator[tuple[set[str], nodes.Node]]:
    """The parameters of macros, and what a call by a macro's name gives them, where nothing else has that name."""
    others = {"caller", *GLOBALS, *names_taken(everything)}
    macros: dict[str, list[list[str]]] = {}
    for node in everything:
        if isinstance(node, nodes.Macro) and node.name not in others:
            macros.setdefault(node.name, []).append([one.name for one in node.args])
    for node in everything:
        if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name):
            yield from _matched(node, macros.get(node.node.name, []))


def _matched(node: nodes.Call, macros: list[list[str]]) -> Iterator[tuple[set[str], nodes.Node]]:
    """The names of the parameter that each argument may be for, one name a macro."""
    if not macros:
        return
    for at, one in enumerate(node.args):
        if all(at < len(parameters) for parameters in macros):
            yield {parameters[at] for parameters in macros}, one
    for keyword in node.kwargs:
        if all(keyword.key in parameters for parameters in macros):
            yield {keyword.key}, keyword.value
