"""The compiler: the phases in order, and how their refusals become diagnostics.

    source -> parse -> declared types -> HTML contexts -> statements, expressions -> emit -> module

Each phase has its own module and its own data. One `Compilation` gathers the results of the phases. It is dropped at
the end, so no state is left between two calls.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

from awning.contract import Dialect
from awning.errors import Faulty
from awning.jsrc import jsrc_root
from awning.template.compiled_template import CompiledTemplate
from awning.template.declarations import promises_of, unread_declarations
from awning.template.emit import Line, Nest, Statement, literals, module_text
from awning.template.frame import Compilation, Options, scope_object
from awning.template.html.html_context import START
from awning.template.lowering import position
from awning.template.parse import on_large_stack, read_source, too_deep
from awning.template.recursion import recursive_places, refuse_circle
from awning.template.refusals import TemplateRefusal
from awning.template.regions import Regions
from awning.template.statements.templates import root_statements
from awning.template.template_set import Loader, TemplateSet, no_templates
from awning.template.types import Variable
from awning.template.types.inference import reads


def compile_template(
    source: str,
    *,
    path: str,
    loader: Loader = no_templates,
    dialect: Dialect | None = None,
    dev: bool = False,
) -> CompiledTemplate:
    """Compile one template to an ES module: `export default function render(context)`, which returns a string.

    `path` names the template in diagnostics and source maps; `loader` finds the templates it includes, imports or
    extends. With `dev`, errors at run time name template and line, and the module ends with an inline source map.
    Raises Faulty with a diagnostic when the template is refused.
    """
    options = Options(dialect=dialect or Dialect(), dev=dev)
    try:
        try:
            return compile_source(source, path, loader, options)
        except RecursionError:
            return on_large_stack(partial(compile_nested, source, path, loader, options))
    except TemplateRefusal as refused:
        raise Faulty([refused.diagnostic()]) from None


def compile_nested(source: str, path: str, loader: Loader, options: Options) -> CompiledTemplate:
    """Compile a template that overflowed the usual stack.

    Raises TemplateRefusal when the template is refused, also because it is nested deeper than the limit.
    """
    try:
        return compile_source(source, path, loader, options, bounded=True)
    except RecursionError:
        raise too_deep(read_source(source, name=path, path=path)) from None


def compile_source(
    source: str, path: str, loader: Loader, options: Options, *, bounded: bool = False
) -> CompiledTemplate:
    templates = TemplateSet(loader=loader, bounded=bounded)
    compilation = Compilation(options=options, regions=Regions(templates=templates))
    template = templates.add(source, name=path, path=path)
    chain = templates.chain(template)
    refuse_circle(template, templates)
    compilation.promises = promises_of(template, templates)
    compilation.regions.whole(chain)
    compilation.recurring = recursive_places(templates)
    statements = root_statements(chain, START, compilation)
    variables = tuple(sorted(compilation.variables))
    if variables:
        statements = [Line(f"context = {scope_object('...context')};"), *statements]
    read = compilation.promises.typed(reads(chain, templates, variables))
    everything = module_statements(statements, compilation, read)
    sources = [(parsed.source.path, parsed.source.text) for parsed in templates.by_name.values()]
    code, source_map = module_text(everything, sources)
    return CompiledTemplate(
        path=path,
        code=code + source_map if options.dev else code,
        source_map="" if options.dev else source_map,
        literals=tuple(literals(everything)),
        reads=read,
        messages=tuple(compilation.messages),
        strings=tuple(sorted(templates.strings())) if compilation.computes_keys else (),
        included=tuple(sorted(templates.asked)),
        diagnostics=tuple(
            dict.fromkeys(
                [*compilation.warnings, *unread_declarations(compilation.promises, templates, variables)]
            )
        ),
    )


def module_statements(
    statements: list[Statement], compilation: Compilation, read: Sequence[Variable]
) -> list[Statement]:
    """Return all statements of the module in order: imports, module-level functions, the render function."""
    functions = [statement for function in compilation.functions.values() for statement in function]
    render: list[Statement] = [Nest("export default function render(context) {", statements)]
    if compilation.options.dev:
        render = dev_render_function(statements, compilation, read)
    head: list[Statement] = [Line(line) for line in import_lines(compilation.helpers)]
    return [*head, *functions, *render]


def dev_render_function(
    statements: list[Statement], compilation: Compilation, read: Sequence[Variable]
) -> list[Statement]:
    """Return the render function for a dev build.

    The function checks the types of the declared variables. Its errors name the template and the line.
    """
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
    """Return, in a list, the statement that checks the declared variables at run time; none if no such one is read.

    A check has the variable's name, its declared type and, if there is one, its guard (`Variable.only_if`).
    """
    declared = compilation.promises.declared
    checks = [
        [variable.name, declared[variable.name].type, *(variable.only_if or ())]
        for variable in read
        if variable.name in declared
    ]
    if not checks:
        return []
    compilation.helpers.add("keeps_promises")
    at = next(iter(declared.values())).at
    return [Line(f"keeps_promises(context, {json.dumps(checks)}, {position(at)});")]


_FOLDERS = ("escape", "template")
"""The folders of jsrc/runtime with helpers."""

_EXPORT = re.compile(r"^export (?:(?:const|function\*?|class) (\w+)|\{([^}]*)\})", re.MULTILINE)


@cache
def helper_files() -> Mapping[str, str]:
    """Return the file of each helper, as an import path that the bundler resolves (`awning.bundle.request`).

    The files are read once, which takes some 5 ms.
    """
    runtime = jsrc_root() / "runtime"
    files: dict[str, str] = {}
    for folder in _FOLDERS:
        for file in sorted((runtime / folder).rglob("*.ts")):
            if file.name != "index.ts":
                path = f"awning/{file.relative_to(runtime).with_suffix('').as_posix()}"
                files.update(dict.fromkeys(_exported(file), path))
    return files


def _exported(file: Path) -> Iterator[str]:
    """Yield the names of the values that a file exports."""
    for match in _EXPORT.finditer(file.read_text(encoding="utf-8")):
        if match[1]:
            yield match[1]
        else:
            yield from (part.split(" as ")[-1].strip() for part in match[2].split(",") if part.strip())


def import_lines(helpers: Iterable[str]) -> list[str]:
    """Return one import statement per file, sorted. So the bundler reads only the files of these helpers."""
    files = helper_files()
    by_file: dict[str, list[str]] = {}
    for helper in sorted(helpers):
        by_file.setdefault(files[helper], []).append(helper)
    return [f'import {{ {", ".join(names)} }} from "{file}";' for file, names in sorted(by_file.items())]
