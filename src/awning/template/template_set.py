"""The templates of one compilation: loaded, parsed once, and linked by their blocks and parents.

All names of templates are resolved at compile time. A name that is known only at run time is refused.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

from jinja2 import nodes

from awning.template.own_filters import write_out_page_arguments
from awning.template.parse import Comment, parse, read_source
from awning.template.refusals import TemplateRefusal, TemplateSource

STRUCTURED = ("block", "extends")
"""If the text of a template contains none of these words, it has no blocks and no parent."""

Link = nodes.Include | nodes.Import | nodes.FromImport | nodes.Extends
"""A statement that names another template."""

Loader = Callable[[str], str | None]


class LocatedText(str):
    """The text of a template with the path of its file for diagnostics. A loader returns this or a plain string."""

    __slots__ = ("path",)
    path: str

    def __new__(cls, text: str, path: str) -> Self:
        self = super().__new__(cls, text)
        self.path = path
        return self


def no_templates(name: str) -> str | None:  # noqa: ARG001 - a loader's signature
    """Load no template, for a compiled template that stands alone."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ParsedTemplate:
    """One parsed template: its source, its syntax tree, its comments, its blocks and its `extends`."""

    source: TemplateSource
    tree: nodes.Template
    everything: tuple[nodes.Node, ...]
    """All nodes of the tree in order. They are collected once, because a walk takes as long as parsing."""
    blocks: dict[str, nodes.Block]
    extends: nodes.Extends | None
    comments: tuple[Comment, ...]

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def halves(self) -> tuple[list[nodes.Node], list[nodes.Node]]:
        """The statements of the root before `extends`, and those after it, which write nothing."""
        if self.extends is None:
            return self.tree.body, []
        at = self.tree.body.index(self.extends)
        return self.tree.body[:at], self.tree.body[at + 1 :]

    def defined_names(self) -> set[str]:
        """Return the names that the template sets: variables, parameters, imports and macros."""
        names: set[str] = set()
        for node in self.everything:
            match node:
                case nodes.Name() if node.ctx != "load":
                    names.add(node.name)
                case nodes.Import():
                    names.add(node.target)
                case nodes.FromImport():
                    names.update(alias for _, alias in imported_names(node))
                case nodes.Macro():
                    names.add(node.name)
        return names


def imported_names(node: nodes.FromImport) -> list[tuple[str, str]]:
    """Return the names that a statement imports, each with the name that it gets."""
    return [name if isinstance(name, tuple) else (name, name) for name in node.names]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """A version of a block, and the template that defines it."""

    template: ParsedTemplate
    node: nodes.Block


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chain:
    """A template with its parents, the child first, and for each block its versions, the most derived first."""

    templates: tuple[ParsedTemplate, ...]
    lineages: Mapping[str, tuple[Layer, ...]]

    @property
    def name(self) -> str:
        return self.templates[0].name


def chain_of(templates: tuple[ParsedTemplate, ...]) -> Chain:
    out: dict[str, list[Layer]] = {}
    for template in templates:
        for name, node in template.blocks.items():
            out.setdefault(name, []).append(Layer(template=template, node=node))
    return Chain(templates=templates, lineages={name: tuple(layers) for name, layers in out.items()})


@dataclass(slots=True, kw_only=True)
class TemplateSet:
    """The templates of one compilation."""

    loader: Loader
    bounded: bool = False
    """Whether the depth of nesting is checked."""
    by_name: dict[str, ParsedTemplate] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    """The names that the loader was asked for."""
    chains: dict[str, Chain] = field(default_factory=dict)

    def add(self, text: str, *, name: str, path: str) -> ParsedTemplate:
        """Parse a template and add it. Raises TemplateRefusal when it is too large or malformed."""
        source = read_source(text, name=name, path=path)
        tree, comments = parse(source, bounded=self.bounded)
        write_out_page_arguments(tree, source.text)
        plain = not any(word in source.text for word in STRUCTURED)
        blocks, extends = ({}, None) if plain else (blocks_of(tree), extends_of(tree))
        template = ParsedTemplate(
            source=source,
            tree=tree,
            everything=tuple(descendants(tree)),
            blocks=blocks,
            extends=extends,
            comments=comments,
        )
        self.by_name[name] = template
        return template

    def get(self, name: str) -> ParsedTemplate | None:
        if name not in self.by_name:
            self.asked.add(name)
            text = self.loader(name)
            if text is None:
                return None
            self.add(text, name=name, path=text.path if isinstance(text, LocatedText) else name)
        return self.by_name[name]

    def strings(self) -> set[str]:
        """Return the literal strings in the expressions of all templates."""
        everything = (node for template in self.by_name.values() for node in template.everything)
        return {
            node.value for node in everything if isinstance(node, nodes.Const) and isinstance(node.value, str)
        }

    def chain(self, template: ParsedTemplate) -> Chain:
        if template.name not in self.chains:
            self.chains[template.name] = chain_of(self.parents(template))
        return self.chains[template.name]

    def parents(self, template: ParsedTemplate) -> tuple[ParsedTemplate, ...]:
        """Return the template and its parents, the child first.

        Raises TemplateRefusal when a template extends itself, or a parent does not exist or has no literal name.
        """
        chain = [template]
        while chain[-1].extends is not None:
            node = chain[-1].extends
            parent = self.required(node)
            if parent in chain:
                raise TemplateRefusal(
                    "template-extends-itself", f'"{parent.name}" extends itself', at=node.lineno
                )
            chain.append(parent)
        return tuple(chain)

    def linked(self, node: Link) -> ParsedTemplate | None:
        """Return the template that a statement names: of an include, the first of its names that exists.

        Returns None if none exists and `ignore missing` is set. Raises TemplateRefusal when none exists otherwise, or
        when a name is no literal string.
        """
        if not isinstance(node, nodes.Include):
            return self.required(node)
        names = literal_names(node)
        target = next((candidate for candidate in map(self.get, names) if candidate is not None), None)
        if target is None and not node.ignore_missing:
            raise missing(node, names)
        return target

    def required(self, node: nodes.Import | nodes.FromImport | nodes.Extends) -> ParsedTemplate:
        """Return the template that a statement names.

        Raises TemplateRefusal when the name is no literal string, or the template does not exist.
        """
        name = constant_name(node)
        template = self.get(name)
        if template is None:
            raise missing(node, [name])
        return template


def descendants(tree: nodes.Node) -> list[nodes.Node]:
    """Return all nodes below a tree's root, each before its children."""
    out: list[nodes.Node] = []
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        out.append(node)
        inside: list[nodes.Node] = []
        for name in node.fields:
            value = getattr(node, name, None)
            if isinstance(value, nodes.Node):
                inside.append(value)
            elif isinstance(value, list):
                inside += [child for child in value if isinstance(child, nodes.Node)]
        waiting += inside[::-1]
    return out[1:]


def constant_name(node: nodes.Import | nodes.FromImport | nodes.Extends) -> str:
    """Return the literal name of a template. Raises TemplateRefusal when it is no literal string."""
    name = node.template
    if isinstance(name, nodes.Const) and isinstance(name.value, str):
        return name.value
    raise TemplateRefusal(
        "template-dynamic-name",
        "the name of a template must be a literal string",
        at=node.lineno,
        hint="choose with {% if %} between two literal names",
    )


def literal_names(node: nodes.Include) -> list[str]:
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
    )


def missing(node: nodes.Node, names: Iterable[str]) -> TemplateRefusal:
    listed = ", ".join(f'"{name}"' for name in names)
    return TemplateRefusal(
        "template-not-found",
        f"there is no template {listed}",
        at=node.lineno,
        hint="names are relative to the widget's folder, then to widgets/_shared/, without ../",
    )


def blocks_of(tree: nodes.Template) -> dict[str, nodes.Block]:
    """Return the blocks of a template by name. Raises TemplateRefusal when two have the same name."""
    blocks: dict[str, nodes.Block] = {}
    for block in tree.find_all(nodes.Block):
        if block.name in blocks:
            raise TemplateRefusal(
                "template-block-twice", f"block {block.name!r} is defined twice", at=block.lineno
            )
        blocks[block.name] = block
    return blocks


def extends_of(tree: nodes.Template) -> nodes.Extends | None:
    """Return the `extends` of a template; None if it has none.

    Raises TemplateRefusal when there are several, or it is not at the top level.
    """
    statements = list(tree.find_all(nodes.Extends))
    if not statements:
        return None
    if len(statements) > 1:
        raise TemplateRefusal(
            "template-extends-twice", "a template can extend only one other template", at=statements[1].lineno
        )
    if statements[0] not in tree.body:
        raise TemplateRefusal(
            "template-extends-inside",
            "extends must stand at the top level, outside if and for",
            at=statements[0].lineno,
        )
    return statements[0]
