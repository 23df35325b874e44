"""Phase 2: each template compiled to a JavaScript module, or remembered.

A compiled template is remembered under a hash of its path and text, the options and the compiler, with the files that
it includes. The compiler (and Jinja2 with it) is imported only for a template that is not remembered.
"""

from collections.abc import Mapping
from functools import partial

from awning.contract import Dialect
from awning.diagnostics import Diagnostic
from awning.errors import Faulty
from awning.pipeline.cache.memory import Memory, ResultKind, hash_of
from awning.pipeline.read import NEVER_CANCELLED, Checkpoint, SourceFile
from awning.template.compiled_template import CompiledTemplate
from awning.workspace.sources import encoding_error
from awning.workspace.widgets import TEMPLATE_ENDING

__all__ = ["compile_templates", "refusals"]

SHARED = "widgets/_shared/"
"""The folder of the templates that every widget may include."""

MODULES: ResultKind[CompiledTemplate] = ResultKind("module", CompiledTemplate, on_disk=True)


def compile_templates(
    files: Mapping[str, SourceFile],
    memory: Memory,
    *,
    dialect: Dialect,
    dev: bool = False,
    checkpoint: Checkpoint = NEVER_CANCELLED,
) -> dict[str, CompiledTemplate]:
    """Return the module of each template, by path.

    A template in widgets/_shared/ has no module of its own: it is compiled into each template that includes it.

    A refused template becomes a module that renders nothing and has the refusals as its diagnostics. So the build can
    also report the problems that later phases find. Raises BuildCancelled when the checkpoint cancels the build.
    """
    modules: dict[str, CompiledTemplate] = {}
    for path, file in files.items():
        if path.endswith(TEMPLATE_ENDING) and not path.startswith(SHARED):
            checkpoint.check()
            key = hash_of("module", path, str(dialect), str(dev), file.sha256)
            state_of = partial(_state_of, files, path)
            module = memory.find(MODULES, key, state_of)
            if module is None:
                try:
                    module = _compiled(files, file, dialect, dev=dev)
                    memory.put(MODULES, key, module, module.included, state_of)
                except Faulty as error:
                    module = CompiledTemplate.refused(path, error.diagnostics)
            modules[path] = module
    return modules


def refusals(modules: Mapping[str, CompiledTemplate]) -> tuple[Diagnostic, ...]:
    """Return all diagnostics of the templates that were refused. If there are any, nothing can be built."""
    refused = [module for module in modules.values() if module.is_refused]
    return tuple(diagnostic for module in refused for diagnostic in module.diagnostics)


def _compiled(
    files: Mapping[str, SourceFile], file: SourceFile, dialect: Dialect, *, dev: bool
) -> CompiledTemplate:
    """Compile a template. Raises Faulty when it is refused."""
    from awning.template.compile import compile_template  # noqa: PLC0415 - imports Jinja2, rarely needed
    from awning.template.template_set import LocatedText  # noqa: PLC0415 - imports Jinja2, rarely needed

    def loader(name: str) -> str | None:
        included = _included(files, file.path, name)
        if included and (fault := encoding_error(included.content, included.path)):
            raise Faulty([fault])
        return LocatedText(included.text, included.path) if included else None

    return compile_template(file.text, path=file.path, loader=loader, dialect=dialect, dev=dev)


def _state_of(files: Mapping[str, SourceFile], path: str, name: str) -> str:
    """Return the path and hash of what a template includes by this name; empty if there is no such file."""
    included = _included(files, path, name)
    return f"{included.path} {included.sha256}" if included else ""


def _included(files: Mapping[str, SourceFile], path: str, name: str) -> SourceFile | None:
    """Return an included template: a file of the widget, else one of `widgets/_shared/`. None if there is neither."""
    widget = "/".join(path.split("/")[:2])
    return files.get(f"{widget}/{name}") or files.get(SHARED + name)
