"""Recursion of templates, blocks and macros: refused if it never ends, else limited at run time.

A circle of unconditional includes, imports and parents never ends, so it is refused at the statement that closes it. A
circle through an `if`, a loop, a macro or a call's body may end, as in a template that includes itself for each node of
a tree. Such templates, blocks and macros count their depth (`bounded` of jsrc/runtime/template), so endless recursion
ends with a clear error before the browser's stack overflows.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from jinja2 import nodes

from awning.template.refusals import TemplateRefusal
from awning.template.template_set import Chain, ParsedTemplate, TemplateSet, imported_names

Place = int | str
"""A macro, a call body or a block by its node's id, or a template by its name."""

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
"""Nodes that may assign or pass a macro as a value, so that it is called under another name."""


def refuse_circle(entry: ParsedTemplate, templates: TemplateSet) -> None:
    """Refuse templates that include or import each other without end.

    Raises TemplateRefusal with the statement that closes the circle.
    """
    _Search(templates=templates).template(entry)


@dataclass(slots=True, kw_only=True)
class _Search:
    templates: TemplateSet
    path: list[str] = field(default_factory=list)
    """The templates on the current path. Each is included or imported by the one before, or by a parent of that one."""
    done: set[str] = field(default_factory=set)

    def template(self, template: ParsedTemplate) -> None:
        self.path.append(template.name)
        chain = self.templates.chain(template)
        for member in chain.templates:
            loud, quiet = member.halves
            self.body(loud, member, chain)
            self.body([node for node in quiet if not isinstance(node, nodes.Block)], member, chain)
        self.path.pop()
        self.done.add(template.name)

    def body(self, statements: Iterable[nodes.Node], template: ParsedTemplate, chain: Chain) -> None:
        for node in statements:
            if isinstance(node, _INNER):
                self.body(node.body, template, chain)
            elif isinstance(node, nodes.Block):
                layer = chain.lineages[node.name][0]
                self.body(layer.node.body, layer.template, chain)
            elif isinstance(node, (nodes.Include, nodes.Import, nodes.FromImport)):
                self.follow(node, template)

    def follow(self, node: nodes.Include | nodes.Import | nodes.FromImport, template: ParsedTemplate) -> None:
        next_template = target(node, self.templates)
        if next_template is None or next_template.name in self.done:
            return
        if next_template.name in self.path:
            around = [template.name] if template.name != self.path[-1] else []
            circle = [*self.path[self.path.index(next_template.name) :], *around, next_template.name]
            verb = "includes" if isinstance(node, nodes.Include) else "imports"
            raise TemplateRefusal(
                "template-circle",
                f'"{next_template.name}" {verb} itself without end: {" -> ".join(circle)}',
                at=node.lineno,
                hint="remove it, put it under a condition that becomes false, or write a macro that calls itself",
            )
        self.template(next_template)


def target(
    node: nodes.Include | nodes.Import | nodes.FromImport, templates: TemplateSet
) -> ParsedTemplate | None:
    """Return the template that a statement names; None if it cannot be loaded. Lowering refuses such a statement."""
    try:
        linked = templates.linked(node)
        if linked is not None and not isinstance(node, nodes.Include):
            templates.chain(linked)
    except TemplateRefusal:
        return None
    return linked


def recursive_places(templates: TemplateSet) -> frozenset[Place]:
    """Return the macros, call bodies, blocks and templates that may run inside themselves.

    The result is approximate: it also has the places on a path between two circles and, if a macro is passed as a
    value, all macros and call bodies.
    """
    all_templates = templates.by_name.values()
    if not any(_MAY_RECUR.search(template.source.text) for template in all_templates):
        return frozenset()
    calls = _Calls(templates=templates)
    for template in list(all_templates):
        calls.names_of(template)
    for template in list(all_templates):
        calls.walk(template)
    if calls.handed_on:
        return frozenset({*calls.functions, *cyclic_places(calls.edges)})
    return cyclic_places(calls.edges)


@dataclass(slots=True, kw_only=True)
class _Calls:
    """The graph of places. Its edges lead from each place to the places that it runs.

    Calls are resolved by name, so a call leads to each macro of that name.
    """

    templates: TemplateSet
    edges: dict[Place, set[Place]] = field(default_factory=dict)
    macros: dict[str, list[Place]] = field(default_factory=dict)
    blocks: dict[str, list[Place]] = field(default_factory=dict)
    modules: set[str] = field(default_factory=set)
    functions: set[Place] = field(default_factory=set)
    handed_on: bool = False
    """Whether a macro or a caller is used as a value. It may then be called anywhere."""

    def names_of(self, template: ParsedTemplate) -> None:
        for node in template.everything:
            if isinstance(node, nodes.Macro):
                self.macros.setdefault(node.name, []).append(id(node))
            elif isinstance(node, nodes.Block):
                self.blocks.setdefault(node.name, []).append(id(node))
            elif isinstance(node, nodes.Import):
                self.modules.add(node.target)
        for node in template.everything:
            for name, alias in imported_names(node) if isinstance(node, nodes.FromImport) else ():
                if alias != name:
                    self.macros[alias] = self.macros.setdefault(name, [])

    def walk(self, template: ParsedTemplate) -> None:
        waiting: list[tuple[nodes.Node, Place]] = [(template.tree, template.name)]
        while waiting:
            node, inside = waiting.pop()
            self.runs(inside, self.called_places(node))
            if isinstance(node, (nodes.Macro, nodes.Block)):
                inside = id(node)
            if isinstance(node, (nodes.Macro, nodes.CallBlock)):
                self.functions.add(id(node))
            for child in node.iter_child_nodes():
                self.record_passed_macro(node, child)
                waiting.append((child, inside))

    def runs(self, place: Place, others: Iterable[Place]) -> None:
        self.edges.setdefault(place, set()).update(others)

    def called_places(self, node: nodes.Node) -> Iterable[Place]:
        if isinstance(node, nodes.Name):
            return self.macros.get(node.name, ())
        if isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name):
            if node.node.name == "self":
                return self.blocks.get(node.attr, ())
            return self.macros.get(node.attr, ()) if node.node.name in self.modules else ()
        if isinstance(node, nodes.Block):
            return self.blocks[node.name]
        if isinstance(node, (nodes.Include, nodes.Import, nodes.FromImport)):
            other = target(node, self.templates)
            return [member.name for member in self.templates.chain(other).templates] if other else ()
        return ()

    def record_passed_macro(self, node: nodes.Node, child: nodes.Node) -> None:
        is_test = child is node.test if isinstance(node, nodes.CondExpr) else False
        passing = isinstance(node, _PASSING) and not is_test
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


def cyclic_places(edges: Mapping[Place, Iterable[Place]]) -> frozenset[Place]:
    """Return the places that are on a circle, or on a path between two circles."""
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
    """Yield the places of `left` from which no path leads into a circle.

    `one_way` are the edges of the paths, `other_way` the reversed edges.
    """
    open_ways = {place: len(one_way[place] & left) for place in left}
    waiting = [place for place, count in open_ways.items() if not count]
    while waiting:
        place = waiting.pop()
        yield place
        for before in other_way[place] & left:
            open_ways[before] -= 1
            if not open_ways[before]:
                waiting.append(before)
