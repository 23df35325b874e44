"""`.awning/types/widgets`: for each template a declaration of what its `view({ ... })` takes.

`widgets/a/view.html.j2` has `.awning/types/widgets/a/view.html.d.j2.ts`. TypeScript finds it beside the template by
`rootDirs` and `allowArbitraryExtensions`, which the workspace's tsconfig.json sets. Only what differs is written, each
file at once; one that belongs to no template any more goes away.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from awning.pipeline.put import replace_file
from awning.pipeline.templates import Module
from awning.template.types.declaration import declaration
from awning.workspace import TEMPLATE_ENDING

FOLDER = ".awning/types"
ENDING = ".html.d.j2.ts"


def declared_at(path: str) -> str:
    """Where the declaration of a template is, relative to `.awning/types`."""
    return path.removesuffix(TEMPLATE_ENDING) + ENDING


def declarations(modules: Iterable[Module]) -> Iterator[tuple[str, str]]:
    """Paths, relative to `.awning/types`, and texts. A template that was refused has none."""
    for module in modules:
        if module.reads is not None:
            yield (
                declared_at(module.path),
                declaration(module.path, module.reads, up="../" * module.path.count("/")),
            )


def write_declarations(root: Path, modules: Mapping[str, Module], *, all_of_them: bool) -> None:
    """Bring the declarations of a workspace to what its templates read.

    That of a refused template stays what it was. With `all_of_them`, `modules` are all templates there are.
    """
    types = root / FOLDER
    for path, text in declarations(modules.values()):
        _write(types / path, text.encode())
    if all_of_them:
        wanted = {types / declared_at(path) for path in modules}
        for file in types.glob(f"widgets/**/*{ENDING}"):
            if file not in wanted:
                file.unlink(missing_ok=True)


def _write(file: Path, content: bytes) -> None:
    try:
        same = file.read_bytes() == content
    except OSError:
        same = False
    if not same:
        replace_file(file, content)
