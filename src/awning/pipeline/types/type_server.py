"""The running TypeScript of a workspace.

It is started by the first question, told what has changed since the last one, and started again when it has died.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from awning.errors import ProgramUnusable
from awning.pipeline.read import SourceSet
from awning.programs import Binary
from awning.typescript.additions import CheckedText
from awning.typescript.project import TypeProject, page_script, script_with_additions
from awning.typescript.server import CHANGED, CREATED, DELETED, LanguageServer, Problem
from awning.workspace.tsconfig import base_config


@dataclass(frozen=True, slots=True)
class ScriptProblems:
    """The problems of a script, and those of its text with additions."""

    own: tuple[Problem, ...] = ()
    with_additions: tuple[Problem, ...] = ()


@dataclass(slots=True, kw_only=True)
class TypeServer:
    """Answers which problems scripts have, until `end`. `folder` is a folder of its own, `types` has awning's types.

    Use it in one thread at a time.
    """

    folder: Path
    types: Path
    _server: LanguageServer | None = None
    _binary: Binary | None = None
    """The TypeScript that the server runs."""
    _added: dict[str, tuple[str, CheckedText]] = field(default_factory=dict)
    """The texts with additions that were asked about, with the hash of their script, by its path."""
    _seen: Mapping[str, object] = field(default_factory=dict)
    """The files that the server knows: a hash or the size and time, by absolute path."""

    def problems(
        self,
        typescript: Binary,
        sources: SourceSet,
        scripts: Mapping[str, CheckedText | None],
        checkpoint: Callable[[], object],
    ) -> Mapping[str, ScriptProblems]:
        """Return the problems of these scripts by path, each with its text with additions, if it has one.

        The types must be up to date. Another TypeScript than that of the last question starts another server.

        Raises ProgramUnusable when TypeScript does not run. A server that has died is started again once.
        """
        if self._binary != typescript:
            self.end()
            self._binary = typescript
        was_running = self._server is not None
        hashes = sources.hashes
        self._added = {path: pair for path, pair in self._added.items() if hashes.get(path) == pair[0]}
        for path, text in scripts.items():
            self._added.pop(path, None)
            if text is not None:
                self._added[path] = (hashes[path], text)
        paths = {path: page_script(path) if path in sources.pages else path for path in scripts}
        asked = [
            *paths.values(),
            *(script_with_additions(paths[path]) for path in scripts if path in self._added),
        ]
        try:
            problems = self._server_for(typescript, sources).diagnose(asked, checkpoint)
        except ProgramUnusable:
            self.end()
            if not was_running:
                raise
            problems = self._server_for(typescript, sources).diagnose(asked, checkpoint)
        return {
            path: ScriptProblems(problems[at], problems.get(script_with_additions(at), ()))
            for path, at in paths.items()
        }

    def end(self) -> None:
        """End the server. The next question starts another."""
        server, self._server = self._server, None
        if server is not None:
            server.end()

    def _server_for(self, typescript: Binary, sources: SourceSet) -> LanguageServer:
        self.folder.mkdir(exist_ok=True)
        root = sources.workspace.root
        project = TypeProject(folder=self.folder, root=root, types=self.types, base=base_config(root))
        written = {page_script(path): page.code for path, page in sources.pages.items()}
        for path, (_, text) in self._added.items():
            at = page_script(path) if path in sources.pages else path
            written[script_with_additions(at)] = text.content
        project.write(sources.scripts, written)
        files = self._files(sources, project)
        files |= {str(self.folder / path): hash(code) for path, code in written.items()}
        if self._server is None:
            self._server = LanguageServer(typescript, self.folder)
        else:
            self._server.has_changed(_changes(self._seen, files))
        self._seen = files
        return self._server

    def _files(self, sources: SourceSet, project: TypeProject) -> dict[str, object]:
        """Return the files that decide results, as `_seen`."""
        own = {
            str(self.folder / (page_script(path) if path in sources.pages else path)): file.sha256
            for path, file in sources.files.items()
        }
        types = (str(Path(folder, name)) for folder, _, names in os.walk(self.types) for name in names)
        configs = (str(project.base), str(project.config))
        return own | {path: _stat(path) for path in (*types, *configs)}


def _stat(path: str) -> object:
    try:
        stat = os.stat(path)  # noqa: PTH116 - thousands of them: pathlib takes twice the time
    except OSError:
        return None
    return stat.st_size, stat.st_mtime_ns


def _changes(before: Mapping[str, object], now: Mapping[str, object]) -> dict[str, int]:
    """Return the kind of change of each file that differs."""
    new = dict.fromkeys(now.keys() - before.keys(), CREATED)
    gone = dict.fromkeys(before.keys() - now.keys(), DELETED)
    return new | gone | {path: CHANGED for path in now.keys() & before.keys() if now[path] != before[path]}
