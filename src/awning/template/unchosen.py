"""What an inline `if` without `else` leaves out: it prints nothing, but has no parts, as a missing name has.

At run time it is a value of its own (jsrc/runtime/template/unchosen.ts). Where nothing but its text or its truth is
ever asked for, undefined does as well, and a snippet does not carry that value.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from jinja2 import nodes

from awning.template import intl
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


def lasting(units: Iterable[Unit]) -> frozenset[int]:
    """The ids of the inline `if`s of which something else may be asked, so that what they leave out is that value."""
    trees = [unit.tree for unit in units]
    found = {id(one) for tree in trees for one in tree.find_all(nodes.CondExpr) if one.expr2 is None}
    return frozenset(found - _passing(trees)) if found else frozenset()


def _passing(trees: list[nodes.Template]) -> set[int]:
    """The ids of inline `if`s and names that are only asked for text and truth.

    What a variable is given is, if all that reads a variable of that name is. Names that an import takes out of a
    template are read where nobody looks.
    """
    everything = list(chain.from_iterable(tree.find_all(nodes.Node) for tree in trees))
    asked = {id(leaf) for node in everything for one in _asked(node) for leaf in _leaves(one)}
    if any(isinstance(node, (nodes.Import, nodes.FromImport)) for node in everything):
        return asked
    given = [*chain.from_iterable(_given(node) for node in everything), *_arguments(everything)]
    reads = [node for node in everything if isinstance(node, nodes.Name) and node.ctx == "load"]
    searched: set[str] = set()
    while True:
        passing = asked | {id(leaf) for names, one in given if not searched & names for leaf in _leaves(one)}
        more = {node.name for node in reads if id(node) not in passing}
        if more == searched:
            return passing
        searched = more


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
        case nodes.Filter() if node.node and (node.name in _ASKING or node.name in intl.FILTERS):
            yield node.node
        case nodes.Compare() if all(
            one.op in _EQUAL and isinstance(one.expr, nodes.Const) for one in node.ops
        ):
            yield node.expr
        case nodes.Call(node=nodes.Name(name="t")):
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


def _given(node: nodes.Node) -> Iterator[tuple[set[str], nodes.Node]]:
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
    """The parameters of macros, and what a call by the macro's name gives them, where nothing else has that name."""
    others = {node.name for node in everything if isinstance(node, nodes.Name) and node.ctx != "load"}
    macros: dict[str, list[nodes.Macro]] = {}
    for node in everything:
        if isinstance(node, nodes.Macro) and node.name not in others:
            macros.setdefault(node.name, []).append(node)
    for node in everything:
        if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name):
            yield from _matched(node, [_parameters(macro) for macro in macros.get(node.node.name, [])])


def _parameters(macro: nodes.Macro) -> list[str]:
    return [one.name for one in macro.args]


def _matched(node: nodes.Call, macros: list[list[str]]) -> Iterator[tuple[set[str], nodes.Node]]:
    if node.dyn_args is not None or not macros:
        return
    for at, one in enumerate(node.args):
        if all(at < len(parameters) for parameters in macros):
            yield {parameters[at] for parameters in macros}, one
    for keyword in node.kwargs:
        if all(keyword.key in parameters for parameters in macros):
            yield {keyword.key}, keyword.value
