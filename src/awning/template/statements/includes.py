"""`include`, `import` and `from ... import`: other templates, found when this one is compiled."""

from collections.abc import Iterable

from jinja2 import nodes

from awning.diagnostics import did_you_mean
from awning.template import intl
from awning.template.emit import Line, Statement, js_string
from awning.template.expressions.access import name as read_name
from awning.template.frame import Frame, RootFunction, scope_object
from awning.template.regions import included
from awning.template.scope import Start, names_set
from awning.template.statements.core import store, was_set, write
from awning.template.statements.roots import root_function
from awning.template.unit import Unit

OF_THE_PAGE = frozenset({"t", *(found.page for found in intl.FILTERS.values())})
"""Variables that a template reads without naming them, or fails without."""


def include(node: nodes.Node, frame: Frame) -> list[Statement]:
    assert isinstance(node, nodes.Include)
    if frame.buffered and not node.with_context:
        raise frame.refuse(
            "template-unsupported",
            "in a macro, call, filter, block set or recursive loop Jinja2 cannot include without context",
            node,
            hint="include it with context, or make a macro of it",
        )
    found = included(frame.session.regions.units, frame.unit, node)
    if found is None:
        return []
    root = root_function(found, frame.region.places[id(node)], frame.session)
    if not node.with_context:
        warn_of(root.variables or (), found, node, frame)
    scope = passed(root, frame) if node.with_context else scope_object()
    return [write(frame, f"{root.function}({scope})", node)]


def passed(root: RootFunction, frame: Frame) -> str:
    """The context of another template: the names it uses, as they are seen here."""
    if root.used is None:  # it is being compiled just now: it contains itself
        pairs = [f"[{js_string(name)}]: {seen(name, frame)}" for name in frame.scope.visible_stores()]
        return scope_object("...context", *pairs)
    pairs = [f"[{js_string(name)}]: {seen(name, frame)}" for name in sorted(root.used)]
    frame.session.variables |= (root.variables or root.used) - root.used
    return scope_object(*pairs)


def seen(name: str, frame: Frame) -> str:
    held = frame.variable_of(name)
    if held is None:
        return frame.from_context(name)
    if held in frame.modules:
        return held
    code = read_name(nodes.Name(name, "load", lineno=0), frame).code
    owner = frame.scope.owner(name)
    late = owner is not None and owner.starts[name] is Start.UNDEFINED and name not in owner.assigned
    if code == held and owner is not None and late:
        owner.late.add(name)
        return f"({was_set(held)} ? {held} : {frame.from_context(name)})"
    return code


def imported(node: nodes.Import | nodes.FromImport, frame: Frame) -> tuple[str, Unit]:
    """Code of the imported template's names, as an object."""
    found = frame.session.regions.units.required(frame.unit, node, node.template)
    root = root_function(found, None, frame.session)
    if not node.with_context and root.variables:
        warn_of(read_by(taken(node, frame), found) & root.variables, found, node, frame)
    scope = passed(root, frame) if node.with_context else scope_object()
    return f"{root.function}({scope})", found


def taken(node: nodes.Import | nodes.FromImport, frame: Frame) -> set[str]:
    """The names that are used of an imported template."""
    if isinstance(node, nodes.FromImport):
        return {one[0] if isinstance(one, tuple) else one for one in node.names}
    owners = [(one.attr, one.node) for one in frame.unit.everything if isinstance(one, nodes.Getattr)]
    return {attr for attr, owner in owners if isinstance(owner, nodes.Name) and owner.name == node.target}


def read_by(macros: set[str], unit: Unit) -> set[str]:
    """The names that these macros of a template read themselves."""
    found: set[str] = set()
    for macro in unit.tree.find_all(nodes.Macro):
        if macro.name in macros:
            own = {argument.name for argument in macro.args}
            found |= {name.name for name in macro.find_all(nodes.Name)} - own
    return found


def warn_of(read: Iterable[str], found: Unit, node: nodes.Node, frame: Frame) -> None:
    """Without context there is no `t` and no currency: a macro that moved to a file of its own would lose it unseen."""
    for name in sorted(OF_THE_PAGE.intersection(read)):
        frame.warn(
            "template-without-context",
            f'"{found.name}" reads {name}, and without context it gets none',
            node,
            hint='leave out "without context"' if isinstance(node, nodes.Include) else 'add "with context"',
        )


def warn_of_unknown(node: nodes.FromImport, found: Unit, frame: Frame) -> None:
    """Names that the other template, its parents included, does not have: they are undefined, as in Jinja2."""
    chain = frame.session.regions.units.chain(found)
    known = set().union(*(names_set(unit.everything) for unit in chain.units))
    for name in sorted(taken(node, frame) - known):
        hint = did_you_mean(name, known) or "see what it sets, and its macros"
        frame.warn("template-import-name", f'"{found.name}" has no {name}', node, hint=hint)


def import_(node: nodes.Node, frame: Frame) -> list[Statement]:
    assert isinstance(node, nodes.Import)
    return store(node.target, imported(node, frame)[0], frame)


def from_import(node: nodes.Node, frame: Frame) -> list[Statement]:
    assert isinstance(node, nodes.FromImport)
    held = frame.session.temporary()
    code, found = imported(node, frame)
    warn_of_unknown(node, found, frame)
    out: list[Statement] = [Line(f"const {held} = {code};")]
    for one in node.names:
        name, alias = one if isinstance(one, tuple) else (one, one)
        out.extend(store(alias, f"{frame.use('get')}({held}, {js_string(name)})", frame))
    return out
