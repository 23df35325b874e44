"""The budget of the interpreter: its limits, and the number of steps that the scripts of a file have spent.

The interpreter runs any author's code. Without limits, a few hundred bytes could exhaust memory or time (`s = s + s`
forty times). Work is counted in steps, never in seconds, so that two runs of the check agree. A value above its limit
is widened; of a string, only the beginning and the end stay known. If a part of the work is left out, a note
(`script-budget`) is reported.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

STEPS = 50_000
"""The maximum number of steps for the scripts of one file, in all executions together.

A step is one expression or statement, or work of similar size.
"""
STEPS_OF_A_RUN = 25_000
RUNS = 160
CHOICES_OF_A_RUN = 200
"""The maximum number of decisions in one execution. Each further decision is the default of `PathCondition.choose`."""
JOBS = 300
"""The maximum number of timers, promises and listeners that run in one phase of a page's life. The rest is left out."""
NESTING = 400
"""The maximum depth of nested expressions and statements. Those of a called function are nested in its call."""
CALLS = 40
"""The maximum depth of nested calls. A deeper call returns a symbolic value."""
ROUNDS = 60
"""The maximum number of rounds of a loop whose condition or list is known."""
TEXT = 10_000
"""The maximum length of a string whose value is known. A longer string is widened to a symbolic value."""
ITEMS = 1_000
"""The maximum length of a list that a script builds. A longer list is widened, but a literal list may be longer."""
TRIES = 100_000
"""The maximum number of positions that a regular expression may try in a string. The number is an estimate."""

FRAMES = 10 * NESTING
"""The Python frames that `NESTING` levels need: three to six for each level, plus a reserve."""


class Exhausted(Exception):
    """Raised when an execution has used up its own steps, or when the executions together have used up the file's."""


@dataclass(slots=True)
class Budget:
    """The steps that the scripts of one file have spent, in all executions.

    `left_out` maps each reason for left-out work to the byte offset where it first occurred.
    """

    steps: int = 0
    run_began: int = 0
    end: int = STEPS
    left_out: dict[str, int] = field(default_factory=dict)

    def begin_run(self) -> None:
        self.run_began = self.steps
        self.end = min(self.steps + STEPS_OF_A_RUN, STEPS)

    @property
    def steps_of_run(self) -> int:
        return self.steps - self.run_began

    @property
    def is_spent(self) -> bool:
        """Whether the scripts needed more than `STEPS` steps."""
        return self.steps > STEPS

    def spend(self, steps: int) -> None:
        """Count steps. Raises Exhausted when the execution or the file has no steps left."""
        self.steps += steps
        if self.steps > self.end:
            raise Exhausted

    def leave_out(self, reason: str, offset: int) -> None:
        self.left_out.setdefault(reason, offset)


@contextmanager
def room_for_nesting() -> Iterator[None]:
    """Raise Python's recursion limit so that the interpreter can reach `NESTING` from the caller's depth."""
    before = sys.getrecursionlimit()
    frames, frame = 0, sys._getframe()  # noqa: SLF001 - the depth from which FRAMES are counted
    while frame is not None:
        frames, frame = frames + 1, frame.f_back  # type: ignore[assignment]
    sys.setrecursionlimit(max(before, frames + FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
