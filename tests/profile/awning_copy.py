"""A copy of awning's sources with the rows of `new_rows.py`, and programs that run with it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from new_rows import PATCHES

ROOT = Path(__file__).parents[2]
COPIED = ("src", "harness", "jsrc", "packaging", "docs")
LINKED = ("pyproject.toml", "CONTRIBUTING.md", "CHANGELOG.md")


def patched_copy(folder: Path) -> Path:
    """Copy awning into `folder`, apply every patch, and write the files that are made from tables. Return `folder`."""
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in LINKED:
        (folder / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "manifest.toml", folder)
    for path, old, new in (edit for edits in PATCHES.values() for edit in edits):
        text = (folder / path).read_text("utf-8") if old else ""
        assert text.count(old) == 1, f"{path} has {old!r} {text.count(old)} times"
        (folder / path).write_text(text.replace(old, new), "utf-8", newline="\n")
    run_python(folder, "-m", "awning.contract.descriptions", "types", cwd=folder)
    return folder


def run_python(root: Path, *words: object, cwd: Path, fails: bool = False) -> str:
    """Run Python with awning from `root`, and return what it prints. `fails` is whether it may end with an error."""
    paths = (*(root / name for name in ("src", "harness", "packaging")), ROOT / "tests/profile")
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}
    command = [sys.executable, *map(str, words)]
    done = subprocess.run(command, cwd=cwd, env=environ, capture_output=True, text=True, check=False)
    assert fails or done.returncode == 0, done.stdout + done.stderr
    return done.stdout
