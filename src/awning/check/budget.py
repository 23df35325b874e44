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
"""The most steps of all executions of a file's scripts together.

A step is one expression or statement, or work of similar size.
"""
STEPS_OF_A_RUN = 25_000
RUNS = 160
CHOICES_OF_A_RUN = 200
"""The most decisions of one execution. After that, each decision is the default of `PathCondition.choose`."""
JOBS = 300
"""The most timers, promises and listeners that run at one moment of a page's life."""
NESTING = 400
"""The most nested expressions and statements, also in called functions. `FRAMES` is this limit in Python frames."""
CALLS = 40
"""The most nested calls. A deeper call returns a symbolic value."""
ROUNDS = 60
"""The most rounds of a loop whose condition or list is known."""
TEXT = 10_000
"""The most characters of a string whose value is known."""
ITEMS = 1_000
"""The most elements of a list that a script builds and whose elements are known. A literal list may be longer."""
TRIES = 100_000
"""The most positions that a regular expression may try, estimated from its quantifiers and the string's length."""

FRAMES = 10 * NESTING
"""The Python frames of the deepest nesting: three to six for each level, plus a reserve."""


class Exhausted(Exception):
    """Raised when an execution has used up its own steps, or all executions together those of the file."""


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
        """Whether the scripts needed more steps than the file has. Exactly `STEPS` steps leave nothing out."""
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
