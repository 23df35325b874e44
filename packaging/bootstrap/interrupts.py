"""Ctrl-C and SIGTERM while `.venv` is made. Both raise KeyboardInterrupt, but not while they are held back.

While an installer starts, nothing can kill it yet. An exception at that moment would end build.py but not the
installer, which would still hold the lock. So a signal is held back until the installer can be killed.
"""

import signal
from types import FrameType
from typing import Self

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """Raises KeyboardInterrupt for a signal within its `with` block. From `hold` until `release`, it only remembers the
    signal.
    """

    def __init__(self) -> None:
        self._held = False
        self._arrived = False

    def __enter__(self) -> Self:
        """Handle the signals. A signal that is ignored, such as Ctrl-C under nohup, stays ignored."""
        handled = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
        self._previous = {number: signal.signal(number, self._hear) for number in handled}
        return self

    def __exit__(self, *exception: object) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)

    def hold(self) -> None:
        self._held = True

    def release(self) -> None:
        """Raise KeyboardInterrupt if a signal has arrived since `hold`."""
        self._held = False
        if self._arrived:
            self._arrived = False
            raise KeyboardInterrupt

    def _hear(self, _signal: int, _frame: FrameType | None) -> None:
        if not self._held:
            raise KeyboardInterrupt
        self._arrived = True
