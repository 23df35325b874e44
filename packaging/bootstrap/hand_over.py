"""The whole of build.py in order: is the environment right, make it if not, become awning."""

import os
import sys

from bootstrap import stamp
from bootstrap.complaint import BuildError, say

USAGE = 2
INTERRUPTED = 130


def run(root: str, arguments: list[str]) -> int:
    """Returns an exit code only where it could not hand over, and on Windows."""
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
    """Run `awning` with the arguments; without any it builds this repository, wherever it was called from."""
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
