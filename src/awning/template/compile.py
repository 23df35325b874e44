"""The compiler: the phases in order, and how their refusals become diagnostics.

    source -> parse -> (scope, context) -> expressions, statements -> emit -> module

Each phase has its own module and its own data. One `Compilation` gathers what a compilation finds out; nothing is kept
between compilations.
"""

import json
from collections.abc import Sequence
from functools import partial

from awning.contract import Dialect
from awning.diagnostics import Diagnostic
from awning.errors import Faulty
from awning.template.compiled_template import Compiled
from awning.template.emit import Line, Nest, Statement, literals
from awning.template.expressions import expression
from awning.template.frame import Compilation, Lowering, Options, scope_object
from awning.template.html import START
from awning.template.json_only import meets_only_json
from awning.template.layout import module_text
from awning.template.library import import_lines
from awning.template.missing_branch import find_missing_branches
from awning.template.nesting import on_large_stack, too_deep
from awning.template.parse import read_source
from awning.template.promises import promises_of, unread
from awning.template.recursion import recurring, refuse_circle
from awning.template.refusals import Refused
from awning.template.regions import Pass, Regions
from awning.template.statements import statement
from awning.template.statements.core import position
from awning.template.statements.templates import block_value, root_statements
from awning.template.types import Variable
from awning.template.types.inference import reads
from awning.template.unit import Chain, Loader, Unit, Units, no_templates

LOWERING = Lowering(expression=expression, statement=statement, block=block_value)


def compile_template(
    source: str,
    *,
    path: str,
    loader: Loader = no_templates,
    dialect: Dialect | None = None,
    dev: bool = False,
    containers: bool = True,
) -> Compiled:
    """Compile one template to an ES module: `export default function render(context)`, which returns a string.

    `path` names the template in diagnostics and source maps; `loader` finds the templates it includes, imports or
    extends. Raises Faulty with the diagnostic of what is refused. With `dev`, errors at run time name template and
    line, and the module ends with an inline source map. Without `containers`, printing a whole list or mapping and
    ordering lists are errors at run time: a snippet then does not carry what they need.
    """
    options = Options(dialect=dialect or Dialect(), dev=dev, containers=containers)
    try:
        try:
            return compiled(source, path, loader, options)
        except RecursionError:
            return on_large_stack(partial(bounded, source, path, loader, options))
    except Refused as refused:
        raise Faulty([refused.diagnostic()]) from None


def bounded(source: str, path: str, loader: Loader, options: Options) -> Compiled:
    """The same for what is nested deeply, up to what is allowed."""
    try:
        return compiled(source, path, loader, options, bounded=True)
    except RecursionError:
        raise too_deep(read_source(source, name=path, path=path)) from None


def compiled(source: str, path: str, loader: Loader, options: Options, *, bounded: bool = False) -> Compiled:
    units = Units(loader=loader, bounded=bounded)
    compilation = Compilation(options=options, lowering=LOWERING, regions=Regions(units=units))
    unit = units.add(source, name=path, path=path)
    chain = units.chain(unit)
    refuse_circle(unit, units)
    check_end(chain, compilation)
    compilation.promises = promises_of(unit, units)
    compilation.recurring = recurring(units)
    compilation.missing_branches = find_missing_branches(units.found.values())
    json = not (compilation.options.containers or compilation.missing_branches.lasting)
    compilation.plain = json and meets_only_json(units.found.values())
    statements = root_statements(chain, START, compilation)
    variables = tuple(sorted(compilation.variables))
    if not is_given(compilation):
        statements = [Line(f"context = {scope_object('...context')};"), *statements]
    read = compilation.promises.typed(reads(chain, units, variables))
    everything = whole(statements, compilation, read)
    code, source_map = module_text(everything, sources_of(compilation))
    return Compiled(
        code=code + source_map if compilation.options.dev else code,
        source_map=source_map,
        literals=tuple(literals(everything)),
        dependencies=tuple(sorted(name for name in units.found if name != path)),
        variables=variables,
        reads=read,
        messages=tuple(compilation.messages),
        diagnostics=unique([*compilation.warnings, *unread(unit, units, variables)]),
    )


def is_given(compilation: Compilation) -> bool:
    """Whether the script gives all names that are used, so that none can reach what a page added to a prototype."""
    return compilation.variables <= compilation.promises.declared.keys()


def unique(warnings: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(dict.fromkeys(warnings))


def check_end(chain: Chain, compilation: Compilation) -> None:
    """A template ends in text: no open tag, comment or script."""
    roots = compilation.regions.root(chain, START)
    assert roots is not None, "nothing is open yet"
    last: Unit = chain.units[-1]
    walk = Pass(source=last.source, region=roots.regions[-1], enter=lambda _node, _context: None)
    walk.finish([last.tree, *last.tree.body][-1], roots.end)


def whole(statements: list[Statement], compilation: Compilation, read: Sequence[Variable]) -> list[Statement]:
    """The parts in order: imports, module-level functions, the render function."""
    functions = [
        statement
        for name in sorted(compilation.functions, key=order)
        for statement in compilation.functions[name]
    ]
    render = (
        dev_render(statements, compilation, read) if compilation.options.dev else plain_render(statements)
    )
    head: list[Statement] = [Line(line) for line in import_lines(compilation.helpers)]
    return [*head, *functions, *render]


def sources_of(compilation: Compilation) -> list[tuple[str, str]]:
    return [(unit.source.path, unit.source.text) for unit in compilation.regions.units.found.values()]


def order(name: str) -> int:
    """Functions are numbered in the order in which they were asked for."""
    return int(name.rpartition("$")[2])


def plain_render(statements: list[Statement]) -> list[Statement]:
    return [Nest("export default function render(context) {", statements)]


def dev_render(
    statements: list[Statement], compilation: Compilation, read: Sequence[Variable]
) -> list[Statement]:
    """Errors at run time name the template and the line they happened in; what is declared is looked at first."""
    compilation.helpers.add("located")
    guarded: list[Statement] = [
        Nest("try {", [Line("return $render(context);")]),
        Nest("catch ($error) {", [Line("throw located($error, $at);")]),
    ]
    return [
        Line('let $at = "";'),
        Nest("function $render(context) {", statements),
        Nest("export default function render(context) {", [*declaration_checks(read, compilation), *guarded]),
    ]


def declaration_checks(read: Sequence[Variable], compilation: Compilation) -> list[Statement]:
    """The look at what is declared: each variable with its type and what its being read hangs on."""
    declared = compilation.promises.declared
    found = [
        [one.name, declared[one.name].type, *(one.only_if or ())] for one in read if one.name in declared
    ]
    if not found:
        return []
    compilation.helpers.add("keeps_promises")
    at = next(iter(declared.values())).at
    return [Line(f"keeps_promises(context, {json.dumps(found)}, {position(at)});")]
