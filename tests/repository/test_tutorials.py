"""The tutorials work as they are written: their commands are run, and their files written, in the order of the page.

A block is a file when its first line is a comment with the path, or when the line before it ends in the path and a
colon (JSON has no comments). A block without a language holds commands. `awning dev` is started and ended.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from awning.workspace.scaffolding import make_workspace

DOCS = Path(__file__).parents[2] / "docs"

BLOCK = re.compile(r"(?P<before>[^\n]*)\n\n```(?P<language>\w*)\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL)
IN_COMMENT = re.compile(r"(?://|#|/\*|\{#|<!--) (?P<path>[\w./-]+\.\w+)(?: (?:\*/|#\}|-->))?\n")
BEFORE = re.compile(r"In `(?P<path>[\w./-]+)`:$|`(?P<alone>[\w./-]+\.html)`:$")


@dataclass(frozen=True)
class Step:
    """A file to write, or a command to run."""

    path: str | None
    text: str


def steps(page: str) -> Iterator[Step]:
    for block in BLOCK.finditer((DOCS / page).read_text(encoding="utf-8")):
        text = block["text"]
        if not block["language"]:
            yield from (Step(None, line) for line in text.splitlines())
        elif named := IN_COMMENT.match(text):
            yield Step(named["path"], text)
        elif before := BEFORE.search(block["before"]):
            yield Step(before["path"] or before["alone"], text)


def environment() -> dict[str, str]:
    """`awning` is on the path, as the tutorials say."""
    return {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}


def start_and_end(command: list[str], here: Path) -> None:
    """Start a server, wait for the address of the shop, interrupt it, and expect exit code 130."""
    with subprocess.Popen(
        [*command, "--port", "0"], cwd=here, env=environment(), stdout=subprocess.PIPE, text=True
    ) as running:
        assert any("http://127.0.0.1:" in line for line in running.stdout)
        running.send_signal(signal.SIGINT)
        assert running.wait() == 130


def follow(page: str, here: Path) -> Path:
    """Do what the page says. Returns the folder that it ends in."""
    for step in steps(page):
        if step.path is not None:
            (here / step.path).parent.mkdir(parents=True, exist_ok=True)
            (here / step.path).write_text(step.text, encoding="utf-8")
            continue
        command = shlex.split(step.text)
        if command[0] == "cd":
            here /= command[1]
        elif command[:2] == ["awning", "dev"]:
            start_and_end(command, here)
        else:
            assert command[0] == "awning", step.text
            done = subprocess.run(
                command, cwd=here, env=environment(), capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"$ {step.text}\n{done.stdout}\n{done.stderr}"
    return here


def test_first_widget_tutorial_works_from_start_to_end(tmp_path):
    workspace = follow("first-widget.md", tmp_path)
    assert workspace == tmp_path / "my-app"
    assert (workspace / "dist" / "widgets" / "saving" / "body.html").is_file()


@pytest.mark.parametrize("page", ["bring-in.md"])
def test_tutorial_works_in_a_new_workspace(tmp_path, page):
    make_workspace(tmp_path / "my-app")
    follow(page, tmp_path / "my-app")


def test_every_block_of_a_tutorial_is_run_or_written():
    for page in ("first-widget.md", "bring-in.md"):
        blocks = (DOCS / page).read_text(encoding="utf-8").count("```") // 2
        files = sum(step.path is not None for step in steps(page))
        commands = sum(
            not block["language"] for block in BLOCK.finditer((DOCS / page).read_text(encoding="utf-8"))
        )
        assert files + commands == blocks, page
