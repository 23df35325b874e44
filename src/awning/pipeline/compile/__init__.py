"""Phase 2: each template compiled to a JavaScript module, or taken from the cache.

A compiled template is cached in `.awning/cache/templates`, under a hash of its own text and of the compiler. The cache
entry lists the hashes of the included files, and is used only when they are still the same. The compiler (and Jinja2
with it) is imported only for a template that is not in the cache.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from awning.contract import Dialect
from awning.diagnostics import Diagnostic
from awning.errors import Faulty
from awning.pipeline.cache.diagnostic_cache import (
    diagnostics_from_json,
    diagnostics_json,
    place_from_json,
    place_json,
)
from awning.pipeline.cache.shared_files import replace_file
from awning.pipeline.cache.toolchain import package_stamp
from awning.pipeline.read import SourceFile
from awning.template.compiled_template import MessageUse
from awning.template.sourcemap import Literal
from awning.template.types import Variable
from awning.workspace import TEMPLATE_ENDING
from awning.workspace.sources import encoding_error

__all__ = ["Module", "compile_templates"]

SHARED = "widgets/_shared/"
"""Templates that every widget may include."""

_EMPTY_MODULE = 'export default () => "";\n'


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """A compiled template: its JavaScript with its source map, its calls of `t`, and the compiler's diagnostics.

    `reads` are the variables that the template reads from its context; None when the template was refused.
    """

    path: str
    code: str
    literals: tuple[Literal, ...] = ()
    messages: tuple[MessageUse, ...] = ()
    reads: tuple[Variable, ...] | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


def compile_templates(
    files: Mapping[str, SourceFile],
    *,
    cache: Path,
    dialect: Dialect | None = None,
    dev: bool = False,
    keeps: bool = True,
) -> dict[str, Module]:
    """The module of each template of the widgets, by path. With `keeps`, newly compiled modules are written to `cache`.

    A refused template becomes a module that renders nothing and has the refusals as its diagnostics. So the build can
    also report the faults of later phases.
    """
    compiler = _TemplateCompiler(files=files, cache=cache, dialect=dialect or Dialect(), dev=dev, keeps=keeps)
    modules: dict[str, Module] = {}
    for path in files:
        if path.endswith(TEMPLATE_ENDING) and not path.startswith(SHARED):
            try:
                modules[path] = compiler.module(path)
            except Faulty as error:
                modules[path] = Module(path=path, code=_EMPTY_MODULE, diagnostics=error.diagnostics)
    return modules


@dataclass(frozen=True, slots=True, kw_only=True)
class _TemplateCompiler:
    """Compiles templates. `files` are all files below widgets/; `cache` is the folder of compiled templates."""

    files: Mapping[str, SourceFile]
    cache: Path
    dialect: Dialect
    dev: bool
    keeps: bool

    def module(self, path: str) -> Module:
        """One template, from the cache or compiled. Raises Faulty when it is refused."""
        cache_file = self.cache / f"{self._key(path)}.json"
        return self._cached(cache_file, path) or self._compiled(cache_file, path)

    def _key(self, path: str) -> str:
        parts = (package_stamp(), path, str(self.dialect), str(self.dev), self.files[path].sha256)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def _cached(self, cache_file: Path, path: str) -> Module | None:
        try:
            values = json.loads(cache_file.read_bytes())
            current = {name: self._hash_of(path, name) for name in values["dependencies"]}
            return _from_json(path, values) if current == values["dependencies"] else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _compiled(self, cache_file: Path, path: str) -> Module:
        from awning.template import LocatedText, compile_template  # noqa: PLC0415 - imports Jinja2: not for a cached one

        dependencies: dict[str, str] = {}

        def loader(name: str) -> str | None:
            """Load an included template and record it as a dependency.

            A missing template is recorded too, because it may be added later.
            """
            dependencies[name] = self._hash_of(path, name)
            included = self._find(path, name)
            if included and (fault := encoding_error(included.content, included.path)):
                raise Faulty([fault])
            return LocatedText(included.text, included.path) if included else None

        source = self.files[path].text
        result = compile_template(
            source,
            path=path,
            loader=loader,
            dialect=self.dialect,
            dev=self.dev,
            containers=False,
        )
        module = Module(
            path=path,
            code=result.code if self.dev else result.code + result.source_map,
            messages=result.messages,
            literals=result.literals,
            reads=result.reads,
            diagnostics=result.diagnostics,
        )
        if self.keeps:
            replace_file(cache_file, json.dumps(_as_json(module, dependencies), ensure_ascii=False).encode())
        return module

    def _find(self, path: str, name: str) -> SourceFile | None:
        """An included template: a file of the widget, else a file of `widgets/_shared/`. None if there is neither."""
        widget = "/".join(path.split("/")[:2])
        return self.files.get(f"{widget}/{name}") or self.files.get(SHARED + name)

    def _hash_of(self, path: str, name: str) -> str:
        included = self._find(path, name)
        return f"{included.path} {included.sha256}" if included else ""


def _as_json(module: Module, dependencies: Mapping[str, str]) -> dict[str, Any]:
    return {
        "code": module.code,
        "dependencies": dict(sorted(dependencies.items())),
        "messages": [[use.key, place_json(use.place), use.arguments] for use in module.messages],
        "literals": [[literal.path, literal.at, literal.marks] for literal in module.literals],
        "reads": [variable.as_json() for variable in module.reads or ()],
        "diagnostics": diagnostics_json(module.diagnostics),
    }


def _from_json(path: str, values: Mapping[str, Any]) -> Module:
    return Module(
        path=path,
        code=values["code"],
        messages=tuple(
            MessageUse(key=key, place=place_from_json(place), arguments=tuple(arguments))
            for key, place, arguments in values["messages"]
        ),
        literals=tuple(
            Literal(
                path=file,
                at=(at[0], at[1]),
                marks=tuple((offset, line, column) for offset, line, column in marks),
            )
            for file, at, marks in values["literals"]
        ),
        reads=tuple(Variable.from_json(variable) for variable in values["reads"]),
        diagnostics=diagnostics_from_json(values["diagnostics"]),
    )
