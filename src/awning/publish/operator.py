"""Finds the name of the operator for the journal and for releases, and the commit of the sources."""

import getpass
import platform
import subprocess
from collections.abc import Mapping
from pathlib import Path

GIT_S = 10.0
"""The most seconds that git may take."""


def operator_name(environ: Mapping[str, str], *, part: str = "") -> str:
    """Return the operator's name: AWNING_OPERATOR, else `user@machine`.

    `part` names the part of awning that publishes, and is added in parentheses.
    """
    name = environ.get("AWNING_OPERATOR", "").strip()
    if not name:
        try:
            user = getpass.getuser()
        except (OSError, KeyError, ImportError):  # the user has no name, as in some containers
            user = "unknown"
        name = f"{user}@{platform.node() or 'unknown'}"
    return f"{name} ({part})" if part else name


def source_revision(folder: Path) -> str | None:
    """Return the commit of the sources in `folder`, with `-dirty` when files have changed; None when git names none."""
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=GIT_S, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None if done.returncode == 0 else None
