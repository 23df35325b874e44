"""Compiles the widgets' templates, each only when it or something it includes has changed.

A compiled template is kept in `.awning/cache/templates` under a hash of everything it depends on that is known
beforehand; what it includes is in the record, with hashes, and looked at before the record is believed. The
compiler (and Jinja2 with it) is imported only for a template that is not there.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from awning.check.messages import MessageUse
from awning.contract import Dialect
from awning.diagnostics import Diagnostic
from awning.errors import Faulty
from awning.pipeline.files import SourceFile
from awning.pipeline.put import replace_file
from awning.pipeline.stored import restored, restored_place, stored, stored_place
from awning.pipeline.tooling import package_stamp
from awning.template.sourcemap import Literal
from awning.template.types import Variable
from awning.workspace import TEMPLATE_ENDING
from awning.workspace.sources import encoding_error

SHARED = "widgets/_shared/"
"""Templates that every widget may include."""


_NOTHING = 'export default () => "";\n'


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """A compiled template: its JavaScript with its source map, the message keys it names, what was doubtful about it.

    `reads` is what it reads of its context; None when it was refused.
    """

    path: str
    code: str
    literals: tuple[Literal, ...] = ()
    messages: tuple[MessageUse, ...] = ()
    reads: tuple[Variable, ...] | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateCompiler:
    """`files` are all files below widgets/; `cache` holds compiled templates, and `keeps` says whether it gets more."""

    files: Mapping[str, SourceFile]
    cache: Path
    dialect: Dialect = field(default_factory=Dialect)
    dev: bool = False
    keeps: bool = True

    def compile_all(self) -> dict[str, Module]:
        """Every template of a widget by path.

        A refused one has its faults and renders nothing: the build goes on to what else is wrong, and fails then.
        """
        modules: dict[str, Module] = {}
        for path in self.files:
            if path.endswith(TEMPLATE_ENDING) and not path.startswith(SHARED):
                try:
                    modules[path] = self._module(path)
                except Faulty as error:
                    modules[path] = Module(path=path, code=_NOTHING, diagnostics=error.diagnostics)
        return modules

    def _module(self, path: str) -> Module:
        record = self.cache / f"{self._key(path)}.json"
        return self._cached(record, path) or self._compiled(record, path)

    def _key(self, path: str) -> str:
        parts = (package_stamp(), path, str(self.dialect), str(self.dev), self.files[path].sha256)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def _cached(self, record: Path, path: str) -> Module | None:
        try:
            values = json.loads(record.read_bytes())
            current = {name: self._hash_of(path, name) for name in values["dependencies"]}
            return _from_json(path, values) if current == values["dependencies"] else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _compiled(self, record: Path, path: str) -> Module:
        from awning.template import Located, compile_template  # noqa: PLC0415 - imports Jinja2: not for a cached one

        asked: dict[str, str] = {}

        def loader(name: str) -> str | None:
            """Notes also what was asked for and is not there: it may come to be."""
            asked[name] = self._hash_of(path, name)
            found = self._find(path, name)
            if found and (fault := encoding_error(found.content, found.path)):
                raise Faulty([fault])
            return Located(found.text, found.path) if found else None

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
            messages=tuple(MessageUse(use.key, use.place, use.arguments) for use in result.messages),
            literals=result.literals,
            reads=result.reads,
            diagnostics=tuple(result.diagnostics),
        )
        if self.keeps:
            _keep(record, _as_json(module, asked))
        return module

    def _find(self, path: str, name: str) -> SourceFile | None:
        """An included template: beside the widget's others, else shared by all."""
        widget = "/".join(path.split("/")[:2])
        return self.files.get(f"{widget}/{name}") or self.files.get(SHARED + name)

    def _hash_of(self, path: str, name: str) -> str:
        found = self._find(path, name)
        return f"{found.path} {found.sha256}" if found else ""


def _as_json(module: Module, dependencies: Mapping[str, str]) -> dict[str, Any]:
    return {
        "code": module.code,
        "dependencies": dict(sorted(dependencies.items())),
        "messages": [[use.key, stored_place(use.place), use.arguments] for use in module.messages],
        "literals": [[one.path, one.at, one.marks] for one in module.literals],
        "reads": [one.as_json() for one in module.reads or ()],
        "diagnostics": stored(module.diagnostics),
    }


def _from_json(path: str, values: Mapping[str, Any]) -> Module:
    return Module(
        path=path,
        code=values["code"],
        messages=tuple(
            MessageUse(key, restored_place(place), tuple(given)) for key, place, given in values["messages"]
        ),
        literals=tuple(_literal(*one) for one in values["literals"]),
        reads=tuple(Variable.from_json(one) for one in values["reads"]),
        diagnostics=restored(values["diagnostics"]),
    )


def _literal(path: str, at: list[int], marks: list[list[int]]) -> Literal:
    return Literal(
        path=path,
        at=(at[0], at[1]),
        marks=tuple((offset, line, column) for offset, line, column in marks),
    )


def _keep(record: Path, values: Mapping[str, Any]) -> None:
    """Written beside and moved, so that a build that is broken off leaves no half of one."""
    replace_file(record, json.dumps(values, ensure_ascii=False).encode())
