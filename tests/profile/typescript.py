"""Runs TypeScript's compiler over a workspace, as an editor would see it.

A machine without Node, or without TypeScript in reach, skips these tests aloud; where AWNING_TEST_TYPESCRIPT=needed
they fail.
"""

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

TYPESCRIPT = "typescript@5.9"
NPX = ("npx", "-y", "-p", TYPESCRIPT, "tsc")


@cache
def missing() -> str | None:
    """Why there is no compiler; None where there is one."""
    if shutil.which("npx") is None:
        return "there is no npx"
    done = subprocess.run([*NPX, "--version"], capture_output=True, text=True, timeout=300, check=False)
    return None if done.returncode == 0 else f"{TYPESCRIPT} cannot be had: {done.stderr.strip()[-200:]}"


def type_errors(workspace: Path, *options: str) -> dict[str, list[tuple[int, str]]]:
    """The errors of `tsc -p .`: by file, line and first sentence."""
    reason = missing()
    if reason and os.environ.get("AWNING_TEST_TYPESCRIPT") != "needed":
        pytest.skip(f"NOT TESTED WITH TYPESCRIPT: {reason}")
    assert reason is None, reason
    done = subprocess.run(
        [*NPX, "-p", ".", "--pretty", "false", *options],
        cwd=workspace,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    found: dict[str, list[tuple[int, str]]] = {}
    for path, line, text in re.findall(r"(?m)^(\S+?)\((\d+),\d+\): error (.*(?:\n  .*)*)", done.stdout):
        found.setdefault(path, []).append((int(line), text))
    assert found or done.returncode == 0, done.stdout + done.stderr
    return found
