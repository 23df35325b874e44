"""What `publish apply` says while it works: a line on stderr now and then, so that a long run is seen to go on."""

import sys
import time
from collections.abc import Callable

from awning.cli.report import say
from awning.publish.outcome import RIGHT, CellResult

TERMINAL_S, LOG_S = 2.0, 30.0
"""Between two lines, where somebody watches and where a file is written."""


class Progress:
    """Called with every cell that ended; speaks at most once in `every_s` seconds, and never of a short run."""

    def __init__(self, *, every_s: float | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._every_s = every_s or (TERMINAL_S if sys.stderr.isatty() else LOG_S)
        self._clock = clock
        self._told_at = clock()
        self._ended = self._wrong = 0

    def __call__(self, result: CellResult) -> None:
        self._ended += 1
        self._wrong += result.ending.outcome not in RIGHT
        now = self._clock()
        if now - self._told_at >= self._every_s:
            self._told_at = now
            say(f"{self._ended} cells so far" + (f", {self._wrong} not right" if self._wrong else ""))
