"""Phase 1: the author's files, read once, and the snippets that a build makes of them.

`files` has the bytes, hash and text of each file, as the last build read them.

A unit is the whole app or one widget. It gets a snippet for each place (head, body) and for each language and the
default.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from awning.build_record import WHOLE_APP, Place
from awning.contract import Dialect
from awning.data_schema.versions import MIGRATION_FILE
from awning.diagnostics import Diagnostic, did_you_mean
from awning.errors import ConfigurationError
from awning.pipeline.read.files import TEXT_ENDINGS, KnownSources, SourceFile, text_faults
from awning.script.file import ScriptFile
from awning.workspace.model import Widget, Workspace

__all__ = [
    "NEVER_CANCELLED",
    "PLACES",
    "TEXT_ENDINGS",
    "BuildCancelled",
    "Checkpoint",
    "KnownSources",
    "PlannedSnippet",
    "SourceFile",
    "SourceSet",
    "Units",
    "read_sources",
    "style_entry",
]


PLACES: tuple[Place, ...] = ("head", "body")

_STYLE_ENTRY = "_style"
"""The bundler's name of a style sheet begins with this text. No unit can have this name."""


class Units(Enum):
    """The units whose snippets a build makes: the app and each widget, or only the app, as in `awning dev`."""

    ALL = "all"
    APP = "app"


@dataclass(frozen=True, kw_only=True)
class PlannedSnippet:
    """One snippet to make.

    `path` is relative to `dist/`; `widgets` are the widgets with content in this place and language.

    `language` is None for the default snippet. With a `kill_switch`, the app data can turn off each widget of this
    snippet that uses the runtime.
    """

    unit: str
    place: Place
    language: str | None
    path: str
    widgets: tuple[Widget, ...]
    kill_switch: bool = False

    @cached_property
    def compiled(self) -> tuple[Widget, ...]:
        """The widgets that share the snippet's script. The others are verbatim."""
        return tuple(widget for widget in self.widgets if not widget.verbatim)

    @property
    def reads_app_data(self) -> bool:
        """Whether the service must put the app data into the snippet."""
        return self.place == "body" and (
            self.kill_switch or any(widget.data_schema is not None for widget in self.widgets)
        )

    @property
    def entry(self) -> str:
        """The bundler's name for the script of the snippet: `app/lv/body`, `delivery-estimate/default/body`."""
        return f"{self.unit}/{self.language or 'default'}/{self.place}"

    @property
    def style_entries(self) -> dict[str, Widget]:
        """The bundler's names of the snippet's style sheets, each with its widget. A head snippet has no style sheet.

        For a widget with a shadow root, the sheet has only the rules that must be in the document.
        """
        styled = [widget for widget in self.widgets if widget.style] if self.place == "body" else []
        return {style_entry(widget.name): widget for widget in styled}


def style_entry(widget: str) -> str:
    """Return the bundler's name of a widget's style sheet."""
    return f"{_STYLE_ENTRY}/{widget}"


def plan_snippets(
    workspace: Workspace, only: tuple[str, ...] = (), units: Units = Units.ALL
) -> Iterator[PlannedSnippet]:
    """Yield every snippet of the app and of each widget in a fixed order, also the empty ones.

    With `only`, just those of the widgets of these names; with `Units.APP`, just those of the app.
    """
    if units is Units.APP or not only:
        yield from _of_unit(workspace, WHOLE_APP, "", workspace.widgets)
    for widget in workspace.widgets if units is Units.ALL else ():
        if not only or widget.name in only:
            yield from _of_unit(workspace, widget.name, f"widgets/{widget.name}/", (widget,))


def _of_unit(
    workspace: Workspace, name: str, folder: str, widgets: tuple[Widget, ...]
) -> Iterator[PlannedSnippet]:
    """Yield the snippets of the app or of one widget. `folder` is its folder in `dist/`."""
    kill_switch = _has_kill_switch(workspace, widgets)
    for language in (None, *workspace.languages):
        for place in PLACES:
            yield PlannedSnippet(
                unit=name,
                place=place,
                language=language,
                path=f"{folder}{f'{language}/' if language else ''}{place}.html",
                widgets=tuple(widget for widget in widgets if _is_in(widget, place, language)),
                kill_switch=place == "body" and kill_switch,
            )


def _has_kill_switch(workspace: Workspace, widgets: Iterable[Widget]) -> bool:
    """Return whether the app data can turn off the widgets of a snippet.

    A snippet without app data gets the switch only when the workspace asks for it, because reading app data costs some
    500 bytes.
    """
    if workspace.kill_switch is None:
        return any(widget.data_schema is not None for widget in widgets)
    return workspace.kill_switch


def _is_in(widget: Widget, place: Place, language: str | None) -> bool:
    """Return whether a widget has content in a snippet.

    The widget must have the language, and in this place HTML or a script.
    """
    has_script = (widget.script if place == "body" else widget.head) is not None
    return (has_script or place in widget.verbatim) and (language is None or language in widget.languages)


SCRIPT_ENDINGS = (".ts", ".js", ".mts", ".mjs")

_NAMING_FILES = (".j2", ".css")
"""The endings of the files whose whole text is searched for a file name. In scripts, `_has_text` searches for it."""
_OWN_DEPTH = 2
"""The number of slashes in the path of a file directly in a widget's folder."""


class BuildCancelled(Exception):
    """The build was cancelled at a checkpoint."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where a build can be cancelled: between phases, between the pieces of a long phase, and while esbuild works.

    A phase calls `check` between two pieces of work. `is_cancelled` returns True when the build must end. Finished
    results stay in the memory, so the next build does not repeat them.
    """

    is_cancelled: Callable[[], bool]

    def check(self) -> None:
        """Raise BuildCancelled if the build must end."""
        if self.is_cancelled():
            raise BuildCancelled


NEVER_CANCELLED = Checkpoint(lambda: False)


@dataclass(frozen=True, kw_only=True)
class SourceSet:
    """The files of a build by path, the widgets that it builds, and the snippets that it makes."""

    workspace: Workspace
    widgets: tuple[Widget, ...]
    planned_snippets: tuple[PlannedSnippet, ...]
    files: Mapping[str, SourceFile]
    scripts: Mapping[str, ScriptFile]
    """The scripts among the files. Each is parsed once, when its facts are first needed."""
    tests: Mapping[str, SourceFile]
    """The Python files by path that pytest reads for these widgets or, in a build of all, for the workspace."""
    faults: tuple[Diagnostic, ...]
    """Diagnostics for texts that are not UTF-8, and JSON that is nested too deeply. With any, nothing can be built."""

    @property
    def dialect(self) -> Dialect:
        return self.workspace.profile.dialect

    @property
    def app(self) -> str:
        title: str = self.workspace.manifest["app_title"]
        return title

    @cached_property
    def hashes(self) -> Mapping[str, str]:
        return {path: file.sha256 for path, file in self.files.items()}

    @cached_property
    def by_folder(self) -> Mapping[str, Mapping[str, SourceFile]]:
        """The files of each folder below widgets/, by the folder's name."""
        folders: dict[str, dict[str, SourceFile]] = {}
        for path, file in self.files.items():
            folders.setdefault(path.split("/")[1], {})[path] = file
        return folders

    @cached_property
    def pages(self) -> Mapping[str, ScriptFile]:
        """The HTML of verbatim widgets, which may have scripts, by path."""
        paths = (
            f"widgets/{widget.name}/{file.name}"
            for widget in self.widgets
            for file in widget.verbatim.values()
        )
        return {
            path: ScriptFile(path=path, text=self.files[path].text, dialect=self.dialect)
            for path in paths
            if not self.files[path].encoding_fault
        }

    @cached_property
    def migrating(self) -> tuple[str, ...]:
        """The names of the widgets that have a function for earlier app data."""
        return tuple(w.name for w in self.widgets if f"widgets/{w.name}/{MIGRATION_FILE}" in self.files)

    @cached_property
    def importing_others(self) -> frozenset[str]:
        """The names of widgets with a script that may import from another widget's folder.

        Then any file of the workspace may affect the widget. If a script of a shared folder may do so, these are all
        widgets. A script without `../` is not parsed.
        """
        return self.widgets_in(
            {
                path.split("/")[1]
                for path, script in self.scripts.items()
                if "../" in script.text and script.facts.levels_up > path.count("/") - _OWN_DEPTH
            }
        )

    @cached_property
    def raw(self) -> frozenset[str]:
        """The names of the widgets that do not use the runtime.

        So it cannot make them keep the service's rules: `check` and the emulator report broken rules. Their styles are
        not scoped. They are verbatim widgets, and those with a script that names the service's global object, unless
        their `widget.ts` has a default export.
        """
        name = self.dialect.global_object
        calling = {path.split("/")[1] for path, script in self.scripts.items() if _names(script, name)}
        return frozenset(
            widget.name
            for widget in self.widgets
            if widget.script is None
            or (
                widget.name in calling
                and not self.scripts[f"widgets/{widget.name}/{widget.script.name}"].facts.exports_default
            )
        )

    def widgets_in(self, folders: AbstractSet[str]) -> frozenset[str]:
        """Return the names of the widgets among the folders; of all when a shared folder is among them."""
        names = frozenset(widget.name for widget in self.widgets)
        return names if any(folder.startswith("_") for folder in folders) else names & folders

    def using(self, path: str) -> set[str]:
        """Return the folders of the widgets that use a file directly or through other files.

        A file in a widget's folder is used by that widget. If a script in a shared folder names a shared file, every
        widget may use the file through this script. The result is then only the file's folder, which stands for all
        widgets.
        """
        folders: set[str] = set()
        waiting, seen = [path], {path}
        while waiting:
            current = waiting.pop()
            folder, name = current.split("/")[1], current.rpartition("/")[2]
            if folder[0] != "_":
                folders.add(folder)
                continue
            naming = {other for other, script in self.scripts.items() if _has_text(script, name)}
            naming |= {
                other
                for other, file in self.files.items()
                if other.endswith(_NAMING_FILES) and name in file.text
            }
            naming -= seen
            if any(other.split("/")[1][0] == "_" and other in self.scripts for other in naming):
                return {folder}
            seen |= naming
            waiting += naming
        return folders


def _has_text(script: ScriptFile, name: str) -> bool:
    """Return whether a string literal in the script, such as the path of an import, contains a name.

    A script with a syntax error has no reliable literals, so the name counts anywhere in it.
    """
    return name in script.text and (script.facts.broken or any(name in text for text in script.facts.texts))


def _names(script: ScriptFile, name: str) -> bool:
    """Return whether a name occurs as an identifier, or as a word in a string literal. Comments do not count."""
    return name in script.text and (
        name in script.facts.names or any(name in _words(text) for text in script.facts.texts if name in text)
    )


def _words(text: str) -> list[str]:
    """Return the parts of a text that could be identifiers in JavaScript."""
    return "".join(char if char.isalnum() or char in "_$" else " " for char in text).split()


def read_sources(
    workspace: Workspace,
    known: KnownSources,
    only: tuple[str, ...] = (),
    *,
    units: Units = Units.ALL,
    chosen: Callable[[PlannedSnippet], bool] | None = None,
) -> SourceSet:
    """Return the sources of all widgets, or of those named in `only`, and the planned snippets of `units`.

    The files of the shared folders are among the sources. Snippets for which `chosen` returns False are left out. Only
    files that have changed since `known` read them are read; its `look` must have been called.

    Raises ConfigurationError for a name that no widget has, when the script of a widget is missing, and for a file name
    that is not in the locale's encoding. Raises Faulty when a file cannot be read.
    """
    names = {widget.name for widget in workspace.widgets} if only else set()
    for name in only:
        if name not in names:
            hint = did_you_mean(name, names) or f"widgets: {', '.join(sorted(names))}"
            raise ConfigurationError(f'no widget "{name}"', hint=hint)
    widgets = tuple(widget for widget in workspace.widgets if not only or widget.name in only)
    shared = (name for name in known.folder_names() if name.startswith("_"))
    files = known.files(known.paths_in([*(widget.name for widget in widgets), *shared]))
    for widget in widgets:
        for file in (widget.script, *widget.verbatim.values()):
            if file and (path := f"widgets/{widget.name}/{file.name}") not in files:
                raise ConfigurationError(f"{path} was deleted while it was read")
    heads = {widget.head.relative_to(workspace.root).as_posix() for widget in widgets if widget.head}
    return SourceSet(
        workspace=workspace,
        widgets=widgets,
        planned_snippets=tuple(filter(chosen, plan_snippets(workspace, only, units))),
        files=files,
        scripts={
            file.path: known.script(file, workspace.profile.dialect, head=file.path in heads)
            for file in files.values()
            if file.path.endswith(SCRIPT_ENDINGS) and not file.encoding_fault
        },
        tests=known.files(path for path in known.listed.tests if not only or path.split("/")[1] in only),
        faults=tuple(text_faults(files.values())),
    )
