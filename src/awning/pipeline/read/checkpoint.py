"""Where a build can be cancelled: between two phases, and between two pieces of a long phase.

What a build has done until then stays in its memory, so the next build does not do it again.
"""

from collections.abc import Callable
from dataclasses import dataclass


class BuildCancelled(Exception):
    """The build was cancelled at a checkpoint."""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A phase passes it between two pieces of work. `is_cancelled` is whether the build is no longer wanted."""

    is_cancelled: Callable[[], bool] = _never

    def check(self) -> None:
        """Raise BuildCancelled if the build is no longer wanted."""
        if self.is_cancelled():
            raise BuildCancelled


NEVER_CANCELLED = Checkpoint()
