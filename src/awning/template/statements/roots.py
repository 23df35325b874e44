"""A template's root as a function: rendered when it is included, or run for its names when it is imported.

A root with parents runs their roots after it, the base's last, all in one function; blocks are functions beside it.
"""

from collections.abc import Sequence
from dataclasses import replace

from jinja2 import nodes

from awning.template.emit import Line, Nest, Statement, js_string
from awning.template.expressions.access import name as read_name
from awning.template.frame import Frame, RootFunction, Session, scope_object
from awning.template.html import START, HtmlContext
from awning.template.regions import halves
from awning.template.scope import Scope, scope_of_template
from awning.template.statements.core import body, declarations, known
from awning.template.unit import Chain, Unit


def root_function(unit: Unit, start: HtmlContext | None, session: Session) -> RootFunction:
    """The function of a template from a given HTML context; without one it gives the template's names."""
    key = (unit.name, start)
    if key not in session.roots:
        session.roots[key] = root = RootFunction(
            function=session.function_name("module" if start is None else "include")
        )
        outer = session.variables, session.used
        session.variables, session.used = set(), set()
        chain = session.regions.units.chain(unit)
        session.functions[root.function] = []
        statements = root_statements(chain, START if start is None else start, session, module=start is None)
        before, behind = session.bounded(unit.name, unit.name)
        session.functions[root.function] = [module_function(root.function, statements, before, behind)]
        root.variables, root.used = frozenset(session.variables), frozenset(session.used)
        session.variables, session.used = outer
    return session.roots[key]


def module_function(name: str, statements: list[Statement], before: str, behind: str) -> Statement:
    """A function of the module, with what stands around it if it may come to run inside itself."""
    if not before:
        return Nest(f"function {name}(context) {{", statements)
    return Nest(f"const {name} = {before}(context) => {{", statements, tail=f"}}{behind};")


def root_statements(
    chain: Chain, start: HtmlContext, session: Session, *, module: bool = False
) -> list[Statement]:
    """The body of the function that renders a chain of templates."""
    roots = session.regions.root(chain, start)
    assert roots is not None, "contexts are known before code is made"
    shared = bool(chain.lineages)
    out: list[Statement] = []
    for unit, region in zip(chain.units, roots.regions, strict=True):
        frame = Frame(
            session=session, unit=unit, chain=chain, scope=root_scope(unit), region=region, toplevel=True
        )
        frame = known(replace(frame, shared=shared))
        inside = body([node for half in halves(unit) for node in half], frame)
        statements = [*declarations(frame), *inside]
        if len(chain.units) == 1:
            out += [*statements, *([Line(f"return {exports(frame)};")] if module else [])]
        else:
            names = [Line(f"Object.assign($names, {exports(frame)});")] if module else []
            out.append(Nest("{", [*statements, *names]))
    head: list[Statement] = (
        [Line(f"context = {scope_object('...context')};")] if shared and has_names(chain) else []
    )
    head.append(Line('let $out = "";'))
    if module and len(chain.units) > 1:
        return [*head, Line("const $names = {};"), *out, Line("return $names;")]
    return [*head, *out, *([] if module else [Line("return $out;")])]


def root_scope(unit: Unit) -> Scope:
    own = parameters(unit.tree.body, ("self",)) if "self" in unit.source.text else []
    return scope_of_template(unit.tree.body, own)


def parameters(found: Sequence[nodes.Node], implicit: tuple[str, ...]) -> list[str]:
    """Which of the implicit names a body uses."""
    used = {name.name for node in found for name in node.find_all(nodes.Name)}
    used |= {node.name for node in found if isinstance(node, nodes.Name)}
    return [name for name in implicit if name in used]


def has_names(chain: Chain) -> bool:
    return any(root_scope(unit).stores - {"self"} for unit in chain.units)


def exports(frame: Frame) -> str:
    """The names of an imported template: what its top level sets, but not what it imports or keeps to itself."""
    pairs = []
    for name in sorted(frame.scope.stores):
        writers = frame.scope.writers.get(name, set())
        if (
            name.startswith("_")
            or any(isinstance(w, (nodes.Import, nodes.FromImport)) for w in writers)
            or name == "self"
        ):
            continue
        pairs.append(f"[{js_string(name)}]: {read_name(nodes.Name(name, 'load', lineno=0), frame).code}")
    return f"{{{', '.join(pairs)}}}"
