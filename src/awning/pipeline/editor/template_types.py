"""The arguments of each template, as TypeScript declarations: the types of `view({ ... })`.

The declarations of `widgets/a/view.html.j2` are in `.awning/types/widgets/a/view.html.d.j2.ts`. TypeScript finds this
file by `rootDirs` and `allowArbitraryExtensions`, which the workspace's tsconfig.json sets. Only files that differ are
written.
"""

from collections.abc import Mapping
from pathlib import Path

from awning.pipeline.cache.shared_files import replace_if_different
from awning.template.compiled_template import CompiledTemplate
from awning.template.types.declaration import declaration
from awning.workspace import TEMPLATE_ENDING

_ENDING = ".html.d.j2.ts"


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
