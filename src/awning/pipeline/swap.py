"""Puts a finished folder in the place of another, so that nobody ever sees half of either.

Linux and macOS exchange two folders in one step. Elsewhere, and where that is refused, the old one is moved aside
first; if the new one then cannot be moved in, the old one is moved back.
"""

import ctypes
import os
import shutil
import sys
from pathlib import Path

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2  # linux/fs.h
_RENAME_SWAP = 2  # macOS sys/stdio.h


def put_in_place(new: Path, place: Path) -> None:
    """Move the folder `new` to `place`; what stood there is gone. Both must be on one file system."""
    place.parent.mkdir(parents=True, exist_ok=True)
    if not place.exists():
        new.rename(place)
        return
    if not _exchanged(new, place):
        _moved_aside(new, place)
    shutil.rmtree(new, ignore_errors=True)


def _exchanged(one: Path, other: Path) -> bool:
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "linux":
            paths = (_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other))
            return bool(library.renameat2(*paths, _RENAME_EXCHANGE) == 0)
        if sys.platform == "darwin":
            return bool(library.renamex_np(os.fsencode(one), os.fsencode(other), _RENAME_SWAP) == 0)
    except (OSError, AttributeError, TypeError):
        return False  # another system, or an old C library
    return False


def _moved_aside(new: Path, place: Path) -> None:
    """Afterwards `new` holds what was at `place`."""
    aside = new.with_name(f"{new.name}.old")
    place.rename(aside)
    try:
        new.rename(place)
    except OSError:
        aside.rename(place)
        raise
    aside.rename(new)
