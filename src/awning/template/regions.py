"""In which HTML context every text and every value stands.

A region is a run of statements that is written in one go: a template's root, a block at its place, an include, a
macro's body. The pass walks a region in the order of output and feeds the author's text to the tokenizer of
`awning.template.html`. It notes what to emit for each text, and how each value is interpolated. Branches join; a loop's
end joins with its beginning. What produces HTML as a value (macros, block sets, calls) begins and ends in text.

A template's root, a block or an include may stand in several places. Where the contexts differ it is escaped, and so
compiled, for each of them. A region that contains itself (a recursive include) is assumed to end where it begins, and
that is checked afterwards.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Protocol

from jinja2 import nodes

from awning.template.html import (
    START,
    ContextKind,
    HtmlContext,
    HtmlRefusal,
    Interpolation,
    TokenizerState,
    advance,
    finish,
    join,
    output,
)
from awning.template.refusals import At, Refused, TemplateSource
from awning.template.unit import Chain, Layer, Unit, Units, missing

LOOP_ROUNDS = 4
"""A loop's beginning settles after one round, or two where an unknown part of a URL appears."""


@dataclass(slots=True, kw_only=True)
class Region:
    """What the pass found out about one run of statements. Keys are ids of nodes, which the unit keeps alive."""

    start: HtmlContext
    end: HtmlContext
    texts: dict[int, str] = field(default_factory=dict)
    interpolations: dict[int, Interpolation] = field(default_factory=dict)
    places: dict[int, HtmlContext] = field(default_factory=dict)
    """Where an include, a block or a call of `super()` stands."""


Enter = Callable[[nodes.Node, HtmlContext], HtmlContext | None]
"""Resolves an include, a block or a `super()`: the context behind it; None for what is no such thing."""


class Visitor(Protocol):
    def __call__(self, walk: "Pass", node: nodes.Node, context: HtmlContext) -> HtmlContext: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """The walk over one region."""

    source: TemplateSource
    region: Region
    enter: Enter
    silent: bool = False
    """Behind `extends`: statements run, but nothing is written."""

    def body(self, body: Iterable[nodes.Node], context: HtmlContext) -> HtmlContext:
        for node in body:
            context = VISITORS.get(type(node), silent)(self, node, context)
        return context

    def guarded(
        self, node: nodes.Node, step: Callable[[], HtmlContext], text: str | None = None
    ) -> HtmlContext:
        try:
            return step()
        except HtmlRefusal as fault:
            at = node.lineno
            if text is not None and isinstance(at, At):
                at = self.source.at(at.offset + min(fault.offset, max(len(text) - 1, 0)))
            raise Refused(fault.rule, fault.message, at=at, hint=fault.hint).inside(self.source) from None

    def joined(self, node: nodes.Node, a: HtmlContext, b: HtmlContext) -> HtmlContext:
        return self.guarded(node, lambda: join(a, b))

    def whole(self, node: nodes.Node, body: Iterable[nodes.Node]) -> None:
        """A body whose output becomes a value: it begins and ends in text."""
        end = replace(self, silent=False).body(body, START)
        self.finish(node, end)

    def refuse_silent(self, node: nodes.Node) -> None:
        if self.silent:
            raise Refused(
                "template-outside-block",
                "a template that extends another writes only inside its blocks",
                at=node.lineno,
                hint="move it into a block",
            ).inside(self.source)

    def finish(self, node: nodes.Node, end: HtmlContext) -> None:
        def check() -> HtmlContext:
            finish(end)
            return end

        self.guarded(node, check)


def silent(walk: Pass, node: nodes.Node, context: HtmlContext) -> HtmlContext:  # noqa: ARG001 - a visitor's signature
    """Writes nothing."""
    return context


def visit_output(walk: Pass, node: nodes.Node, context: HtmlContext) -> HtmlContext:
    assert isinstance(node, nodes.Output)
    if walk.silent:
        return context
    for child in node.nodes:
        step = literal if isinstance(child, nodes.TemplateData) else visit_interpolation
        context = step(walk, child, context)
    return context


def literal(walk: Pass, node: nodes.Node, context: HtmlContext) -> HtmlContext:
    assert isinstance(node, nodes.TemplateData)

    def step() -> HtmlContext:
        after, text = advance(context, node.data)
        walk.region.texts[id(node)] = break_placeholder_start(text, after)
        return after

    return walk.guarded(node, step, node.data)


TEXT_STATES = frozenset({TokenizerState.TEXT, TokenizerState.RCDATA})
PLACEHOLDER_START = re.compile(r"\{(?=\{\w*\Z)\{")


def break_placeholder_start(text: str, after: HtmlContext) -> str:
    """Escape the last brace of a raw text that ends like `{{svc_`: the value behind it must not end a placeholder.

    The other contexts escape the closing braces of a value.
    """
    if "{{" not in text or not (
        after.state in TEXT_STATES or (after.state is TokenizerState.VALUE and not after.value)
    ):
        return text
    return PLACEHOLDER_START.sub("{&#123;", text)


def visit_interpolation(walk: Pass, node: nodes.Node, context: HtmlContext) -> HtmlContext:
    """A printed value, unless it is a call of `super()`, whose text is written as if it stood here."""
    entered = walk.enter(node, context)
    if entered is not None:
        walk.region.places[id(node)] = context
        return entered

    def step() -> HtmlContext:
        after, target = output(context)
        if target.kind is ContextKind.JSON and not is_json(node):
            raise HtmlRefusal(
                "template-script-value",
                "a value in a data script is printed by tojson",
                "write {{ value|tojson }}, as the last filter",
            )
        walk.region.interpolations[id(node)] = target
        return after

    return walk.guarded(node, step)


def is_json(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Filter) and node.name == "tojson"


def visit_if(walk: Pass, node: nodes.Node, context: HtmlContext) -> HtmlContext:
    assert isinstance(node, nodes.If)
    end = walk.body(node.body, context)
    for arm in node.elif_:
        end = walk.joined(arm, end, walk.body(arm.body, context))
    return walk.joined(node, end, walk.body(node.else_ or [], context))


def visit_for(walk: Pass, node: nodes.Node, context: HtmlContext) -> HtmlContext:
    assert isinstance(node, nodes.For)
    walk.region.places[id(node)] = context
    start = context
    for _ in range(LOOP_ROUNDS):
        again = walk.joined(node, start, walk.body(node.body, start))
        if again == start:
            break
        start = again
    if not node.else_:
        return start
    return walk.joined(node, start, walk.body(node.else_, context))


def visit_inner(walk: Pass, node: nodes.Node, context: HtmlContext) -> HtmlContext:
    assert isinstance(node, (nodes.With, nodes.Scope, nodes.ScopedEvalContextModifier))
    return walk.body(node.body, context)


def visit_value(walk: Pass, node: nodes.Node, context: HtmlContext) -> HtmlContext:
    assert isinstance(node, (nodes.Macro, nodes.AssignBlock))
    walk.whole(node, node.body)
    return context


def visit_call(walk: Pass, node: nodes.Node, context: HtmlContext) -> HtmlContext:
    assert isinstance(node, nodes.CallBlock)
    walk.refuse_silent(node)
    walk.whole(node, node.body)
    return visit_interpolation(walk, node, context)


def visit_filter(walk: Pass, node: nodes.Node, context: HtmlContext) -> HtmlContext:
    assert isinstance(node, nodes.FilterBlock)
    walk.refuse_silent(node)
    if context != START:
        raise Refused(
            "template-filter-in-tag", "a filter block must stand in text, not inside a tag", at=node.lineno
        ).inside(walk.source)
    walk.whole(node, node.body)
    return context


def visit_placed(walk: Pass, node: nodes.Node, context: HtmlContext) -> HtmlContext:
    """An include or a block: another region, entered here."""
    if walk.silent and isinstance(node, nodes.Block):
        return context
    walk.refuse_silent(node)
    walk.region.places[id(node)] = context
    entered = walk.enter(node, context)
    return context if entered is None else entered


VISITORS: dict[type[nodes.Node], Visitor] = {
    nodes.Output: visit_output,
    nodes.If: visit_if,
    nodes.For: visit_for,
    nodes.With: visit_inner,
    nodes.Scope: visit_inner,
    nodes.ScopedEvalContextModifier: visit_inner,
    nodes.Macro: visit_value,
    nodes.AssignBlock: visit_value,
    nodes.CallBlock: visit_call,
    nodes.FilterBlock: visit_filter,
    nodes.Include: visit_placed,
    nodes.Block: visit_placed,
}
"""Every other statement writes nothing."""


Key = tuple[int, str, HtmlContext]


@dataclass(slots=True, kw_only=True)
class Roots:
    """The regions of a chain's root templates: what stands before `extends`, what stands behind it."""

    regions: tuple[Region, ...]
    end: HtmlContext


@dataclass(slots=True, kw_only=True)
class Regions:
    units: Units
    roots: dict[Key, Roots] = field(default_factory=dict)
    blocks: dict[Key, Region] = field(default_factory=dict)
    open: set[Key] = field(default_factory=set)
    assumed: set[Key] = field(default_factory=set)

    def root(self, chain: Chain, start: HtmlContext) -> Roots | None:
        """The regions of a chain's roots; None for one that is just being computed."""
        key = (id(chain), "", start)
        if key in self.open:
            self.assumed.add(key)
            return None
        if key not in self.roots:
            self.open.add(key)
            found = self._root(chain, start)
            self.open.discard(key)
            self._check(key, chain.units[0], chain.units[0].tree, found.end, start)
            self.roots[key] = found
        return self.roots[key]

    def _root(self, chain: Chain, start: HtmlContext) -> Roots:
        regions: list[Region] = []
        context = start
        for unit in chain.units:
            region = Region(start=context, end=context)
            walk = Pass(source=unit.source, region=region, enter=self.entering(unit, chain, None))
            loud, quiet = halves(unit)
            context = walk.body(loud, context)
            Pass(source=unit.source, region=region, enter=walk.enter, silent=True).body(quiet, context)
            region.end = context
            regions.append(region)
        return Roots(regions=tuple(regions), end=context)

    def _check(self, key: Key, unit: Unit, node: nodes.Node, end: HtmlContext, start: HtmlContext) -> None:
        if key in self.assumed and end != start:
            raise Refused(
                "template-branch-mismatch",
                "what contains itself must end in the HTML context it begins in",
                at=node.lineno,
            ).inside(unit.source)

    def block(self, chain: Chain, name: str, depth: int, start: HtmlContext) -> Region | None:
        """The region of a block's version; None for one that is just being computed."""
        layer = chain.lineages[name][depth]
        key = (id(chain), f"{name} {depth}", start)
        if key in self.open:
            self.assumed.add(key)
            return None
        if key not in self.blocks:
            self.open.add(key)
            region = Region(start=start, end=start)
            walk = Pass(
                source=layer.unit.source, region=region, enter=self.entering(layer.unit, chain, (name, depth))
            )
            region.end = walk.body(layer.node.body, start)
            self.open.discard(key)
            self._check(key, layer.unit, layer.node, region.end, start)
            self.blocks[key] = region
        return self.blocks[key]

    def entering(self, unit: Unit, chain: Chain, block: tuple[str, int] | None) -> Enter:
        """How one template's regions find what stands in them."""

        def enter(node: nodes.Node, context: HtmlContext) -> HtmlContext | None:
            if isinstance(node, nodes.Include):
                found = included(self.units, unit, node)
                roots = self.root(self.units.chain(found), context) if found else None
                return roots.end if roots else context
            if isinstance(node, nodes.Block):
                region = self.block(chain, node.name, 0, context)
                return region.end if region else context
            if block is not None and is_super(node) and parent_of(chain, block) is not None:
                region = self.block(chain, block[0], block[1] + 1, context)
                return region.end if region else context
            return None

        return enter


def halves(unit: Unit) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """What a root writes, and what it only runs: behind `extends` nothing is written."""
    if unit.extends is None:
        return unit.tree.body, []
    at = unit.tree.body.index(unit.extends)
    return unit.tree.body[:at], unit.tree.body[at + 1 :]


def is_super(node: nodes.Node) -> bool:
    """`super()` alone, as the whole of a hole."""
    return isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name == "super"


def parent_of(chain: Chain, block: tuple[str, int]) -> Layer | None:
    name, depth = block
    layers = chain.lineages[name]
    return layers[depth + 1] if depth + 1 < len(layers) else None


def included(units: Units, unit: Unit, node: nodes.Include) -> Unit | None:
    """The template an include takes: the first of its names that there is; None when it may be missing."""
    names = literal_names(unit, node)
    found = next((one for one in map(units.get, names) if one is not None), None)
    if found is None and not node.ignore_missing:
        raise missing(unit, node, names)
    return found


def literal_names(unit: Unit, node: nodes.Include) -> list[str]:
    given = node.template
    items = given.items if isinstance(given, (nodes.List, nodes.Tuple)) else [given]
    if all(isinstance(item, nodes.Const) and isinstance(item.value, str) for item in items):
        return [item.value for item in items if isinstance(item, nodes.Const)]
    raise Refused(
        "template-dynamic-name",
        "the name of an included template must be a literal string, or a list of them",
        at=node.lineno,
        hint="choose with {% if %} between includes with literal names",
    ).inside(unit.source)
