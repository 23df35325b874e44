"""Files and folders with secrets: whether other users of this machine may read or write them, and the repair."""

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from awning.diagnostics import SetupCheck

REPAIR = "awning doctor --fix"
_READ_OR_WRITE = stat.S_IRGRP | stat.S_IWGRP | stat.S_IROTH | stat.S_IWOTH


def open_to_others(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield those of the paths that others than their owner may read or write. Missing ones are left out.

    Windows has no such modes, so nothing is yielded there.
    """
    for path in paths:
        try:
            mode = stat.S_IMODE(path.stat().st_mode)
        except OSError:
            continue
        if os.name == "posix" and mode & _READ_OR_WRITE:
            yield path


def close_to_others(path: Path) -> bool:
    """Take the rights of all but the owner. Returns whether that was allowed."""
    try:
        path.chmod(stat.S_IMODE(path.stat().st_mode) & stat.S_IRWXU)
    except OSError:
        return False
    return True


def secret_files(names: Iterable[str], environ: Mapping[str, str]) -> list[Path]:
    """Return the files that variables such as AWNING_API_KEY_FILE name. `names` are the names of the secrets."""
    values = (environ.get(f"{name}_FILE", "").strip() for name in names)
    return [Path(value) for value in values if value]


def check_private(name: str, paths: Iterable[Path], *, fix: bool) -> Iterator[SetupCheck]:
    """Yield a warning of `awning doctor` for each path that is open to others; with `fix`, repair it."""
    for path in open_to_others(paths):
        mode = f"{stat.S_IMODE(path.stat().st_mode):04o}"
        if fix and close_to_others(path):
            yield SetupCheck(name=name, state="ok", detail=f"{path}: was {mode}, is now only its owner's")
            continue
        hint = f"let its owner run: chmod go= {path}" if fix else REPAIR
        detail = f"{path}: others on this machine may read or write it ({mode}); only its owner should"
        yield SetupCheck(name=name, state="warning", detail=detail, hint=hint)
