"""The tutorials work as they are written: their commands are run, and their files written, in the order of the page.

A block is a file when its first line is a comment with the path, or when the line before it ends in the path and a
colon (JSON has no comments); after "At the end of" it is added to the file. A block without a language holds commands.
`awning dev` is started and ended; a command that ends in `&` runs until the page ends. A command must succeed, unless
its comment says `exit code 1`.
"""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pytest
from nested_runs import with_options
from volumes import PROFILE
from warm_python import folder_with_awning

from awning.workspace.scaffolding import make_workspace

DOCS = Path(__file__).parents[2] / "docs"

BLOCK = re.compile(r"(?P<before>[^\n]*)\n\n```(?P<language>\w*)\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL)
IN_COMMENT = re.compile(r"(?://|#|/\*|\{#|<!--) (?P<path>[\w./-]+\.\w+)(?: (?:\*/|#\}|-->))?\n")
BEFORE = re.compile(r"(?:In|(?P<end>At the end of)) `(?P<path>[\w./-]+)`:$|`(?P<alone>[\w./-]+\.html)`:$")
WITHOUT_PACE = {
    f"AWNING_{verb}_PACE": "0"
    for verb in ("PUBLISH_APPLY", "PUBLISH_PLAN", "PUBLISH_ROLLBACK", "PUBLISH_VERIFY")
}
"""The simulated service needs no pauses between calls."""

FAILS = re.compile(r"# exit code (\d+)")
FEW_TESTS = {**with_options("-k shows -x"), "PYTEST_XDIST_AUTO_NUM_WORKERS": "0", **WITHOUT_PACE}
"""A failing test of a state waits five seconds for its text, so the first failure ends a run.

The run has one process, because with more pytest-xdist reports an interruption.
"""

EVERY_TEST = WITHOUT_PACE if PROFILE == "ci" else FEW_TESTS


@dataclass(frozen=True)
class Step:
    """A file to write, or a command to run."""

    path: str | None
    text: str
    at_the_end: bool = False


def steps(page: str) -> Iterator[Step]:
    for block in BLOCK.finditer((DOCS / page).read_text(encoding="utf-8")):
        text = block["text"]
        if not block["language"]:
            yield from (Step(None, line) for line in text.splitlines())
        elif named := IN_COMMENT.match(text):
            yield Step(named["path"], text)
        elif before := BEFORE.search(block["before"]):
            yield Step(before["path"] or before["alone"], text, at_the_end=bool(before["end"]))


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


def follow(page: str, here: Path, environ: Mapping[str, str] = MappingProxyType({})) -> Path:
    """Do what the page says. Returns the folder that it ends in.

    A command that comes again, or that fails, runs few tests: the last `awning test` runs them all. `awning` is forked
    from a process with its imports done, but what is ended by a signal is the program itself.
    """
    todo = [*steps(page)]
    forked = {"PATH": os.pathsep.join([folder_with_awning(), environment()["PATH"]])}
    with ExitStack() as stack:
        for number, step in enumerate(todo, 1):
            if step.path is not None:
                write(here / step.path, step)
            elif step.text.startswith("cd "):
                here /= step.text.removeprefix("cd ")
            elif step.text.startswith("awning dev"):
                start_and_end(shlex.split(step.text), here)
            elif step.text.endswith("&"):
                running = stack.enter_context(in_background(step.text, here))
                stack.callback(running.terminate)
            else:
                is_short = FAILS.search(step.text) or step in todo[number:]
                run(step.text, here, {**forked, **(FEW_TESTS if is_short else environ)})
    return here


def write(file: Path, step: Step) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    before = file.read_text(encoding="utf-8") if step.at_the_end else ""
    file.write_text(f"{before}\n{step.text}" if before else step.text, encoding="utf-8")


def in_background(line: str, here: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(["bash", "-c", f"exec {line.removesuffix('&')}"], cwd=here, env=environment())


def run(line: str, here: Path, environ: Mapping[str, str]) -> None:
    """Run a command in a shell, and expect the exit code that its comment names."""
    expected = FAILS.search(line)
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=here,
        env={**environment(), **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == int(expected[1] if expected else 0), f"$ {line}\n{done.stdout}\n{done.stderr}"


@pytest.mark.usefixtures("processes")
def test_tutorial_works_from_nothing_to_a_published_widget(tmp_path):
    workspace = follow("tutorial.md", tmp_path, EVERY_TEST)
    assert workspace == tmp_path / "my-app"
    assert not (workspace / "code.txt").exists()
    log = subprocess.run(
        ["awning", "publish", "log", "--json"],
        cwd=workspace,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    runs = json.loads(log.stdout)["runs"]
    assert len(runs) == 4, "a setting, two releases, and the way back"


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("page", ["bring-in.md"])
def test_tutorial_works_in_a_new_workspace(tmp_path, page):
    make_workspace(tmp_path / "my-app")
    follow(page, tmp_path / "my-app")


def test_every_block_of_a_tutorial_is_run_or_written():
    for page in ("tutorial.md", "bring-in.md"):
        blocks = (DOCS / page).read_text(encoding="utf-8").count("```") // 2
        files = sum(step.path is not None for step in steps(page))
        commands = sum(
            not block["language"] for block in BLOCK.finditer((DOCS / page).read_text(encoding="utf-8"))
        )
        assert files + commands == blocks, page
