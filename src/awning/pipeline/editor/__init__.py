"""The files for an author's editor, in `.awning/types`. This folder may be deleted: the next build writes it again.

template_types   the arguments of each template, as TypeScript
data_types       the type of `data`, from a data.schema.json

This module writes the runtime's TypeScript and the JSON Schemas of the workspace's TOML files.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from awning.jsrc import jsrc_root
from awning.pipeline.cache.shared_files import replace_file
from awning.pipeline.cache.toolchain import EDITORS, STAMP, package_stamp
from awning.pipeline.editor.data_types import write_data_types
from awning.pipeline.editor.template_types import write_template_types
from awning.template.compiled_template import CompiledTemplate
from awning.workspace import Workspace
from awning.workspace.schemas import editor_schemas

__all__ = ["write_editor_files"]


def write_editor_files(
    workspace: Workspace,
    modules: Mapping[str, CompiledTemplate],
    types: Path,
    declared: dict[str, CompiledTemplate],
    *,
    all_templates: bool,
) -> None:
    """Bring the folder `types` up to date.

    `declared` are the templates whose types the folder is known to have, which are not written again; this function
    brings them up to date. With `all_templates`, the types of templates that are not in `modules` are deleted.
    """
    if not (types / STAMP).is_file():
        declared.clear()
    write_data_types(types, workspace.widgets)
    write_template_types(types, modules, declared, all_templates=all_templates)
    write_runtime_sources(types)


def write_runtime_sources(types: Path) -> None:
    """Write the runtime's TypeScript and the JSON Schemas, unless this version of awning has already written them.

    The workspace's tsconfig.json maps the import of "awning" to this TypeScript, so an editor resolves it as a build
    does.
    """
    stamp = types / STAMP
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == package_stamp():
        return
    jsrc = jsrc_root()
    for room in EDITORS:
        for source in sorted((jsrc / room).rglob("*.ts")):
            target = types / source.relative_to(jsrc)
            replace_file(target, source.read_bytes())
    for name, schema in editor_schemas().items():
        replace_file(types / name, (json.dumps(schema, indent=2) + "\n").encode())
    replace_file(stamp, package_stamp().encode())
