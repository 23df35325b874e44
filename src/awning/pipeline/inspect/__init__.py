"""Phase 3: the rules of the check, run over the widgets that are built. Nothing is written.

The diagnostics of a widget are remembered under a hash of everything that they depend on. So a widget is inspected
again only if a file that can affect it has changed. The only rule that runs each time is the one that looks for
misnamed files, because the name of such a file may be in any file.
"""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial

from awning.check.files import ENDINGS, check_file
from awning.check.ids_of_widgets import ids_of_widgets
from awning.check.imports import (
    Exported,
    default_export_findings,
    import_findings,
    schema_findings,
    slot_findings,
)
from awning.check.inline_handlers import inline_handlers
from awning.check.markup import markup_findings
from awning.check.message_uses import (
    doubtful_texts,
    missing_arguments,
    missing_messages,
    script_uses,
    unused_messages,
)
from awning.check.plain_texts import plain_texts
from awning.check.python_tests import python_test_findings
from awning.check.repeated_ids import repeated_ids
from awning.check.states import unreachable_states
from awning.check.suppressions import remove_ignored
from awning.check.unused import named_templates, unused_files, unused_templates
from awning.check.variables import variable_findings
from awning.check.verbatim import open_end_findings, taken_names
from awning.diagnostics import Diagnostic, has_errors
from awning.jsrc import jsrc_root
from awning.pipeline.cache.memory import Memory, ResultKind, hash_of
from awning.pipeline.read import NEVER_CANCELLED, PLACES, TEXT_ENDINGS, Checkpoint, SourceFile, SourceSet
from awning.pipeline.style.keyframes import read_keyframes
from awning.pipeline.style.outside_uses import script_findings, template_findings
from awning.pipeline.style.properties import property_findings
from awning.pipeline.style.scope import at_rule_findings
from awning.pipeline.style.selectors import selector_findings
from awning.pipeline.style.shadow import import_findings as style_import_findings
from awning.pipeline.style.sheet_findings import (
    bracket_findings,
    foreign_sheet_findings,
    template_sheet_findings,
)
from awning.script.file import ScriptFile
from awning.template.compiled_template import CompiledTemplate, MessageUse
from awning.template.types import Variable
from awning.workspace.model import Isolation, Widget
from awning.workspace.widgets import TEMPLATE_ENDING

__all__ = ["inspect_sources"]

Files = Mapping[str, SourceFile]

FINDINGS: ResultKind[tuple[Diagnostic, ...]] = ResultKind("findings", tuple[Diagnostic, ...], on_disk=True)


def inspect_sources(
    sources: SourceSet,
    modules: Mapping[str, CompiledTemplate],
    memory: Memory,
    checkpoint: Checkpoint = NEVER_CANCELLED,
    *,
    all_rules: bool,
) -> list[Diagnostic]:
    """Return the problems of the sources and of their compiled templates, but those of refused templates.

    Without `all_rules`, only the rules of `Inspector.disagreements` run.
    """
    inspector = Inspector(sources, modules, memory, checkpoint)
    return inspector.all_findings() if all_rules else inspector.disagreements()


@dataclass(frozen=True)
class Inspector:
    """Runs the rules over the sources of a build and its compiled templates."""

    sources: SourceSet
    modules: Mapping[str, CompiledTemplate]
    memory: Memory
    checkpoint: Checkpoint

    def _remembered(self, key: str, compute: Callable[[], Iterable[Diagnostic]]) -> tuple[Diagnostic, ...]:
        return self.memory.memo(FINDINGS, key, lambda: tuple(compute()))

    def disagreements(self) -> list[Diagnostic]:
        """Return the diagnostics of the rules that run whenever the phase `inspect` runs.

        They are those of `_disagreements_in`, and brackets in the styles of shared folders. Warnings of compiled
        templates are included; the diagnostics of refused templates are left out.
        """
        folders = self.sources.by_folder
        findings = [
            diagnostic
            for widget in self.sources.widgets
            for diagnostic in self._disagreements_in(widget, folders[widget.name])
        ]
        for name, files in folders.items():
            for path, file in files.items() if name.startswith("_") else ():
                findings += bracket_findings(path, file.text) if path.endswith(".css") else ()
        return findings

    def all_findings(self) -> list[Diagnostic]:
        """Return `disagreements` and the findings of all other rules, without those that a comment silences.

        They are about the widgets that are built and about the scripts in shared folders.
        """
        folders = self.sources.by_folder
        shared = [name for name in folders if name.startswith("_")]
        shared_files = [file for name in shared for file in folders[name].values()]
        findings: list[Diagnostic] = []
        for widget in self.sources.widgets:
            self.checkpoint.check()
            own = folders[widget.name]
            imports_others = widget.name in self.sources.importing_others
            affecting = self.sources.files.values() if imports_others else [*own.values(), *shared_files]
            workspace = self.sources.workspace
            languages = ",".join(workspace.languages)
            store = workspace.own_store.fingerprint if workspace.own_store else ""
            hashes = (f"{file.path} {file.sha256}" for file in affecting)
            key = hash_of("widget", widget.name, languages, store, str(self.sources.dialect), *hashes)
            findings += self._remembered(key, partial(self._widget_findings, widget, own))
            findings += self._script_findings(own)
            findings += self._template_findings(widget.name, [widget.name, *shared])
            misnamed = unused_files(widget.name, own, self._is_named)
            findings += remove_ignored(misnamed, lambda path, own=own: _text_at(path, own))  # type: ignore[misc]
        findings += self._taken_names()
        findings += self._ids_of_widgets()
        for name in shared:
            findings += self._script_findings(folders[name])
            findings += self._shared_style_findings(folders[name])
            if self.sources.widgets == self.sources.workspace.widgets:
                findings += self._template_findings(name, folders)
        for path, file in self.sources.tests.items():
            key = hash_of("test", path, file.sha256)
            findings += self._remembered(key, partial(_test_findings, file))
        return findings

    def _taken_names(self) -> Sequence[Diagnostic]:
        """Return the findings about names that scripts of verbatim widgets take from each other on a page."""
        pages = self.sources.pages
        order = [
            path
            for place in PLACES
            for widget in self.sources.widgets
            if place in widget.verbatim
            for path in (f"widgets/{widget.name}/{widget.verbatim[place].name}",)
            if path in pages and not pages[path].is_too_large
        ]
        hashes = (f"{path} {self.sources.hashes[path]}" for path in order)

        def compute() -> list[Diagnostic]:
            return remove_ignored(taken_names(pages[path] for path in order), lambda path: pages[path].text)

        return (
            self._remembered(hash_of("names", str(self.sources.dialect), *hashes), compute) if order else ()
        )

    def _ids_of_widgets(self) -> Sequence[Diagnostic]:
        """Return the findings about ids that the templates of two widgets have."""
        widgets, hashes = self.sources.widgets, self.sources.hashes
        paths = [f"widgets/{widget.name}/{name}" for widget in widgets for name in widget.templates]
        key = hash_of(
            "ids",
            *(f"{widget.name} {widget.slots} {widget.isolation}" for widget in widgets),
            *(f"{path} {hashes[path]}" for path in paths if path in self._templates),
        )

        def compute() -> list[Diagnostic]:
            return remove_ignored(ids_of_widgets(widgets, self._templates), self._templates.__getitem__)

        return self._remembered(key, compute) if len(widgets) > 1 else ()

    def _template_findings(self, name: str, folders: Iterable[str]) -> Sequence[Diagnostic]:
        """Return the findings about the tags of the templates in the folder `name`, and about its unused templates.

        `folders` are those whose scripts may import them.

        Scripts that import from other widgets' folders are read, too.
        """
        by_folder = self.sources.by_folder
        names = sorted({*folders, *self.sources.importing_others} & by_folder.keys())
        files = {path: file for folder in names for path, file in by_folder[folder].items()}
        read = [
            f for path, f in files.items() if path.endswith(TEMPLATE_ENDING) or path in self.sources.scripts
        ]
        home = f"widgets/{name}/"
        if not any(file.path.startswith(home) and file.path.endswith(TEMPLATE_ENDING) for file in read):
            return []

        def compute() -> list[Diagnostic]:
            templates = {file.path: file.text for file in read if file.path.endswith(TEMPLATE_ENDING)}
            diagnostics = [
                *unused_templates(home, templates, self._scripts_among(files)),
                *markup_findings(home, templates, named_templates(templates)),
            ]
            for path, text in templates.items():
                if path.startswith(home):
                    diagnostics += [*template_sheet_findings(path, text), *inline_handlers(path, text)]
            return remove_ignored(diagnostics, templates.__getitem__)

        return self._remembered(
            hash_of("templates", name, *(f"{file.path} {file.sha256}" for file in read)), compute
        )

    def _is_named(self, name: str) -> bool:
        """Return whether a file with another name has this file name in its text, and so may refer to the file."""
        whole = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|\.\w)")
        return any(
            whole.search(file.text)
            for path, file in self.sources.files.items()
            if path.endswith(TEXT_ENDINGS) and path.rpartition("/")[2] != name
        )

    def _script_findings(self, files: Files) -> Iterator[Diagnostic]:
        """Yield the findings of the rules that need only one script at a time."""
        for path, file in files.items():
            if path.endswith(ENDINGS):
                script = self.sources.scripts.get(path)
                head = ["head"] if script and script.head else []
                key = hash_of("file", path, str(self.sources.dialect), file.sha256, *head)
                yield from self._remembered(key, partial(self._findings_in, file))

    def _shared_style_findings(self, files: Files) -> Iterator[Diagnostic]:
        """Yield the findings about the styles of a shared folder, which are not restricted to a widget."""
        for path, file in files.items():
            if path.endswith(".css"):
                key = hash_of("style", path, file.sha256)
                yield from self._remembered(key, partial(_shared_style_findings, file))

    def _findings_in(self, file: SourceFile) -> list[Diagnostic]:
        script = self.sources.scripts.get(file.path) or self._markup(file)
        return remove_ignored(check_file(script).diagnostics, lambda _path: script.text)

    def _markup(self, file: SourceFile) -> ScriptFile:
        """Return an HTML page or a template as a `ScriptFile`, because its markup may contain scripts."""
        text = file.content.decode("utf-8", "replace").removeprefix("\ufeff")
        return ScriptFile(path=file.path, text=text, dialect=self.sources.dialect)

    def _widget_findings(self, widget: Widget, files: Files) -> list[Diagnostic]:
        findings = self._disagreements_in(widget, files)
        scripts = self._scripts_among(files)
        refused = any(module.is_refused for module in self._modules_among(files))
        unread = refused or any(script.facts.broken or self._lacks_template(script) for script in scripts)
        messages = {path: file.text for path, file in files.items() if path.endswith(".toml")}
        of_calls = list(self._template_call_findings(widget, scripts))
        unread = unread or any(diagnostic.rule == "template-variables" for diagnostic in of_calls)
        if not (unread or has_errors(findings)):
            strings = [text for script in scripts for text in script.facts.texts]
            strings += [text for module in self._modules_among(files) for text in module.strings]
            findings += unused_messages(widget, self._message_uses(files), strings, messages)
        findings += doubtful_texts(widget, messages)
        findings += of_calls
        for path, file in files.items():
            if path.endswith(TEMPLATE_ENDING):
                findings += plain_texts(widget, path, file.text)
                findings += repeated_ids(path, file.text)
        states = f"widgets/{widget.name}/states.toml"
        if states in files:
            findings += unreachable_states(widget, states, files[states].text, self.sources.workspace.store)
        findings += self._style_findings(widget, files)
        findings += self._keyframe_findings(widget, files)
        all_files = self.sources.files
        return remove_ignored(findings, lambda path: all_files[path].text if path in all_files else "")

    def _lacks_template(self, script: ScriptFile) -> bool:
        """Return whether a script imports a template that does not exist, whose messages are therefore not known."""
        folder = posixpath.dirname(script.path)
        return any(
            posixpath.normpath(posixpath.join(folder, statement.module)) not in self.sources.files
            for statement in script.facts.imports
            if statement.module.endswith(TEMPLATE_ENDING)
        )

    def _style_findings(self, widget: Widget, files: Files) -> Iterator[Diagnostic]:
        """Yield the warnings about a widget's styles. A script without the runtime has a style for the whole page."""
        own = f"widgets/{widget.name}/{widget.style.name}" if widget.style else ""
        shadow = widget.isolation is Isolation.SHADOW
        folders = self.sources.by_folder
        makers = [files, *(folders[name] for name in folders if name.startswith("_"))]
        markup = "".join(
            file.content.decode("utf-8", "replace")  # a misnamed file need not be UTF-8
            for each in makers
            for path, file in each.items()
            if path.endswith((TEMPLATE_ENDING, *ENDINGS))
        )
        for path, file in files.items():
            if path.endswith(".css"):
                yield from property_findings(path, file.text)
                yield from foreign_sheet_findings(path, file.text)
                yield from at_rule_findings(path, file.text)
                if path == own if shadow else widget.name not in self.sources.raw:
                    yield from selector_findings(path, file.text, shadow=shadow, markup=markup)

    def _keyframe_findings(self, widget: Widget, files: Files) -> Iterator[Diagnostic]:
        """Yield the warnings about key frames that are named outside of the style sheets, which rename them."""
        sheets = [file.text for path, file in files.items() if path.endswith(".css")]
        if widget.isolation is Isolation.SHADOW or widget.name in self.sources.raw:
            return
        keyframes = read_keyframes(sheets)
        if not keyframes.names:
            return
        for path, file in files.items():
            if path.endswith(TEMPLATE_ENDING):
                yield from template_findings(path, file.text, keyframes)
        for script in self._scripts_among(files):
            yield from script_findings(script, keyframes)

    def _disagreements_in(self, widget: Widget, files: Files) -> list[Diagnostic]:
        texts = {path: file.text for path, file in files.items() if path.endswith(TEXT_ENDINGS)}
        uses = self._message_uses(files)
        findings = [
            diagnostic
            for module in self._modules_among(files)
            if not module.is_refused
            for diagnostic in module.diagnostics
        ]
        findings += missing_messages(widget, uses, texts)
        findings += missing_arguments(widget, uses, texts)
        for script in self._scripts_among(files):
            findings += import_findings(script, awning_exports())
        for path, text in texts.items():
            findings += bracket_findings(path, text) if path.endswith(".css") else ()
        style = f"widgets/{widget.name}/{widget.style.name}" if widget.style else ""
        if widget.isolation is Isolation.SHADOW and style in texts:
            findings += style_import_findings(style, texts[style])
        path = f"widgets/{widget.name}/{widget.script.name}" if widget.script else ""
        if script_of_widget := self.sources.scripts.get(path):
            manifest = texts[f"widgets/{widget.name}/widget.toml"]
            findings += default_export_findings(script_of_widget, widget.slots)
            findings += slot_findings(widget, script_of_widget, self.sources.scripts, manifest)
        for html in widget.verbatim.values():
            path = f"widgets/{widget.name}/{html.name}"
            findings += open_end_findings(path, texts[path])
        return findings

    def _template_call_findings(self, widget: Widget, scripts: Iterable[ScriptFile]) -> Iterable[Diagnostic]:
        """Return the diagnostics for calls of templates, which print nothing for a variable that is missing.

        Without a data schema, an import of the type of `data` is reported, too.
        """
        findings: dict[Diagnostic, None] = {}
        for script in scripts:
            findings |= dict.fromkeys(schema_findings(script) if widget.data_schema is None else ())
            findings |= dict.fromkeys(variable_findings(script, self._reads, self._templates))
        return findings

    @cached_property
    def _reads(self) -> Mapping[str, tuple[Variable, ...]]:
        """The variables that each template reads, by path."""
        return {path: module.reads for path, module in self.modules.items() if module.reads is not None}

    @cached_property
    def _templates(self) -> Mapping[str, str]:
        """The texts of all templates, by path."""
        files = self.sources.files.items()
        return {path: file.text for path, file in files if path.endswith(TEMPLATE_ENDING)}

    def _message_uses(self, files: Files) -> list[MessageUse]:
        """Return the messages that templates and scripts use."""
        uses = [use for module in self._modules_among(files) for use in module.messages]
        return uses + [use for script in self._scripts_among(files) for use in script_uses(script)]

    def _scripts_among(self, files: Files) -> list[ScriptFile]:
        return [self.sources.scripts[path] for path in files if path in self.sources.scripts]

    def _modules_among(self, files: Files) -> list[CompiledTemplate]:
        return [self.modules[path] for path in files if path in self.modules]


def _shared_style_findings(file: SourceFile) -> list[Diagnostic]:
    findings = [
        *bracket_findings(file.path, file.text),
        *property_findings(file.path, file.text),
        *at_rule_findings(file.path, file.text),
        *foreign_sheet_findings(file.path, file.text),
    ]
    return remove_ignored(findings, lambda _path: file.text)


def _test_findings(file: SourceFile) -> list[Diagnostic]:
    text = file.content.decode("utf-8", "replace")
    return remove_ignored(python_test_findings(file.path, file.content), lambda _path: text)


def _text_at(path: str, files: Files) -> str:
    """Return the text of the file at `path` or, if `path` is a folder, of its first file.

    A misnamed file need not be UTF-8, because no build reads it. So bytes that are not UTF-8 are replaced.
    """
    file = next(file for name, file in files.items() if name == path or name.startswith(f"{path}/"))
    return file.content.decode("utf-8", "replace")


@cache
def awning_exports() -> Exported:
    """Return the names that a script may import from "awning".

    These are the values and types of jsrc/runtime/index.ts, and of the modules that this file exports with `export *`.
    """
    values: set[str] = set()
    types: set[str] = set()
    waiting = [jsrc_root() / "runtime" / "index.ts"]
    while waiting:
        module = waiting.pop()
        facts = ScriptFile(path=module.name, text=module.read_text(encoding="utf-8")).facts
        for export in facts.exports:
            (types if export.is_type else values).add(export.name)
        waiting += [
            module.parent / statement.module for statement in facts.imports if statement.is_star_export
        ]
    return Exported(values=frozenset(values), types=frozenset(types))
