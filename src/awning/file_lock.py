"""A file lock. The operating system releases it when the process that holds it ends for any reason."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

AGAIN_S = 0.02
"""Seconds between two attempts to take a lock."""


class Taken(Exception):
    """Another process holds the lock."""


@contextmanager
def exclusive(path: Path, *, patience_s: float = 0.0) -> Iterator[None]:
    """Hold the lock on `path` exclusively. Raises Taken when it is not free within `patience_s` seconds."""
    with _locked(path, patience_s, alone=True):
        yield


@contextmanager
def shared(path: Path, *, patience_s: float) -> Iterator[None]:
    """Hold the lock on `path` together with others. Raises Taken when it is not free within `patience_s` seconds.

    Windows has no shared locks, so there the holders wait for each other.
    """
    with _locked(path, patience_s, alone=False):
        yield


def is_taken(path: Path) -> bool:
    """Return whether a process holds the lock on `path`. To find out, this process takes the lock for a moment.

    A missing file is not made: its folder may just be removed by the process that has held the lock.
    """
    try:
        with _locked(path, 0.0, alone=True, flags=os.O_RDWR):
            return False
    except FileNotFoundError:
        return False
    except Taken:
        return True


@contextmanager
def _locked(
    path: Path, patience_s: float, *, alone: bool, flags: int = os.O_CREAT | os.O_RDWR
) -> Iterator[None]:
    until = time.monotonic() + patience_s
    descriptor = os.open(path, flags, 0o600)
    try:
        while True:
            try:
                _take(descriptor, alone=alone)
            except Taken:
                if time.monotonic() >= until:
                    raise
                time.sleep(AGAIN_S)
            else:
                break
        yield
    finally:
        os.close(descriptor)


if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int, *, alone: bool) -> None:  # noqa: ARG001 - see `shared`
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            raise Taken from None
else:
    import fcntl

    def _take(descriptor: int, *, alone: bool) -> None:
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Taken from None
