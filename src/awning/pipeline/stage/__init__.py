"""Phase 5: makes the folder that the bundler reads, with an entry point for each snippet.

folder        what the stage holds: the widgets with templates compiled and styles scoped
traits        properties of widgets that entry points depend on
entry_points  the entry points, as generated TypeScript
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from awning.bundle import EntryPoint
from awning.pipeline.cache.memory import Memory
from awning.pipeline.read import NEVER_CANCELLED, Checkpoint, SourceSet
from awning.pipeline.stage.entry_points import EntryContext, entry_source
from awning.pipeline.stage.folder import StagedFiles, StageFolder, staged_files
from awning.pipeline.stage.traits import find_widget_traits
from awning.pipeline.style import compact, shadow_rules
from awning.template.compiled_template import CompiledTemplate
from awning.workspace import Isolation

__all__ = ["Stage", "StageFolder", "StagedFiles", "stage_widgets"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The folder for the bundler.

    `interactive` are the names of the widgets whose content is patched instead of replaced.
    """

    folder: Path
    files: StagedFiles
    entry_points: tuple[EntryPoint, ...]
    interactive: frozenset[str] = frozenset()


def stage_widgets(
    sources: SourceSet,
    modules: Mapping[str, CompiledTemplate],
    folder: StageFolder,
    memory: Memory,
    *,
    adds: bool = False,
    dev: bool = False,
    checkpoint: Checkpoint = NEVER_CANCELLED,
) -> Stage:
    """Make `folder` hold exactly what the bundler needs. The entry points are the scripts, then the styles.

    With `adds`, other files in the folder stay. Raises BuildCancelled when the checkpoint cancels the build.
    """
    traits = find_widget_traits(sources)
    shadow_styles = {
        widget.name: compact(shadow_rules(sources.files[f"widgets/{widget.name}/{widget.style.name}"].text))
        for widget in sources.widgets
        if widget.isolation is Isolation.SHADOW and widget.style
    }
    context = EntryContext(
        app=sources.app,
        reports=sources.workspace.beacon is not None,
        samples=sources.workspace.beacon_sample_rate is not None,
        direct=dev,
        shadow_styles=shadow_styles,
        traits=traits,
    )
    entries = {
        f"entries/{planned.entry}.ts": planned for planned in sources.planned_snippets if planned.compiled
    }
    checkpoint.check()
    files = staged_files(sources, modules, memory)
    checkpoint.check()
    files |= {path: entry_source(planned, context).encode() for path, planned in entries.items()}
    checkpoint.check()
    folder.write(files, adds=adds)
    scripts = {planned.entry: path for path, planned in entries.items()}
    styles = {
        name: f"widgets/{widget.name}/{widget.style.name}"
        for planned in sources.planned_snippets
        for name, widget in planned.style_entries.items()
        if widget.style
    }
    return Stage(
        folder=folder.path,
        files=folder.files,
        entry_points=tuple(EntryPoint(name, folder.path / path) for name, path in (scripts | styles).items()),
        interactive=traits.interactive,
    )
