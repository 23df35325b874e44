"""The files for an author's editor, in `.awning/types`. They may be deleted: the next build writes them again.

template_types   the arguments of each template, as TypeScript
data_types       the type of `data`, from a data.schema.json
runtime_sources  the runtime's TypeScript, and JSON Schemas of widget.toml and states.toml
"""

from collections.abc import Mapping

from awning.pipeline.compile import Module
from awning.pipeline.editor.data_types import write_data_types
from awning.pipeline.editor.runtime_sources import write_runtime_sources
from awning.pipeline.editor.template_types import write_template_types
from awning.workspace import Workspace

__all__ = ["write_editor_files"]


def write_editor_files(workspace: Workspace, modules: Mapping[str, Module], *, all_templates: bool) -> None:
    """Bring `.awning/types` up to date. `all_templates`: types of templates that are not in `modules` are deleted."""
    write_data_types(workspace.root, workspace.widgets)
    write_template_types(workspace.root, modules, all_templates=all_templates)
    write_runtime_sources(workspace.root)
