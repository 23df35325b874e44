"""Publishers in processes of their own, for tests that kill, stop and race them.

    Publisher.start("publish", "apply")     one command in a process; `kill`, `wait`
    Moments(shelf, calls=9, seed=1)         calls a function at a random moment, counted in calls of a service
    wait_for(condition)                     waits until a function of the test returns true

Several processes are several publishers; a test kills the one that it wants.
"""

import os
import random
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, Self

from warm_python import AWNING, WarmProcess

LONG_S = 300
"""The seconds after which a process counts as hanging. This is not a limit for its speed."""


@dataclass(frozen=True)
class Ended:
    """How a command ended. `code` is its exit code, or minus the number of the signal that ended it."""

    code: int
    out: str
    err: str


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
