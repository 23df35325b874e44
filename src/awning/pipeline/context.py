"""What is fixed for one build."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from awning.bundle import Esbuild, find_esbuild
from awning.contract import Dialect
from awning.diagnostics import did_you_mean
from awning.errors import ConfigurationError
from awning.pipeline.files import SCRIPTS, SourceFile, widget_files
from awning.pipeline.templates import TemplateCompiler
from awning.pipeline.units import Cell, cells, units
from awning.script import ScriptFile
from awning.workspace import Widget, Workspace
from awning.workspace.sources import encoding_error


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildContext:
    """A workspace, the widgets of it that are built, and what they are built with.

    `stage` is the folder that the bundler reads. Where `writes` is False nothing is written but the stage, which is
    then elsewhere.
    """

    workspace: Workspace
    esbuild: Esbuild
    widgets: tuple[Widget, ...]
    cells: tuple[Cell, ...]
    files: Mapping[str, SourceFile]
    scripts: Mapping[str, ScriptFile]
    """The scripts among the files, each parsed once per build."""
    stage: Path
    dev: bool = False
    mapped: bool = False
    """Whether scripts for development get source maps too: they cost time that a save does not have."""
    writes: bool = True

    @property
    def dialect(self) -> Dialect:
        return self.workspace.profile.dialect

    @property
    def app(self) -> str:
        title: str = self.workspace.manifest["app_title"]
        return title

    @property
    def compiler(self) -> TemplateCompiler:
        cache = self.workspace.cache / "templates"
        return TemplateCompiler(
            files=self.files, cache=cache, dialect=self.dialect, dev=self.dev, keeps=self.writes
        )


def build_context(
    workspace: Workspace,
    only: tuple[str, ...],
    environ: Mapping[str, str],
    *,
    dev: bool = False,
    stage: Path | None = None,
) -> BuildContext:
    """Raises ConfigurationError for a name in `only` that no widget has. With a `stage`, nothing else is written."""
    names = {widget.name for widget in workspace.widgets}
    for name in only:
        if name not in names:
            hint = did_you_mean(name, names) or f"widgets: {', '.join(sorted(names))}"
            raise ConfigurationError(f'no widget "{name}"', hint=hint)
    widgets = tuple(widget for widget in workspace.widgets if not only or widget.name in only)
    folders = (*(f"widgets/{widget.name}/" for widget in widgets), "widgets/_")
    files = {path: file for path, file in widget_files(workspace).items() if path.startswith(folders)}
    return BuildContext(
        workspace=workspace,
        esbuild=find_esbuild(environ),
        widgets=widgets,
        cells=tuple(cells(workspace, units(workspace, only))),
        files=files,
        scripts=_script_files(files.values(), workspace),
        stage=stage or workspace.cache / "stage",
        dev=dev,
        writes=stage is None,
    )


def _script_files(files: Iterable[SourceFile], workspace: Workspace) -> dict[str, ScriptFile]:
    """The scripts among the files, by path. They are parsed when somebody asks for what is in them.

    Text that is not UTF-8 is left out: see `text_faults`.
    """
    heads = {
        widget.head.relative_to(workspace.root).as_posix() for widget in workspace.widgets if widget.head
    }
    return {
        file.path: ScriptFile(
            path=file.path, text=file.text, dialect=workspace.profile.dialect, head=file.path in heads
        )
        for file in files
        if file.path.endswith(SCRIPTS) and not encoding_error(file.content, file.path)
    }
