"""The loop over the waves of a run: each wave, then its gate. Single-machine runs and fleets use it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from awning.publish.cell_outcome import RIGHT, CellOutcome, CellResult, SummaryCounts
from awning.publish.waves.gate import GateCheck, WaveCounts
from awning.publish.waves.run_state import RunStates
from awning.publish.waves.wave import Wave

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

    async def go(self, run_wave: RunWave, counts: SummaryCounts) -> "WavesEnd":
        """Run the waves in order. `counts` are the counts of the run, which `run_wave` increases.

        Gates that passed in an earlier run are not checked again.
        """
        last = len(self.waves) - 1
        for index, wave in enumerate(self.waves):
            before, listed = _totals(counts), len(counts.failures)
            if index < last and index >= self.passed:
                self.gate.begin()
            if await run_wave(index):
                return WavesEnd(index=index, interrupted=True)
            if index == last or index < self.passed:
                continue
            ended = replace(
                _difference(before, _totals(counts)), first=list(map(_name, counts.failures[listed:]))
            )
            stop = await self.gate.check(ended, wave.name)
            if stop is not None:
                where = f"wave {index + 1} of {len(self.waves)} ({wave.name})"
                return WavesEnd(index=index, reason=f"{where}: {stop.reason}", waits=stop.waits)
            if self.gate.stop.is_set():
                return WavesEnd(index=index, interrupted=True)
            self.states.pass_wave(self.run, index + 1)
        return WavesEnd(index=last)


def _name(result: CellResult) -> str:
    ending = result.ending
    return f"{result.instance} {result.language or '(website)'} {ending.outcome} - {ending.reason}"


def _totals(counts: SummaryCounts) -> WaveCounts:
    tried = [(outcome, n) for (outcome, _), n in counts.endings.items() if outcome is not CellOutcome.SKIPPED]
    return WaveCounts(
        cells=sum(n for _, n in tried), wrong=sum(n for outcome, n in tried if outcome not in RIGHT)
    )


def _difference(before: WaveCounts, after: WaveCounts) -> WaveCounts:
    return WaveCounts(cells=after.cells - before.cells, wrong=after.wrong - before.wrong)
