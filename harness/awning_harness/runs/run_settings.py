"""The files on which every test depends: settings of the workspace and of pytest, packages, the shop, awning itself."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import awning
import awning_harness
from awning.jsrc import jsrc_root
from awning.workspace.scaffolding import CI_FILES
from awning.workspace.sources import PACKAGES_FOLDER, ROOT_FILES, STORE_FOLDER
from awning_harness.runs.python_files import CONFTEST, module_name

WIDGETS = "widgets"
PROSE = (".md", ".rst")
"""The endings of files that a build reads only if a template includes them."""

_RUN_SETTINGS = re.compile(
    r"pyproject\.toml|conftest\.py|\.?pytest\.(?:ini|toml)|tox\.ini|setup\.(?:cfg|py)|\.python-version|\.tool-versions|\.env"
    r"|(?:requirements|constraints)[^/]*\.(?:txt|in)|(?:uv|poetry|pdm|Pipfile|pixi)\.lock|pylock[^/]*\.toml|Pipfile"
    r"|package\.json|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|\.npmrc|\.gitmodules"
)
"""Matches the names of files at the root, or above it, on which each run depends: its settings and its packages."""

_CI = frozenset(path for files in CI_FILES.values() for path in files.values())
_WHOLE = re.compile(r"requirements/[^/]+\.(?:txt|in)|widgets/_[^/]*")
"""Matches further requirements, and a shared folder that is a link."""
_NAMING_SETTINGS = re.compile(
    r"pyproject\.toml|\.?pytest\.(?:ini|toml)|tox\.ini|setup\.cfg|tsconfig\.json|package\.json|Pipfile"
    r"|(?:requirements|constraints)[^/]*\.(?:txt|in)"
)
"""Matches the names of files at the root that may name further files on which each run depends."""

_PLUGIN = re.compile(r"""(?:^|[\s"'])-p["',\s]*([\w.]+)""", re.MULTILINE)
"""Matches the option of pytest that loads a plugin, in a file of settings."""
_ABOVE = re.compile(r"\A(?:\.\./)+")


@dataclass(frozen=True)
class RunSettings:
    """The settings of the runs of the workspace at `root`."""

    root: Path

    def reach_of_all(self, path: str) -> str | None:
        """Return why a file reaches all tests, as the end of a sentence; None if it does not."""
        if path in (WIDGETS, PACKAGES_FOLDER) or path.startswith(f"{PACKAGES_FOLDER}/"):
            return ""
        if path in (f"{WIDGETS}/{CONFTEST}", *ROOT_FILES, *_CI) or _WHOLE.fullmatch(path):
            return ""
        name = _ABOVE.sub("", path)
        if "/" not in name and _RUN_SETTINGS.fullmatch(name):
            return ""
        folder, _, file = path.partition("/")
        if folder == STORE_FOLDER and (not file or (file.endswith(".toml") and "/" not in file)):
            return ", which is of the simulated shop"
        place = Path(os.path.normpath(self.root / path))
        if any(place.is_relative_to(folder) for folder in self.own_folders):
            return ", which is of awning itself"
        return next((f", which {name} names" for name in self.texts if self._is_named_by(name, path)), None)

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The texts of the files at the root that may name further files, by name."""
        files = (file for file in sorted(self.root.iterdir()) if _NAMING_SETTINGS.fullmatch(file.name))
        return {
            file.name: file.read_text(encoding="utf-8", errors="replace") for file in files if file.is_file()
        }

    def _is_named_by(self, settings: str, path: str) -> bool:
        """Return whether a file of settings names a file outside of widgets/, such as further requirements or a plugin.

        Prose may be named as the description of the package.
        """
        if path.startswith((f"{WIDGETS}/", "../")) or path.endswith(PROSE):
            return False
        if path.endswith(".py"):
            plugins = _PLUGIN.findall(self.texts[settings])
            return any(module_name(path) in plugin.split(".") for plugin in plugins)
        name = re.escape(path.rpartition("/")[2])
        return re.search(rf"(?<![\w.-]){name}(?![\w-])", self.texts[settings]) is not None

    @cached_property
    def own_folders(self) -> tuple[str, ...]:
        """The folders of awning's own code."""
        packages: tuple[Any, ...] = (awning, awning_harness)
        folders = (*(Path(package.__file__).parent for package in packages), jsrc_root())
        return tuple(str(folder.resolve()) for folder in folders)
