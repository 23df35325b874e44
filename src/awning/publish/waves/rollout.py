"""The loop over the waves of a run: each wave, then its gate. Single-machine runs and fleets use it."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from awning.publish.cell_outcome import RIGHT, Cause, CellOutcome, CellResult, SummaryCounts
from awning.publish.run_watcher import RunWatcher
from awning.publish.waves.gate import GateCheck, WaveCounts
from awning.publish.waves.run_state import RunStates
from awning.publish.waves.wave import Wave

TICK_S = 1.0
"""Seconds between two looks at how long a gate still waits."""
RunWave = Callable[[int], Awaitable[bool]]
"""Publishes one wave, by its index. Returns whether the run was interrupted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WavesEnd:
    """How the waves of a run ended.

    `index` is the index of the wave where the run ended. `reason` is why the run was stopped: by
    a gate, or by failed or lost chunks of a fleet. None when it was not stopped. `waits` is whether its gate is not
    decided yet.
    """

    index: int
    interrupted: bool = False
    reason: str | None = None
    waits: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WaveLoop:
    """The waves of one run. `passed` is how many waves passed their gate in the run that this one continues."""

    run: int
    waves: Sequence[Wave]
    passed: int
    states: RunStates
    gate: GateCheck
    watcher: RunWatcher

    async def go(self, run_wave: RunWave, counts: SummaryCounts) -> "WavesEnd":
        """Run the waves in order. `counts` are the counts of the run, which `run_wave` increases.

        Gates that passed in an earlier run are not checked again.
        """
        last = len(self.waves) - 1
        for index, wave in enumerate(self.waves):
            before, listed = counts.endings.copy(), len(counts.failures)
            if index < last and index >= self.passed:
                self.gate.begin()
            if await run_wave(index):
                return WavesEnd(index=index, interrupted=True)
            if index == last or index < self.passed:
                continue
            ended = _counts_of(counts.endings - before, counts.failures[listed:])
            where = f"wave {index + 1} of {len(self.waves)} ({wave.name})"
            async with self._waits(where):
                stop = await self.gate.check(ended, wave.name)
            if stop is not None:
                return WavesEnd(index=index, reason=f"{where}: {stop.reason}", waits=stop.waits)
            if self.gate.stop.is_set():
                return WavesEnd(index=index, interrupted=True)
            self.states.pass_wave(self.run, index + 1)
        return WavesEnd(index=last)

    @asynccontextmanager
    async def _waits(self, where: str) -> AsyncIterator[None]:
        """Store and show that the run waits at a gate. A gate that needs no time is not shown."""
        gate = self.gate.gate
        if not gate.wait_s and gate.command is None:
            yield
            return
        self.states.wait_at_gate(self.run, waits=True)
        ticks = asyncio.create_task(_tick(partial(self.watcher.wait, where), gate.wait_s))
        try:
            yield
        finally:
            ticks.cancel()
            self.watcher.go_on()
            self.states.wait_at_gate(self.run, waits=False)


async def _tick(waiting: Callable[[float | None], object], wait_s: float) -> None:
    """Call `waiting` every TICK_S seconds with the time that is left of the wait; with None after the wait."""
    until = time.monotonic() + wait_s
    while True:
        left_s = until - time.monotonic()
        waiting(left_s if left_s > 0 else None)
        await asyncio.sleep(TICK_S)


def _name(result: CellResult) -> str:
    ending = result.ending
    return f"{result.instance} {result.language or '(website)'} {ending.outcome} - {ending.reason}"


def _counts_of(
    endings: Counter[tuple[CellOutcome, Cause | None]], failures: Sequence[CellResult]
) -> WaveCounts:
    tried = [(outcome, n) for (outcome, _), n in endings.items() if outcome is not CellOutcome.SKIPPED]
    wrong = sum(n for outcome, n in tried if outcome not in RIGHT)
    return WaveCounts(cells=sum(n for _, n in tried), wrong=wrong, first=list(map(_name, failures)))
