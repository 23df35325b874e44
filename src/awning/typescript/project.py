"""The folder in which TypeScript works: a tsconfig.json over the workspace's own, and links to the author's files.

TypeScript needs its configuration in a folder above the files, and a check writes nothing into the workspace. So the
folder has a link to `widgets/`. The workspace's tsconfig.json decides how strict the check is, as in an editor; what
decides how modules are found is the same as in a build.
"""

import json
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from awning.typescript.additions import DECLARATIONS

CONFIG = "tsconfig.json"
OPENED = "opened.ts"
"""An empty script, which keeps the project open in the language server."""

_ADDED = "added.d.ts"
"""Declares the functions of the code that the check adds to scripts."""

_PAGES = "pages"
_WITH_ADDITIONS = "added"
_LINKED = ("widgets", "node_modules")

MODULES: Mapping[str, str] = {"awning": "runtime/index.ts", "awning/types": "types/index.ts"}
"""The modules of awning that an author's scripts import, below the folder of the types."""


def page_script(path: str) -> str:
    """Return the path in the project of the script with the code of an HTML page."""
    return f"{_PAGES}/{path}.js"


def script_with_additions(path: str) -> str:
    """Return the path in the project of a script's text with additions. `path` is that of the script there."""
    return f"{_WITH_ADDITIONS}/{path}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeProject:
    """The project of the workspace at `root`, in an empty folder of its own.

    `types` is the folder with awning's own types, and those of templates and data. `base` is the tsconfig.json that
    decides how strict the check is.
    """

    folder: Path
    root: Path
    types: Path
    base: Path

    @property
    def config(self) -> Path:
        """The project's tsconfig.json."""
        return self.folder / CONFIG

    def write(self, scripts: Iterable[str], written: Mapping[str, bytes]) -> None:
        """Write the project for these scripts of the workspace.

        `written` are scripts by their paths in the project: the code of HTML pages, and texts with additions.
        """
        self._remove_others(written)
        for path, code in written.items():
            script = self.folder / path
            script.parent.mkdir(parents=True, exist_ok=True)
            if not script.is_file() or script.read_bytes() != code:
                script.write_bytes(code)
        for name in _LINKED:
            _link(self.folder / name, self.root / name)
        content = json.dumps(self._config([*scripts, *written]))
        if self.config.is_file() and self.config.read_text(encoding="utf-8") == content:
            return
        (self.folder / OPENED).touch()
        (self.folder / _ADDED).write_text(DECLARATIONS, encoding="utf-8")
        self.config.write_text(content, encoding="utf-8")

    def _remove_others(self, written: Mapping[str, bytes]) -> None:
        """Remove the files that earlier calls wrote. TypeScript would find a deleted script's text with additions."""
        for folder in (_PAGES, _WITH_ADDITIONS):
            for file in (self.folder / folder).rglob("*"):
                if file.is_file() and file.relative_to(self.folder).as_posix() not in written:
                    file.unlink()

    def _config(self, scripts: Iterable[str]) -> dict[str, Any]:
        declarations = sorted(path.as_posix() for path in (self.types / "types").glob("*.d.ts"))
        return {
            "extends": self.base.as_posix(),
            "compilerOptions": {
                "module": "ESNext",
                "moduleResolution": "Bundler",
                "moduleDetection": "force",
                "allowImportingTsExtensions": True,
                "allowArbitraryExtensions": True,
                "resolveJsonModule": True,
                "allowJs": True,
                "checkJs": True,
                "noEmit": True,
                "composite": False,
                "incremental": False,
                "rootDirs": [".", _WITH_ADDITIONS, self.types.as_posix()],
                "paths": {name: [(self.types / path).as_posix()] for name, path in MODULES.items()},
            },
            "files": [OPENED, _ADDED, *declarations, *sorted(scripts)],
            "include": [],
        }


def _link(link: Path, target: Path) -> None:
    if os.path.lexists(link) or not target.is_dir():
        return
    if sys.platform == "win32":
        import _winapi  # noqa: PLC0415 - only on Windows, where a link needs a privilege and a junction does not

        _winapi.CreateJunction(str(target), str(link))
    else:
        link.symlink_to(target, target_is_directory=True)
