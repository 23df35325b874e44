"""Phase 4: the type errors of the scripts. It writes nothing in the workspace.

TypeScript also checks what templates read of the values that scripts pass to them: the phase adds that to the scripts,
from the templates and the data schemas of the build.

The findings are remembered like those of the phase `inspect`, so TypeScript is asked only about what a change can
affect. `type_server` runs it: there is one for a workspace.
"""

import hashlib
import os
import posixpath
import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from awning.check.suppressions import remove_ignored
from awning.data_schema import DATA, data_objects
from awning.diagnostics import Diagnostic, Place
from awning.errors import ProgramUnusable
from awning.pipeline.cache.memory import Memory, ResultKind, hash_of
from awning.pipeline.cache.shared_files import file_stats
from awning.pipeline.read import Checkpoint, KnownSources, SourceFile, SourceSet
from awning.pipeline.types.type_server import ScriptProblems, TypeServer
from awning.programs import TYPESCRIPT, find_program
from awning.script.file import ScriptFile
from awning.script.globals import names_given_by
from awning.script.names import declared_types
from awning.template.compiled_template import CompiledTemplate
from awning.template.types import Variable
from awning.typescript.additions import CheckedText, text_with_additions
from awning.typescript.findings import CheckedScript, findings
from awning.typescript.members import DATA_MODULE, NO_DATA_TYPE, DataObjects, MemberCheck
from awning.workspace.model import Widget
from awning.workspace.sources import TSCONFIG
from awning.workspace.widgets import TEMPLATE_ENDING

__all__ = ["find_type_errors"]

JAVASCRIPT = (".js", ".mjs", ".html")
_PACKAGES = ("node_modules", "node_modules/.package-lock.json")
"""What changes whenever a package manager installs a package."""

TYPE_ERRORS: ResultKind[tuple[Diagnostic, ...]] = ResultKind(
    "type errors", tuple[Diagnostic, ...], on_disk=True
)

_EXTENDS = re.compile(rb'"extends"\s*:\s*"([^"]+)"')
_MOST_SETTINGS = 20

GIVEN_NAMES: ResultKind[tuple[str, ...]] = ResultKind("given names", tuple[str, ...], on_disk=True)


def find_type_errors(
    sources: SourceSet,
    modules: Mapping[str, CompiledTemplate],
    memory: Memory,
    server: TypeServer,
    environ: Mapping[str, str],
    *,
    known: KnownSources,
    checkpoint: Checkpoint,
) -> list[Diagnostic]:
    """Return the type errors of all scripts, without those that a comment silences.

    `modules` are the compiled templates. The types for editors must be up to date. The server is asked once about the
    scripts whose findings are not remembered, or not at all. It reads the author's files itself: if `known` has read
    other ones by then, or they have changed, its answer is not remembered.

    Without a TypeScript for this machine, the only finding is a warning that says so. Raises ProgramUnusable when the
    TypeScript that is installed or named does not run. Raises BuildCancelled when the checkpoint cancels the check.
    """
    try:
        typescript = find_program(TYPESCRIPT, environ)
    except ProgramUnusable as error:
        if environ.get(TYPESCRIPT.variable):
            raise
        return [_types_unchecked(error.message, error.hint)]
    if _has_odd_bytes(sources.workspace.root):
        return [_types_unchecked("the folder's path is not UTF-8 text", "move it, or set a UTF-8 locale")]
    checked = _Folders(sources, typescript.identity, memory)
    keys = {name: checked.key(name) for name in sources.by_folder}
    remembered = {name: memory.find(TYPE_ERRORS, key) for name, key in keys.items()}
    texts = {
        path: checked_text(checked.scripts[path], checked.widgets.get(name), modules)
        for name, errors in remembered.items()
        if errors is None
        for path in checked.scripts_in(name)
    }
    problems = server.problems(typescript, sources, texts, checkpoint.check) if texts else {}
    checkpoint.check()  # if a file has been saved meanwhile, the problems may be those of its new text
    remembers = known.are_as_read(sources.files)
    diagnostics: list[Diagnostic] = []
    for name, errors in remembered.items():
        if errors is None:
            errors = tuple(checked.findings(name, texts, problems))  # noqa: PLW2901 - the same, now known
            if remembers:
                memory.put(TYPE_ERRORS, keys[name], errors)
        diagnostics += errors
    return diagnostics


def _types_unchecked(reason: str, hint: str | None) -> Diagnostic:
    message = f"types are not checked: {reason}"
    return Diagnostic(rule="types-unchecked", message=message, hint=hint)


def _has_odd_bytes(folder: Path) -> bool:
    """Return whether TypeScript, whose paths are UTF-8, would not find the folder."""
    try:
        str(folder).encode()
    except UnicodeEncodeError:
        return True
    return False


@dataclass(frozen=True)
class _Folders:
    """The scripts of each folder below widgets/, and what their types depend on."""

    sources: SourceSet
    version: str
    memory: Memory

    def scripts_in(self, folder: str) -> list[str]:
        return [path for path in self.sources.by_folder[folder] if path in self.scripts]

    @cached_property
    def scripts(self) -> Mapping[str, ScriptFile]:
        return {**self.sources.scripts, **self.sources.pages}

    def key(self, folder: str) -> str:
        """Return the key of the findings of a folder: a hash of everything that they depend on."""
        hashes = (f"{file.path} {file.sha256}" for file in self._affecting(folder))
        page = sorted(self._known(folder)) if self._has_javascript(folder) else ()
        return hash_of("types", folder, self.version, *self._everywhere, *page, "", *hashes)

    def _affecting(self, folder: str) -> tuple[SourceFile, ...]:
        """Return the files that the types of a folder's scripts can depend on."""
        by_folder, others = self.sources.by_folder, self.sources.importing_others
        if folder in others or (folder.startswith("_") and others):
            return tuple(self.sources.files.values())
        names = [folder, *(name for name in by_folder if name.startswith("_"))]
        return tuple(file for name in dict.fromkeys(names) for file in by_folder[name].values())

    def findings(
        self,
        folder: str,
        texts: Mapping[str, CheckedText | None],
        problems: Mapping[str, ScriptProblems],
    ) -> list[Diagnostic]:
        known = self._known(folder) if self._has_javascript(folder) else frozenset()
        objects = objects_of_data(self.widgets.get(folder))
        diagnostics: dict[Diagnostic, None] = {}
        for path in self.scripts_in(folder):
            script, of_script = self.scripts[path], problems.get(path, ScriptProblems())
            checked = CheckedScript(
                script=script,
                is_raw=folder in self.sources.raw or script.head,
                known=known,
                templates=self._templates(folder, script.path),
            )
            diagnostics |= dict.fromkeys(findings(checked, of_script.own))
            members = MemberCheck(
                script=script, objects=objects, own_types=lambda: self._own_types(folder), line=self._line
            )
            diagnostics |= dict.fromkeys(members.findings(of_script.own))
            diagnostics |= dict.fromkeys(members.findings(of_script.with_additions, texts[path]))
        files = self.sources.files
        return remove_ignored(diagnostics, lambda path: files[path].text if path in files else "")

    def _own_types(self, folder: str) -> AbstractSet[str]:
        """Return the names of the types that the scripts of a folder, or those that they may import, declare."""
        paths = [file.path for file in self._affecting(folder) if file.path in self.scripts]
        return frozenset().union(*(declared_types(self.scripts[path].tree.root) for path in paths))

    def _line(self, place: Place) -> str | None:
        file = self.sources.files.get(place.path)
        lines = file.text.split("\n") if file else []
        return lines[place.line - 1].rstrip("\r") if 0 < place.line <= len(lines) else None

    @cached_property
    def widgets(self) -> Mapping[str, Widget]:
        """The widgets by their folder."""
        return {widget.name: widget for widget in self.sources.widgets}

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
            if path.endswith(".d.ts") or DECLARES.search(script.text)
        )
        return (str(self.sources.dialect), *settings, str(file_stats(root, _PACKAGES)), *declarations)

    def _known(self, folder: str) -> AbstractSet[str]:
        """Return the names that scripts of the page assign, and those that the widget may leave there."""
        widget = self.widgets.get(folder)
        return self._assigned | frozenset(widget.allowed_globals if widget else ())

    @cached_property
    def _assigned(self) -> AbstractSet[str]:
        """The names that the scripts of the app give to each other. All of them can be in one snippet."""
        return frozenset().union(*map(self._given_by, self.scripts.values()))

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


DECLARES = re.compile(r"\bdeclare\s+(?:global|module)\b")


def checked_text(
    script: ScriptFile, widget: Widget | None, modules: Mapping[str, CompiledTemplate]
) -> CheckedText | None:
    """Return the text of a script of a widget, or of another folder, with additions; None if there are none.

    `modules` are the compiled templates.
    """
    if DECLARES.search(script.text):
        return None  # it would declare the same twice

    def reads(template: str) -> tuple[Variable, ...]:
        module = modules.get(template)
        return (module.reads if module else None) or ()

    return text_with_additions(script, reads, _data_type(script, widget))


def _data_type(script: ScriptFile, widget: Widget | None) -> str:
    """Return the type of `data` in a script. It is known in the folder of a widget.

    If the script imports the type and there is no schema, the import is the mistake.
    """
    if widget is None:
        return "any"
    if widget.data_schema is None:
        has_import = any(each.module.endswith(DATA_MODULE) for each in script.facts.imports)
        return "any" if has_import else f'import("awning").{NO_DATA_TYPE}'
    schema = posixpath.relpath(f"widgets/{widget.name}/{DATA_MODULE}", posixpath.dirname(script.path))
    return f'import("{schema if schema.startswith(".") else f"./{schema}"}").Data'


def objects_of_data(widget: Widget | None) -> DataObjects:
    """Return the objects of a widget's data by the name of their type. None are known for other folders."""
    if widget is None:
        return {}
    if widget.data_part is None:
        return {NO_DATA_TYPE: (DATA, ())}
    objects = {each.type_name: (each.path, each.keys) for each in data_objects(widget.data_part)}
    whole = next((each for each in objects.values() if each[0] == DATA), None)
    return {**objects, NO_DATA_TYPE: whole} if whole else objects
