"""What is wrong with a state file, as a sentence and with what to do about it."""

import sqlite3
from contextlib import suppress
from pathlib import Path

from awning.errors import DatabaseUnusable
from awning_harness.service.store.schema import VERSION

AFRESH = "name another file, or delete this one to start afresh"
_HINTS = {
    "SQLITE_BUSY": "another program is writing to it: end that program, or name another file",
    "SQLITE_LOCKED": "another program is writing to it: end that program, or name another file",
    "SQLITE_FULL": "make room on its disk; what was kept before is still in it",
    "SQLITE_READONLY": "it may not be written: change its permissions, or name another file",
    "SQLITE_CORRUPT": "it is damaged: put back a copy, or delete it to start afresh",
}


def unusable(path: Path | None, error: sqlite3.Error) -> DatabaseUnusable:
    """`error` of the database at `path` as the error of a user's file."""
    where = "the state in memory" if path is None else str(path)
    return DatabaseUnusable(
        f"{where} cannot be used as the state of a service: {error}", hint=_hint(path, error)
    )


def other_version(version: int) -> sqlite3.DatabaseError:
    """The refusal of a file that is not of this version; 0 is no version of ours at all."""
    if not version:
        return sqlite3.DatabaseError("it was written by another program")
    age = "an older" if version < VERSION else "a newer"
    return sqlite3.DatabaseError(
        f"{age} awning wrote it (tables of version {version}, this one has {VERSION})"
    )


def _hint(path: Path | None, error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", None) or ""
    with suppress(OSError):
        if path is not None and not path.parent.is_dir():
            return f"make the folder {path.parent} first"
    kind = "_".join(name.split("_")[:2])  # the primary code: SQLITE_BUSY of SQLITE_BUSY_SNAPSHOT
    return _HINTS.get(kind, AFRESH)
