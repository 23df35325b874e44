"""A copy of awning's sources, to which tests add rows, files and faults."""

import shutil
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]


def copy_sources(folder: Path, names: Iterable[str]) -> Path:
    """Copy these folders of the repository into `folder`, and return it."""
    for name in names:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder
