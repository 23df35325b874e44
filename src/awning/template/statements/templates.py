"""Functions of whole templates and of blocks: roots, `include`, `import`, `extends`, `block`.

A root is rendered when its template is included, and run for its names when it is imported. A root with parents runs
their roots after it, the base's last, all in one function; blocks are functions beside it. Which version of a block
stands where is known at compile time.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from jinja2 import nodes

from awning.diagnostics import did_you_mean
from awning.template import intl
from awning.template.emit import Line, Nest, Statement, js_string
from awning.template.expressions.access import name as read_name
from awning.template.frame import Compilation, Frame, RootFunction, scope_object
from awning.template.html import START, HtmlContext
from awning.template.regions import halves, included
from awning.template.scope import Scope, Start, names_set, scope_of_template
from awning.template.statements.core import body, declarations, framed, known, store, was_set, write
from awning.template.unit import Chain, Unit


def root_function(unit: Unit, start: HtmlContext | None, compilation: Compilation) -> RootFunction:
    """The function of a template from a given HTML context; without one it gives the template's names."""
    key = (unit.name, start)
    if key not in compilation.roots:
        compilation.roots[key] = root = RootFunction(
            function=compilation.function_name("module" if start is None else "include")
        )
        outer = compilation.variables
        compilation.variables = set()
        chain = compilation.regions.units.chain(unit)
        compilation.functions[root.function] = []
        statements = root_statements(
            chain, START if start is None else start, compilation, module=start is None
        )
        before, behind = compilation.bounded(unit.name, unit.name)
        compilation.functions[root.function] = [module_function(root.function, statements, before, behind)]
        root.variables = frozenset(compilation.variables)
        compilation.variables = outer
    return compilation.roots[key]


def module_function(name: str, statements: list[Statement], before: str, behind: str) -> Statement:
    """A function of the module, with what stands around it if it may come to run inside itself."""
    if not before:
        return Nest(f"function {name}(context) {{", statements)
    return Nest(f"const {name} = {before}(context) => {{", statements, tail=f"}}{behind};")


def root_statements(
    chain: Chain, start: HtmlContext, compilation: Compilation, *, module: bool = False
) -> list[Statement]:
    """The body of the function that renders a chain of templates."""
    roots = compilation.regions.root(chain, start)
    assert roots is not None, "contexts are known before code is made"
    shared = bool(chain.lineages)
    out: list[Statement] = []
    for unit, region in zip(chain.units, roots.regions, strict=True):
        frame = Frame(
            compilation=compilation,
            unit=unit,
            chain=chain,
            scope=root_scope(unit),
            region=region,
            toplevel=True,
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
    found = included(frame.compilation.regions.units, frame.unit, node)
    if found is None:
        return []
    root = root_function(found, frame.region.places[id(node)], frame.compilation)
    if not node.with_context:
        warn_of(root.variables or (), found, node, frame)
    scope = passed(root, frame) if node.with_context else scope_object()
    return [write(frame, f"{root.function}({scope})", node)]


def passed(root: RootFunction, frame: Frame) -> str:
    """The context of another template: the names it reads, as they are seen here."""
    if root.variables is None:  # it is being compiled just now: it contains itself
        pairs = [f"[{js_string(name)}]: {seen(name, frame)}" for name in frame.scope.visible_stores()]
        return scope_object("...context", *pairs)
    pairs = [f"[{js_string(name)}]: {seen(name, frame)}" for name in sorted(root.variables)]
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
    found = frame.compilation.regions.units.required(frame.unit, node, node.template)
    root = root_function(found, None, frame.compilation)
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
    chain = frame.compilation.regions.units.chain(found)
    known = set().union(*(names_set(unit.everything) for unit in chain.units))
    for name in sorted(taken(node, frame) - known):
        hint = did_you_mean(name, known) or "see what it sets, and its macros"
        frame.warn("template-import-name", f'"{found.name}" has no {name}', node, hint=hint)


def import_(node: nodes.Node, frame: Frame) -> list[Statement]:
    assert isinstance(node, nodes.Import)
    return store(node.target, imported(node, frame)[0], frame)


def from_import(node: nodes.Node, frame: Frame) -> list[Statement]:
    assert isinstance(node, nodes.FromImport)
    held = frame.compilation.temporary()
    code, found = imported(node, frame)
    warn_of_unknown(node, found, frame)
    out: list[Statement] = [Line(f"const {held} = {code};")]
    for one in node.names:
        name, alias = one if isinstance(one, tuple) else (one, one)
        out.extend(store(alias, f"{frame.use('get')}({held}, {js_string(name)})", frame))
    return out


def extends(node: nodes.Node, frame: Frame) -> list[Statement]:  # noqa: ARG001 - a member's signature
    """Nothing at its place: the parent's root runs after this one."""
    return []


def block(node: nodes.Node, frame: Frame) -> list[Statement]:
    assert isinstance(node, nodes.Block)
    if id(node) not in frame.region.places or is_silent(node, frame):
        return []
    if node.required and len(frame.chain.lineages[node.name]) == 1:
        raise frame.refuse("template-required-block", f"the required block {node.name!r} is not given", node)
    scope = derived(node.name, frame) if node.scoped else "context"
    return [write(frame, block_call(node.name, 0, frame.region.places[id(node)], node, frame, scope), node)]


def is_silent(node: nodes.Block, frame: Frame) -> bool:
    """Behind `extends` a block only gives its version; the parent places it."""
    return (
        frame.toplevel
        and frame.unit.extends is not None
        and int(node.lineno) >= int(frame.unit.extends.lineno)
    )


def derived(block: str, frame: Frame) -> str:
    """The context of a scoped block: what is set around it, as far as the block may read it."""
    read = names_read(block, frame)
    visible = (name for name in frame.scope.visible_stores() if read is None or name in read)
    return scope_object("...context", *(f"[{js_string(name)}]: {seen(name, frame)}" for name in visible))


def names_read(block: str, frame: Frame) -> set[str] | None:
    """The names that the versions of a block read; None where others in it see the whole context."""
    found = [node for layer in frame.chain.lineages[block] for node in layer.node.find_all(nodes.Node)]
    if any(isinstance(node, (nodes.Block, nodes.Include, nodes.Import, nodes.FromImport)) for node in found):
        return None
    read = {node.name for node in found if isinstance(node, (nodes.Name, nodes.NSRef))}
    return None if "self" in read else read


def block_call(
    name: str, depth: int, start: HtmlContext | None, node: nodes.Node, frame: Frame, scope: str = "context"
) -> str:
    """Code that renders a version of a block; `start` None is for its value, which begins and ends in text."""
    layers = frame.chain.lineages[name]
    if depth >= len(layers):
        raise frame.refuse("template-no-super", f"there is no parent block called {name!r}", node)
    return f"{block_function(name, depth, START if start is None else start, frame)}({scope})"


def block_value(name: str, depth: int, node: nodes.Node, frame: Frame) -> str:
    """Code of a block's text as a value."""
    return block_call(name, depth, None, node, frame)


def block_function(name: str, depth: int, start: HtmlContext, frame: Frame) -> str:
    compilation = frame.compilation
    key = (id(frame.chain), name, depth, start)
    if key in compilation.blocks:
        return compilation.blocks[key]
    compilation.blocks[key] = function = compilation.function_name("block")
    compilation.functions[function] = []
    region = compilation.regions.block(frame.chain, name, depth, start)
    assert region is not None, "contexts are known before code is made"
    layer = frame.chain.lineages[name][depth]
    scope = scope_of_template(layer.node.body, parameters(layer.node.body, ("self", "super")))
    inner = Frame(
        compilation=compilation,
        unit=layer.unit,
        chain=frame.chain,
        scope=scope,
        region=region,
        block=(name, depth),
    )
    inside = [Line('let $out = "";'), *framed(layer.node.body, inner), Line("return $out;")]
    before, behind = compilation.bounded(id(layer.node), f"the block {name}")
    compilation.functions[function] = [module_function(function, inside, before, behind)]
    return function
