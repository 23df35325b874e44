"""Files that several processes may use at once: replaced in one step, and locked.

A lock lets one build run at a time in a workspace. A second one waits for the first, and then finds the work done. The
lock is the operating system's, on a file that stays. It ends with the process that holds it.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def replace_file(file: Path, content: bytes) -> None:
    """Write `file` in one step: no reader sees half of it. Its folders are made where they are missing."""
    temporary = file.with_suffix(f".{os.getpid()}")
    try:
        temporary.write_bytes(content)
    except FileNotFoundError:
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content)
    temporary.replace(file)


def replace_if_different(file: Path, content: bytes) -> None:
    """As `replace_file`, but a file that has this content already keeps its time."""
    try:
        same = file.read_bytes() == content
    except OSError:
        same = False
    if not same:
        replace_file(file, content)


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Hold the lock on `file` for the time of the `with` block. The file is made when it is missing."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        _take(handle)
        yield
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _take(handle: int) -> None:
        """`locking` tries once a second, ten times, and then raises: so it is called until it succeeds."""
        while True:
            try:
                msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
            except OSError:
                continue
            return

else:
    import fcntl

    def _take(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX)
