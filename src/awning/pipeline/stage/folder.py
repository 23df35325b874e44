"""The stage: a mirror of `widgets/` in `.awning/cache/stage` that the bundler reads.

A staged template contains the compiled module, and a staged style sheet contains the scoped rules. So `import view from
"./view.html.j2"` needs no plugin. With a package.json of its own (`"type": "module"`), the stage is not affected by a
package.json in a folder above.
"""

import shutil
from collections.abc import Container, Mapping
from pathlib import Path

from awning.pipeline.compile import Module
from awning.pipeline.read import SourceSet
from awning.pipeline.stage.entry_points import root_class
from awning.pipeline.style import document_rules, scope
from awning.workspace import Isolation

SCRIPT_ENDINGS = (".ts", ".js", ".mjs", ".mts", ".json", ".j2")
ASSET_ENDINGS = (".css", ".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".woff2", ".txt")
_NOT_STAGED = ("data.schema.json",)


def staged_files(
    sources: SourceSet, modules: Mapping[str, Module], *, raw: Container[str] = ()
) -> dict[str, bytes]:
    """Return the files of the stage by path: every file that a script or style of a widget could import.

    `raw` names the widgets whose scripts call the service directly. Their styles are not scoped, because their HTML is
    outside any host element.
    """
    workspace = sources.workspace
    scoped = {
        f"widgets/{widget.name}/": root_class(sources.app, widget.name)
        for widget in workspace.widgets
        if widget.isolation is Isolation.SCOPED and widget.name not in raw
    }
    shadowed = {
        f"widgets/{widget.name}/{widget.style.name}"
        for widget in workspace.widgets
        if widget.isolation is Isolation.SHADOW and widget.style
    }
    staged: dict[str, bytes] = {"package.json": b'{"type":"module"}\n'}
    for path, file in sources.files.items():
        if not path.endswith(SCRIPT_ENDINGS + ASSET_ENDINGS) or path.endswith(_NOT_STAGED):
            continue
        folder = "/".join(path.split("/")[:2]) + "/"
        if path in modules:
            staged[path] = modules[path].code.encode()
        elif path.endswith(".css") and folder in scoped:
            staged[path] = scope(file.text, scoped[folder]).encode()
        elif path in shadowed:
            staged[path] = document_rules(file.text).encode()
        else:
            staged[path] = file.content
    return staged


def write_stage(stage: Path, wanted: Mapping[str, bytes]) -> None:
    """Make the stage hold exactly `wanted`."""
    present = {file.relative_to(stage).as_posix() for file in stage.rglob("*") if file.is_file()}
    for path in present - wanted.keys():
        (stage / path).unlink()
    for path, content in wanted.items():
        file = stage / path
        if path not in present or file.stat().st_size != len(content) or file.read_bytes() != content:
            # After a rename, a folder may have the path of a new file, and vice versa.
            if file.is_dir():
                shutil.rmtree(file)
            for parent in file.parents:
                if parent.is_file():
                    parent.unlink()
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
