"""Finds the workspace around a folder. Alone in a file: an unchanged build needs nothing else of this room."""

import os
from pathlib import Path

from awning.errors import ConfigurationError
from awning.workspace.sources import read_source

HEADING = "[tool.awning]"


def find_workspace(start: Path) -> Path:
    """The nearest folder at or above `start` whose pyproject.toml has [tool.awning].

    Looked for along the path as it is written, then where it leads: a widget may be a link to a folder elsewhere.
    """
    written = Path(os.path.abspath(start))  # noqa: PTH100 - `resolve` would follow links, `absolute` keeps `..`
    start = start.resolve()
    for folder in dict.fromkeys((written, *written.parents, start, *start.parents)):
        if _names_awning(folder / "pyproject.toml"):
            return folder.resolve()
    raise ConfigurationError(
        f"no workspace here: no pyproject.toml with {HEADING} in {start} or above",
        hint="change into a workspace, or make one: awning new my-app",
    )


def _names_awning(pyproject: Path) -> bool:
    """By its text, so that a syntax error in the file is reported as one, not as a missing workspace."""
    try:
        content = read_source(pyproject, pyproject.name)
    except OSError:
        return False
    if not isinstance(
        content, bytes
    ):  # a workspace all the same, when it is one: reading it says what is wrong
        return pyproject.is_file() and (pyproject.parent / "widgets").is_dir()
    text = content.decode("utf-8", "replace")
    return any(line.lstrip().startswith(("[tool.awning]", "[tool.awning.")) for line in text.splitlines())
