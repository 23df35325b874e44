"""The bundler's request and result as values, and the request as esbuild takes it."""

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
"""The oldest JavaScript and browsers that a snippet supports. Without the browsers, styles would keep nested rules."""

OUT = "awning-out"
"""The output folder that esbuild gets, relative to the root.

Nothing is written there, because outputs are returned in memory.
"""

MODULES: Mapping[str, str] = MappingProxyType(
    {
        "awning": "runtime/index.ts",
        "awning/run": "runtime/run.ts",
        "awning/runtime": "runtime",  # for entry points of development builds, and for tests that render
        "awning/escape": "runtime/escape",
        "awning/template": "runtime/template",
        "awning/types": "types/index.ts",
    }
)
"""The modules that a script or entry point may import without a path, and where they are below `jsrc`.

Each file of a folder is a module, too: `awning/escape/...`.
"""

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
    """One file to bundle. `name` is the name of the output without its ending, such as `app/lv/body`."""

    name: str
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleRequest:
    """The entry points that esbuild bundles in one run, and its options.

    All paths are absolute. For diagnostics and source maps, `to_source` maps a path relative to `root` (with forward
    slashes) to the author's path; awning's own files are shown as `jsrc/...`. `defines` are JavaScript expressions by
    the identifier that they replace. `packages` is a folder in which packages are searched after each node_modules
    above the importing file.
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

    def author_path(self, path: str) -> str:
        """Return the path that diagnostics and source maps show for `path`, which is absolute or relative to `root`."""
        root, jsrc = wire(self.root), wire(self.jsrc)
        full = posixpath.normpath(posixpath.join(root, path))
        if full.startswith(jsrc + "/"):
            return posixpath.join("jsrc", full[len(jsrc) + 1 :])
        if full.startswith(root + "/"):
            return self.to_source(full[len(root) + 1 :])
        return posixpath.relpath(full, root)


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One bundled entry point."""

    code: bytes
    source_map: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideFile:
    """An imported file that is neither below `root` nor part of awning.

    `path` is absolute, with links followed. `importer` is the author's path of the file that imports it, `specifier`
    the string in that import.
    """

    path: str
    importer: str
    specifier: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleResult:
    """The outputs by the name of their entry point, in the order of the request; the warnings; the outside files."""

    outputs: Mapping[str, Output]
    outside: tuple[OutsideFile, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    reads: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """For each output, the files below the root that are bundled into it. Paths are relative to the root."""
    unresolved: frozenset[str] = frozenset()
    """The input files below the root with an import of a script that nothing resolves, but which may be missing."""


def wire(path: Path) -> str:
    """Return a path as a string for a packet, which encodes it to the bytes that the system has for the path."""
    return os.fsencode(path.as_posix()).decode(ENCODING, ERRORS)


def build_request(request: BundleRequest) -> dict[str, Value]:
    """Return the request as the `build` command of esbuild's service."""
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
    """Return esbuild's options. With `tsconfig-raw`, a tsconfig.json near the files does not change the output."""
    dialect = Dialect()
    defines = {
        "AWNING_GLOBAL": dialect.global_object,
        "AWNING_EVENT_PREFIX": json.dumps(dialect.event_prefix),
        "AWNING_APP": '""',
        "AWNING_BEACON": '""',
        "AWNING_BEACON_SAMPLE_RATE": "0",
        "AWNING_BUILD": '""',
        "AWNING_DEV": "false",
        "AWNING_KILL_SWITCH": "true",
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
