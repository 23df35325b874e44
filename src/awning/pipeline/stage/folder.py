"""The stage: a mirror of `widgets/` that the bundler reads, in `.awning/cache/stage` or in a temporary folder.

A staged template contains the compiled module, and a staged style sheet contains the scoped rules. So `import view from
"./view.html.j2"` needs no plugin. With a package.json of its own (`"type": "module"`), the stage is not affected by a
package.json in a folder above.
"""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from awning.pipeline.compile import Module
from awning.pipeline.read import SourceFile, SourceSet
from awning.pipeline.stage.entry_points import root_class
from awning.pipeline.style import Keyframes, document_rules, read_keyframes, scope, without_depth
from awning.workspace import Isolation

SCRIPT_ENDINGS = (".ts", ".js", ".mjs", ".mts", ".json", ".j2")
ASSET_ENDINGS = (".css", ".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".woff2", ".txt")
_NOT_STAGED = ("data.schema.json",)
_GENERATED = "entries/"
"""The folder of the entry points, which no author's file imports."""


@dataclass(frozen=True, slots=True)
class StagedFiles:
    """The contents of the stage's files, by path. `names` is a number that grows when an author's file is added or
    deleted.
    """

    contents: Mapping[str, bytes]
    names: int


@dataclass(slots=True)
class StageFolder:
    """The stage at `path`. It remembers what it holds, so that a later `write` only writes what is different."""

    path: Path
    _held: dict[str, bytes] | None = None
    _names: int = 0
    _scoped: dict[str, tuple[SourceFile, str, Keyframes, bytes]] = field(default_factory=dict)
    """The scoped style sheets by path: the source, the class, the key frames, and the CSS restricted to this class."""

    def write(self, wanted: Mapping[str, bytes], *, adds: bool = False) -> None:
        """Make the stage hold exactly `wanted`. With `adds`, write these files and leave all others."""
        held, self._held = self._held, None
        if held is None:
            contents = _contents(self.path)
            held = {} if adds else contents
        for path in () if adds else held.keys() - wanted.keys():
            (self.path / path).unlink(missing_ok=True)
            del held[path]
            self._names += not path.startswith(_GENERATED)
        for path, content in wanted.items():
            if held.get(path) != content:
                self._names += path not in held and not path.startswith(_GENERATED)
                _put(self.path / path, content)
                held[path] = content
        self._held = held

    @property
    def files(self) -> StagedFiles:
        return StagedFiles(self._held or {}, self._names)

    def scoped(self, file: SourceFile, root: str, keyframes: Keyframes) -> bytes:
        """Return the style sheet with its rules restricted to the class `root`, as `scope` does."""
        known = self._scoped.get(file.path)
        if known is None or known[0] is not file or known[1:3] != (root, keyframes):
            css = scope(file.text, root, keyframes).encode()
            known = self._scoped[file.path] = (file, root, keyframes, css)
        return known[3]


def staged_files(sources: SourceSet, modules: Mapping[str, Module], folder: StageFolder) -> dict[str, bytes]:
    """Return the files of the stage by path: every file that a script or style of a widget could import.

    The styles of raw widgets are not scoped, because their HTML is outside any host element.
    """
    scoped = {
        f"widgets/{widget.name}/": root_class(sources.app, widget.name)
        for widget in sources.widgets
        if widget.isolation is Isolation.SCOPED and widget.name not in sources.raw
    }
    shadowed = {
        f"widgets/{widget.name}/{widget.style.name}"
        for widget in sources.widgets
        if widget.isolation is Isolation.SHADOW and widget.style
    }
    sheets: dict[str, list[str]] = {home: [] for home in scoped}
    for path, file in sources.files.items():
        if path.endswith(".css") and _home(path) in sheets:
            sheets[_home(path)].append(file.text)
    keyframes = {home: read_keyframes(texts) for home, texts in sheets.items()}
    staged: dict[str, bytes] = {"package.json": b'{"type":"module"}\n'}
    for path, file in sources.files.items():
        if not path.endswith(SCRIPT_ENDINGS + ASSET_ENDINGS) or path.endswith(_NOT_STAGED):
            continue
        home = _home(path)
        if path in modules:
            staged[path] = modules[path].code.encode()
        elif path.endswith(".css") and home in scoped:
            staged[path] = folder.scoped(file, scoped[home], keyframes[home])
        elif path in shadowed:
            staged[path] = document_rules(file.text).encode()
        elif path.endswith(".css"):
            staged[path] = without_depth(file.text).encode()
        else:
            staged[path] = file.content
    return staged


def _home(path: str) -> str:
    """Return the folder of the widget that has this file."""
    return "/".join(path.split("/")[:2]) + "/"


def _contents(stage: Path) -> dict[str, bytes]:
    """Return the files of the stage. Links are deleted, because a build would write where they lead."""
    contents: dict[str, bytes] = {}
    for folder, folders, names in os.walk(stage):
        for name in (*folders, *names):
            entry = Path(folder, name)
            if entry.is_symlink():
                entry.unlink()
            elif name in names:
                contents[entry.relative_to(stage).as_posix()] = entry.read_bytes()
    return contents


def _put(file: Path, content: bytes) -> None:
    """Write a file.

    A folder at its path, and a file in the place of a parent folder, are deleted: they are left from before a rename.
    """
    if file.is_dir():
        shutil.rmtree(file)
    for parent in file.parents:
        if parent.is_file():
            parent.unlink()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
