"""Rewrites a file of the author's: whole or not at all, with its mode, and through a link to it."""

import os
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE

from awning.errors import ConfigurationError

AS_BYTES = getattr(os, "O_BINARY", 0)
"""Without this flag, Windows would write CR LF for each LF."""
WRITABLE = 0o222
"""The bits of the mode of a file that somebody may write."""


def rewrite_file(file: Path, text: str) -> None:
    """Replace the text of a file, or make it. Raises ConfigurationError when it cannot be written, or is read-only."""
    destination = file.resolve()
    draft = destination.with_name(f".{destination.name}.{os.urandom(4).hex()}")
    try:
        mode = S_IMODE(destination.stat().st_mode) if destination.exists() else None
        if mode is not None and not mode & WRITABLE:
            raise ConfigurationError(f"{file} is read-only", hint="make it writable: nothing was changed")
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | AS_BYTES
        descriptor = os.open(draft, flags, 0o666 if mode is None else 0o600)
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(text.encode())
        if mode is not None:
            draft.chmod(mode)
        draft.replace(destination)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise ConfigurationError(f"cannot write {file}: {error.strerror}", hint="nothing was lost") from error
