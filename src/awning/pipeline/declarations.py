"""`.awning/types/widgets`: declarations of what each template's `view({ ... })` takes, and of each widget's `data`.

`widgets/a/view.html.j2` has `.awning/types/widgets/a/view.html.d.j2.ts`. TypeScript finds it beside the template by
`rootDirs` and `allowArbitraryExtensions`, which the workspace's tsconfig.json sets. Only what differs is written, each
file at once; one that belongs to no template any more goes away. `widgets/a/data.schema.json` has
`.awning/types/widgets/a/data.schema.d.ts`, which a script imports as `./data.schema`: a type alone, never built.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from awning.data_schema import read_schema
from awning.pipeline.data_types import NAME as DATA_NAME
from awning.pipeline.data_types import data_declaration
from awning.pipeline.put import replace_file
from awning.pipeline.templates import Module
from awning.template.types.declaration import declaration
from awning.workspace import TEMPLATE_ENDING, Widget

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


def write_data_types(root: Path, widgets: Iterable[Widget]) -> None:
    """Bring the types of `data` to what the schemas say. `widgets` are all there are."""
    types = root / FOLDER
    wanted: set[Path] = set()
    for widget in widgets:
        if widget.data_schema is not None:
            folder = f"widgets/{widget.name}"
            file = types / folder / DATA_NAME
            wanted.add(file)
            text = data_declaration(f"{folder}/data.schema.json", read_schema(widget.data_schema)[0])
            _write(file, text.encode())
    for file in types.glob(f"widgets/*/{DATA_NAME}"):
        if file not in wanted:
            file.unlink(missing_ok=True)


def _write(file: Path, content: bytes) -> None:
    try:
        same = file.read_bytes() == content
    except OSError:
        same = False
    if not same:
        replace_file(file, content)
