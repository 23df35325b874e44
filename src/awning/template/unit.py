"""Templates and how they hang together: found through the loader, parsed once, their blocks and parents known.

Everything is resolved at compile time; a name that is only known at run time is refused.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

from jinja2 import nodes

from awning.template.declarations import Declared, declared_in
from awning.template.intl import complete
from awning.template.parse import parse, read_source
from awning.template.refusals import Refused, TemplateSource

STRUCTURED = ("block", "extends")
"""A template without these words need not be searched for such nodes."""

LARGEST = 4 * 1024 * 1024
"""Bytes of one template."""

Loader = Callable[[str], str | None]


class Located(str):
    """A template's text that knows its file, for diagnostics; a loader may return it instead of a plain string."""

    __slots__ = ("path",)
    path: str

    def __new__(cls, text: str, path: str) -> Self:
        self = super().__new__(cls, text)
        self.path = path
        return self


def no_templates(name: str) -> str | None:  # noqa: ARG001 - a loader's signature
    """The loader of a template that stands alone."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Unit:
    """One parsed template."""

    source: TemplateSource
    tree: nodes.Template
    everything: tuple[nodes.Node, ...]
    """All nodes of the tree, in order. They are gathered once: walking a tree takes as long as parsing it."""
    blocks: dict[str, nodes.Block]
    extends: nodes.Extends | None
    declared: tuple[Declared, ...] = ()

    @property
    def name(self) -> str:
        return self.source.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One template's version of a block."""

    unit: Unit
    node: nodes.Block


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chain:
    """A template with its parents, the child first, and for each block its versions, the most derived first."""

    units: tuple[Unit, ...]
    lineages: Mapping[str, tuple[Layer, ...]]

    @property
    def name(self) -> str:
        return self.units[0].name


def chain_of(units: tuple[Unit, ...]) -> Chain:
    out: dict[str, list[Layer]] = {}
    for unit in units:
        for name, node in unit.blocks.items():
            out.setdefault(name, []).append(Layer(unit=unit, node=node))
    return Chain(units=units, lineages={name: tuple(layers) for name, layers in out.items()})


@dataclass(slots=True, kw_only=True)
class Units:
    """The templates of one compilation."""

    loader: Loader
    bounded: bool = False
    """Whether it is looked at how deeply they are nested."""
    found: dict[str, Unit] = field(default_factory=dict)
    chains: dict[str, Chain] = field(default_factory=dict)

    def add(self, text: str, *, name: str, path: str) -> Unit:
        source = read_source(text, name=name, path=path)
        if len(text) > LARGEST // 4 and len(text.encode(errors="surrogatepass")) > LARGEST:
            raise too_large(source)
        tree = parse(source, bounded=self.bounded)
        complete(tree, source.text)
        try:
            plain = not any(word in source.text for word in STRUCTURED)
            blocks, extends = ({}, None) if plain else (blocks_of(tree), extends_of(tree))
            unit = Unit(
                source=source,
                tree=tree,
                everything=tuple(descendants(tree)),
                blocks=blocks,
                extends=extends,
                declared=declared_in(source),
            )
        except Refused as refused:
            raise refused.inside(source) from None
        self.found[name] = unit
        return unit

    def get(self, name: str) -> Unit | None:
        if name not in self.found:
            text = self.loader(name)
            if text is None:
                return None
            self.add(text, name=name, path=text.path if isinstance(text, Located) else name)
        return self.found[name]

    def chain(self, unit: Unit) -> Chain:
        if unit.name not in self.chains:
            self.chains[unit.name] = chain_of(self.parents(unit))
        return self.chains[unit.name]

    def parents(self, unit: Unit) -> tuple[Unit, ...]:
        """The template and its parents, the child first."""
        chain = [unit]
        while chain[-1].extends is not None:
            node = chain[-1].extends
            parent = self.required(chain[-1], node, node.template)
            if parent in chain:
                raise Refused(
                    "template-extends-itself", f'"{parent.name}" extends itself', at=node.lineno
                ).inside(chain[-1].source)
            chain.append(parent)
        return tuple(chain)

    def required(self, unit: Unit, node: nodes.Node, name: nodes.Expr) -> Unit:
        """The template that an expression names; a refusal when there is none."""
        text = constant_name(unit, node, name)
        found = self.get(text)
        if found is None:
            raise missing(unit, node, [text])
        return found


def descendants(tree: nodes.Node) -> list[nodes.Node]:
    """All nodes in a tree but itself, each before what is in it."""
    out: list[nodes.Node] = []
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        out.append(node)
        inside: list[nodes.Node] = []
        for name in node.fields:
            held = getattr(node, name, None)
            if isinstance(held, nodes.Node):
                inside.append(held)
            elif isinstance(held, list):
                inside += [child for child in held if isinstance(child, nodes.Node)]
        waiting += inside[::-1]
    return out[1:]


def too_large(source: TemplateSource) -> Refused:
    return Refused(
        "template-too-large",
        f"a template is at most {LARGEST // 1024**2} MB large",
        at=source.at(0),
        hint="hand data to it from the script: view({...})",
    ).inside(source)


def constant_name(unit: Unit, node: nodes.Node, name: nodes.Expr) -> str:
    if isinstance(name, nodes.Const) and isinstance(name.value, str):
        return name.value
    raise Refused(
        "template-dynamic-name",
        "the name of a template must be a literal string",
        at=node.lineno,
        hint="choose with {% if %} between two literal names",
    ).inside(unit.source)


def missing(unit: Unit, node: nodes.Node, names: Iterable[str]) -> Refused:
    listed = ", ".join(f'"{name}"' for name in names)
    return Refused(
        "template-not-found",
        f"there is no template {listed}",
        at=node.lineno,
        hint="names are relative to the widget's folder, then to widgets/_shared/, without ../",
    ).inside(unit.source)


def blocks_of(tree: nodes.Template) -> dict[str, nodes.Block]:
    blocks: dict[str, nodes.Block] = {}
    for block in tree.find_all(nodes.Block):
        if block.name in blocks:
            raise Refused("template-block-twice", f"block {block.name!r} defined twice", at=block.lineno)
        blocks[block.name] = block
    return blocks


def extends_of(tree: nodes.Template) -> nodes.Extends | None:
    found = list(tree.find_all(nodes.Extends))
    if not found:
        return None
    if len(found) > 1:
        raise Refused("template-extends-twice", "a template extends one other", at=found[1].lineno)
    if found[0] not in tree.body:
        raise Refused(
            "template-extends-inside",
            "extends must stand at the top level, outside if and for",
            at=found[0].lineno,
        )
    return found[0]
