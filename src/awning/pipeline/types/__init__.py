"""Phase 4: the type errors of the scripts. It writes nothing in the workspace.

type_server   TypeScript for one workspace: started when it is needed, and told what has changed

The findings are remembered like those of the phase `inspect`, so TypeScript is asked only about what a change can
affect.
"""

import hashlib
import os
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from awning.check.suppressions import remove_ignored
from awning.diagnostics import Diagnostic
from awning.pipeline.cache.last_build import file_stats
from awning.pipeline.cache.memory import Memory, ResultKind, hash_of
from awning.pipeline.read import SourceFile, SourceSet
from awning.pipeline.types.type_server import TypeServer
from awning.script import ScriptFile
from awning.script.globals import names_given_by
from awning.typescript import CheckedScript, Problem, findings
from awning.workspace import TEMPLATE_ENDING
from awning.workspace.sources import TSCONFIG

__all__ = ["TypeServer", "type_findings"]

JAVASCRIPT = (".js", ".mjs", ".html")
_PACKAGES = ("node_modules", "node_modules/.package-lock.json")
"""What changes whenever a package manager installs a package."""

TYPE_ERRORS: ResultKind[tuple[Diagnostic, ...]] = ResultKind(
    "type errors", tuple[Diagnostic, ...], on_disk=True
)

_DECLARES = re.compile(r"\bdeclare\s+(?:global|module)\b")
_EXTENDS = re.compile(rb'"extends"\s*:\s*"([^"]+)"')
_MOST_SETTINGS = 20

GIVEN_NAMES: ResultKind[tuple[str, ...]] = ResultKind("given names", tuple[str, ...], on_disk=True)

Ask = Callable[[Sequence[str]], Mapping[str, tuple[Problem, ...]]]


def type_findings(
    sources: SourceSet, memory: Memory, version: str, ask: Ask, is_current: Callable[[], bool]
) -> list[Diagnostic]:
    """Return the type errors of all scripts, without those that a comment silences.

    `ask` returns the problems of scripts by path. It is called once, with the scripts whose findings are not
    remembered, or not at all. `version` is that of TypeScript. The
    findings are remembered only if `is_current` returns True after the answer.
    """
    checked = _Folders(sources, version, memory)
    keys = {name: checked.key(name) for name in sources.by_folder}
    known = {name: memory.find(TYPE_ERRORS, key) for name, key in keys.items()}
    scripts = [path for name, errors in known.items() if errors is None for path in checked.scripts_in(name)]
    problems = ask(scripts) if scripts else {}
    remembers = is_current()
    diagnostics: list[Diagnostic] = []
    for name, errors in known.items():
        if errors is None:
            errors = tuple(checked.findings(name, problems))  # noqa: PLW2901 - the same, now known
            if remembers:
                memory.put(TYPE_ERRORS, keys[name], errors)
        diagnostics += errors
    return diagnostics


@dataclass(frozen=True)
class _Folders:
    """The scripts of each folder below widgets/, and what their types depend on."""

    sources: SourceSet
    version: str
    memory: Memory

    def scripts_in(self, folder: str) -> list[str]:
        return [path for path in self.sources.by_folder[folder] if path in self._scripts]

    @cached_property
    def _scripts(self) -> Mapping[str, ScriptFile]:
        return {**self.sources.scripts, **self.sources.pages}

    def key(self, folder: str) -> str:
        """Return the key of the findings of a folder: a hash of everything that they depend on."""
        by_folder = self.sources.by_folder
        names = [folder, *(name for name in by_folder if name.startswith("_"))]
        affecting: Iterator[SourceFile] | tuple[SourceFile, ...] = (
            tuple(self.sources.files.values())
            if folder in self.sources.importing_others
            or (folder.startswith("_") and self.sources.importing_others)
            else tuple(file for name in dict.fromkeys(names) for file in by_folder[name].values())
        )
        hashes = (f"{file.path} {file.sha256}" for file in affecting)
        page = sorted(self._known(folder)) if self._has_javascript(folder) else ()
        return hash_of("types", folder, self.version, *self._everywhere, *page, "", *hashes)

    def findings(self, folder: str, problems: Mapping[str, tuple[Problem, ...]]) -> list[Diagnostic]:
        known = self._known(folder) if self._has_javascript(folder) else frozenset()
        diagnostics = [
            diagnostic
            for path in self.scripts_in(folder)
            for script in [self._scripts[path]]
            for diagnostic in findings(
                CheckedScript(
                    script=script,
                    is_raw=folder in self.sources.raw or script.head,
                    known=known,
                    templates=self._templates(folder, script.path),
                ),
                problems.get(path, ()),
            )
        ]
        return remove_ignored(diagnostics, lambda path: self._scripts[path].text)

    def _templates(self, folder: str, script: str) -> Mapping[str, str]:
        """Return the templates of a folder by name, each with its path relative to a script."""
        templates = (path for path in self.sources.by_folder[folder] if path.endswith(TEMPLATE_ENDING))
        names = {path: posixpath.basename(path).removesuffix(TEMPLATE_ENDING) for path in templates}
        paths = {name: posixpath.relpath(path, posixpath.dirname(script)) for path, name in names.items()}
        return {name: path if path.startswith(".") else f"./{path}" for name, path in paths.items()}

    @cached_property
    def _everywhere(self) -> tuple[str, ...]:
        """What the types of every folder depend on: the settings, packages, and declarations for all scripts."""
        root = self.sources.workspace.root
        settings = (hashlib.sha256(text).hexdigest() for text in _settings(root / TSCONFIG))
        declarations = (
            f"{path} {self.sources.files[path].sha256}"
            for path, script in self.sources.scripts.items()
            if path.endswith(".d.ts") or _DECLARES.search(script.text)
        )
        return (str(self.sources.dialect), *settings, str(file_stats(root, _PACKAGES)), *declarations)

    def _known(self, folder: str) -> AbstractSet[str]:
        """Return the names that scripts of the page assign, and those that the widget may leave there."""
        allowed = {
            name
            for widget in self.sources.widgets
            if widget.name == folder
            for name in widget.allowed_globals
        }
        return self._assigned | allowed

    @cached_property
    def _assigned(self) -> AbstractSet[str]:
        """The names that the scripts of the app give to each other. All of them can be in one snippet."""
        return frozenset().union(*map(self._given_by, self._scripts.values()))

    def _given_by(self, script: ScriptFile) -> tuple[str, ...]:
        key = hash_of(script.path, self.sources.hashes[script.path], str(script.dialect), str(script.head))
        return self.memory.memo(GIVEN_NAMES, key, lambda: tuple(sorted(names_given_by(script))))

    def _has_javascript(self, folder: str) -> bool:
        return any(path.endswith(JAVASCRIPT) for path in self.scripts_in(folder))


def _settings(config: Path) -> Iterator[bytes]:
    """Yield the texts of a tsconfig.json and of the files that it extends by path."""
    for _ in range(_MOST_SETTINGS):
        try:
            text = config.read_bytes()
        except OSError:
            return
        yield text
        base = _EXTENDS.search(text)
        if base is None:
            return
        name = os.fsdecode(base[1])
        config = config.parent / (name if name.endswith(".json") else f"{name}.json")
