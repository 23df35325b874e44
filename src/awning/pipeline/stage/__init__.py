"""Phase 4: the folder that the bundler reads, with an entry point for each snippet.

folder        what the stage holds: the widgets with templates compiled and styles scoped
traits        what the entry points must provide for, by widget
entry_points  the entry points, as generated TypeScript
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from awning.bundle import EntryPoint
from awning.pipeline.compile import Module
from awning.pipeline.read import SourceSet
from awning.pipeline.stage.entry_points import EntryContext, entry_source
from awning.pipeline.stage.folder import staged_files, write_stage
from awning.pipeline.stage.traits import widget_traits
from awning.pipeline.style import compact, shadow_rules
from awning.workspace import Isolation, Widget

__all__ = ["Stage", "stage_widgets"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    folder: Path
    entry_points: tuple[EntryPoint, ...]


def stage_widgets(sources: SourceSet, modules: Mapping[str, Module], folder: Path) -> Stage:
    """Make `folder` hold exactly what the bundler needs, and return its entry points: scripts, then styles."""
    traits = widget_traits(sources)
    context = EntryContext(app=sources.app, shadow_styles=_shadow_styles(sources), traits=traits)
    entries = {f"entries/{cell.entry}.ts": cell for cell in sources.cells if cell.widgets}
    files = staged_files(sources, modules, raw=traits.raw)
    files |= {path: entry_source(cell, context).encode() for path, cell in entries.items()}
    write_stage(folder, files)
    scripts = {cell.entry: path for path, cell in entries.items()}
    styles = {
        name: f"widgets/{widget.name}/{_style_name(widget)}"
        for cell in sources.cells
        for name, widget in cell.style_entries.items()
    }
    return Stage(
        folder=folder,
        entry_points=tuple(EntryPoint(name, folder / path) for name, path in (scripts | styles).items()),
    )


def _shadow_styles(sources: SourceSet) -> dict[str, str]:
    """The CSS inside the shadow root of each widget that has one."""
    return {
        widget.name: compact(shadow_rules(sources.files[f"widgets/{widget.name}/{widget.style.name}"].text))
        for widget in sources.widgets
        if widget.isolation is Isolation.SHADOW and widget.style
    }


def _style_name(widget: Widget) -> str:
    return widget.style.name if widget.style else ""
