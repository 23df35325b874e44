"""Phase 2: each template compiled to a JavaScript module, or remembered.

A compiled template is remembered under a hash of its path and text, the options and the compiler, with the files that
it includes. The compiler (and Jinja2 with it) is imported only for a template that is not remembered.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from awning.contract import Dialect
from awning.diagnostics import Diagnostic
from awning.errors import Faulty
from awning.pipeline.cache.memory import Memory, ResultKind, hash_of
from awning.pipeline.read import NEVER_CANCELLED, Checkpoint, SourceFile
from awning.template.compiled_template import MessageUse
from awning.template.sourcemap import Literal
from awning.template.types import Variable
from awning.workspace import TEMPLATE_ENDING
from awning.workspace.sources import encoding_error

__all__ = ["Module", "compile_templates"]

SHARED = "widgets/_shared/"
"""The folder of the templates that every widget may include."""

_EMPTY_MODULE = 'export default () => "";\n'


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """A compiled template: its JavaScript, the messages that it uses, and the compiler's diagnostics.

    `code` ends with the source map. `literals` are its strings that hold several lines of the template. `reads` are the
    variables that the template reads from its context; None when the template was refused. `included` are the names
    that it includes, also of missing files.
    """

    path: str
    code: str
    literals: tuple[Literal, ...] = ()
    messages: tuple[MessageUse, ...] = ()
    reads: tuple[Variable, ...] | None = None
    included: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


MODULES: ResultKind[Module] = ResultKind("module", Module, on_disk=True)


def compile_templates(
    files: Mapping[str, SourceFile],
    memory: Memory,
    *,
    dialect: Dialect,
    dev: bool = False,
    checkpoint: Checkpoint = NEVER_CANCELLED,
) -> dict[str, Module]:
    """Return the module of each template, by path.

    A template in widgets/_shared/ has no module of its own: it is compiled into each template that includes it.

    A refused template becomes a module that renders nothing and has the refusals as its diagnostics. So the build can
    also report the problems that later phases find. Raises BuildCancelled when the checkpoint cancels the build.
    """
    compiler = _TemplateCompiler(files=files, dialect=dialect, dev=dev)
    modules: dict[str, Module] = {}
    for path in files:
        if path.endswith(TEMPLATE_ENDING) and not path.startswith(SHARED):
            checkpoint.check()
            key = compiler.key(path)
            state_of = partial(compiler.state_of, path)
            module = memory.find(MODULES, key, state_of)
            if module is None:
                try:
                    module = compiler.compiled(path)
                    memory.put(MODULES, key, module, module.included, state_of)
                except Faulty as error:
                    module = Module(path=path, code=_EMPTY_MODULE, diagnostics=error.diagnostics)
            modules[path] = module
    return modules


@dataclass(frozen=True, slots=True, kw_only=True)
class _TemplateCompiler:
    """Compiles the templates among `files`, the sources of the build."""

    files: Mapping[str, SourceFile]
    dialect: Dialect
    dev: bool

    def key(self, path: str) -> str:
        """Return a hash of what the module depends on, except for included files."""
        return hash_of("module", path, str(self.dialect), str(self.dev), self.files[path].sha256)

    def compiled(self, path: str) -> Module:
        """Compile a template. Raises Faulty when the template is refused."""
        from awning.template import LocatedText, compile_template  # noqa: PLC0415 - imports Jinja2, rarely needed

        names: set[str] = set()

        def loader(name: str) -> str | None:
            names.add(name)
            included = self._find(path, name)
            if included and (fault := encoding_error(included.content, included.path)):
                raise Faulty([fault])
            return LocatedText(included.text, included.path) if included else None

        source = self.files[path].text
        result = compile_template(source, path=path, loader=loader, dialect=self.dialect, dev=self.dev)
        return Module(
            path=path,
            code=result.code if self.dev else result.code + result.source_map,
            messages=result.messages,
            literals=result.literals,
            reads=result.reads,
            included=tuple(sorted(names)),
            diagnostics=result.diagnostics,
        )

    def state_of(self, path: str, name: str) -> str:
        """Return the path and hash of what a template includes by this name; empty if there is no such file."""
        included = self._find(path, name)
        return f"{included.path} {included.sha256}" if included else ""

    def _find(self, path: str, name: str) -> SourceFile | None:
        """Return an included template: a file of the widget, else a file of `widgets/_shared/`.

        None if there is neither.
        """
        widget = "/".join(path.split("/")[:2])
        return self.files.get(f"{widget}/{name}") or self.files.get(SHARED + name)
