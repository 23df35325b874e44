"""Ctrl-C and SIGTERM while `.venv` is made: both raise KeyboardInterrupt, but not while they are held back.

Between the start of an installer and the moment when there is somebody to end it, an exception would leave it running,
and its lock held, after everything else was undone. What arrives then is raised as soon as there is somebody.
"""

import signal
from types import FrameType
from typing import Self

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """Raised as KeyboardInterrupt within a `with` block, from `hold` until `release` only remembered."""

    def __init__(self) -> None:
        self._held = False
        self._arrived = False

    def __enter__(self) -> Self:
        """What is ignored, as Ctrl-C is under nohup, stays so."""
        heard = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
        self._previous = {number: signal.signal(number, self._hear) for number in heard}
        return self

    def __exit__(self, *exception: object) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)

    def hold(self) -> None:
        self._held = True

    def release(self) -> None:
        """Raise what has arrived since `hold`."""
        self._held = False
        if self._arrived:
            self._arrived = False
            raise KeyboardInterrupt

    def _hear(self, _signal: int, _frame: FrameType | None) -> None:
        if not self._held:
            raise KeyboardInterrupt
        self._arrived = True
