"""Shows the progress of a run on stderr: as a bar, as a line every few seconds, as JSON lines, or not at all."""

import json
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO

from awning.cli.report import say
from awning.publish.cell_outcome import RIGHT, CellResult
from awning.publish.run_watcher import RunWatcher
from awning.publish.runner import INTERRUPTED

KINDS = ("auto", "bar", "lines", "json", "none")
BAR_S, LINE_S = 0.2, 5.0
"""The minimum number of seconds between two updates of the bar, and between two lines."""
WAIT_LINE_S = 60.0
"""The minimum number of seconds between two lines while a run waits at a gate."""
THROTTLED_S = 60.0
"""The seconds for which a "too many calls" is shown."""
ENOUGH, ENOUGH_CELLS = 0.05, 100
"""The share of a run, and the number of cells, from which the time left is told. Sooner it would be a guess."""
WIDTH = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class GateWait:
    """A wait at a gate: after which wave, how many seconds it still takes (None: not known), and when it began."""

    where: str
    left_s: float | None
    since: float


class Progress(RunWatcher):
    """Counts cells and instances, and calls `draw` at most once in `every_s` seconds.

    The instances of a run are worked on side by side, so what is left follows from the cells: those of the instances
    that have begun are known, and the others are taken to have as many. Cells that a stop skips do not count.

    While the run waits at a gate, it is called at the beginning of the wait and at most once in `wait_every_s` seconds.
    The time of a wait does not count for the rate. `instances` is the number of instances of the run; None when it is
    not known. `too_many_calls` is how many "too many calls" the service has sent.
    """

    def __init__(
        self,
        draw: Callable[["Progress"], None],
        *,
        every_s: float,
        wait_every_s: float = WAIT_LINE_S,
        instances: int | None = None,
        clock: Callable[[], float] = time.monotonic,
        finish: Callable[[], None] = lambda: None,
    ) -> None:
        self.cells = self.wrong = self.done = 0
        self._begun = self._known_cells = 0
        self.is_stopping = self._is_cut_off = False
        self.instances = instances
        self.too_many_calls = 0
        self._calls_per_s: float | None = None
        self._throttled_at = -THROTTLED_S
        self._draw, self._finish = draw, finish
        self._every_s, self._wait_every_s = every_s, wait_every_s
        self._clock = clock
        self._began = self._drawn_at = clock()
        self.gate: GateWait | None = None
        self._waited_s = 0.0

    def cell(self, result: CellResult) -> None:
        """Count a cell, unless the run stopped before it."""
        self._is_cut_off = result.ending.reason == INTERRUPTED.reason
        self.is_stopping |= self._is_cut_off
        if not self._is_cut_off:
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

    def wait(self, where: str, left_s: float | None) -> None:
        """Note that the run waits at a gate, for `left_s` seconds more if that is known. Called again and again."""
        now = self._clock()
        is_new = self.gate is None
        since = now if self.gate is None else self.gate.since
        self.gate = GateWait(where=where, left_s=left_s, since=since)
        self._show(force=is_new, every_s=self._wait_every_s)

    def go_on(self) -> None:
        """Note that the gate is decided."""
        if self.gate is not None:
            self._waited_s += self._clock() - self.gate.since
            self.gate = None

    def _show(self, *, force: bool = False, every_s: float | None = None) -> None:
        now = self._clock()
        if force or now - self._drawn_at >= (self._every_s if every_s is None else every_s):
            self._drawn_at = now
            self._draw(self)

    @property
    def _worked_s(self) -> float:
        """Seconds since the beginning or the last restart, without the waits at gates."""
        now = self._clock()
        waits_s = 0.0 if self.gate is None else now - self.gate.since
        return now - self._began - self._waited_s - waits_s

    def instance(self) -> None:
        """Count an instance, unless the run stopped before its last cell."""
        self.done += not self._is_cut_off

    def begin(self, cells: int) -> None:
        """Note that the work on an instance with so many cells begins."""
        self._begun += 1
        self._known_cells += cells

    def expect(self, instances: int) -> None:
        """Note the number of instances of the run."""
        self.instances = instances

    def restart(self) -> None:
        """Begin to count again from zero. The number of instances is then not known."""
        self.cells = self.wrong = self.done = 0
        self._begun = self._known_cells = 0
        self.instances = None
        self.gate = None
        self._waited_s = 0.0
        self._began = self._clock()

    def end(self) -> None:
        """Finish the drawing. Called when the run has ended."""
        self._finish()

    def announce(self, text: str) -> None:
        say(text)

    @property
    def rate(self) -> float:
        """The average number of cells per second of work since the beginning or the last restart."""
        return self.cells / max(self._worked_s, 1e-9)

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
        """Estimated seconds of work until the end of the run, without waits at gates; None when they are not known."""
        share = self.share
        if not share or self.is_stopping or (share < ENOUGH and self.cells < ENOUGH_CELLS):
            return None
        return self._worked_s * (1 - share) / share

    @property
    def of_cells(self) -> float | None:
        """The number of cells of the run, estimated while some instances have not begun; None when it is not known."""
        if not self.instances or not self._known_cells:
            return None
        return max(self.cells, self._known_cells * max(1.0, self.instances / self._begun))

    @property
    def knows_all_cells(self) -> bool:
        """Whether every instance has begun, so that `of_cells` is no estimate."""
        return self.instances is not None and self._begun >= self.instances

    @property
    def share(self) -> float | None:
        """The share of the run that is done: of its cells, else of its instances; None when it is not known."""
        of_cells = self.of_cells
        if of_cells:
            return self.cells / of_cells
        return min(1.0, self.done / self.instances) if self.instances else None


def progress_of(kind: str, out: TextIO, *, instances: int | None) -> Progress:
    """Return the progress of one kind in `KINDS`. It is written to `out`."""
    if kind == "auto":
        kind = "bar" if out.isatty() else "lines"
    if kind == "bar":
        blank = "\r\x1b[K"
        return Progress(
            lambda p: _write(out, blank + _bar(p)),
            every_s=BAR_S,
            wait_every_s=BAR_S,
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
    filled = round((progress.share or 0.0) * WIDTH)
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
    about = "" if progress.knows_all_cells else "about "
    of_cells = "" if progress.of_cells is None else f" of {about}{progress.of_cells:,.0f}"
    cells = f"{progress.cells:,}{of_cells} cells{wrong}, {progress.rate:,.0f}/s"
    if progress.is_stopping:
        rest = ", stopping"
    gate = ""
    if progress.gate is not None:
        gate_left = progress.gate.left_s
        time_left = "" if gate_left is None else f", {_duration(gate_left)} more"
        gate = f"; waits at the gate after {progress.gate.where}{time_left}"
    return f"{progress.done:,}{of} instances, {cells}{rest}{gate}{busy}"


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
            "gate": progress.gate and progress.gate.where,
            "gate_left_s": progress.gate and progress.gate.left_s and round(progress.gate.left_s),
        }
    )


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
