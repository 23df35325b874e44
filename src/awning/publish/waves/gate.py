"""Gates: the conditions for the next wave.

After a wave, a gate checks in this order: the share of cells that are not right (refused, failed or unknown), a wait,
the health of the widgets, and a command of the operator. The first condition that does not hold stops the run.
"""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

END_S = 5.0
"""Seconds that a command may take to end after SIGTERM. Then it is killed."""
LEAST_VIEWS = 30
"""The minimum number of (estimated) page views of the new release before its health is judged."""
LEAST_REPORTS = 3
"""The minimum number of reports of renderings before the health of the new release is judged.

With a low sample rate, one report stands for many page views, so LEAST_VIEWS alone would judge by a single report.
"""
NAMED = 3
"""How many cells that are not right the gate names."""
WAIT = "wait longer, then run it again"


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthFigures:
    """What pages have reported since the run began, about the new release and about all other releases.

    `new_share` and `old_share` are the shares of page views on which a widget failed. `new_share` is None without
    reports, `old_share` without reports of renderings. `views` is the estimated number of page views of the new
    release. `reports` is the number of reports of renderings from which `views` is estimated.
    """

    new_share: float | None
    old_share: float | None
    views: float
    reports: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """The conditions that must hold after each wave except the last.

    `most_failures` is the largest allowed share of cells that are not right, in percent. `wait_s` is a wait in seconds.
    The shell runs `command`, which must end with exit code 0. `most_health_loss` is how many percentage points the
    failure rate of the new release may be above that of the old ones; None means that the health is not checked.
    """

    most_failures: float = 1.0
    wait_s: float = 0.0
    command: str | None = None
    most_health_loss: float | None = None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class WaveCounts:
    """The number of cells of one wave that were not skipped, and how many of them are not right.

    `first` are the first of these, as a person reads them. They may be missing, for example in a fleet's run.
    """

    cells: int
    wrong: int
    first: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GateCheck:
    """Checks the gate of a run. `facts` are environment variables for the command.

    `health` reads the reports of pages.
    """

    gate: Gate
    facts: Mapping[str, str]
    health: Callable[[], HealthFigures]
    stop: asyncio.Event

    async def reason(self, counts: WaveCounts, wave: str) -> str | None:
        """Return why the next wave must not begin; None when it may.

        When the run is being stopped, only the share of cells that are not right is checked.
        """
        reason = _too_many(counts, self.gate.most_failures)
        if reason is None and self.gate.wait_s and not self.stop.is_set():
            await _pause(self.gate.wait_s, self.stop)
        if reason is None and self.gate.most_health_loss is not None and not self.stop.is_set():
            reason = _unhealthy(self.health(), self.gate.most_health_loss)
        if reason is None and self.gate.command and not self.stop.is_set():
            reason = await _run(self.gate.command, {**self.facts, "AWNING_WAVE": wave}, self.stop)
        return reason


def _too_many(counts: WaveCounts, most: float) -> str | None:
    if not counts.wrong or counts.wrong * 100 <= most * counts.cells:
        return None
    share = counts.wrong * 100 / counts.cells
    names = counts.first[:NAMED]
    more = f" and {counts.wrong - len(names):,} more" if counts.wrong > len(names) else ""
    which = f": {'; '.join(names)}{more}" if names else ""
    return (
        f"{counts.wrong:,} of {counts.cells:,} cells are not right ({share:.3g}%; at most {most:g}%){which}"
    )


def _unhealthy(figures: HealthFigures, most: float) -> str | None:
    if figures.new_share is None:
        return f"no shop has reported a widget of this release yet; {WAIT}"
    if not figures.reports:
        return "shops have reported failures of this release's widgets, and no rendering"
    if figures.views < LEAST_VIEWS or figures.reports < LEAST_REPORTS:
        return (
            f"only {figures.views:,.0f} page views of this release are reported yet, by {figures.reports} "
            f"renderings (at least {LEAST_VIEWS}, by {LEAST_REPORTS}); {WAIT}"
        )
    loss = (figures.new_share - (figures.old_share or 0.0)) * 100
    if loss <= most:
        return None
    before = "" if figures.old_share is None else f", of earlier releases {figures.old_share:.2%}"
    return f"{figures.new_share:.2%} of the release's widgets fail{before} (at most {most:g} points more)"


async def _pause(seconds: float, stop: asyncio.Event) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)


async def _run(command: str, facts: Mapping[str, str], stop: asyncio.Event) -> str | None:
    """Run the operator's command. Returns why the gate does not hold; None when it holds, or the run is being stopped.

    The output goes to standard error, because standard output has only results.
    """
    process = await asyncio.create_subprocess_shell(
        command, stdin=asyncio.subprocess.DEVNULL, stdout=2, env={**os.environ, **facts}
    )
    ended, stopped = asyncio.create_task(process.wait()), asyncio.create_task(stop.wait())
    await asyncio.wait([ended, stopped], return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()
    if not ended.done():
        process.terminate()
        try:
            await asyncio.wait_for(ended, END_S)
        except TimeoutError:
            process.kill()
            await process.wait()
        return None
    return None if process.returncode == 0 else f"the gate's command ended with {process.returncode}"
