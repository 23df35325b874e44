"""Makes `.venv` completely or not at all. Only one process at a time does so.

The content of `.venv.lock` and the stamp in `.venv` show the state of `.venv`:

    none ──> making ──> made ──(an input of the stamp changed)──> making ──> made
               └─ killed: the next call finds `making`, empties the folder and makes it anew
    foreign: the folder exists, but something else made it; it is never changed

The operating system holds the lock for the open file. The lock ends when build.py and the installer that it has started
have both ended. So if build.py is killed and pip still runs, other calls wait. On Windows, the lock ends with build.py.
"""

import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from bootstrap import stamp
from bootstrap.complaint import BuildError, say
from bootstrap.install import choose_installer, hint_for, install
from bootstrap.interrupts import Interrupts

MAKING = b"making"
LOOK_AGAIN_S = 0.1


class Lock:
    """The lock that is held while `.venv` is made. Its file contains `making` from the first change until the stamp is
    written, or the half-made environment is removed.
    """

    def __init__(self, path: Path) -> None:
        try:
            self.handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise BuildError(
                f"{path} cannot be written: {error.strerror}", hint="clone to a folder that you may write to"
            ) from error

    def __enter__(self) -> Self:
        if not self._take():
            say("another build.py is making .venv; waiting for it")
            while not self._take():
                time.sleep(LOOK_AGAIN_S)
        return self

    def __exit__(self, *exception: object) -> None:
        os.close(self.handle)

    def _take(self) -> bool:
        try:
            if sys.platform == "win32":
                import msvcrt

                os.lseek(
                    self.handle, 1024, os.SEEK_SET
                )  # a byte after the content, because a locked byte cannot be read
                msvcrt.locking(self.handle, msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(self.handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    @property
    def making(self) -> bool:
        os.lseek(self.handle, 0, os.SEEK_SET)
        return os.read(self.handle, 64) == MAKING

    def note(self, content: bytes) -> None:
        os.lseek(self.handle, 0, os.SEEK_SET)
        os.ftruncate(self.handle, 0)
        os.write(self.handle, content)
        os.fsync(self.handle)


def ensure(root: str, wanted: str) -> None:
    """Make the environment, unless another build.py has made it in the meantime.

    Raises BuildError when the environment cannot be made, or something else has made `.venv`.
    """
    with Lock(Path(root) / ".venv.lock") as lock:
        if stamp.present(root) != wanted:
            _refuse_foreign(Path(root), lock)
            _make(Path(root), lock, wanted)


def _make(root: Path, lock: Lock, wanted: str) -> None:
    installer = choose_installer()
    began = time.monotonic()
    say(f"making .venv with {installer} (once; a minute or two)")
    with Interrupts() as interrupts, _whole_or_nothing(root, lock):
        lock.note(MAKING)
        _empty(root / ".venv")
        install(installer, root, interrupts, keep_open=lock.handle)
        stamp.write(str(root), wanted)
        lock.note(b"")
    say(f"ready after {time.monotonic() - began:.0f} s")


@contextmanager
def _whole_or_nothing(root: Path, lock: Lock) -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        _undo(root, lock)
        if isinstance(error, OSError):
            raise BuildError(f".venv could not be made: {error}", hint=hint_for(str(error))) from error
        raise


def _undo(root: Path, lock: Lock) -> None:
    """Remove a half-made environment. If that fails, the lock file still has `making`, so the next build.py retries."""
    try:
        _empty(root / ".venv")
        lock.note(b"")
    except OSError as error:
        say(f"the half-made .venv could not be removed ({error}); the next call will try again")


def _refuse_foreign(root: Path, lock: Lock) -> None:
    """Raise BuildError for a `.venv` that something else made: `python -m venv`, an editor, `uv sync`."""
    venv = root / ".venv"
    ours = lock.making or (root / stamp.STAMP).exists()
    if ours or not os.path.lexists(venv) or (venv.is_dir() and not any(venv.iterdir())):
        return
    python = venv / stamp.SCRIPTS / "python"
    raise BuildError(
        f"{venv} exists, but build.py did not make it, so it was not changed",
        hint=f"move it away and run this again, or install into it yourself: {python} -m pip install -e '.[harness]'",
    )


def _empty(venv: Path) -> None:
    """Remove the content of `.venv`, the stamp first. The folder itself stays, because it may be a mount point."""
    if not venv.is_dir():
        return
    (venv / Path(stamp.STAMP).name).unlink(missing_ok=True)
    for path in venv.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
