"""What pytest has stored about the last run, read before any process is started for the next one."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

CACHE = ".pytest_cache/v/cache"
"""The folder in which pytest stores what a run has found, unless the user chooses another one."""
CONFIGURATION = (
    "pytest.toml",
    ".pytest.toml",
    "pytest.ini",
    ".pytest.ini",
    "pyproject.toml",
    "tox.ini",
    "setup.cfg",
)
"""The files in which a user can choose another folder."""
CHOICES = ("cache_dir", "cacheprovider", "cache-clear")
"""Parts of pytest's options and settings that choose another folder, or none."""


def nothing_failed(root: Path, pytest_args: Sequence[str]) -> bool:
    """Return whether the last run is known to have left no failed test.

    Returns False when only pytest itself can tell: nothing is stored here, or the user chooses another folder.
    """
    cache = root / CACHE
    if not (cache / "nodeids").is_file() or _chooses_folder(root, pytest_args):
        return False
    try:
        failed = json.loads((cache / "lastfailed").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        return False
    return bool(failed == {})


def _chooses_folder(root: Path, pytest_args: Sequence[str]) -> bool:
    files = [root / name for name in CONFIGURATION]
    settings = [file.read_text(encoding="utf-8", errors="replace") for file in files if file.is_file()]
    texts = [*pytest_args, os.environ.get("PYTEST_ADDOPTS", ""), *settings]
    return any(choice in text for text in texts for choice in CHOICES)
