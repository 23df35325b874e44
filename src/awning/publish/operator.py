"""Who publishes, for the journal and for releases."""

import getpass
import platform
import subprocess
from collections.abc import Mapping
from pathlib import Path

GIT_S = 10.0
"""Seconds that git may take."""


def operator_name(environ: Mapping[str, str], *, part: str = "") -> str:
    """AWNING_OPERATOR, or the user's name at the machine's; with `part`, the part of awning that publishes."""
    name = environ.get("AWNING_OPERATOR", "").strip()
    if not name:
        try:
            user = getpass.getuser()
        except (OSError, KeyError, ImportError):  # a user without an entry, as in a container
            user = "unknown"
        name = f"{user}@{platform.node() or 'unknown'}"
    return f"{name} ({part})" if part else name


def source_revision(folder: Path) -> str | None:
    """The commit of the sources in `folder`, with `-dirty` after changes; None where git knows none."""
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=GIT_S, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None
