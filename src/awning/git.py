"""Runs git in a folder that may come from somebody else, so that git runs no program that the folder names.

The configuration of a repository can name programs: a monitor of the file system, hooks, a pager, filters of files and
helpers of remote protocols. Here none of them runs.
"""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

TIMEOUT_S = 20.0
NO_PROGRAMS: Mapping[str, str] = MappingProxyType(
    {"core.fsmonitor": "false", "core.hooksPath": os.devnull, "core.pager": "cat"}
)
_FILTERS = r"^filter\..*\.(clean|smudge|process|required)$"


def git_output(
    folder: Path, *arguments: str, settings: Mapping[str, str] = MappingProxyType({})
) -> str | None:
    """Return the output of git in `folder`, without white space at its ends. `settings` are added to `NO_PROGRAMS`.

    None when git is missing, fails or takes 20 seconds. It fails where there is no repository.
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
            command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False, env=environ
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    return result.stdout.strip() if result.returncode == 0 else None


def has_changes(folder: Path) -> bool:
    """Return whether a file that git tracks in the repository around `folder` differs from the commit.

    Submodules do not count, because git reads them by their own configuration.
    """
    # git passes a changed file through the filter that its attributes name, unless each filter is emptied by name.
    filters = git_output(folder, "config", "--name-only", "--get-regexp", _FILTERS) or ""
    empty = {name: "false" if name.endswith(".required") else "" for name in filters.splitlines()}
    arguments = ("status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all")
    return bool(git_output(folder, *arguments, settings=empty))
