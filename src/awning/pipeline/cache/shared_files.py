"""Writes, locks and compares files that several processes may use at once.

A lock lets one build run at a time in a workspace. A second build waits for the first. If it has the same options, it
then has nothing to do. The operating system releases the lock when the process ends. The locked file is not deleted.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path

from awning.file_lock import exclusive

Stat = tuple[int, int]
TICK_NS = 1_000_000_000
"""The coarsest resolution of modification times on any file system, in nanoseconds.

The resolution is up to 10 ms on local file systems, and up to a second on network file systems.
"""


def file_stats(root: Path, paths: Iterable[str]) -> dict[str, Stat]:
    """Return the size (bytes) and modification time (ns) of each file, by path; (-1, 0) for a missing file."""
    stats: dict[str, Stat] = {}
    for path in paths:
        try:
            stat = os.stat(f"{root}/{path}")  # noqa: PTH116 - thousands of them: pathlib takes twice the time
            stats[path] = (stat.st_size, stat.st_mtime_ns)
        except OSError:
            stats[path] = (-1, 0)
    return stats


def replace_file(file: Path, content: bytes) -> None:
    """Write `file` in one step, so that no reader sees half of it. Missing folders are made.

    Several threads and processes may write the same file at once. The last one wins.
    """
    temporary = file.with_name(f"{file.name}.{os.urandom(4).hex()}")
    try:
        temporary.write_bytes(content)
    except FileNotFoundError:
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content)
    temporary.replace(file)


def replace_if_different(file: Path, content: bytes) -> None:
    """Write `file` as `replace_file` does. If it has this content already, its modification time stays the same."""
    try:
        same = file.read_bytes() == content
    except OSError:
        same = False
    if not same:
        replace_file(file, content)


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Hold the lock on `file` during the `with` block. A missing file is made."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with exclusive(file, patience_s=inf):
        yield
