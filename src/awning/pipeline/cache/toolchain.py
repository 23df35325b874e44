"""A stamp of awning itself: its code and its libraries, as far as snippets and diagnostics depend on them.

A cache is used only by the version of awning that wrote it.
"""

import hashlib
import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

import awning
from awning.jsrc import jsrc_root

_LIBRARIES = MappingProxyType(
    {
        **{
            name: name
            for name in ("jinja2", "markupsafe", "tinycss2", "tree_sitter", "tree_sitter_typescript")
        },
        "quickjs": "quickjs_ng",
    }
)
"""Libraries of the compiler and the rules, as module and package. Another version may cause other code or findings."""

_ROOMS = (
    "template",
    "snippet",
    "pipeline",
    "bundle",
    "programs",
    "typescript",
    "workspace",
    "data_schema",
    "data_migration",
    "contract",
    "check",
    "script",
    "states",
)

_OF_CHECK = ("emulator", "running", "vendor")
"""The folders of jsrc with the page on which `check` runs scripts."""
_OF_PREVIEW = ("preview", "visit", "inspector", "storefront")
"""The folders of jsrc with the scripts of the preview, besides `_OF_CHECK`."""
EDITORS = ("types", "runtime")
"""The folders of jsrc that an author's scripts import from. `runtime` imports types from `types`."""

TYPES = ".awning/types"
"""The folder in the workspace for the files for editors."""

STAMP = "stamp"
"""A file in `TYPES`. It has the `package_stamp` of the version of awning that wrote the files for editors."""


@cache
def package_stamp() -> str:
    """Return a hash that changes with each file of awning that affects snippets or diagnostics, and with the version
    of each library in `_LIBRARIES`.

    The hash is made from the names, sizes and modification times of files, and the versions of libraries. No library is
    imported for it.
    """
    package = Path(awning.__file__).parent
    digest = hashlib.sha256(awning.__version__.encode())
    for line in _listing(package, deep=False):
        digest.update(line.encode())
    rooms = (
        *(package / room for room in _ROOMS),
        *(jsrc_root() / room for room in (*EDITORS, *_OF_CHECK, *_OF_PREVIEW)),
    )
    for line in (*_versions(), *(line for folder in rooms for line in _listing(folder))):
        digest.update(line.encode())
    return digest.hexdigest()


def _versions() -> list[str]:
    """Return the names of the libraries' metadata folders, such as `jinja2-3.1.6.dist-info`.

    importlib.metadata is not used, because it is ten times slower.
    """
    folders = {
        Path(place).parent
        for name in _LIBRARIES
        if (spec := find_spec(name))
        for place in spec.submodule_search_locations or ()
    }
    names = (name for folder in folders for name in os.listdir(folder))  # noqa: PTH208 - as below
    return sorted(name for name in names if "-" in name and name.split("-")[0].lower() in _LIBRARIES.values())


def _listing(folder: Path, *, deep: bool = True) -> list[str]:
    """Return a line for each file of a folder, sorted: its name with its parent folder, size and modification time.

    With `deep`, the files in its subfolders are included, except those in `__pycache__`.
    """
    lines: list[str] = []
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if deep and name != "__pycache__"]
        for name in files:
            stat = os.stat(f"{parent}/{name}")  # noqa: PTH116 - hundreds of files on every start: half the time
            lines.append(f"{Path(parent).name}/{name} {stat.st_size} {stat.st_mtime_ns}")
    return sorted(lines)
