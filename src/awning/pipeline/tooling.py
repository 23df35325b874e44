"""What awning itself is, as far as its outputs depend on it: a build is only unchanged if its builder is."""

import hashlib
import os
from functools import cache
from pathlib import Path

import awning
from awning.jsrc import jsrc_root

_ROOMS = (
    "template",
    "snippet",
    "pipeline",
    "bundle",
    "workspace",
    "data_schema",
    "contract",
    "check",
    "script",
)

EDITORS = ("types", "runtime")
"""The rooms of jsrc that an author's scripts import from: what the second imports of the first is types."""

STAMP = ".awning/types/stamp"
"""In a workspace: there when what an editor reads has been written, and for which awning."""


@cache
def package_stamp() -> str:
    """Changes when any file of the rooms that make snippets, or of those in jsrc, changes. Looks at sizes and times."""
    package = Path(awning.__file__).parent
    digest = hashlib.sha256(awning.__version__.encode())
    for folder in (*(package / room for room in _ROOMS), *(jsrc_root() / room for room in EDITORS)):
        for line in _listing(folder):
            digest.update(line.encode())
    return digest.hexdigest()


def _listing(folder: Path) -> list[str]:
    """One line per source file: name, size, time."""
    lines: list[str] = []
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in files:
            stat = os.stat(f"{parent}/{name}")  # noqa: PTH116 - hundreds of files on every start: half the time
            lines.append(f"{Path(parent).name}/{name} {stat.st_size} {stat.st_mtime_ns}")
    return sorted(lines)
