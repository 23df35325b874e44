"""How much of a script is followed: every limit of the interpreter, and the account of what was spent.

The interpreter runs code that somebody else wrote. Without limits a few hundred bytes exhaust memory or time
(`s = s + s` forty times). Work is counted in steps, never in seconds, so that two runs of the check agree. A value
that grows over its limit is widened: the check goes on with a value of which only the ends are known. Whatever is
not looked at is reported as a note (`script-budget`).
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

STEPS = 50_000
"""Of all runs of a script together. A step is one expression or statement, or work of about that size."""
STEPS_OF_A_RUN = 25_000
RUNS = 160
CHOICES_OF_A_RUN = 200
"""How many conditions one run chooses about; after them it takes the first way of each."""
JOBS = 300
"""Timers, promises and listeners that run at one moment of a page's life."""
NESTING = 400
"""Expressions and statements inside one another, through calls. The language's own frames are counted in `FRAMES`."""
CALLS = 40
"""Calls inside one another. A deeper one gives an unknown value."""
ROUNDS = 60
"""Of a loop whose condition is known."""
TEXT = 10_000
"""Characters of a known text."""
ITEMS = 1_000
"""Elements of a known list that a script puts together. A list that is written out may be longer."""
TRIES = 100_000
"""Positions that matching a regular expression may try, estimated from its quantifiers and the text's length."""

FRAMES = 10 * NESTING
"""Python frames that the deepest nesting takes: three to six for each level, and room to spare."""


class Exhausted(Exception):
    """A run has used up its steps."""


@dataclass(slots=True)
class Budget:
    """The account of one script, for all of its runs.

    `left_out` holds why something was not looked at, with the byte offset where that happened first.
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
        return self.steps >= STEPS

    def spend(self, steps: int) -> None:
        """Raises Exhausted."""
        self.steps += steps
        if self.steps > self.end:
            raise Exhausted

    def leave_out(self, reason: str, offset: int) -> None:
        self.left_out.setdefault(reason, offset)


@contextmanager
def room_for_nesting() -> Iterator[None]:
    """Let the interpreter's own recursion go as deep as `NESTING` needs, from wherever it is called."""
    before = sys.getrecursionlimit()
    frames, frame = 0, sys._getframe()  # noqa: SLF001 - the depth from which FRAMES are counted
    while frame is not None:
        frames, frame = frames + 1, frame.f_back  # type: ignore[assignment]
    sys.setrecursionlimit(max(before, frames + FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
