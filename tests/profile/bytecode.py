"""Bytecode for the programs that tests start, where Python may not write it beside the sources.

Tests start hundreds of Pythons. With PYTHONDONTWRITEBYTECODE, as in many containers, each would compile awning and its
libraries again, which takes longer than all the rest that it does. There, a run writes bytecode to pytest's cache
folder.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest


def cache_bytecode(config: pytest.Config) -> None:
    """Let this process, and each that it starts, read and write bytecode. Workers inherit it from the controller."""
    if sys.dont_write_bytecode and getattr(config, "cache", None) is not None:
        folder = config.cache.mkdir("bytecode")
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(folder)
        sys.dont_write_bytecode = False
        config.add_cleanup(lambda: delete_temporary(folder, config.rootpath))


def delete_temporary(folder: Path, repository: Path) -> None:
    """Delete the bytecode of sources in temporary folders: the next run has other folders.

    A clone may itself be in a temporary folder; its bytecode stays.
    """
    temporary = folder / Path(tempfile.gettempdir()).relative_to("/")
    of_the_repository = folder / repository.relative_to("/")
    for path in temporary.glob("*"):
        if not of_the_repository.is_relative_to(path):
            shutil.rmtree(path, ignore_errors=True)
