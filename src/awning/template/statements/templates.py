"""Lowering of whole templates and blocks to functions: roots, `include`, `import`, `extends`, `block`.

The root of a template is its top level. An include renders the root; an import runs it to get its names. One function
contains the roots of a template and of its parents, with the root of the base last. Blocks are functions of their own.
The version of each block is known at compile time.
"""

from collections.abc import Iterable
from dataclasses import replace

from jinja2 import nodes

from awning.diagnostics import did_you_mean
from awning.template import own_filters
from awning.template.emit import Line, Nest, Statement, js_string
from awning.template.frame import Compilation, Frame, RootFunction, Scope, Start, scope_object, scope_of_body
from awning.template.html.html_context import START, HtmlContext
from awning.template.lowering import (
    block_call,
    body,
    declarations,
    lower_statement,
    module_function,
    named_value,
    parameters,
    set_flag,
    store,
    with_known_macros,
    write,
)
from awning.template.template_set import Chain, ParsedTemplate, imported_names


def root_function(
    template: ParsedTemplate, start: HtmlContext | None, compilation: Compilation
) -> RootFunction:
    """Return the function that renders a template in the HTML context `start`.

    If `start` is None, the function does not render: it returns the names that the template exports.
    """
    key = (template.name, start)
    if key not in compilation.roots:
        compilation.roots[key] = root = RootFunction(
            function=compilation.function_name("module" if start is None else "include")
        )
        outer = compilation.variables
        compilation.variables = set()
        chain = compilation.regions.templates.chain(template)
        compilation.functions[root.function] = []
        statements = root_statements(
            chain, START if start is None else start, compilation, module=start is None
        )
        before, behind = compilation.bounded(template.name, template.name)
        compilation.functions[root.function] = [module_function(root.function, statements, before, behind)]
        root.variables = frozenset(compilation.variables)
        compilation.variables = outer
    return compilation.roots[key]


def root_statements(
    chain: Chain, start: HtmlContext, compilation: Compilation, *, module: bool = False
) -> list[Statement]:
    """Return the body of the function that renders a chain of templates.

    With `module`, the function returns the names that the templates export instead of the output.
    """
    roots = compilation.regions.root(chain, start)
    assert roots is not None, "contexts are known before code is made"
    shared = bool(chain.lineages)
    out: list[Statement] = []
    for template, region in zip(chain.templates, roots.regions, strict=True):
        frame = Frame(
            compilation=compilation,
            template=template,
            chain=chain,
            scope=root_scope(template),
            region=region,
            toplevel=True,
        )
        frame = with_known_macros(replace(frame, shared=shared))
        inside = body([node for half in template.halves for node in half], frame)
        statements = [*declarations(frame), *inside]
        if len(chain.templates) == 1:
            out += [*statements, *([Line(f"return {exports(frame)};")] if module else [])]
        else:
            names = [Line(f"Object.assign($names, {exports(frame)});")] if module else []
            out.append(Nest("{", [*statements, *names]))
    has_names = any(root_scope(template).stores - {"self"} for template in chain.templates)
    head: list[Statement] = [Line(f"context = {scope_object('...context')};")] if shared and has_names else []
    head.append(Line('let $out = "";'))
    if module and len(chain.templates) > 1:
        return [*head, Line("const $names = {};"), *out, Line("return $names;")]
    return [*head, *out, *([] if module else [Line("return $out;")])]


def root_scope(template: ParsedTemplate) -> Scope:
    own = parameters(template.tree.body, ("self",)) if "self" in template.source.text else []
    return scope_of_body(None, template.tree.body, own)


def exports(frame: Frame) -> str:
    """Return the code of the names that a template exports.

    These are the names that are set at its top level, except imported ones and those that begin with an underscore.
    """
    pairs = []
    for name in sorted(frame.scope.stores):
        writers = frame.scope.writers.get(name, set())
        if (
            name.startswith("_")
            or any(isinstance(w, (nodes.Import, nodes.FromImport)) for w in writers)
            or name == "self"
        ):
            continue
        pairs.append(f"[{js_string(name)}]: {named_value(name, frame)}")
    return f"{{{', '.join(pairs)}}}"


OF_THE_PAGE = frozenset({"t", *(spec.page for spec in own_filters.FILTERS.values() if spec.page)})
"""The variables of the page: `t`, and those that filters such as `money` read although the template does not name them.
"""


@lower_statement.register
def include(node: nodes.Include, frame: Frame) -> list[Statement]:
    """Lower an include.

    Raises TemplateRefusal for an include without context inside a macro, call, filter, block set or recursive loop, for
    a name that is no literal string, and when no template exists and `ignore missing` is not set.
    """
    if frame.buffered and not node.with_context:
        raise frame.refuse(
            "template-unsupported",
            "Jinja2 cannot include without context in a macro, call, filter, block set or recursive loop",
            node,
            hint="include it with context, or make a macro of it",
        )
    target = frame.compilation.regions.templates.linked(node)
    if target is None:
        return []
    root = root_function(target, frame.region.places[id(node)], frame.compilation)
    if not node.with_context:
        warn_without_context(root.variables or (), target, node, frame)
    scope = passed_context(root, frame) if node.with_context else scope_object()
    return [write(frame, f"{root.function}({scope})", node)]


def passed_context(root: RootFunction, frame: Frame) -> str:
    """Return the code of another template's context.

    It has the names that the other template reads, with their values in this frame. While the other template is being
    compiled, these names are not known, so it has all names.
    """
    if root.variables is None:  # the other template is still being compiled, so it includes itself
        pairs = [
            f"[{js_string(name)}]: {visible_value(name, frame)}" for name in frame.scope.visible_stores()
        ]
        return scope_object("...context", *pairs)
    pairs = [f"[{js_string(name)}]: {visible_value(name, frame)}" for name in sorted(root.variables)]
    return scope_object(*pairs)


def visible_value(name: str, frame: Frame) -> str:
    """Return the code of the value that another template or a scoped block gets for a name.

    Before the first write of the name, that is the context's value. A variable that only ever holds one macro or one
    imported template needs no flag: it is undefined until then, and truthy from then on.
    """
    js_name = frame.variable_of(name)
    if js_name is None:
        return frame.from_context(name)
    code = js_name if js_name in frame.modules else named_value(name, frame)
    owner = frame.scope.owner(name)
    if owner is None or owner.start(name) is not Start.UNDEFINED or name in owner.assigned:
        return code
    if js_name in frame.modules or js_name in frame.macros:
        return f"({code} || {frame.from_context(name)})"
    owner.late.add(name)
    return f"({set_flag(js_name)} ? {code} : {frame.from_context(name)})"


def imported_object(node: nodes.Import | nodes.FromImport, frame: Frame) -> tuple[str, ParsedTemplate]:
    """Return the code of an object with the imported template's names, and the template.

    Raises TemplateRefusal when the name is no literal string, or the template does not exist.
    """
    target = frame.compilation.regions.templates.required(node)
    root = root_function(target, None, frame.compilation)
    if not node.with_context and root.variables:
        warn_without_context(read_by(names_used(node, frame), target) & root.variables, target, node, frame)
    scope = passed_context(root, frame) if node.with_context else scope_object()
    return f"{root.function}({scope})", target


def names_used(node: nodes.Import | nodes.FromImport, frame: Frame) -> set[str]:
    """Return those names of an imported template that the importing template uses."""
    if isinstance(node, nodes.FromImport):
        return {name for name, _ in imported_names(node)}
    owners = [
        (imported_name.attr, imported_name.node)
        for imported_name in frame.template.everything
        if isinstance(imported_name, nodes.Getattr)
    ]
    return {attr for attr, owner in owners if isinstance(owner, nodes.Name) and owner.name == node.target}


def read_by(macros: set[str], template: ParsedTemplate) -> set[str]:
    """Return the names that these macros of a template read, apart from their parameters."""
    names: set[str] = set()
    for macro in template.tree.find_all(nodes.Macro):
        if macro.name in macros:
            own = {argument.name for argument in macro.args}
            names |= {name.name for name in macro.find_all(nodes.Name)} - own
    return names


def warn_without_context(
    read: Iterable[str], template: ParsedTemplate, node: nodes.Node, frame: Frame
) -> None:
    """Warn of a template that reads `t`, the currency or the language, but is used without context."""
    for name in sorted(OF_THE_PAGE.intersection(read)):
        frame.warn(
            "template-without-context",
            f'"{template.name}" reads {name}, but without context it gets no {name}',
            node,
            hint='remove "without context"' if isinstance(node, nodes.Include) else 'add "with context"',
        )


def warn_of_unknown_names(node: nodes.FromImport, target: ParsedTemplate, frame: Frame) -> None:
    """Warn of imported names that the template and its parents do not define. They are undefined, as in Jinja2."""
    chain = frame.compilation.regions.templates.chain(target)
    known = set().union(*(template.defined_names() for template in chain.templates))
    for name in sorted(names_used(node, frame) - known):
        hint = did_you_mean(name, known) or "check which names it sets, and its macros"
        frame.warn("template-import-name", f'"{target.name}" has no {name}', node, hint=hint)


@lower_statement.register
def import_(node: nodes.Import, frame: Frame) -> list[Statement]:
    return store(node.target, imported_object(node, frame)[0], frame)


@lower_statement.register
def from_import(node: nodes.FromImport, frame: Frame) -> list[Statement]:
    temporary = frame.compilation.temporary()
    code, target = imported_object(node, frame)
    warn_of_unknown_names(node, target, frame)
    out: list[Statement] = [Line(f"const {temporary} = {code};")]
    for name, alias in imported_names(node):
        out.extend(store(alias, f"{frame.use('get')}({temporary}, {js_string(name)})", frame))
    return out


@lower_statement.register
def extends(node: nodes.Extends, frame: Frame) -> list[Statement]:  # noqa: ARG001 - a member's signature
    """Return no statements. The parent's root runs after this one."""
    return []


@lower_statement.register
def block(node: nodes.Block, frame: Frame) -> list[Statement]:
    """Lower a block statement where it stands.

    Returns no code for a block after `extends`, which has no HTML context here: it only defines its version, and the
    parent places it. Raises TemplateRefusal when the block is required and no child template defines it.
    """
    if id(node) not in frame.region.places:
        return []
    if node.required and len(frame.chain.lineages[node.name]) == 1:
        raise frame.refuse(
            "template-required-block", f"no template defines the required block {node.name!r}", node
        )
    scope = block_context(node.name, frame) if node.scoped else "context"
    return [write(frame, block_call(node.name, 0, frame.region.places[id(node)], node, frame, scope), node)]


def block_context(block: str, frame: Frame) -> str:
    """Return the JavaScript code of the context of a scoped block.

    It has the template's context and those variables of the enclosing scopes that the block may read.
    """
    read = names_read(block, frame)
    visible = (name for name in frame.scope.visible_stores() if read is None or name in read)
    return scope_object(
        "...context", *(f"[{js_string(name)}]: {visible_value(name, frame)}" for name in visible)
    )


def names_read(block: str, frame: Frame) -> set[str] | None:
    """Return the names that the versions of a block read; None if one of the versions passes on its whole context."""
    body_nodes = [node for layer in frame.chain.lineages[block] for node in layer.node.find_all(nodes.Node)]
    if any(
        isinstance(node, (nodes.Block, nodes.Include, nodes.Import, nodes.FromImport)) for node in body_nodes
    ):
        return None
    read = {node.name for node in body_nodes if isinstance(node, (nodes.Name, nodes.NSRef))}
    return None if "self" in read else read
