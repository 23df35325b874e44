"""The HTML context of each text and value in a template.

A region is a run of statements with one stream of output: a template's root, also that of an included template, or a
block at its place. A walk goes through a region in the order of output and feeds the author's text to the tokenizer of
`awning.template.html`. It records the text to emit and the interpolation of each value. Where branches meet, it joins
their contexts; it also joins the end of a loop's body with its beginning. The bodies of statements that make HTML as a
value (macros, block sets, calls, filter blocks) belong to the region around them, but begin and end in text.

A root, a block or an include may stand in several places. It is compiled once for each different context. A region that
contains itself (a recursive include) is assumed to end in the context in which it begins; that is checked afterwards.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import Flag, auto
from functools import reduce
from operator import or_
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
    after_first,
    finish,
    join,
    output,
)
from awning.template.refusals import Position, TemplateRefusal, TemplateSource
from awning.template.template_set import Chain, Layer, ParsedTemplate, TemplateSet, missing

LOOP_ROUNDS = 4
"""The body of a loop is walked at most this many times.

In practice the context is stable after one walk, or after two with an unknown part of a URL.
"""


@dataclass(slots=True, kw_only=True)
class Region:
    """The result of one walk. Keys are the ids of nodes. The template keeps the nodes alive, so ids stay unique."""

    start: HtmlContext
    end: HtmlContext
    texts: dict[int, str] = field(default_factory=dict)
    interpolations: dict[int, Interpolation] = field(default_factory=dict)
    places: dict[int, HtmlContext] = field(default_factory=dict)
    """The contexts in which includes, blocks, loops and calls of `super()` stand."""
    lines: set[int] = field(default_factory=set)
    """The statements and calls of `super()` before which a newline is printed.

    They begin a textarea or pre, and their output may be a value.
    """


Enter = Callable[[nodes.Node, HtmlContext], HtmlContext | None]
"""A function that walks the region that an include, a block or a `super()` inserts.

It returns the context after the region; None for any other node.
"""


class Beginning(Flag):
    """What the output of statements may begin with. NOTHING: they may write nothing."""

    TEXT = auto()
    VALUE = auto()
    NOTHING = auto()


_WITH_STATEMENTS = (nodes.If, nodes.For, nodes.FilterBlock, nodes.Include, nodes.Block)
"""The statements that contain others. A newline is printed before them, not before the values in them.

The first value may stand behind others, or behind nothing, and a block or an included template has its text elsewhere.
"""


def beginning(body: Iterable[nodes.Node]) -> Beginning:
    """Return what the output of a body may begin with. What is inserted from elsewhere counts as a value."""
    start = Beginning(0)
    for node in body:
        inner = _beginning(node)
        start |= inner & ~Beginning.NOTHING
        if Beginning.NOTHING not in inner:
            return start
    return start | Beginning.NOTHING


def _beginning(node: nodes.Node) -> Beginning:
    match node:
        case nodes.Output():
            start = Beginning.TEXT if isinstance(node.nodes[0], nodes.TemplateData) else Beginning.VALUE
        case nodes.If():
            arms = [node.body, *(arm.body for arm in node.elif_), node.else_]
            start = reduce(or_, map(beginning, arms))
        case nodes.For():
            start = beginning(node.body) | beginning(node.else_)
        case nodes.With() | nodes.Scope() | nodes.ScopedEvalContextModifier():
            start = beginning(node.body)
        case nodes.FilterBlock() if beginning(node.body) == Beginning.TEXT:
            start = Beginning.TEXT
        case nodes.FilterBlock() | nodes.CallBlock() | nodes.Include() | nodes.Block():
            start = Beginning.VALUE
        case _:
            start = Beginning.NOTHING
    return start


@dataclass(slots=True)
class Opening:
    """Where the value, the tag or the content begins in which the last text ends; None where it ends in text."""

    at: Position | None = None
    source: TemplateSource | None = None

    def follow(self, source: TemplateSource, node: nodes.TemplateData, end: HtmlContext) -> None:
        """Read a text that ends in `end`."""
        at = node.data.rfind((end.quote or "=") if end.state is TokenizerState.VALUE else "<")
        if end.state is TokenizerState.TEXT:
            self.at = None
        elif at >= 0 and isinstance(node.lineno, Position):
            self.source, self.at = source, source.at(node.lineno.offset + at)


class Visitor(Protocol):
    def __call__(self, walk: "RegionWalk", node: nodes.Node, context: HtmlContext) -> HtmlContext: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionWalk:
    """A walk through the nodes of one region."""

    source: TemplateSource
    region: Region
    enter: Enter
    opening: Opening = field(default_factory=Opening)
    silent: bool = False
    """Whether the walk is after `extends`, where statements run but write nothing."""

    def body(self, body: Iterable[nodes.Node], context: HtmlContext) -> HtmlContext:
        statements = list(body)
        for index, node in enumerate(statements):
            if context.first and not self.silent and isinstance(node, _WITH_STATEMENTS):
                if beginning(statements[index:]) != Beginning.TEXT:
                    self.region.lines.add(id(node))
                context = after_first(context)
            context = VISITORS.get(type(node), silent)(self, node, context)
        return context

    def guarded(
        self, node: nodes.Node, step: Callable[[], HtmlContext], text: str | None = None
    ) -> HtmlContext:
        try:
            return step()
        except HtmlRefusal as fault:
            at = node.lineno
            if text is not None and isinstance(at, Position):
                at = self.source.at(at.offset + min(fault.offset, max(len(text) - 1, 0)))
            raise TemplateRefusal(fault.rule, fault.message, at=at, hint=fault.hint).inside(
                self.source
            ) from None

    def joined(self, node: nodes.Node, a: HtmlContext, b: HtmlContext) -> HtmlContext:
        return self.guarded(node, lambda: join(a, b))

    def whole(self, node: nodes.Node, body: Iterable[nodes.Node]) -> None:
        """Walk a body whose output becomes a value. It begins in text.

        Raises TemplateRefusal when it does not end in text.
        """
        end = replace(self, silent=False).body(body, START)
        self.finish(node, end)

    def refuse_silent(self, node: nodes.Node) -> None:
        if self.silent:
            raise TemplateRefusal(
                "template-outside-block",
                "a template that extends another writes only inside its blocks",
                at=node.lineno,
                hint="move it into a block",
            ).inside(self.source)

    def finish(self, node: nodes.Node, end: HtmlContext) -> None:
        """Check the end of a template or a body. Raises TemplateRefusal at what is still open."""
        try:
            finish(end)
        except HtmlRefusal as fault:
            at, source = self.opening.at or node.lineno, self.opening.source if self.opening.at else None
            raise TemplateRefusal(fault.rule, fault.message, at=at, hint=fault.hint).inside(
                source or self.source
            ) from None


def silent(walk: RegionWalk, node: nodes.Node, context: HtmlContext) -> HtmlContext:  # noqa: ARG001 - a visitor's signature
    """Skip a statement that writes nothing."""
    return context


def visit_output(walk: RegionWalk, node: nodes.Node, context: HtmlContext) -> HtmlContext:
    assert isinstance(node, nodes.Output)
    if walk.silent:
        return context
    for child in node.nodes:
        step = literal if isinstance(child, nodes.TemplateData) else visit_interpolation
        context = step(walk, child, context)
    return context


def literal(walk: RegionWalk, node: nodes.Node, context: HtmlContext) -> HtmlContext:
    assert isinstance(node, nodes.TemplateData)

    def step() -> HtmlContext:
        after, text = advance(context, node.data)
        walk.opening.follow(walk.source, node, after)
        walk.region.texts[id(node)] = break_placeholder_start(text, after)
        return after

    return walk.guarded(node, step, node.data)


TEXT_STATES = frozenset({TokenizerState.TEXT, TokenizerState.RCDATA})
PLACEHOLDER_START = re.compile(r"\{(?=\{\w*\Z)\{")


def break_placeholder_start(text: str, after: HtmlContext) -> str:
    """Escape one brace if the author's text ends like `{{svc_`, so that no value after it completes a placeholder.

    Only text, RCDATA and plain attributes need it: in other contexts, the closing braces of a value are escaped.
    """
    if "{{" not in text or not (
        after.state in TEXT_STATES or (after.state is TokenizerState.VALUE and not after.value)
    ):
        return text
    return PLACEHOLDER_START.sub("{&#123;", text)


def visit_interpolation(walk: RegionWalk, node: nodes.Node, context: HtmlContext) -> HtmlContext:
    """Walk a printed value. For a call of `super()`, walk the parent's block instead.

    Raises TemplateRefusal when no value is allowed here.
    """
    entered = walk.enter(node, after_first(context))
    if entered is not None:
        if context.first:
            walk.region.lines.add(id(node))
        walk.region.places[id(node)] = after_first(context)
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


def visit_if(walk: RegionWalk, node: nodes.Node, context: HtmlContext) -> HtmlContext:
    assert isinstance(node, nodes.If)
    end = walk.body(node.body, context)
    for arm in node.elif_:
        end = walk.joined(arm, end, walk.body(arm.body, context))
    return walk.joined(node, end, walk.body(node.else_ or [], context))


def visit_for(walk: RegionWalk, node: nodes.Node, context: HtmlContext) -> HtmlContext:
    assert isinstance(node, nodes.For)
    walk.region.places[id(node)] = context
    start = context
    for _ in range(LOOP_ROUNDS):
        again = walk.joined(node, start, walk.body(node.body, start))
        if again == start:
            break
        start = again
    else:
        raise AssertionError("the HTML context of a loop's body does not become stable")
    if not node.else_:
        return start
    return walk.joined(node, start, walk.body(node.else_, context))


def visit_inner(walk: RegionWalk, node: nodes.Node, context: HtmlContext) -> HtmlContext:
    assert isinstance(node, (nodes.With, nodes.Scope, nodes.ScopedEvalContextModifier))
    return walk.body(node.body, context)


def visit_value(walk: RegionWalk, node: nodes.Node, context: HtmlContext) -> HtmlContext:
    assert isinstance(node, (nodes.Macro, nodes.AssignBlock))
    walk.whole(node, node.body)
    return context


def visit_call(walk: RegionWalk, node: nodes.Node, context: HtmlContext) -> HtmlContext:
    assert isinstance(node, nodes.CallBlock)
    walk.refuse_silent(node)
    walk.whole(node, node.body)
    return visit_interpolation(walk, node, context)


def visit_filter(walk: RegionWalk, node: nodes.Node, context: HtmlContext) -> HtmlContext:
    """Walk a filter block. Raises TemplateRefusal when it does not stand in text, or comes after `extends`."""
    assert isinstance(node, nodes.FilterBlock)
    walk.refuse_silent(node)
    if context != START:
        raise TemplateRefusal(
            "template-filter-in-tag", "a filter block must stand in text, not inside a tag", at=node.lineno
        ).inside(walk.source)
    walk.whole(node, node.body)
    return START


def visit_placed(walk: RegionWalk, node: nodes.Node, context: HtmlContext) -> HtmlContext:
    """Walk the region of an include or a block at its place. After `extends`, a block is skipped.

    Raises TemplateRefusal for an include after `extends`.
    """
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
"""Statements that are not in this table write nothing."""


Key = tuple[int, str, HtmlContext]


@dataclass(slots=True, kw_only=True)
class RootRegions:
    """The regions of the roots of a chain's templates in order, and the context in which the last one ends."""

    regions: tuple[Region, ...]
    end: HtmlContext


@dataclass(slots=True, kw_only=True)
class Regions:
    templates: TemplateSet
    roots: dict[Key, RootRegions] = field(default_factory=dict)
    blocks: dict[Key, Region] = field(default_factory=dict)
    open: set[Key] = field(default_factory=set)
    assumed: set[Key] = field(default_factory=set)
    opening: Opening = field(default_factory=Opening)

    def root(self, chain: Chain, start: HtmlContext) -> RootRegions | None:
        """Return the regions of a chain's roots; None while they are being computed."""
        key = (id(chain), "", start)
        if key in self.open:
            self.assumed.add(key)
            return None
        if key not in self.roots:
            self.open.add(key)
            roots = self._root(chain, start)
            self.open.discard(key)
            self._check(key, chain.templates[0], chain.templates[0].tree, roots.end, start)
            self.roots[key] = roots
        return self.roots[key]

    def _root(self, chain: Chain, start: HtmlContext) -> RootRegions:
        regions: list[Region] = []
        context = start
        for template in chain.templates:
            region = Region(start=context, end=context)
            walk = RegionWalk(
                source=template.source,
                region=region,
                enter=self.entering(template, chain, None),
                opening=self.opening,
            )
            loud, quiet = halves(template)
            context = walk.body(loud, context)
            replace(walk, silent=True).body(quiet, context)
            region.end = context
            regions.append(region)
        return RootRegions(regions=tuple(regions), end=context)

    def _check(
        self, key: Key, template: ParsedTemplate, node: nodes.Node, end: HtmlContext, start: HtmlContext
    ) -> None:
        if key in self.assumed and end != start:
            raise TemplateRefusal(
                "template-branch-mismatch",
                "a template or block that contains itself must end in the HTML context in which it begins",
                at=node.lineno,
            ).inside(template.source)

    def block(self, chain: Chain, name: str, depth: int, start: HtmlContext) -> Region | None:
        """Return the region of one version of a block; None while it is being computed."""
        layer = chain.lineages[name][depth]
        key = (id(chain), f"{name} {depth}", start)
        if key in self.open:
            self.assumed.add(key)
            return None
        if key not in self.blocks:
            self.open.add(key)
            region = Region(start=start, end=start)
            walk = RegionWalk(
                source=layer.template.source,
                region=region,
                enter=self.entering(layer.template, chain, (name, depth)),
                opening=self.opening,
            )
            region.end = walk.body(layer.node.body, start)
            self.open.discard(key)
            self._check(key, layer.template, layer.node, region.end, start)
            self.blocks[key] = region
        return self.blocks[key]

    def entering(self, template: ParsedTemplate, chain: Chain, block: tuple[str, int] | None) -> Enter:
        """Return the function that walks the includes, blocks and `super()` in the regions of one template."""

        def enter(node: nodes.Node, context: HtmlContext) -> HtmlContext | None:
            if isinstance(node, nodes.Include):
                target = included_template(self.templates, template, node)
                roots = self.root(self.templates.chain(target), context) if target else None
                return roots.end if roots else context
            if isinstance(node, nodes.Block):
                region = self.block(chain, node.name, 0, context)
                return region.end if region else context
            if block is not None and is_super(node) and parent_of(chain, block) is not None:
                region = self.block(chain, block[0], block[1] + 1, context)
                return region.end if region else context
            return None

        return enter


def halves(template: ParsedTemplate) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """Return the statements of a root before `extends`, and those after it, which write nothing."""
    if template.extends is None:
        return template.tree.body, []
    at = template.tree.body.index(template.extends)
    return template.tree.body[:at], template.tree.body[at + 1 :]


def is_super(node: nodes.Node) -> bool:
    """Return whether an interpolation is just `super()`."""
    return isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name == "super"


def parent_of(chain: Chain, block: tuple[str, int]) -> Layer | None:
    name, depth = block
    layers = chain.lineages[name]
    return layers[depth + 1] if depth + 1 < len(layers) else None


def included_template(
    templates: TemplateSet, template: ParsedTemplate, node: nodes.Include
) -> ParsedTemplate | None:
    """Return the template of an include: the first of its names that exists.

    Returns None if none exists and `ignore missing` is set. Raises TemplateRefusal when none exists and it is not set,
    or when a name is no literal string.
    """
    names = literal_names(template, node)
    target = next((candidate for candidate in map(templates.get, names) if candidate is not None), None)
    if target is None and not node.ignore_missing:
        raise missing(template, node, names)
    return target


def literal_names(template: ParsedTemplate, node: nodes.Include) -> list[str]:
    """Return the names of an include's templates. Raises TemplateRefusal when one is no literal string."""
    expression = node.template
    items = expression.items if isinstance(expression, (nodes.List, nodes.Tuple)) else [expression]
    if all(isinstance(item, nodes.Const) and isinstance(item.value, str) for item in items):
        return [item.value for item in items if isinstance(item, nodes.Const)]
    raise TemplateRefusal(
        "template-dynamic-name",
        "the name of an included template must be a literal string, or a list of them",
        at=node.lineno,
        hint="choose with {% if %} between includes with literal names",
    ).inside(template.source)
