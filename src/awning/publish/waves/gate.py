"""Gates: the conditions for the next wave.

After a wave, a gate checks in this order: the share of cells that are not right (refused, failed or unknown), a wait,
the health of the widgets, and a command of the operator. The first condition that does not hold stops the run. Where
too little is known about the health yet, the gate is not decided: the run waits, and is not taken back.
"""

import asyncio
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from awning.publish.health.windows import GateWindows, HealthFigures

END_S = 5.0
"""Seconds that a command may take to end after SIGTERM. Then it is killed."""
LEAST_VIEWS = 30
"""The minimum number of (estimated) page views of the new release before its health is judged."""
LEAST_REPORTS = 3
"""The minimum number of addresses that report renderings before the health of the new release is judged.

With a low sample rate, one report stands for many page views, so LEAST_VIEWS alone would judge by a single report.
"""
LEAST_ADDRESSES, LEAST_INSTANCES = 20, 3
"""How many addresses and instances must report the new release before its health is judged, unless a run says else.

Anybody can send reports. With 20 addresses, one weighs 5 % (`awning.publish.health.windows`).
"""
NAMED = 3
"""How many cells that are not right the gate names."""
WAIT = "wait longer, then run it again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """The conditions that must hold after each wave except the last.

    `most_failures` is the largest allowed share of cells that are not right, in percent. `wait_s` is a wait in seconds.
    The shell runs `command`, which must end with exit code 0. `most_health_loss` is how many percentage points the
    failure rate of the new release may be above that of the old ones; None means that the health is not checked. It is
    judged when `least_addresses` addresses and `least_instances` instances have reported the new release.
    """

    most_failures: float = 1.0
    wait_s: float = 0.0
    command: str | None = None
    most_health_loss: float | None = None
    least_addresses: int = LEAST_ADDRESSES
    least_instances: int = LEAST_INSTANCES


@dataclass(frozen=True, slots=True, kw_only=True)
class WaveCounts:
    """The number of cells of one wave that were not skipped, and how many of them are not right.

    `first` are the first of these, as a person reads them. They may be missing, for example in a fleet's run.
    """

    cells: int
    wrong: int
    first: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Stop:
    """Why the next wave does not begin. `waits`: the gate is not decided, because too little is known yet."""

    reason: str
    waits: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GateCheck:
    """Checks the gate of a run. `facts` are environment variables for the command.

    `windows` counts the reports of pages about `release`, from the beginning of a wave until its gate is decided. An
    undecided gate of one of the runs in `continues`, which this one continues, goes on.
    """

    gate: Gate
    run: int
    release: int
    continues: Sequence[int]
    facts: Mapping[str, str]
    windows: GateWindows
    stop: asyncio.Event

    def begin(self) -> None:
        """Prepare for the gate of a wave that begins."""
        if self.gate.most_health_loss is not None:
            self.windows.begin(self.run, self.continues)

    async def check(self, counts: WaveCounts, wave: str) -> Stop | None:
        """Return why the next wave must not begin; None when it may. What was counted for a decided gate is deleted.

        When the run is being stopped, only the share of cells that are not right is checked.
        """
        stop = await self._check(counts, wave)
        if self.gate.most_health_loss is not None and not (self.stop.is_set() or (stop and stop.waits)):
            self.windows.end(self.run)
        return stop

    async def _check(self, counts: WaveCounts, wave: str) -> Stop | None:
        reason = _too_many(counts, self.gate.most_failures)
        if reason is not None:
            return Stop(reason)
        if self.gate.wait_s and not self.stop.is_set():
            await _pause(self.gate.wait_s, self.stop)
        if self.gate.most_health_loss is not None and not self.stop.is_set():
            least = self.gate.least_addresses
            figures = self.windows.figures(self.run, self.release, least_addresses=least)
            stop = _unhealthy(figures, self.gate, self.gate.most_health_loss)
            if stop is not None:
                return stop
        if self.gate.command and not self.stop.is_set():
            reason = await _run(self.gate.command, {**self.facts, "AWNING_WAVE": wave}, self.stop)
        return None if reason is None else Stop(reason)


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


def _unhealthy(figures: HealthFigures, gate: Gate, most: float) -> Stop | None:
    if figures.new_share is None:
        return Stop(f"no shop has reported a widget of this release yet; {WAIT}", waits=True)
    if figures.addresses < gate.least_addresses or figures.instances < gate.least_instances:
        return Stop(_too_few(figures, gate), waits=True)
    if not figures.renderings:
        return Stop("shops have reported failures of this release's widgets, and no rendering")
    if figures.views < LEAST_VIEWS or figures.renderings < LEAST_REPORTS:
        return Stop(
            f"only {figures.views:,.0f} page views of this release are reported yet, by {figures.renderings} "
            f"addresses with renderings (at least {LEAST_VIEWS}, by {LEAST_REPORTS}); {WAIT}",
            waits=True,
        )
    loss = (figures.new_share - (figures.old_share or 0.0)) * 100
    if loss <= most:
        return None
    before = "" if figures.old_share is None else f", of earlier releases {figures.old_share:.2%}"
    return Stop(
        f"{figures.new_share:.2%} of the release's widgets fail{before} (at most {most:g} points more)"
    )


def _too_few(figures: HealthFigures, gate: Gate) -> str:
    """Return why the health is not judged yet, and what to do."""
    reported = (
        f"only {_count(figures.addresses, 'address')} at {_count(figures.instances, 'instance')} reported this release "
        f"yet (at least {gate.least_addresses} at {gate.least_instances}: --gate-addresses, --gate-instances); {WAIT}"
    )
    if figures.instances or not gate.least_instances:
        return reported
    return f"{reported}. No report came from a website in the inventory: awning instances refresh reads their addresses"


def _count(number: int, word: str) -> str:
    plural = f"{word}es" if word.endswith("s") else f"{word}s"
    return f"{number:,} {word if number == 1 else plural}"


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
