"""What is asked of the bundler and what comes back, as values; and how the asking is spelled for esbuild."""

import json
import os
import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from awning.bundle.protocol import ENCODING, ERRORS, Value
from awning.contract import Dialect
from awning.diagnostics import Diagnostic

TARGET = ("es2020", "chrome91", "edge91", "firefox78", "safari14.1")
"""The oldest browsers a snippet runs in. The browsers are named for the styles: `es2020` alone lowers no nesting."""

OUT = "awning-out"
"""The folder, below the root, that outputs are named in. Nothing is written: they come back in memory."""

MODULES: Mapping[str, str] = MappingProxyType(
    {
        "awning": "runtime/index.ts",
        "awning/run": "runtime/run.ts",
        "awning/escape": "runtime/escape",
        "awning/template": "runtime/template",
        "awning/types": "types/index.ts",
    }
)
"""The modules a widget may import without a path, and where they are below `jsrc`. A folder stands for its files."""

LOADERS: Mapping[str, str] = MappingProxyType(
    {
        ".j2": "js",  # the pipeline stages the compiled module under the template's name
        **dict.fromkeys((".svg", ".png", ".jpg", ".gif", ".webp", ".avif", ".woff2"), "dataurl"),
    }
)


def same(path: str) -> str:
    return path


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """One file to bundle. `name` is the output's name without ending, such as `app/lv/body`."""

    name: str
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleRequest:
    """All entries of one build: they are bundled by one process.

    Paths are absolute, `root` is the folder that others are shown relative to. `defines` are JavaScript expressions by
    identifier. `packages` is a folder of packages beside those above each file. `to_source` turns a path below
    `root` (relative, with slashes) into the author's path, for diagnostics and source maps; files of awning's own are
    shown as `jsrc/...`.
    """

    entry_points: tuple[EntryPoint, ...]
    root: Path
    jsrc: Path
    defines: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    minify: bool = True
    source_maps: bool = True
    packages: Path | None = None
    target: tuple[str, ...] = TARGET
    format: Literal["iife", "esm"] = "iife"
    to_source: Callable[[str], str] = same

    def shown(self, path: str) -> str:
        """The path a person should see for `path`, which is absolute or relative to `root`."""
        root, jsrc = wire(self.root), wire(self.jsrc)
        full = posixpath.normpath(posixpath.join(root, path))
        if full.startswith(jsrc + "/"):
            return posixpath.join("jsrc", full[len(jsrc) + 1 :])
        if full.startswith(root + "/"):
            return self.to_source(full[len(root) + 1 :])
        return posixpath.relpath(full, root)


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One bundled entry."""

    code: bytes
    source_map: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideFile:
    """A file that is neither below `root` nor awning's own: `importer` is the file that names it, as `specifier`.

    `path` is absolute, with links followed.
    """

    path: str
    importer: str
    specifier: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleResult:
    """Outputs by entry name, in the order of the entries, the warnings, and what came from elsewhere."""

    outputs: Mapping[str, Output]
    outside: tuple[OutsideFile, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def wire(path: Path) -> str:
    """A path as esbuild is told it: the bytes that the system knows it by, whatever the locale made of them."""
    return os.fsencode(path.as_posix()).decode(ENCODING, ERRORS)


def build_request(request: BundleRequest) -> Value:
    """The request as esbuild's service takes it."""
    return {
        "command": "build",
        "key": 0,
        "entries": [[entry.name, wire(entry.path)] for entry in request.entry_points],
        "flags": [*flags(request), "--metafile"],
        "write": False,
        "stdinContents": None,
        "stdinResolveDir": None,
        "absWorkingDir": wire(request.root),
        "nodePaths": [wire(request.packages)] if request.packages else [],
        "context": False,
    }


def flags(request: BundleRequest) -> list[str]:
    """esbuild's options. `tsconfig-raw` keeps a tsconfig.json that happens to lie around from changing the output."""
    dialect = Dialect()
    defines = {
        "AWNING_GLOBAL": dialect.global_object,
        "AWNING_EVENT_PREFIX": json.dumps(dialect.event_prefix),
        "AWNING_APP": '""',
        "AWNING_BEACON": '""',
        **request.defines,
    }
    return [
        "--color=false",
        "--log-level=silent",
        "--log-limit=0",
        "--bundle",
        f"--outdir={wire(request.root / OUT)}",
        f"--format={request.format}",
        f"--target={','.join(request.target)}",
        "--platform=browser",
        "--charset=utf8",
        "--legal-comments=none",
        "--tsconfig-raw={}",
        *(["--minify"] if request.minify else []),
        *(["--sourcemap=external"] if request.source_maps else []),
        *(f"--alias:{name}={wire(request.jsrc / path)}" for name, path in MODULES.items()),
        *(f"--define:{name}={value}" for name, value in defines.items()),
        *(f"--loader:{ending}={loader}" for ending, loader in LOADERS.items()),
    ]
