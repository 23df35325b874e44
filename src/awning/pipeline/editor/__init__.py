"""The files for an author's editor, in `.awning/types`. This folder may be deleted: the next build writes it again.

data_types       the type of `data`, from a data.schema.json

This module writes the arguments of each template, the runtime's TypeScript, and the JSON Schemas of the workspace's
TOML files. The declarations of `widgets/a/view.html.j2` are in `.awning/types/widgets/a/view.html.d.j2.ts`. TypeScript
finds this file by `rootDirs` and `allowArbitraryExtensions`, which the workspace's tsconfig.json sets.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from awning.jsrc import jsrc_root
from awning.pipeline.cache.shared_files import replace_file, replace_if_different
from awning.pipeline.cache.toolchain import EDITORS, STAMP, package_stamp
from awning.pipeline.editor.data_types import write_data_types
from awning.template.compiled_template import CompiledTemplate
from awning.template.types.declaration import declaration
from awning.workspace import TEMPLATE_ENDING, Workspace
from awning.workspace.schemas import editor_schemas

__all__ = ["write_editor_files"]

_ENDING = ".html.d.j2.ts"


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


def write_template_types(
    types: Path,
    modules: Mapping[str, CompiledTemplate],
    declared: dict[str, CompiledTemplate],
    *,
    all_templates: bool,
) -> None:
    """Bring the declarations in the folder `types` up to date, and `declared` with them.

    A refused template keeps its last declaration. With `all_templates`, declarations of other templates are deleted.
    """
    is_complete = all_templates and declared.keys() != modules.keys()
    for path, module in modules.items():
        if module.reads is not None and declared.get(path) is not module:
            text = declaration(path, module.reads, up="../" * path.count("/"))
            replace_if_different(types / _declared_at(path), text.encode())
        declared[path] = module
    if is_complete:
        for path in declared.keys() - modules.keys():
            del declared[path]
        current = {types / _declared_at(path) for path in modules}
        for file in types.glob(f"widgets/**/*{_ENDING}"):
            if file not in current:
                file.unlink(missing_ok=True)


def _declared_at(path: str) -> str:
    """Return the path of a template's declaration, relative to `.awning/types`."""
    return path.removesuffix(TEMPLATE_ENDING) + _ENDING
