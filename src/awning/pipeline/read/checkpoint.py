"""Where a build can be cancelled: between phases, between the pieces of a long phase, and while esbuild works.

Finished results stay in the build memory, so the next build does not repeat them.
"""

from collections.abc import Callable
from dataclasses import dataclass


class BuildCancelled(Exception):
    """The build was cancelled at a checkpoint."""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A phase calls `check` between two pieces of work. `is_cancelled` returns True when the build must end."""

    is_cancelled: Callable[[], bool] = _never

    def check(self) -> None:
        """Raise BuildCancelled if the build must end."""
        if self.is_cancelled():
            raise BuildCancelled


NEVER_CANCELLED = Checkpoint()
