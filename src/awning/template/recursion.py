"""Templates that contain themselves: refused where that has no end, and guarded at run time where it may have one.

Includes, imports and parents that stand on no condition are followed in any case: a circle of them never ends, so it is
refused where it closes. What stands in an `if`, a loop, a macro or a call's body may end, as in a
template that includes itself for each node of a tree. Such templates, blocks and macros count how deep they are
(`bounded` of jsrc/runtime/template): they end with an error that says so, not with an overflow of the browser's stack.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from jinja2 import nodes

from awning.template.refusals import Refused
from awning.template.regions import halves, included
from awning.template.unit import Chain, Unit, Units

Place = int | str
"""What runs on its own: a macro or a block by its node's id, a template by its name."""

_MAY_RECUR = re.compile(r"\b(?:macro|include|import|self)\b")
_INNER = (nodes.With, nodes.Scope, nodes.ScopedEvalContextModifier, nodes.FilterBlock, nodes.AssignBlock)
_PASSING = (
    nodes.And,
    nodes.Assign,
    nodes.CondExpr,
    nodes.Filter,
    nodes.Keyword,
    nodes.List,
    nodes.Macro,
    nodes.Or,
    nodes.Pair,
    nodes.Tuple,
    nodes.With,
)
"""Nodes that hand a value on, so that it may be called where nobody sees its name."""


def refuse_circle(entry: Unit, units: Units) -> None:
    """Raises Refused at the statement that closes a circle without end."""
    _Search(units=units).template(entry)


@dataclass(slots=True, kw_only=True)
class _Search:
    units: Units
    path: list[str] = field(default_factory=list)
    """The templates that are open, each included, imported or extended by the one before."""
    done: set[str] = field(default_factory=set)

    def template(self, unit: Unit) -> None:
        self.path.append(unit.name)
        chain = self.units.chain(unit)
        for one in chain.units:
            loud, quiet = halves(one)
            self.body(loud, one, chain)
            self.body([node for node in quiet if not isinstance(node, nodes.Block)], one, chain)
        self.path.pop()
        self.done.add(unit.name)

    def body(self, found: Iterable[nodes.Node], unit: Unit, chain: Chain) -> None:
        for node in found:
            if isinstance(node, _INNER):
                self.body(node.body, unit, chain)
            elif isinstance(node, nodes.Block):
                layer = chain.lineages[node.name][0]
                self.body(layer.node.body, layer.unit, chain)
            elif isinstance(node, (nodes.Include, nodes.Import, nodes.FromImport)):
                self.follow(node, unit)

    def follow(self, node: nodes.Include | nodes.Import | nodes.FromImport, unit: Unit) -> None:
        found = target(node, unit, self.units)
        if found is None or found.name in self.done:
            return
        if found.name in self.path:
            around = [unit.name] if unit.name != self.path[-1] else []
            circle = [*self.path[self.path.index(found.name) :], *around, found.name]
            verb = "includes" if isinstance(node, nodes.Include) else "imports"
            raise Refused(
                "template-circle",
                f'"{found.name}" {verb} itself without end: {" -> ".join(circle)}',
                at=node.lineno,
                hint="leave it out, put it on a condition that ends, or write a macro that calls itself",
            ).inside(unit.source)
        self.template(found)


def target(node: nodes.Include | nodes.Import | nodes.FromImport, unit: Unit, units: Units) -> Unit | None:
    """The template that a statement takes. What cannot be found or read is refused where it is compiled."""
    try:
        if isinstance(node, nodes.Include):
            return included(units, unit, node)
        found = units.required(unit, node, node.template)
        units.chain(found)
    except Refused:
        return None
    return found


def recurring(units: Units) -> frozenset[Place]:
    """The macros, bodies of calls, blocks and templates that may come to run inside themselves."""
    found = units.found.values()
    if not any(_MAY_RECUR.search(unit.source.text) for unit in found):
        return frozenset()
    calls = _Calls(units=units)
    for unit in list(found):
        calls.names_of(unit)
    for unit in list(found):
        calls.walk(unit.tree, unit.name, unit)
    if calls.handed_on:
        return frozenset({*calls.functions, *in_circles(calls.edges)})
    return in_circles(calls.edges)


@dataclass(slots=True, kw_only=True)
class _Calls:
    """Which places run which others, by name: two macros of one name are taken for one another."""

    units: Units
    edges: dict[Place, set[Place]] = field(default_factory=dict)
    macros: dict[str, list[Place]] = field(default_factory=dict)
    blocks: dict[str, list[Place]] = field(default_factory=dict)
    modules: set[str] = field(default_factory=set)
    functions: set[Place] = field(default_factory=set)
    handed_on: bool = False
    """Whether a macro or a caller is used as a value: then it may be called anywhere."""

    def names_of(self, unit: Unit) -> None:
        for node in unit.everything:
            if isinstance(node, nodes.Macro):
                self.macros.setdefault(node.name, []).append(id(node))
            elif isinstance(node, nodes.Block):
                self.blocks.setdefault(node.name, []).append(id(node))
            elif isinstance(node, nodes.Import):
                self.modules.add(node.target)
        for node in unit.everything:
            for one in node.names if isinstance(node, nodes.FromImport) else ():
                name, alias = one if isinstance(one, tuple) else (one, one)
                if alias != name:
                    self.macros[alias] = self.macros.setdefault(name, [])

    def walk(self, tree: nodes.Node, place: Place, unit: Unit) -> None:
        waiting: list[tuple[nodes.Node, Place]] = [(tree, place)]
        while waiting:
            node, inside = waiting.pop()
            self.runs(inside, self.run_by(node, unit))
            if isinstance(node, (nodes.Macro, nodes.Block)):
                inside = id(node)
            if isinstance(node, (nodes.Macro, nodes.CallBlock)):
                self.functions.add(id(node))
            for child in node.iter_child_nodes():
                self.note_handed_on(node, child)
                waiting.append((child, inside))

    def runs(self, place: Place, others: Iterable[Place]) -> None:
        self.edges.setdefault(place, set()).update(others)

    def run_by(self, node: nodes.Node, unit: Unit) -> Iterable[Place]:
        if isinstance(node, nodes.Name):
            return self.macros.get(node.name, ())
        if isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name):
            if node.node.name == "self":
                return self.blocks.get(node.attr, ())
            return self.macros.get(node.attr, ()) if node.node.name in self.modules else ()
        if isinstance(node, nodes.Block):
            return self.blocks[node.name]
        if isinstance(node, (nodes.Include, nodes.Import, nodes.FromImport)):
            found = target(node, unit, self.units)
            return [one.name for one in self.units.chain(found).units] if found else ()
        return ()

    def note_handed_on(self, node: nodes.Node, child: nodes.Node) -> None:
        asked = child is node.test if isinstance(node, nodes.CondExpr) else False
        passing = isinstance(node, _PASSING) and not asked
        passing = passing or (isinstance(node, nodes.Call) and child is not node.node)
        if passing and self.means_macro(child):
            self.handed_on = True

    def means_macro(self, node: nodes.Node) -> bool:
        if isinstance(node, nodes.Getattr):
            return isinstance(node.node, nodes.Name) and node.node.name in self.modules
        return (
            isinstance(node, nodes.Name)
            and node.ctx == "load"
            and (node.name in self.macros or node.name == "caller")
        )


def in_circles(edges: Mapping[Place, Iterable[Place]]) -> frozenset[Place]:
    """The places on a circle, or on a way from one circle to another."""
    forward = {place: set(others) & edges.keys() for place, others in edges.items()}
    backward: dict[Place, set[Place]] = {place: set() for place in forward}
    for place, others in forward.items():
        for other in others:
            backward[other].add(place)
    left = set(forward)
    for one_way, other_way in ((forward, backward), (backward, forward)):
        left -= set(_ends(left, one_way, other_way))
    return frozenset(left)


def _ends(
    left: set[Place], one_way: Mapping[Place, set[Place]], other_way: Mapping[Place, set[Place]]
) -> Iterator[Place]:
    """The places from which every way ends."""
    open_ways = {place: len(one_way[place] & left) for place in left}
    waiting = [place for place, count in open_ways.items() if not count]
    while waiting:
        place = waiting.pop()
        yield place
        for before in other_way[place] & left:
            open_ways[before] -= 1
            if not open_ways[before]:
                waiting.append(before)
