"""Phase 5: makes the folder that the bundler reads, with an entry point for each snippet.

`entry_points` has the entry points, as generated TypeScript.

The stage is a mirror of `widgets/` in a temporary folder. A staged template contains the compiled module, and a staged
style sheet contains the scoped rules. So `import view from "./view.html.j2"` needs no plugin. With a package.json of
its own (`"type": "module"`), the stage is not affected by a package.json in a folder above.
"""

import hashlib
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from awning.bundle.request import EntryPoint
from awning.pipeline.cache.memory import Memory, ResultKind, hash_of
from awning.pipeline.read import NEVER_CANCELLED, Checkpoint, SourceFile, SourceSet
from awning.pipeline.stage.entry_points import (
    MIGRATIONS,
    EntryContext,
    entry_source,
    find_widget_traits,
    migrations_source,
    root_class,
)
from awning.pipeline.style.css import without_depth
from awning.pipeline.style.keyframes import Keyframes, read_keyframes
from awning.pipeline.style.order import ordered
from awning.pipeline.style.scope import scope
from awning.pipeline.style.shadow import compact, document_rules, shadow_rules
from awning.template.compiled_template import CompiledTemplate
from awning.workspace.model import Isolation

__all__ = ["MIGRATIONS", "Stage", "StageFolder", "stage_widgets"]

SCRIPT_ENDINGS = (".ts", ".js", ".mjs", ".mts", ".json", ".j2")
ASSET_ENDINGS = (".css", ".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".woff2", ".txt")
SCOPED: ResultKind[bytes] = ResultKind("scoped style", bytes, on_disk=True)
_NOT_STAGED = ("data.schema.json",)
_OWN = "package.json"
_GENERATED = "entries/"
"""The folder of the entry points, which no author's file imports."""


@dataclass(frozen=True, kw_only=True)
class Stage:
    """The folder for the bundler, and the contents of its files, by path.

    `interactive` are the names of the widgets whose content is patched instead of replaced.
    """

    folder: Path
    contents: Mapping[str, bytes]
    entry_points: tuple[EntryPoint, ...]
    interactive: frozenset[str] = frozenset()

    @cached_property
    def names(self) -> str:
        """A hash of the names of the author's files, and of each package.json. They decide what an import means."""
        names = sorted(path for path in self.contents if not path.startswith(_GENERATED))
        names += [self.hash_of(path) for path in names if path.endswith("/package.json")]
        return hashlib.sha256("\0".join(names).encode(errors="surrogatepass")).hexdigest()

    def hash_of(self, path: str) -> str:
        """Return the hash of a file; empty if there is none."""
        known = self._hashes.get(path)
        if known is None:
            content = self.contents.get(path)
            known = "" if content is None else hashlib.sha256(content).hexdigest()
            self._hashes[path] = known
        return known

    @cached_property
    def _hashes(self) -> dict[str, str]:
        return {}


@dataclass(slots=True)
class StageFolder:
    """The stage at `path`, a new folder. Each `write` writes only what is different."""

    path: Path
    _held: dict[str, bytes] = field(default_factory=dict)

    def write(self, wanted: Mapping[str, bytes], *, adds: bool = False) -> None:
        """Make the stage hold exactly `wanted`. With `adds`, write these files and leave all others."""
        if not (self.path / _OWN).is_file():  # somebody has emptied the folder of temporary files
            self._held.clear()
        for path in () if adds else self._held.keys() - wanted.keys():
            (self.path / path).unlink(missing_ok=True)
            del self._held[path]
        for path, content in wanted.items():
            if self._held.get(path) != content:
                self._held.pop(path, None)
                _put(self.path / path, content)
                self._held[path] = content

    @property
    def contents(self) -> Mapping[str, bytes]:
        return dict(self._held)


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
    scripts = {planned.entry: path for path, planned in entries.items()}
    if not adds and (migrating := sources.migrating):
        scripts[MIGRATIONS] = f"entries/{MIGRATIONS}.ts"
        files[scripts[MIGRATIONS]] = migrations_source(migrating).encode()
    checkpoint.check()
    folder.write(files, adds=adds)
    styles = {
        name: f"widgets/{widget.name}/{widget.style.name}"
        for planned in sources.planned_snippets
        for name, widget in planned.style_entries.items()
        if widget.style
    }
    return Stage(
        folder=folder.path,
        contents=folder.contents,
        entry_points=tuple(EntryPoint(name, folder.path / path) for name, path in (scripts | styles).items()),
        interactive=traits.interactive,
    )


def staged_files(
    sources: SourceSet, modules: Mapping[str, CompiledTemplate], memory: Memory
) -> dict[str, bytes]:
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
    staged: dict[str, bytes] = {_OWN: b'{"type":"module"}\n'}
    for path, file in sources.files.items():
        if not path.endswith(SCRIPT_ENDINGS + ASSET_ENDINGS) or path.endswith(_NOT_STAGED):
            continue
        home = _home(path)
        if path in modules:
            staged[path] = (modules[path].code + modules[path].source_map).encode()
        elif path.endswith(".css") and home in scoped:
            staged[path] = _scoped(file, scoped[home], keyframes[home], memory)
        elif path in shadowed:
            staged[path] = document_rules(file.text).encode()
        elif path.endswith(".css"):
            staged[path] = ordered(without_depth(file.text)).encode()
        else:
            staged[path] = file.content
    return staged


def _scoped(file: SourceFile, root: str, keyframes: Keyframes, memory: Memory) -> bytes:
    """Return the style sheet with its rules restricted to the class `root`, as `scope` does."""
    key = hash_of("scoped", file.sha256, root, *sorted(keyframes.names), "", *sorted(keyframes.read))
    return memory.memo(SCOPED, key, lambda: scope(file.text, root, keyframes).encode())


def _home(path: str) -> str:
    """Return the folder of the widget that has this file."""
    return "/".join(path.split("/")[:2]) + "/"


def _put(file: Path, content: bytes) -> None:
    """Write a file.

    A folder at its path, and a file in the place of a parent folder, are deleted: they are left from before a rename.
    """
    try:
        file.write_bytes(content)
    except OSError:
        if file.is_dir():
            shutil.rmtree(file)
        for parent in file.parents:
            if parent.is_file():
                parent.unlink()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
