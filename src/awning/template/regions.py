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
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Flag, auto
from functools import reduce
from operator import or_

from jinja2 import nodes

from awning.template.html.html_context import (
    START,
    ContextKind,
    HtmlContext,
    HtmlRefusal,
    Interpolation,
    TokenizerState,
    after_first,
    finish,
    join,
)
from awning.template.html.tokenizer import advance
from awning.template.html.values import output
from awning.template.refusals import Position, TemplateRefusal
from awning.template.template_set import Chain, TemplateSet

LOOP_ROUNDS = 4
"""The body of a loop is walked at most this many times.

In practice the context is stable after one walk, or after two with an unknown part of a URL.
"""


@dataclass(slots=True, kw_only=True)
class Region:
    """The result of one walk. Keys are the ids of nodes. The template keeps the nodes alive, so ids stay unique."""

    texts: dict[int, str] = field(default_factory=dict)
    interpolations: dict[int, Interpolation] = field(default_factory=dict)
    places: dict[int, HtmlContext] = field(default_factory=dict)
    """The contexts in which includes, blocks, loops and calls of `super()` stand."""
    lines: set[int] = field(default_factory=set)
    """The statements and calls of `super()` before which a newline is printed.

    They begin a textarea or pre, and their output may be a value.
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

    def follow(self, node: nodes.TemplateData, end: HtmlContext) -> None:
        """Read a text that ends in `end`."""
        at = node.data.rfind((end.quote or "=") if end.state is TokenizerState.VALUE else "<")
        if end.state is TokenizerState.TEXT:
            self.at = None
        elif at >= 0 and isinstance(node.lineno, Position):
            self.at = node.lineno.moved(at)


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionWalk:
    """A walk through the nodes of one region. It walks blocks where they stand, and follows no other template."""

    region: Region
    opening: Opening = field(default_factory=Opening)
    silent: bool = False
    """Whether the walk is after `extends`, where statements run but write nothing."""

    def inserted(self, node: nodes.Node, context: HtmlContext) -> HtmlContext | None:
        """Walk what an include, a block or a `super()` inserts. Return the context after it; None for other nodes."""
        return self.body(node.body, context) if isinstance(node, nodes.Block) else None

    def body(self, body: Iterable[nodes.Node], context: HtmlContext) -> HtmlContext:
        statements = list(body)
        for index, node in enumerate(statements):
            if context.first and not self.silent and isinstance(node, _WITH_STATEMENTS):
                if beginning(statements[index:]) != Beginning.TEXT:
                    self.region.lines.add(id(node))
                context = after_first(context)
            context = self.statement(node, context)
        return context

    def statement(self, node: nodes.Node, context: HtmlContext) -> HtmlContext:
        """Walk a statement, and return the context after it. Statements that are not named here write nothing."""
        match node:
            case nodes.Output():
                context = context if self.silent else self.output(node, context)
            case nodes.If():
                context = self.condition(node, context)
            case nodes.For():
                context = self.loop(node, context)
            case nodes.With() | nodes.Scope() | nodes.ScopedEvalContextModifier():
                context = self.body(node.body, context)
            case nodes.Macro() | nodes.AssignBlock():
                self.whole(node, node.body)
            case nodes.CallBlock():
                self.refuse_silent(node)
                self.whole(node, node.body)
                context = self.interpolation(node, context)
            case nodes.FilterBlock():
                context = self.filter_block(node, context)
            case nodes.Include() | nodes.Block():
                context = self.placed(node, context)
        return context

    def output(self, node: nodes.Output, context: HtmlContext) -> HtmlContext:
        for child in node.nodes:
            if isinstance(child, nodes.TemplateData):
                context = self.literal(child, context)
            else:
                context = self.interpolation(child, context)
        return context

    def literal(self, node: nodes.TemplateData, context: HtmlContext) -> HtmlContext:
        try:
            after, text = advance(context, node.data)
        except HtmlRefusal as fault:
            raise self.refusal(fault, node, node.data) from None
        self.opening.follow(node, after)
        self.region.texts[id(node)] = break_placeholder_start(text, after)
        return after

    def interpolation(self, node: nodes.Node, context: HtmlContext) -> HtmlContext:
        """Walk a printed value. For a call of `super()`, walk the parent's block instead.

        Raises TemplateRefusal when no value is allowed here.
        """
        entered = self.inserted(node, after_first(context))
        if entered is not None:
            if context.first:
                self.region.lines.add(id(node))
            self.region.places[id(node)] = after_first(context)
            return entered
        try:
            after, target = output(context)
        except HtmlRefusal as fault:
            raise self.refusal(fault, node) from None
        if target.kind is ContextKind.JSON and not is_json(node):
            message = "a value in a data script is printed by tojson"
            hint = "write {{ value|tojson }}, as the last filter"
            raise self.refusal(HtmlRefusal("template-script-value", message, hint), node)
        self.region.interpolations[id(node)] = target
        return after

    def condition(self, node: nodes.If, context: HtmlContext) -> HtmlContext:
        end = self.body(node.body, context)
        for arm in node.elif_:
            end = self.joined(arm, end, self.body(arm.body, context))
        return self.joined(node, end, self.body(node.else_ or [], context))

    def loop(self, node: nodes.For, context: HtmlContext) -> HtmlContext:
        self.region.places[id(node)] = context
        start = context
        for _ in range(LOOP_ROUNDS):
            again = self.joined(node, start, self.body(node.body, start))
            if again == start:
                break
            start = again
        else:
            raise AssertionError("the HTML context of a loop's body does not become stable")
        if not node.else_:
            return start
        return self.joined(node, start, self.body(node.else_, context))

    def filter_block(self, node: nodes.FilterBlock, context: HtmlContext) -> HtmlContext:
        """Walk a filter block. Raises TemplateRefusal when it does not stand in text, or comes after `extends`."""
        self.refuse_silent(node)
        if context != START:
            raise TemplateRefusal(
                "template-filter-in-tag",
                "a filter block must stand in text, not inside a tag",
                at=node.lineno,
            )
        self.whole(node, node.body)
        return START

    def placed(self, node: nodes.Include | nodes.Block, context: HtmlContext) -> HtmlContext:
        """Walk the region of an include or a block at its place. After `extends`, a block is skipped.

        Raises TemplateRefusal for an include after `extends`.
        """
        if self.silent and isinstance(node, nodes.Block):
            return context
        self.refuse_silent(node)
        self.region.places[id(node)] = context
        entered = self.inserted(node, context)
        return context if entered is None else entered

    def whole(self, node: nodes.Node, body: Iterable[nodes.Node]) -> None:
        """Walk a body whose output becomes a value. It begins in text.

        Raises TemplateRefusal when it does not end in text.
        """
        end = replace(self, silent=False).body(body, START)
        self.finish(node, end)

    def finish(self, node: nodes.Node, end: HtmlContext) -> None:
        """Check the end of a template or a body. Raises TemplateRefusal at what is still open."""
        try:
            finish(end)
        except HtmlRefusal as fault:
            at = self.opening.at or node.lineno
            raise TemplateRefusal(fault.rule, fault.message, at=at, hint=fault.hint) from None

    def joined(self, node: nodes.Node, a: HtmlContext, b: HtmlContext) -> HtmlContext:
        try:
            return join(a, b)
        except HtmlRefusal as fault:
            raise self.refusal(fault, node) from None

    def refusal(self, fault: HtmlRefusal, node: nodes.Node, text: str | None = None) -> TemplateRefusal:
        """Return the refusal of a node. With the node's `text`, its place is inside of this text."""
        at = node.lineno
        if text is not None and isinstance(at, Position):
            at = at.moved(min(fault.offset, max(len(text) - 1, 0)))
        return TemplateRefusal(fault.rule, fault.message, at=at, hint=fault.hint)

    def refuse_silent(self, node: nodes.Node) -> None:
        if self.silent:
            raise TemplateRefusal(
                "template-outside-block",
                "a template that extends another writes only inside its blocks",
                at=node.lineno,
                hint="move it into a block",
            )


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


def is_json(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Filter) and node.name == "tojson"


Key = tuple[int, str, HtmlContext]


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked:
    """The regions of the roots of a chain's templates in order, or the one of a block; and the context at their end."""

    regions: tuple[Region, ...]
    end: HtmlContext


@dataclass(slots=True, kw_only=True)
class Regions:
    """The regions of one compilation, each walked when it is first asked for."""

    templates: TemplateSet
    walked: dict[Key, Walked] = field(default_factory=dict)
    open: set[Key] = field(default_factory=set)
    assumed: set[Key] = field(default_factory=set)
    opening: Opening = field(default_factory=Opening)

    def whole(self, chain: Chain) -> None:
        """Walk a whole template.

        Raises TemplateRefusal when it ends inside a tag, a comment, svg, math, select, or an element with raw text such
        as script.
        """
        roots = self.root(chain, START)
        assert roots is not None, "nothing is open yet"
        last = chain.templates[-1]
        walk = RegionWalk(region=roots.regions[-1], opening=self.opening)
        walk.finish([last.tree, *last.tree.body][-1], roots.end)

    def root(self, chain: Chain, start: HtmlContext) -> Walked | None:
        """Return the regions of a chain's roots; None while they are being walked."""
        key = (id(chain), "", start)
        if not self.begin(key):
            return self.walked.get(key)
        regions: list[Region] = []
        context = start
        for template in chain.templates:
            walk = self.walk(chain)
            loud, quiet = template.halves
            context = walk.body(loud, context)
            replace(walk, silent=True).body(quiet, context)
            regions.append(walk.region)
        return self.end(key, Walked(regions=tuple(regions), end=context), chain.templates[0].tree)

    def block(self, chain: Chain, name: str, depth: int, start: HtmlContext) -> Walked | None:
        """Return the region of one version of a block; None while it is being walked."""
        key = (id(chain), f"{name} {depth}", start)
        if not self.begin(key):
            return self.walked.get(key)
        layer = chain.lineages[name][depth]
        walk = self.walk(chain, (name, depth))
        end = walk.body(layer.node.body, start)
        return self.end(key, Walked(regions=(walk.region,), end=end), layer.node)

    def walk(self, chain: Chain, block: tuple[str, int] | None = None) -> RegionWalk:
        """Return the walk of a new region."""
        return _FollowingWalk(
            region=Region(),
            opening=self.opening,
            regions=self,
            chain=chain,
            block=block,
        )

    def begin(self, key: Key) -> bool:
        """Return whether the region must be walked now. If it is open, it is assumed to end as it begins."""
        if key in self.open:
            self.assumed.add(key)
        if key in self.open or key in self.walked:
            return False
        self.open.add(key)
        return True

    def end(self, key: Key, walked: Walked, node: nodes.Node) -> Walked:
        self.open.discard(key)
        if key in self.assumed and walked.end != key[2]:
            raise TemplateRefusal(
                "template-branch-mismatch",
                "a template or block that contains itself must end in the HTML context in which it begins",
                at=node.lineno,
            )
        self.walked[key] = walked
        return walked


@dataclass(frozen=True, slots=True, kw_only=True)
class _FollowingWalk(RegionWalk):
    """A walk that follows includes, blocks and `super()` into the regions of other templates."""

    regions: Regions
    chain: Chain
    block: tuple[str, int] | None
    """The name of the block that is walked, and the depth of its version in the chain of parents."""

    def inserted(self, node: nodes.Node, context: HtmlContext) -> HtmlContext | None:
        if isinstance(node, nodes.Include):
            target = self.regions.templates.linked(node)
            walked = self.regions.root(self.regions.templates.chain(target), context) if target else None
        elif isinstance(node, nodes.Block):
            walked = self.regions.block(self.chain, node.name, 0, context)
        elif self.block is not None and is_super(node) and self.has_parent(*self.block):
            walked = self.regions.block(self.chain, self.block[0], self.block[1] + 1, context)
        else:
            return None
        return walked.end if walked else context

    def has_parent(self, name: str, depth: int) -> bool:
        return depth + 1 < len(self.chain.lineages[name])


def is_super(node: nodes.Node) -> bool:
    """Return whether an interpolation is just `super()`."""
    return isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name == "super"
