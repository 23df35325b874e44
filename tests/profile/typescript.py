"""Runs TypeScript's compiler over a workspace, as an editor would see it.

Without Node.js or TypeScript, tests that call it are skipped with a message; with AWNING_TEST_TYPESCRIPT=needed, they
fail.
"""

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

TYPESCRIPT = "typescript@5.9"
PATH_OF_TSC = ("npx", "-y", "-p", TYPESCRIPT, "-c", "command -v tsc")


@cache
def compiler() -> tuple[str | None, str]:
    """Return the path of `tsc`, or None and the reason. npx takes longer than a compilation, so it runs only once."""
    if shutil.which("npx") is None:
        return None, "there is no npx"
    done = subprocess.run(PATH_OF_TSC, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        return None, f"{TYPESCRIPT} cannot be installed: {done.stderr.strip()[-200:]}"
    return done.stdout.strip(), ""


def type_errors(workspace: Path, *options: str) -> dict[str, list[tuple[int, str]]]:
    """Return the errors of `tsc -p .` by file: the line and the message of each.

    TypeScript's own library is not checked: that would take almost half of the time.
    """
    tsc, reason = compiler()
    if tsc is None and os.environ.get("AWNING_TEST_TYPESCRIPT") != "needed":
        pytest.skip(f"NOT TESTED WITH TYPESCRIPT: {reason}")
    assert tsc is not None, reason
    done = subprocess.run(
        [tsc, "-p", ".", "--pretty", "false", "--skipDefaultLibCheck", *options],
        cwd=workspace,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    errors: dict[str, list[tuple[int, str]]] = {}
    for path, line, text in re.findall(r"(?m)^(\S+?)\((\d+),\d+\): error (.*(?:\n  .*)*)", done.stdout):
        errors.setdefault(path, []).append((int(line), text))
    assert errors or done.returncode == 0, done.stdout + done.stderr
    return errors
