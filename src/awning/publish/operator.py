"""Finds the name of the operator for the journal and for releases, and the commit of the sources."""

import getpass
import platform
from collections.abc import Mapping
from pathlib import Path

from awning.git import git_output, has_changes


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
    """Return the commit of the sources in `folder`; None when git names none.

    It ends in `-dirty` unless git says that no file has changed.
    """
    commit = git_output(folder, "rev-parse", "--verify", "HEAD")
    return f"{commit}-dirty" if commit and has_changes(folder) is not False else commit
