"""Writes a folder in one step: all of its files, or nothing.

Linux and macOS exchange two folders in one step. On other systems, or if the exchange is refused, the old folder is
moved aside first. If the new folder then cannot be moved into its place, the old folder is moved back.
"""

import ctypes
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from awning.build_record import FILE_NAME
from awning.errors import ConfigurationError

README = "README.md"
"""The name of a user's file in `dist/`, which a build does not replace."""

NO_OUTPUT = ("widgets", ".awning")
"""Folders of a workspace that cannot be the output folder: its sources, where a change causes the next build, and its
cache.
"""

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2  # linux/fs.h
_RENAME_SWAP = 2  # macOS sys/stdio.h


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputFolder:
    """A kind of folder that awning replaces as a whole, such as a build. `what` is its name.

    `is_earlier` returns whether a folder holds an earlier one. `forbidden` are the folders of a workspace that such a
    folder cannot be. `hint` is the advice when another folder is named.
    """

    what: str
    is_earlier: Callable[[Path], bool]
    forbidden: tuple[str, ...]
    hint: str

    def check(self, out: Path, root: Path) -> None:
        """Check that `out` is missing, empty or an earlier folder of this kind, because it is replaced as a whole.

        A README.md alone counts as empty. Raises ConfigurationError when `out` is a file, a folder with other content,
        a folder around the workspace at `root`, or one of `forbidden` or inside of it.
        """
        what = self.what
        if out.exists() and not out.is_dir():
            raise ConfigurationError(f"{out} is a file", hint=self.hint)
        if root.is_relative_to(out):
            message = f"{out} contains the workspace itself: a {what} would replace it"
            raise ConfigurationError(message, hint=self.hint)
        taken = next(
            (name for name in self.forbidden if out.resolve().is_relative_to((root / name).resolve())), None
        )
        if taken:
            raise ConfigurationError(
                f"{out} is in the workspace's {taken}/: a {what} would replace the files that it reads or stores there",
                hint=self.hint,
            )
        has_others = out.is_dir() and any(entry.name != README for entry in out.iterdir())
        if has_others and not self.is_earlier(out):
            raise ConfigurationError(
                f"{out} contains files that are not part of a {what}: a {what} would replace them",
                hint=self.hint,
            )


BUILD_FOLDER = OutputFolder(
    what="build",
    is_earlier=lambda folder: (folder / FILE_NAME).is_file(),
    forbidden=NO_OUTPUT,
    hint="name an empty folder elsewhere, or one that awning built before",
)


def write_folder(out: Path, files: Mapping[str, bytes]) -> None:
    """Write the files to a new folder beside `out`, and exchange the two. If `out` is a link, it stays a link.

    Raises ConfigurationError when `out` cannot be written; it is then unchanged.
    """
    out = out.resolve()
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        new = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    except OSError as error:
        raise ConfigurationError(f"cannot write to {out.parent}: {error.strerror}") from error
    try:
        new.chmod(0o755)  # mkdtemp makes it private
        present: set[Path] = set()
        for path, content in files.items():
            file = new / path
            if file.parent not in present:
                file.parent.mkdir(parents=True, exist_ok=True)
                present.add(file.parent)
            file.write_bytes(content)
        if (out / README).is_file():
            shutil.copy2(out / README, new / README, follow_symlinks=False)
        replace_folder(new, out)
    except OSError as error:
        raise ConfigurationError(f"cannot write {out}: {error.strerror}") from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def replace_folder(new: Path, place: Path) -> None:
    """Move the folder `new` to `place`, and delete the folder that was there. Both must be on one file system."""
    place.parent.mkdir(parents=True, exist_ok=True)
    if not place.exists():
        new.rename(place)
        return
    if not _exchange(new, place):
        aside = new.with_name(f"{new.name}.old")
        place.rename(aside)
        try:
            new.rename(place)
        except OSError:
            aside.rename(place)
            raise
        aside.rename(new)
    # `new` is now the old folder.
    shutil.rmtree(new, ignore_errors=True)


def _exchange(first: Path, second: Path) -> bool:
    """Exchange the two folders in one step. Returns False if the system cannot do so."""
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "linux":
            paths = (_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second))
            return bool(library.renameat2(*paths, _RENAME_EXCHANGE) == 0)
        if sys.platform == "darwin":
            return bool(library.renamex_np(os.fsencode(first), os.fsencode(second), _RENAME_SWAP) == 0)
    except (OSError, AttributeError, TypeError):
        return False  # another system, or an old C library
    return False
