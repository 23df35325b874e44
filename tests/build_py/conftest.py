"""A small clone for tests of build.py: the real build.py and its bootstrap, and a fake installer.

The clone also has the files that .venv is made from, because its stamp is a hash of them. `.ci/run` installs with the
real uv and the real pip.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import TypeVar

import pytest
from bootstrap.stamp import INPUTS

T = TypeVar("T")

ROOT = Path(__file__).parents[2]

UV = """#!/bin/sh
# Stands in for uv: notes the call, makes a .venv whose `awning` shows its arguments, misbehaves when told to.
echo "$@" >> "$CALLS"
case "$1" in
  venv) mkdir -p .venv/bin; echo half > .venv/half-made ;;
  sync)
    [ -n "$STARTED" ] && echo > "$STARTED" && cat "$RELEASE"
    [ -n "$SAYS" ] && echo "$SAYS" >&2 && exit 1
    printf '#!/bin/sh\\necho "awning $* in $PWD"\\nexit ${AWNING_ENDS:-0}\\n' > .venv/bin/awning
    chmod +x .venv/bin/awning ;;
esac
"""


PATIENCE_S = 60


def soon(wait: Callable[[], T]) -> T:
    """Return the result of `wait`. The test fails when it takes longer than PATIENCE_S."""
    answers: Queue[T] = Queue()
    Thread(target=lambda: answers.put(wait()), daemon=True).start()
    return answers.get(timeout=PATIENCE_S)


class Clone:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.venv = root / ".venv"
        self.python = sys.executable
        self.calls_file = root.parent / "calls"
        self.environ = {
            "PATH": f"{root.parent / 'bin'}:/usr/bin:/bin",
            "CALLS": str(self.calls_file),
            "HOME": str(root.parent),
        }

    @property
    def calls(self) -> list[str]:
        """The installer's subcommands so far."""
        return (
            [line.split()[0] for line in self.calls_file.read_text().splitlines()]
            if self.calls_file.exists()
            else []
        )

    def start(self, *arguments: str, cwd: Path | None = None, **environ: str) -> subprocess.Popen:
        return subprocess.Popen(
            [self.python, "-I", str(self.root / "build.py"), *arguments],
            cwd=cwd or self.root,
            env=self.environ | environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    @contextmanager
    def running(self, *arguments: str, **how: str | Path | None) -> Iterator[subprocess.Popen]:
        """Run a process, and kill it when the block ends. Popen's own block would wait for a process that hangs."""
        with self.start(*arguments, **how) as process:
            try:
                yield process
            finally:
                process.kill()

    def said(self, process: subprocess.Popen) -> tuple[str, str]:
        """Wait until a process ends, and return its stdout and stderr."""
        return process.communicate(timeout=PATIENCE_S)

    def complaint(self, process: subprocess.Popen) -> str:
        """Return the next line of a process's standard error."""
        return soon(process.stderr.readline)

    def run(self, *arguments: str, cwd: Path | None = None, **environ: str) -> subprocess.CompletedProcess:
        with self.running(*arguments, cwd=cwd, **environ) as process:
            out, err = self.said(process)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)


class Hung:
    """An installation that waits in the middle, at a named pipe, until `release`."""

    def __init__(self, clone: Clone) -> None:
        self.started, self.released = clone.root.parent / "started", clone.root.parent / "released"
        os.mkfifo(self.started)
        os.mkfifo(self.released)
        self.process = clone.start("--version", STARTED=str(self.started), RELEASE=str(self.released))
        soon(self.started.read_text)  # returns when the installer is in the middle

    def signal(self, number: signal.Signals) -> tuple[str, str]:
        self.process.send_signal(number)
        return self.process.communicate(timeout=PATIENCE_S)

    def release(self) -> None:
        """Let the installer continue."""
        soon(lambda: self.released.write_text(""))


@pytest.fixture
def clone(tmp_path) -> Clone:
    root = tmp_path / "clone"
    for name in ("build.py", *INPUTS):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    shutil.copytree(ROOT / "packaging/bootstrap", root / "packaging/bootstrap", dirs_exist_ok=True)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/uv").write_text(UV)
    (tmp_path / "bin/uv").chmod(0o755)
    return Clone(root)


@pytest.fixture
def hung(clone) -> Iterator[Hung]:
    yield (hung := Hung(clone))
    hung.process.kill()
    hung.process.communicate(timeout=PATIENCE_S)
    with suppress(OSError):  # raised if no process waits at the pipe any more
        os.close(os.open(hung.released, os.O_WRONLY | os.O_NONBLOCK))
