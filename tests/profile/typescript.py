"""Runs TypeScript's compiler over a workspace, as an editor would see it."""

import re
import subprocess
from pathlib import Path

from awning.programs import TYPESCRIPT, find_program


def type_errors(workspace: Path, *options: str) -> dict[str, list[tuple[int, str]]]:
    """Return the errors of `tsc -p .` by file: the line and the message of each.

    TypeScript's own library is not checked: that would take almost half of the time.
    """
    done = subprocess.run(
        [find_program(TYPESCRIPT).path, "-p", ".", "--pretty", "false", "--skipDefaultLibCheck", *options],
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
