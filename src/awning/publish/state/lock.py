"""A file lock, which the operating system releases when the process that holds it ends for whatever reason."""

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
    """Hold the lock on `path` alone. Raises Taken when another process holds it for longer than `patience_s`."""
    with _locked(path, patience_s, alone=True):
        yield


@contextmanager
def shared(path: Path, *, patience_s: float) -> Iterator[None]:
    """Hold the lock on `path` together with others. Raises Taken when one holds it alone for longer than `patience_s`.

    Windows has no such lock, so there they wait for each other.
    """
    with _locked(path, patience_s, alone=False):
        yield


def is_taken(path: Path) -> bool:
    """Whether a process holds the lock on `path` alone."""
    try:
        with exclusive(path):
            return False
    except Taken:
        return True


@contextmanager
def _locked(path: Path, patience_s: float, *, alone: bool) -> Iterator[None]:
    until = time.monotonic() + patience_s
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
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
