"""Phase 1: the author's files, read once, and the snippets that a build makes of them.

files         bytes, hash and text of each file
units         which snippets a build makes
dependencies  which files can affect which widget
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from awning.contract import Dialect
from awning.diagnostics import Diagnostic, did_you_mean
from awning.errors import ConfigurationError
from awning.pipeline.read.dependencies import widgets_importing_others, widgets_using
from awning.pipeline.read.files import TEXT_ENDINGS, SourceFile, read_widget_files, text_faults
from awning.pipeline.read.units import APP, PlannedSnippet, plan_snippets, plan_units
from awning.script import ScriptFile
from awning.workspace import Widget, Workspace
from awning.workspace.sources import encoding_error

__all__ = ["APP", "TEXT_ENDINGS", "PlannedSnippet", "SourceFile", "SourceSet", "read_sources"]

SCRIPT_ENDINGS = (".ts", ".js", ".mts", ".mjs")


@dataclass(frozen=True, kw_only=True)
class SourceSet:
    """The files of a build by path, the widgets that it builds, and the snippets that it makes."""

    workspace: Workspace
    widgets: tuple[Widget, ...]
    planned_snippets: tuple[PlannedSnippet, ...]
    files: Mapping[str, SourceFile]
    scripts: Mapping[str, ScriptFile]
    """The scripts among the files. Each is parsed once, when its facts are first needed."""
    faults: tuple[Diagnostic, ...]
    """A diagnostic for each file whose text cannot be read. If there is one, nothing can be built."""

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
    def importing_others(self) -> frozenset[str]:
        """The names of widgets with a script that may import from another widget's folder."""
        return widgets_importing_others(self.widgets, self.scripts)

    def using(self, path: str) -> set[str]:
        """The folders of the widgets that a file belongs to or, for a shared file, that use it."""
        return widgets_using(path, self.files, self.scripts)


def read_sources(workspace: Workspace, only: tuple[str, ...] = ()) -> SourceSet:
    """The sources of all widgets, or of those named in `only`.

    Raises ConfigurationError for a name that no widget has.
    """
    names = {widget.name for widget in workspace.widgets}
    for name in only:
        if name not in names:
            hint = did_you_mean(name, names) or f"widgets: {', '.join(sorted(names))}"
            raise ConfigurationError(f'no widget "{name}"', hint=hint)
    widgets = tuple(widget for widget in workspace.widgets if not only or widget.name in only)
    folders = (*(f"widgets/{widget.name}/" for widget in widgets), "widgets/_")
    files = {path: file for path, file in read_widget_files(workspace).items() if path.startswith(folders)}
    heads = {
        widget.head.relative_to(workspace.root).as_posix() for widget in workspace.widgets if widget.head
    }
    return SourceSet(
        workspace=workspace,
        widgets=widgets,
        planned_snippets=tuple(plan_snippets(workspace, plan_units(workspace, only))),
        files=files,
        scripts={
            file.path: ScriptFile(
                path=file.path, text=file.text, dialect=workspace.profile.dialect, head=file.path in heads
            )
            for file in files.values()
            if file.path.endswith(SCRIPT_ENDINGS) and not encoding_error(file.content, file.path)
        },
        faults=tuple(text_faults(files.values())),
    )
