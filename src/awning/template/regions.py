"""The HTML regions of one compilation: each computed once for each context in which it begins.

A template's root, a block or an include may stand in several places; where the contexts differ it is escaped, and so
compiled, for each of them. A region that contains itself (a recursive include) is taken to end where it begins, and
that is then checked.
"""

from dataclasses import dataclass, field

from jinja2 import nodes

from awning.template.context import Enter, Pass, Region
from awning.template.faults import Refused
from awning.template.html import HtmlContext
from awning.template.unit import Chain, Layer, Unit, Units, missing

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
