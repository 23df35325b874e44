"""Finds the workspace around a folder, and its state directory.

It is apart because a build that is up to date needs only this module and `sources` of this package.
"""

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from awning.errors import ConfigurationError
from awning.workspace.sources import read_source

HEADING = "[tool.awning]"
_TABLE_OF_A_TOOL = re.compile(r"\s*\[tool\.([\w-]+)")


def find_workspace(start: Path) -> Path:
    """Return the nearest folder at or above `start` whose pyproject.toml has [tool.awning].

    The path is searched as written first, then with links resolved, because a widget may be a link to a folder
    elsewhere. Raises ConfigurationError when there is no workspace.
    """
    written = Path(os.path.abspath(start))  # noqa: PTH100 - `resolve` would follow links, `absolute` keeps `..`
    start = start.resolve()
    folders = tuple(dict.fromkeys((written, *written.parents, start, *start.parents)))
    for folder in folders:
        if _names_awning(folder / "pyproject.toml"):
            return folder.resolve()
    misspelt = next(filter(None, (_misspelt_heading(folder / "pyproject.toml") for folder in folders)), None)
    raise ConfigurationError(
        f"no workspace here: no pyproject.toml with {HEADING} in {start} or above",
        hint=misspelt or "change into a workspace, or make one: awning new my-app",
    )


def similar_table(tool: Iterable[str]) -> str | None:
    """Return the name below `tool` that is a misspelling of `awning`; None without one.

    It begins with the same letter, because `planning`, `warning` and `spawning` are names of their own.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only an error needs it

    names = {name.lower(): name for name in tool if name != "awning" and name[:1] in ("a", "A")}
    close = get_close_matches("awning", names, n=1, cutoff=0.8)
    return names[close[0]] if close else None


def _misspelt_heading(pyproject: Path) -> str | None:
    """Return a hint with the place of a misspelt [tool.awning]; None without one."""
    try:
        content = read_source(pyproject, pyproject.name)
    except OSError:
        return None
    lines = content.decode("utf-8", "replace").splitlines() if isinstance(content, bytes) else []
    for number, line in enumerate(lines, 1):
        table = _TABLE_OF_A_TOOL.match(line)
        if table and similar_table([table[1]]):
            return f"{pyproject}:{number} has [tool.{table[1]}]: did you mean {HEADING}?"
    return None


def find_state_directory(environ: Mapping[str, str], root: Path | None = None) -> Path:
    """Return AWNING_STATE_DIR, or `.awning/state` in `root` (by default the workspace around the current folder).

    Does not create the directory. Raises ConfigurationError when there is neither the variable nor a workspace.
    """
    named = environ.get("AWNING_STATE_DIR")
    return Path(named) if named else (root or find_workspace(Path.cwd())) / ".awning" / "state"


def _names_awning(pyproject: Path) -> bool:
    """Return whether a pyproject.toml has [tool.awning], or is unreadable and beside a folder widgets/.

    The file is not parsed, so that a later step reports a syntax error.
    """
    try:
        content = read_source(pyproject, pyproject.name)
    except OSError:
        return False
    if not isinstance(content, bytes):  # unreadable: read_workspace reports the reason
        return pyproject.is_file() and (pyproject.parent / "widgets").is_dir()
    text = content.decode("utf-8-sig", "replace")
    if any(line.lstrip().startswith(("[tool.awning]", "[tool.awning.")) for line in text.splitlines()):
        return True
    if "awning" not in text:
        return False
    import tomllib  # noqa: PLC0415 - few files write the table in another way

    try:
        tools = tomllib.loads(text).get("tool")
    except (ValueError, RecursionError):
        return False
    return isinstance(tools, dict) and "awning" in tools
