"""Publishers in processes of their own, for tests that kill, stop and race them.

    Publisher.start("publish", "apply")     one command in a process; `kill`, `wait`
    Warm()                                  a process that runs one command after another
    Moments(shelf, calls=9, seed=1)         calls a function at a random moment, counted in calls of a service
    wait_for(condition)                     waits until a function of the test returns true

Several processes are several publishers; a test kills the one that it wants.
"""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, Self

from warm_python import AWNING, WarmProcess

LONG_S = 300
"""The seconds after which a process counts as hanging. This is not a limit for its speed."""
LOOP = """
import contextlib, io, json, sys, time
from awning.cli import main
for line in sys.stdin:
    out, err, code, began = io.StringIO(), io.StringIO(), 0, time.monotonic()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(json.loads(line))
        except SystemExit as ended:
            code = ended.code
    seconds = time.monotonic() - began
    ended = {"code": int(code or 0), "out": out.getvalue(), "err": err.getvalue(), "seconds": seconds}
    print(json.dumps(ended), flush=True)
"""


@dataclass(frozen=True)
class Ended:
    """How a command ended. `code` is its exit code, or minus the number of the signal that ended it."""

    code: int
    out: str
    err: str
    seconds: float = 0.0


@dataclass(frozen=True)
class Publisher:
    """One command of awning in a process of its own."""

    process: WarmProcess

    @classmethod
    def start(cls, *arguments: str, **environ: str) -> Self:
        return cls(WarmProcess([*AWNING, *arguments], {**os.environ, **environ}))

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    def send(self, number: signal.Signals) -> None:
        """Send a signal, unless the process has ended already."""
        if self.process.poll() is None:
            self.process.send_signal(number)

    def kill(self) -> None:
        self.send(signal.SIGKILL)

    def wait(self) -> Ended:
        with self.process:
            out, err = self.process.communicate(timeout=LONG_S)
        return Ended(self.process.returncode, out, err)


class Warm:
    """A process that runs one command after another, so that each begins at once. A context manager."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-c", LOOP], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._process.kill()
        self._process.communicate(timeout=LONG_S)

    def begin(self, *arguments: str) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        stdin.write(json.dumps(arguments) + "\n")
        stdin.flush()

    def end(self) -> Ended:
        """Wait for the end of the command that was begun."""
        stdout = self._process.stdout
        assert stdout is not None
        return Ended(**json.loads(stdout.readline()))


class Asked(Protocol):
    """A service that calls `before` at each call that it gets."""

    before: Callable[[str, str, int], Any]


class Moments:
    """Calls a function at a random moment: at one of the next `calls` calls of a service, or milliseconds later."""

    def __init__(self, service: Asked, *, calls: int, seed: int) -> None:
        self._service = service
        self._random = random.Random(seed)
        self._calls = calls

    def once(self, act: Callable[[], object]) -> None:
        left, wait_s = self._random.randrange(1, self._calls + 1), self._random.choice([0, 0, 0.002, 0.02])
        lock = threading.Lock()

        def before(_call: str, _code: str, _turn: int) -> None:
            nonlocal left
            with lock:
                left -= 1
                is_now = left == 0
            if is_now and wait_s:
                threading.Timer(wait_s, act).start()
            elif is_now:
                act()

        self._service.before = before

    def never(self) -> None:
        """Call the function no more."""
        self._service.before = lambda *_: None


def wait_for(condition: Callable[[], object]) -> None:
    until = time.monotonic() + LONG_S
    while not condition():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)
