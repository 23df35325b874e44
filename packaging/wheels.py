"""Makes the wheel of every platform and the source distribution, on one machine:

    .venv/bin/python packaging/wheels.py wheelhouse

`dist/` is not allowed, because it is the folder of the snippets. The same sources always give the same bytes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from fetch_programs import load_pins

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print("usage: python packaging/wheels.py FOLDER   (such as wheelhouse)", file=sys.stderr)
        return 2
    out = Path(arguments[0]).absolute()
    if out == ROOT / "dist":
        print("dist/ holds the widgets' snippets: choose another folder, such as wheelhouse", file=sys.stderr)
        return 2
    return make_all(out)


def make_all(out: Path) -> int:
    """Make all wheels and the source distribution. Returns the exit code of the first failure, else 0.

    Each wheel is made in its own process, because the build hook reads the target from an environment variable.
    """
    for platform in load_pins().WHEEL_TAGS:
        if code := _hatchling(out, "wheel", {"AWNING_BUILD_TARGET": platform}):
            return code
    return _hatchling(out, "sdist", {})


def _hatchling(out: Path, target: str, extra: dict[str, str]) -> int:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(out)]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **extra}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
