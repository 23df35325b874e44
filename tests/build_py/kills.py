"""Kills build.py while it makes `.venv`, and holds the next call to a whole environment.

    python tests/build_py/kills.py --kills 20 CLONE

CLONE is a clone of this repository. Each kill takes all processes of the call, after a random part of the time that a
whole call takes; every third kill spares the installer that build.py has started. Uses only the standard library, and
the network when uv's cache is empty. Exits with 1 after the first environment that lacks a file.
"""
# ruff: noqa: T201 - results on standard output

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

WHOLE = """
from importlib.metadata import distributions
lacking = [str(file.locate()) for d in distributions() for file in d.files or () if not file.locate().exists()]
lacking = [name for name in lacking if not name.endswith(".pyc")]
raise SystemExit("\\n".join(lacking[:5]) or None)
"""
"""Run by the Python of `.venv`: every file that the records of its packages name is there."""


def start(clone: Path) -> subprocess.Popen:
    command = [sys.executable, "build.py", "--version"]
    return subprocess.Popen(
        command, cwd=clone, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, process_group=0
    )


def finish(clone: Path) -> str | None:
    """Let a call end. Returns what is wrong with it or with the environment that it leaves."""
    call = start(clone)
    output = call.communicate()[0].decode()
    if call.returncode:
        return output
    python = clone / ".venv/bin/python"
    done = subprocess.run([python, "-c", WHOLE], capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else None


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("clone", type=Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    moments = random.Random(options.seed)
    problem = finish(options.clone)
    shutil.rmtree(options.clone / ".venv")
    began = time.monotonic()
    problem = problem or finish(options.clone)
    whole_s = time.monotonic() - began
    for number in range(options.kills):
        if problem:
            break
        shutil.rmtree(options.clone / ".venv")
        after_s = moments.uniform(0, whole_s)
        call = start(options.clone)
        time.sleep(after_s)
        (os.kill if number % 3 == 2 else os.killpg)(call.pid, signal.SIGKILL)
        call.wait()
        problem = finish(options.clone)
        print(f"kill {number + 1} after {after_s:.2f} of {whole_s:.2f} s", flush=True)
    print(problem or "every environment is whole")
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main())
