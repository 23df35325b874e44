"""Shows the progress of a run on stderr: as a bar, as a line every few seconds, as JSON lines, or not at all."""

import json
import shutil
import time
from collections.abc import Callable
from typing import TextIO

from awning.publish.cell_outcome import RIGHT, CellResult

KINDS = ("auto", "bar", "lines", "json", "none")
BAR_S, LINE_S = 0.2, 5.0
"""The minimum number of seconds between two updates of the bar, and between two lines."""
THROTTLED_S = 60.0
"""The seconds for which a "too many calls" is shown."""
WIDTH = 24


class Progress:
    """Counts cells and instances, and calls `draw` at most once in `every_s` seconds.

    `instances` is the number of instances of the run; None when it is not known. `too_many_calls` is how many "too many
    calls" the service has sent.
    """

    def __init__(
        self,
        draw: Callable[["Progress"], None],
        *,
        every_s: float,
        instances: int | None = None,
        clock: Callable[[], float] = time.monotonic,
        finish: Callable[[], None] = lambda: None,
    ) -> None:
        self.cells = self.wrong = self.done = 0
        self.instances = instances
        self.too_many_calls = 0
        self._calls_per_s: float | None = None
        self._throttled_at = -THROTTLED_S
        self._draw, self._finish = draw, finish
        self._every_s = every_s
        self._clock = clock
        self._began = self._drawn_at = clock()

    def cell(self, result: CellResult) -> None:
        """Count a cell."""
        self.add(1, int(result.ending.outcome not in RIGHT), 0)

    def add(self, cells: int, wrong: int, instances: int) -> None:
        """Add to the counts of cells, of cells that are not right, and of instances."""
        self.cells += cells
        self.wrong += wrong
        self.done += instances
        self._show()

    def throttled(self, count: int, per_s: float | None) -> None:
        """Note the number of "too many calls" until now, and the rate to which they lowered the calls."""
        self.too_many_calls, self._calls_per_s = count, per_s
        self._throttled_at = self._clock()
        self._show()

    def _show(self) -> None:
        now = self._clock()
        if now - self._drawn_at >= self._every_s:
            self._drawn_at = now
            self._draw(self)

    def instance(self) -> None:
        """Count an instance."""
        self.done += 1

    def restart(self) -> None:
        """Begin to count again from zero. The number of instances is then not known."""
        self.cells = self.wrong = self.done = 0
        self.instances = None
        self._began = self._clock()

    def end(self) -> None:
        """Finish the drawing. Called when the run has ended."""
        self._finish()

    @property
    def rate(self) -> float:
        """The average number of cells per second since the beginning or the last restart."""
        return self.cells / max(self._clock() - self._began, 1e-9)

    @property
    def is_throttled(self) -> bool:
        """Whether the service has sent a "too many calls" in the last THROTTLED_S seconds."""
        return self._clock() - self._throttled_at < THROTTLED_S

    @property
    def calls_per_s(self) -> float | None:
        """The rate to which the last "too many calls" lowered the calls; None when it did not, or long ago."""
        return self._calls_per_s if self.is_throttled else None

    @property
    def left_s(self) -> float | None:
        """Estimated seconds until the end of the run; None when they are not known."""
        if not self.instances or not self.done:
            return None
        return max(0, self.instances - self.done) * (self._clock() - self._began) / self.done


def progress_of(kind: str, out: TextIO, *, instances: int | None) -> Progress:
    """Return the progress of one kind in `KINDS`. It is written to `out`."""
    if kind == "auto":
        kind = "bar" if out.isatty() else "lines"
    if kind == "bar":
        blank = "\r\x1b[K"
        return Progress(
            lambda p: _write(out, blank + _bar(p)),
            every_s=BAR_S,
            instances=instances,
            finish=lambda: _write(out, blank),
        )
    if kind == "json":
        return Progress(lambda p: _write(out, _json(p) + "\n"), every_s=LINE_S, instances=instances)
    if kind == "lines":
        return Progress(lambda p: _write(out, _text(p) + "\n"), every_s=LINE_S, instances=instances)
    return Progress(lambda _: None, every_s=LINE_S, instances=instances)


def _write(out: TextIO, text: str) -> None:
    out.write(text)
    out.flush()


def _bar(progress: Progress) -> str:
    """Return the bar, cut to one row of the terminal: a longer one would leave rows behind at each update."""
    share = min(1.0, progress.done / progress.instances) if progress.instances else 0.0
    filled = round(share * WIDTH)
    bar = f"[{'#' * filled}{'.' * (WIDTH - filled)}] " if progress.instances else ""
    return (bar + _text(progress))[: shutil.get_terminal_size().columns - 1]


def _text(progress: Progress) -> str:
    of = f" of {progress.instances:,}" if progress.instances else ""
    wrong = f", {progress.wrong:,} not right" if progress.wrong else ""
    left = progress.left_s
    rest = "" if left is None else f", {_duration(left)} left"
    busy = ""
    if progress.is_throttled:
        rate = progress.calls_per_s
        lowered = "" if rate is None else f": at most {rate:,.0f} calls/s"
        busy = f'; the service answers "too many calls" ({progress.too_many_calls:,}){lowered}'
    cells = f"{progress.cells:,} cells{wrong}, {progress.rate:,.0f}/s"
    return f"{progress.done:,}{of} instances, {cells}{rest}{busy}"


def _json(progress: Progress) -> str:
    left = progress.left_s
    return json.dumps(
        {
            "cells": progress.cells,
            "not_right": progress.wrong,
            "instances": progress.done,
            "of_instances": progress.instances,
            "rate": round(progress.rate, 1),
            "left_s": None if left is None else round(left),
            "too_many_calls": progress.too_many_calls,
            "calls_per_s": progress.calls_per_s,
        }
    )


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
