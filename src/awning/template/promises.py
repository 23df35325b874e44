"""Whose promise a name is: where what is declared of a variable may be relied on.

A declaration speaks of what the script gives to `view({...})`. A template that is included, imported or extended sees
that value under its name only where it is handed the context, and where nothing on the way gives the name another
value. Two rules, coarse and sure: nothing is known in a template that any include or import reaches without context;
and nothing is known of a name that some template sets, unless the one that is compiled stands alone, without blocks:
then the scope tells each of its names from the context's.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from jinja2 import nodes

from awning.diagnostics import Diagnostic, Severity, did_you_mean
from awning.template.declarations import TYPES, Declared
from awning.template.js_value import ValueKind
from awning.template.refusals import Refused
from awning.template.regions import included
from awning.template.types import Type, Variable, VariableUse
from awning.template.unit import Unit, Units

USES = {"string": VariableUse.STRING, "number": VariableUse.NUMBER, "boolean": VariableUse.BOOLEAN}
Edges = Mapping[str, Sequence[tuple[Unit, bool]]]
"""By a template's name: the templates it goes to, and whether with context."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Promises:
    """What the templates of one compilation declare of the script's values."""

    declared: Mapping[str, Declared] = field(default_factory=dict)
    written: frozenset[str] = frozenset()
    """Names that some template sets: a loop, a `set`, a macro's parameter, an import."""
    contextless: frozenset[str] = frozenset()
    """Templates that are also reached without context."""
    alone: str | None = None
    """The template that shares its context with none, if it is one that does."""

    def kind(self, name: str, unit: Unit) -> ValueKind | None:
        """What the context's variable of this name is in a template, if that was promised."""
        found = self.declared.get(name)
        if found is None or unit.name in self.contextless:
            return None
        if name in self.written and unit.name != self.alone:
            return None
        return TYPES[found.type]

    def typed(self, reads: Iterable[Variable]) -> tuple[Variable, ...]:
        """What a template reads, with the types that were declared. A default makes none of these optional."""
        return tuple(self._typed(one) for one in reads)

    def _typed(self, one: Variable) -> Variable:
        found = self.declared.get(one.name)
        return replace(one, type=Type(use=USES[found.type]), required=True) if found else one


def promises_of(entry: Unit, units: Units) -> Promises:
    """What may be relied on where `entry` is compiled. Raises Refused where two declarations disagree."""
    edges = edges_from(entry, units)
    found = [units.found[name] for name in edges]
    if not any(unit.declared for unit in found):
        return Promises()
    contextless = reached((unit for goes in edges.values() for unit, given in goes if not given), edges)
    written = frozenset(name for unit in found for name in names_written(unit))
    shared = any(unit is entry for goes in edges.values() for unit, _ in goes)
    known = Promises(
        written=written,
        contextless=contextless,
        alone=None if shared or entry.blocks or entry.extends else entry.name,
    )
    return replace(known, declared=agreed(entry, found, known))


def agreed(entry: Unit, found: Iterable[Unit], known: Promises) -> dict[str, Declared]:
    """The variables that are declared of the script's values, by name."""
    out: dict[str, Declared] = {}
    for unit in found:
        for one in unit.declared:
            if unit is not entry and (unit.name in known.contextless or one.name in known.written):
                continue
            before = out.setdefault(one.name, one)
            if before.type != one.type:
                where = f"{before.at.path}:{int(before.at)}"
                raise Refused(
                    "template-declaration-conflict",
                    f'"{one.name}" is declared as {one.type} here and as {before.type} in {where}',
                    at=one.at,
                    hint="both are the same variable of the script: declare it the same in both",
                ).inside(unit.source)
    return out


def unread(entry: Unit, units: Units, variables: Iterable[str]) -> Iterator[Diagnostic]:
    """Warnings for declared variables that nothing reads. `variables` are what the compiled module reads."""
    edges = edges_from(entry, units) if any(unit.declared for unit in units.found.values()) else {}
    for name in edges:
        unit = units.found[name]
        read = set(variables) if unit is entry else names_read(unit, edges, units)
        undeclared = sorted(read - {one.name for one in unit.declared})
        for one in unit.declared:
            if one.name not in read:
                refused = Refused(
                    "template-declaration-unread",
                    f'"{one.name}" is declared and not read',
                    at=one.at,
                    hint=misspelt(one.name, undeclared) or "leave it out, or print it",
                )
                yield replace(refused.inside(unit.source).diagnostic(), severity=Severity.WARNING)


def misspelt(name: str, read: Iterable[str]) -> str | None:
    """Which of the two is wrong, only the script could tell."""
    close = next((one for one in read if did_you_mean(name, [one])), None)
    return f'the template reads "{close}": one of the two is misspelt' if close else None


def edges_from(entry: Unit, units: Units) -> dict[str, list[tuple[Unit, bool]]]:
    """All templates that can be reached, the first one first, with where each goes."""
    edges: dict[str, list[tuple[Unit, bool]]] = {}
    waiting = [entry]
    while waiting:
        unit = waiting.pop(0)
        if unit.name not in edges:
            edges[unit.name] = list(goes(unit, units))
            waiting += [to for to, _ in edges[unit.name]]
    return edges


def goes(unit: Unit, units: Units) -> Iterator[tuple[Unit, bool]]:
    """What cannot be loaded is refused where it is compiled."""
    if not ("include" in unit.source.text or "import" in unit.source.text or unit.extends):
        return
    for node in unit.everything:
        if not isinstance(node, (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)):
            continue
        try:
            found = target(node, unit, units)
        except Refused:
            continue
        if found is not None:
            yield found, isinstance(node, nodes.Extends) or bool(getattr(node, "with_context", True))


def target(node: nodes.Node, unit: Unit, units: Units) -> Unit | None:
    if isinstance(node, nodes.Include):
        return included(units, unit, node)
    assert isinstance(node, (nodes.Import, nodes.FromImport, nodes.Extends))
    return units.required(unit, node, node.template)


def reached(starts: Iterable[Unit], edges: Edges) -> frozenset[str]:
    """Names of templates that can be reached from some, these included."""
    found: set[str] = set()
    waiting = list(starts)
    while waiting:
        unit = waiting.pop()
        if unit.name not in found:
            found.add(unit.name)
            waiting += [to for to, _ in edges[unit.name]]
    return frozenset(found)


def names_written(unit: Unit) -> Iterator[str]:
    for node in unit.everything:
        if isinstance(node, nodes.Name):
            if node.ctx != "load":
                yield node.name
        elif isinstance(node, nodes.FromImport):
            yield from (one[1] if isinstance(one, tuple) else one for one in node.names)
        elif isinstance(node, (nodes.Import, nodes.Macro)):
            yield node.target if isinstance(node, nodes.Import) else node.name


def names_read(unit: Unit, edges: Edges, units: Units) -> set[str]:
    """The names that a template and all it goes to read."""
    found = [units.found[name] for name in reached([unit], edges)]
    return {
        node.name
        for one in found
        for node in one.everything
        if isinstance(node, nodes.Name) and node.ctx == "load"
    }
