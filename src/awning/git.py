"""Runs git in a folder that may come from somebody else, so that git runs no program that the folder names.

The configuration of a repository can name programs: a monitor of the file system, hooks, a pager, filters of files and
helpers of remote protocols. Here none of them runs.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

TIMEOUT_S = 20.0
NO_PROGRAMS: Mapping[str, str] = MappingProxyType(
    {"core.fsmonitor": "false", "core.hooksPath": os.devnull, "core.pager": "cat"}
)
_FILTER = re.compile(r"filter\..*\.(clean|smudge|process|required)", re.DOTALL)


def git_output(
    folder: Path, *arguments: str, settings: Mapping[str, str] = MappingProxyType({})
) -> str | None:
    """Return the output of git in `folder`, without white space at its ends. `settings` are added to `NO_PROGRAMS`.

    None when git is missing, fails or takes 20 seconds. It fails where there is no repository. The output is
    decoded as names of files are, so that any name in it can be given back to git.
    """
    program = shutil.which("git")
    if (
        program is None or Path(program).parent.absolute() == Path.cwd()
    ):  # Windows looks in the current folder first
        return None
    command = [program, "--no-pager", "-C", str(folder), *arguments]
    environ = {
        **os.environ,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
    }
    # By variables, since `-c` would end a name at the first `=`, which the name of a filter may contain.
    whole = {**NO_PROGRAMS, **settings}
    for number, (name, value) in enumerate(whole.items()):
        environ |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    environ["GIT_CONFIG_COUNT"] = str(len(whole))
    try:
        result = subprocess.run(
            command,
            capture_output=True,
            encoding=sys.getfilesystemencoding(),
            errors=sys.getfilesystemencodeerrors(),
            timeout=TIMEOUT_S,
            check=False,
            env=environ,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return result.stdout.strip() if result.returncode == 0 else None


def has_changes(folder: Path) -> bool | None:
    """Return whether a file that git tracks in the repository around `folder` differs from the commit.

    None when git cannot tell without running a program that the folder names. Submodules do not count, because git
    reads them by their own configuration.
    """
    # git passes a changed file through the filter that its attributes name, unless each filter is emptied by name.
    names = git_output(folder, "config", "--null", "--name-only", "--list")
    if names is None:
        return None
    filters = filter(_FILTER.fullmatch, names.split("\0"))
    empty = {name: "false" if name.endswith(".required") else "" for name in filters}
    arguments = ("status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all")
    changed = git_output(folder, *arguments, settings=empty)
    return None if changed is None else bool(changed)
