"""Decides for which names, and in which templates, the compiler may rely on the declared type.

A declaration gives the types of the variables that the script passes to `view({...})`. In an included, imported or
extended template, such a name has the script's value only if the template gets the context, and if no template on the
way there sets the name. Two rules ensure this:

- If a template is included or imported without context anywhere, no declaration counts in it, nor in any template that
  it reaches.
- If any template sets a name, no declaration of the name counts.

The second rule does not apply to the compiled template itself if it has no blocks, extends no other, and no template
includes, imports or extends it: in such a template, the scope phase distinguishes the context's variables from others.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from jinja2 import nodes

from awning.diagnostics import Diagnostic, did_you_mean
from awning.template.declarations import TYPES, DeclaredVariable
from awning.template.emit import ValueKind
from awning.template.refusals import TemplateRefusal
from awning.template.template_set import ParsedTemplate, TemplateSet
from awning.template.types import Type, Variable, VariableUse

USES = {"string": VariableUse.STRING, "number": VariableUse.NUMBER, "boolean": VariableUse.BOOLEAN}
Edges = Mapping[str, Sequence[tuple[ParsedTemplate, bool]]]
"""For each template, by name: the templates that it includes, imports or extends, and whether each gets the context.

The compiled template comes first.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Promises:
    """The declarations of the templates of one compilation."""

    edges: Edges = field(default_factory=dict)
    """Empty if no template declares anything."""
    declared: Mapping[str, DeclaredVariable] = field(default_factory=dict)
    written: frozenset[str] = frozenset()
    """Names that some template sets: by a loop, `set`, `with`, an import or a macro, or as a parameter."""
    contextless: frozenset[str] = frozenset()
    """The names of templates that are included or imported without context, directly or through other templates."""
    alone: str | None = None
    """The name of the compiled template if its declarations also count for names in `written`; else None."""

    def kind(self, name: str, template: ParsedTemplate) -> ValueKind | None:
        """Return the kind of the context's variable of this name in a template; None if no declaration counts there."""
        declared = self.declared.get(name)
        if declared is None or template.name in self.contextless:
            return None
        if name in self.written and template.name != self.alone:
            return None
        return TYPES[declared.type]

    def typed(self, reads: Iterable[Variable]) -> tuple[Variable, ...]:
        """Return the variables that a template reads, with their declared types. A declared variable is required."""
        return tuple(
            replace(variable, type=Type(use=USES[declared.type]), required=True) if declared else variable
            for variable in reads
            for declared in (self.declared.get(variable.name),)
        )


def promises_of(entry: ParsedTemplate, templates: TemplateSet) -> Promises:
    """Return the promises for the compilation of `entry`. Raises TemplateRefusal when two declarations disagree."""
    edges = edges_from(entry, templates)
    templates_reached = [templates.by_name[name] for name in edges]
    if not any(template.declared for template in templates_reached):
        return Promises()
    contextless = reachable_names(
        (template for goes in edges.values() for template, with_context in goes if not with_context), edges
    )
    written = frozenset(name for template in templates_reached for name in template.defined_names())
    shared = any(template is entry for goes in edges.values() for template, _ in goes)
    known = Promises(
        edges=edges,
        written=written,
        contextless=contextless,
        alone=None if shared or entry.blocks or entry.extends else entry.name,
    )
    return replace(known, declared=agreed_declarations(entry, templates_reached, known))


def agreed_declarations(
    entry: ParsedTemplate, templates: Iterable[ParsedTemplate], known: Promises
) -> dict[str, DeclaredVariable]:
    """Return the declared variables by name.

    A declaration in a template other than `entry` counts only if the template always gets the context and no template
    sets the name. Raises TemplateRefusal when two declarations disagree.
    """
    out: dict[str, DeclaredVariable] = {}
    for template in templates:
        for declared in template.declared:
            if template is not entry and (
                template.name in known.contextless or declared.name in known.written
            ):
                continue
            before = out.setdefault(declared.name, declared)
            if before.type != declared.type:
                where = f"{before.at.path}:{int(before.at)}"
                raise TemplateRefusal(
                    "template-declaration-conflict",
                    f'"{declared.name}" is declared as {declared.type} here and as {before.type} in {where}',
                    at=declared.at,
                    hint="both declare the same variable: use one type in both",
                )
    return out


def unread_declarations(
    promises: Promises, templates: TemplateSet, variables: Iterable[str]
) -> Iterator[Diagnostic]:
    """Yield warnings for declared variables that are never read.

    `variables` are those that the compiled module reads.
    """
    for index, name in enumerate(promises.edges):
        template = templates.by_name[name]
        read = set(variables) if index == 0 else names_read(template, promises.edges, templates)
        undeclared = sorted(read - {declared.name for declared in template.declared})
        for declared in template.declared:
            if declared.name not in read:
                yield TemplateRefusal(
                    "template-declaration-unread",
                    f'"{declared.name}" is declared but never read',
                    at=declared.at,
                    hint=misspelling_hint(declared.name, undeclared) or "remove it, or print it",
                ).diagnostic()


def misspelling_hint(name: str, read: Iterable[str]) -> str | None:
    """Return a hint if a declared name is close to a name that is read, else None. Either may be the misspelt one."""
    close = next((other for other in read if did_you_mean(name, [other])), None)
    return f'the template reads "{close}": one of the two is misspelt' if close else None


def edges_from(entry: ParsedTemplate, templates: TemplateSet) -> dict[str, list[tuple[ParsedTemplate, bool]]]:
    """Return the links (`links_from`) of `entry` and of all templates that it reaches, by name, `entry` first."""
    edges: dict[str, list[tuple[ParsedTemplate, bool]]] = {}
    waiting = [entry]
    while waiting:
        template = waiting.pop(0)
        if template.name not in edges:
            edges[template.name] = list(links_from(template, templates))
            waiting += [to for to, _ in edges[template.name]]
    return edges


def links_from(template: ParsedTemplate, templates: TemplateSet) -> Iterator[tuple[ParsedTemplate, bool]]:
    """Yield the templates that a template includes, imports or extends, each with whether it gets the context.

    A template that cannot be loaded is left out, because lowering refuses it.
    """
    if not ("include" in template.source.text or "import" in template.source.text or template.extends):
        return
    for node in template.everything:
        if not isinstance(node, (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)):
            continue
        try:
            next_template = templates.linked(node)
        except TemplateRefusal:
            continue
        if next_template is not None:
            yield next_template, isinstance(node, nodes.Extends) or bool(getattr(node, "with_context", True))


def reachable_names(starts: Iterable[ParsedTemplate], edges: Edges) -> frozenset[str]:
    """Return the names of the templates that can be reached from `starts`, including these."""
    names: set[str] = set()
    waiting = list(starts)
    while waiting:
        template = waiting.pop()
        if template.name not in names:
            names.add(template.name)
            waiting += [to for to, _ in edges[template.name]]
    return frozenset(names)


def names_read(template: ParsedTemplate, edges: Edges, templates: TemplateSet) -> set[str]:
    """Return the names that a template and all templates that it reaches read."""
    templates_reached = [templates.by_name[name] for name in reachable_names([template], edges)]
    return {
        node.name
        for other in templates_reached
        for node in other.everything
        if isinstance(node, nodes.Name) and node.ctx == "load"
    }
