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
    # A hook of a linked worktree has the first two. They would make `folder` the root of the working tree.
    inherited = () if "GIT_WORK_TREE" in os.environ else ("GIT_DIR", "GIT_INDEX_FILE")
    environ = {
        **{name: value for name, value in os.environ.items() if name not in inherited},
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
    settings = _without_filters(folder)
    if settings is None:
        return None
    arguments = ("status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all")
    changed = git_output(folder, *arguments, settings=settings)
    return None if changed is None else bool(changed)


def _without_filters(folder: Path) -> Mapping[str, str] | None:
    """Return settings that empty each filter by name. None when git cannot list the configuration.

    Without them, git passes a changed file through the filter that its attributes name.
    """
    names = git_output(folder, "config", "--null", "--name-only", "--list")
    if names is None:
        return None
    filters = filter(_FILTER.fullmatch, names.split("\0"))
    return {name: "false" if name.endswith(".required") else "" for name in filters}


def find_commit(folder: Path, revision: str) -> str | None:
    """Return the hash of the commit that a revision names; None if it names none. It is never read as an option."""
    if not revision or revision.startswith("-"):
        return None
    named = git_output(folder, "rev-parse", "--verify", "--quiet", revision)
    return git_output(folder, "rev-parse", "--verify", "--quiet", f"{named}^{{commit}}") if named else None


def differing_files(top: Path, commit: str) -> tuple[str, ...] | None:
    """Return the paths of the files that may differ from a commit, relative to `top`, the root of a repository.

    They are those that differ in the working tree, deleted ones included; those that git does not track and does not
    ignore; and those that git is told not to look at. A renamed file has both names. A folder stands for all files in
    it: a submodule, or a repository in the repository. None when git fails.
    """
    settings = _without_filters(top)
    if settings is None:
        return None
    options = ("--name-status", "-z", "--no-renames", "--no-relative", "--no-ext-diff", "--no-textconv")
    changed = git_output(top, "diff", *options, "--ignore-submodules=all", commit, "--", settings=settings)
    untracked = git_output(top, "ls-files", "-z", "-t", "--others", "--exclude-standard")
    tracked = git_output(top, "ls-files", "-z", "-v", "--stage")
    if changed is None or untracked is None or tracked is None:
        return None
    paths = dict.fromkeys(changed.split("\0")[1::2])
    paths |= dict.fromkeys(line[2:].rstrip("/") for line in untracked.split("\0") if line)
    for line in tracked.split("\0"):
        details, _, path = line.partition("\t")
        if path and _is_not_looked_at(details) and os.path.lexists(top / path):
            paths[path] = None
    return tuple(paths)


_SUBMODULE = "160000"


def _is_not_looked_at(details: str) -> bool:
    """Return whether git does not compare an entry of the index, such as `H 100644 <hash> 0`.

    That is a submodule, or a file with the flag `skip-worktree` (S) or `assume-unchanged` (a lower-case letter).
    """
    tag, mode = details.split(" ")[:2]
    return mode == _SUBMODULE or tag == "S" or tag.islower()
