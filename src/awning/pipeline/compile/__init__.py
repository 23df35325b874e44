"""Phase 2: each template compiled to a JavaScript module, or taken from the cache.

A compiled template is cached in `.awning/cache/templates`, under a hash of its path and text, the options and the
compiler. The cache entry lists the hashes of the included files, and is used only when they are still the same. The
compiler (and Jinja2 with it) is imported only for a template that is not in the cache.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
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
from awning.pipeline.read import NEVER_CANCELLED, Checkpoint, SourceFile
from awning.template.compiled_template import MessageUse
from awning.template.sourcemap import Literal
from awning.template.types import Variable
from awning.workspace import TEMPLATE_ENDING
from awning.workspace.sources import encoding_error

__all__ = ["KnownModules", "Module", "compile_templates"]

SHARED = "widgets/_shared/"
"""The folder of the templates that every widget may include."""

_EMPTY_MODULE = 'export default () => "";\n'


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """A compiled template: its JavaScript, the messages that it uses, and the compiler's diagnostics.

    `code` ends with the source map. `literals` are its strings that hold several lines of the template. `reads` are the
    variables that the template reads from its context; None when the template was refused.
    """

    path: str
    code: str
    literals: tuple[Literal, ...] = ()
    messages: tuple[MessageUse, ...] = ()
    reads: tuple[Variable, ...] | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownModule:
    """A compiled template with the key of its cache entry.

    `dependencies` maps each name that the template includes to the path and hash of the file, or to an empty string if
    the file is missing. `is_written` is whether the cache has the entry.
    """

    key: str
    dependencies: Mapping[str, str]
    module: Module
    is_written: bool


KnownModules = dict[str, KnownModule]
"""Compiled templates by path, in memory."""


def compile_templates(
    files: Mapping[str, SourceFile],
    *,
    cache: Path,
    dialect: Dialect | None = None,
    dev: bool = False,
    keeps: bool = True,
    known: KnownModules | None = None,
    checkpoint: Checkpoint = NEVER_CANCELLED,
) -> dict[str, Module]:
    """Return the module of each template, by path.

    A template in widgets/_shared/ has no module of its own: it is compiled into each template that includes it.

    With `keeps`, modules that `cache` does not have are written to it. A module in `known` that is up to date is used
    again. All other modules are put into `known`.

    A refused template becomes a module that renders nothing and has the refusals as its diagnostics. So the build can
    also report the problems that later phases find. Raises BuildCancelled when the checkpoint cancels the build.
    """
    known = {} if known is None else known
    compiler = _TemplateCompiler(
        files=files,
        cache=cache,
        dialect=dialect or Dialect(),
        dev=dev,
        keeps=keeps,
        known=known,
    )
    modules: dict[str, Module] = {}
    for path in files:
        if path.endswith(TEMPLATE_ENDING) and not path.startswith(SHARED):
            checkpoint.check()
            try:
                modules[path] = compiler.module(path)
            except Faulty as error:
                modules[path] = Module(path=path, code=_EMPTY_MODULE, diagnostics=error.diagnostics)
    return modules


@dataclass(frozen=True, slots=True, kw_only=True)
class _TemplateCompiler:
    """Compiles templates. `files` are the sources of the build; `cache` is the folder of compiled templates."""

    files: Mapping[str, SourceFile]
    cache: Path
    dialect: Dialect
    dev: bool
    keeps: bool
    known: KnownModules

    def module(self, path: str) -> Module:
        """Return the module of a template: from memory, from the cache, or newly compiled.

        Raises Faulty when the template is refused.
        """
        key = self._key(path)
        known = self.known.get(path)
        if known is None or known.key != key or not self._is_current(path, known.dependencies):
            known = self._cached(key, path) or self._compiled(key, path)
        if self.keeps and not known.is_written:
            entry = json.dumps(_as_json(known.module, known.dependencies), ensure_ascii=False).encode()
            replace_file(self._cache_file(key), entry)
            known = replace(known, is_written=True)
        self.known[path] = known
        return known.module

    def _cache_file(self, key: str) -> Path:
        return self.cache / f"{key}.json"

    def _is_current(self, path: str, dependencies: Mapping[str, str]) -> bool:
        return all(self._hash_of(path, name) == known for name, known in dependencies.items())

    def _key(self, path: str) -> str:
        parts = (package_stamp(), path, str(self.dialect), str(self.dev), self.files[path].sha256)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def _cached(self, key: str, path: str) -> KnownModule | None:
        try:
            values = json.loads(self._cache_file(key).read_bytes())
            dependencies = dict(values["dependencies"])
            if not self._is_current(path, dependencies):
                return None
            module = _from_json(path, values)
            return KnownModule(key=key, dependencies=dependencies, module=module, is_written=True)
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def _compiled(self, key: str, path: str) -> KnownModule:
        from awning.template import LocatedText, compile_template  # noqa: PLC0415 - imports Jinja2, rarely needed

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
        result = compile_template(source, path=path, loader=loader, dialect=self.dialect, dev=self.dev)
        module = Module(
            path=path,
            code=result.code if self.dev else result.code + result.source_map,
            messages=result.messages,
            literals=result.literals,
            reads=result.reads,
            diagnostics=result.diagnostics,
        )
        return KnownModule(key=key, dependencies=dependencies, module=module, is_written=False)

    def _find(self, path: str, name: str) -> SourceFile | None:
        """Return an included template: a file of the widget, else a file of `widgets/_shared/`.

        None if there is neither.
        """
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
