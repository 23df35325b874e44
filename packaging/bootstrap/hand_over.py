"""The steps of build.py in order: check the environment, make it if needed, start awning."""

import os
import sys

from bootstrap import stamp
from bootstrap.complaint import BuildError, say

USAGE = 2
INTERRUPTED = 130


def run(root: str, arguments: list[str]) -> int:
    """Make the environment if needed, and start awning. Returns an exit code after an error, and on Windows."""
    try:
        wanted = stamp.wanted(root)
        if stamp.present(root) != wanted:
            from bootstrap.environment import ensure

            ensure(root, wanted)
        return become_awning(root, arguments)
    except BuildError as error:
        say(f"error: {error.message}")
        say(f"  hint: {error.hint}")
        return USAGE
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED


def become_awning(root: str, arguments: list[str]) -> int:
    """Run `awning` with the arguments. Without arguments, build this repository, from any current folder.

    Returns only on Windows: the exit code. Elsewhere awning replaces this process. Raises BuildError when awning does
    not start.
    """
    if not arguments:
        os.chdir(root)
    command = [os.path.join(root, stamp.AWNING), *(arguments or ["build"])]
    if os.name == "nt":
        import subprocess

        return subprocess.call(command)
    sys.stdout.flush()
    try:
        os.execv(command[0], command)
    except OSError as error:
        raise BuildError(
            f"{command[0]} does not start: {error.strerror}",
            hint="remove .venv and run this again; the folder must allow programs to run",
        ) from error
