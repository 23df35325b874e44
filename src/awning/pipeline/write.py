"""Writes `dist/`: all of it, or nothing."""

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from awning.build_record import FILE_NAME
from awning.errors import ConfigurationError
from awning.pipeline.swap import put_in_place

KEPT = "README.md"
"""The one file in `dist/` that is not awning's."""

TAKEN = ("widgets", ".awning")
"""A build into its own sources would be the cause of the next one; the other holds what a build keeps for itself."""


def write_dist(out: Path, files: Mapping[str, bytes]) -> None:
    """Build a folder beside `out` and exchange the two. On failure `out` is as it was. A link stays a link."""
    out = out.resolve()
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        new = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    except OSError as error:
        raise ConfigurationError(f"cannot write to {out.parent}: {error.strerror}") from error
    try:
        new.chmod(0o755)  # mkdtemp makes it private
        _fill(new, files)
        if (out / KEPT).is_file():
            shutil.copy2(out / KEPT, new / KEPT)
        put_in_place(new, out)
    except OSError as error:
        raise ConfigurationError(f"cannot write {out}: {error.strerror}") from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _fill(folder: Path, files: Mapping[str, bytes]) -> None:
    made: set[Path] = set()
    for path, content in files.items():
        file = folder / path
        if file.parent not in made:
            file.parent.mkdir(parents=True, exist_ok=True)
            made.add(file.parent)
        file.write_bytes(content)


def refuse_precious(out: Path, root: Path) -> None:
    """`--out` replaces a folder whole: so only one that is empty, or that a build made before."""
    hint = "name an empty folder elsewhere, or one that awning built before"
    if out.exists() and not out.is_dir():
        raise ConfigurationError(f"{out} is a file", hint=hint)
    if root.is_relative_to(out):
        raise ConfigurationError(f"{out} holds the workspace itself: a build would replace it", hint=hint)
    taken = next((name for name in TAKEN if out.resolve().is_relative_to((root / name).resolve())), None)
    if taken:
        raise ConfigurationError(
            f"{out} is in the workspace's {taken}/: a build would replace what it reads or keeps there",
            hint=hint,
        )
    foreign = out.is_dir() and not (out / FILE_NAME).is_file() and any(e.name != KEPT for e in out.iterdir())
    if foreign:
        raise ConfigurationError(
            f"{out} holds files that are not a build's: a build would replace them", hint=hint
        )
