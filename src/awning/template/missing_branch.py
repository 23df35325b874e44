"""How an `if` expression without `else` is represented when its condition is false: by its missing branch.

A missing branch prints nothing. Reading an attribute of a missing branch is an error, unlike reading an attribute of
undefined. At run time, a missing branch is a special value (jsrc/runtime/template/missing_branch.ts). If a template
uses only its text or its truth, undefined has the same effect and needs fewer bytes. This module decides between both.
"""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from jinja2 import nodes

from awning.template import intl
from awning.template.names import GLOBALS
from awning.template.scope import all_defined_names, defined_names
from awning.template.template_set import ParsedTemplate

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
"""Filters whose result is the same for a missing branch and for undefined."""

_ALIKE = frozenset({"defined", "none", "undefined"})
"""Tests that treat a missing branch as undefined."""

_EQUAL = frozenset({"eq", "ne"})


@dataclass(frozen=True, slots=True)
class MissingBranches:
    """How missing branches are represented, by the ids of their nodes. A branch in neither set is undefined."""

    lasting: frozenset[int] = frozenset()
    """The missing branches that need the special value, because a template may use more than their text and truth."""
    blank: frozenset[int] = frozenset()
    """The missing branches that are items of a literal list before `join`.

    Each is represented by an empty string, because `join` returns Markup if an item is undefined.
    """


def find_missing_branches(templates: Iterable[ParsedTemplate]) -> MissingBranches:
    trees = {template.name: template.everything for template in templates}
    everything = list(chain.from_iterable(trees.values()))
    without_else = {
        id(child) for child in everything if isinstance(child, nodes.CondExpr) and child.expr2 is None
    }
    if not without_else:
        return MissingBranches()
    blank = {id(item) for node in everything for item in _joined_items(node)} & without_else
    return MissingBranches(
        frozenset(without_else - blank - _find_printed_only(trees, everything)), frozenset(blank)
    )


def _joined_items(node: nodes.Node) -> list[nodes.Expr]:
    """Return the items of a literal list that `join` joins without reading an attribute; none for any other node."""
    if (
        isinstance(node, nodes.Filter)
        and node.name == "join"
        and not (len(node.args) > 1 or any(keyword.key == "attribute" for keyword in node.kwargs))
    ):
        return _items(node.node)
    return []


def _items(node: nodes.Node | None) -> list[nodes.Expr]:
    return node.items if isinstance(node, (nodes.List, nodes.Tuple)) else []


def _find_printed_only(trees: Mapping[str, Sequence[nodes.Node]], everything: list[nodes.Node]) -> set[int]:
    """Return the ids of `if` expressions and names of which only text and truth are used.

    An expression that is assigned to a variable is included if all reads of variables of that name use only text and
    truth. Variables of an imported template are excluded, because reads of them as attributes are not followed.
    """
    own = set().union(*map(all_defined_names, trees.values()))
    operands = chain.from_iterable(
        chain(_printed_operands(node), _script_operands(node, own)) for node in everything
    )
    printed = {id(leaf) for operand in operands for leaf in _value_sources(operand)}
    assigned = [*chain.from_iterable(map(_assignments, everything)), *_arguments(everything)]
    reads = {
        id(node): node.name for node in everything if isinstance(node, nodes.Name) and node.ctx == "load"
    }
    return printed | _find_assigned_printed_only(assigned, printed, reads, _exported(trees, everything))


def _find_assigned_printed_only(
    assigned: Sequence[tuple[set[str], nodes.Node]],
    printed: Container[int],
    reads: Mapping[int, str],
    exported: Iterable[str],
) -> set[int]:
    """Return the ids of the leaves in assigned values, if only text and truth are used of the assigned variables.

    A leaf is a name or an `if` expression that can become the value. The search begins with the names of which more is
    used. It excludes the leaves in the values that are assigned to such a name. If a leaf is itself a name, more is
    used of this name, too, and the search continues with it.
    """
    leaves = [[id(leaf) for leaf in _value_sources(value)] for _, value in assigned]
    uses = Counter(chain.from_iterable(leaves))
    given_to: dict[str, list[int]] = {}
    for at, (names, _) in enumerate(assigned):
        for name in names:
            given_to.setdefault(name, []).append(at)
    waiting = [*exported, *(name for leaf, name in reads.items() if leaf not in printed and not uses[leaf])]
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
                if not uses[leaf] and leaf in reads and leaf not in printed:
                    waiting.append(reads[leaf])
    return {leaf for leaf, count in uses.items() if count}


def _exported(trees: Mapping[str, Sequence[nodes.Node]], everything: list[nodes.Node]) -> set[str]:
    """Return the names that are set in imported templates.

    If any template extends another, the names of all templates are returned, because an imported one may have parents.
    """
    imports = [node for node in everything if isinstance(node, (nodes.Import, nodes.FromImport))]
    if imports and any(isinstance(node, nodes.Extends) for node in everything):
        return set().union(*map(all_defined_names, trees.values()))
    names = {import_.template.value for import_ in imports if isinstance(import_.template, nodes.Const)}
    return set().union(*(all_defined_names(tree) for name, tree in trees.items() if name in names))


def _printed_operands(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield the operands of which a node uses only the text, the truth, or the items. A missing branch has no items."""
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
            operand.op in _EQUAL and isinstance(operand.expr, nodes.Const) for operand in node.ops
        ):
            yield node.expr


def _script_operands(node: nodes.Node, own: Container[str]) -> Iterator[nodes.Node]:
    """Yield the operands that are passed to a script, where a missing branch becomes undefined.

    `own` are the names that the templates set. If `t` is among them, it is not the function for messages.
    """
    match node:
        case nodes.Filter() if node.node and node.name in intl.FILTERS:
            yield from [node.node, *node.args, *(keyword.value for keyword in node.kwargs)]
        case nodes.Call(node=nodes.Name(name="t")) if "t" not in own:
            yield from (keyword.value for keyword in node.kwargs)


def _value_sources(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield the names and `if` expressions whose value (maybe a missing branch) can become the value of `node`."""
    match node:
        case nodes.Name():
            yield node
        case nodes.CondExpr():
            yield node
            yield from _value_sources(node.expr1)
            yield from _value_sources(node.expr2) if node.expr2 else ()
        case nodes.And():
            yield from chain(_value_sources(node.left), _value_sources(node.right))
        case nodes.Or():
            yield from _value_sources(node.right)
        case nodes.Filter() if node.name in _DEFAULT:
            for argument in [*node.args, *(keyword.value for keyword in node.kwargs)]:
                yield from _value_sources(argument)


def _assignments(node: nodes.Node) -> Iterator[tuple[set[str], nodes.Node]]:
    """Yield the names that a statement assigns, each with its value. A macro assigns the defaults of its parameters."""
    match node:
        case nodes.Assign(target=nodes.Name(name=name)):
            yield {name}, node.node
        case nodes.With():
            for target, value in zip(node.targets, node.values, strict=True):
                if isinstance(target, nodes.Name):
                    yield {target.name}, value
        case nodes.Macro():
            for parameter, value in zip(reversed(node.args), reversed(node.defaults), strict=False):
                yield {parameter.name}, value


def _arguments(everything: list[nodes.Node]) -> Iterator[tuple[set[str], nodes.Node]]:
    """Yield the arguments of calls of macros, each with the names of the parameters that it may be bound to.

    Only macros whose name has no other meaning are included.
    """
    others = {"caller", *GLOBALS, *defined_names(everything)}
    macros: dict[str, list[list[str]]] = {}
    for node in everything:
        if isinstance(node, nodes.Macro) and node.name not in others:
            macros.setdefault(node.name, []).append([parameter.name for parameter in node.args])
    for node in everything:
        if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name):
            yield from _matching_parameters(node, macros.get(node.node.name, []))


def _matching_parameters(node: nodes.Call, macros: list[list[str]]) -> Iterator[tuple[set[str], nodes.Node]]:
    """Yield each argument of a call, with the names of the parameters that it may be bound to.

    `macros` has the parameters of each macro that the call may mean. An argument is left out if one of these macros has
    no parameter for it.
    """
    if not macros:
        return
    for at, argument in enumerate(node.args):
        if all(at < len(parameters) for parameters in macros):
            yield {parameters[at] for parameters in macros}, argument
    for keyword in node.kwargs:
        if all(keyword.key in parameters for parameters in macros):
            yield {keyword.key}, keyword.value
