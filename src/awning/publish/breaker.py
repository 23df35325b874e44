"""Stops a run early when the service is unreachable, refuses the key, or has no Apps API at the base URL.

In these situations every further cell would fail, too.
"""

import time
from collections.abc import Callable

from awning.client import NoResponse, Response
from awning.publish.cell_outcome import Cause, CellOutcome, Ending

LIMITS = {Cause.UNREACHABLE: 8, Cause.UNAUTHORIZED: 20, Cause.NOT_THERE: 8}
"""The number of consecutive instances that fail for the same cause before the run stops, by cause."""

_ENDINGS = {
    Cause.UNREACHABLE: Ending(
        outcome=CellOutcome.FAILED, reason="not tried: the service is unreachable", cause=Cause.UNREACHABLE
    ),
    Cause.UNAUTHORIZED: Ending(
        outcome=CellOutcome.REFUSED,
        reason=f"not tried: {LIMITS[Cause.UNAUTHORIZED]} instances in a row were unauthorized",
        cause=Cause.UNAUTHORIZED,
    ),
    Cause.NOT_THERE: Ending(
        outcome=CellOutcome.FAILED,
        reason="not tried: there is no Apps API at the base URL",
        cause=Cause.NOT_THERE,
    ),
}


SILENCE_S = 25.0
"""The seconds without any response after which the run stops.

They are counted from the start of the first unanswered call. At least two calls in a row must be unanswered.
"""


class Breaker:
    """Counts consecutive instances that failed for the same cause, and notices a service that does not answer."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._cause: Cause | None = None
        self._count = 0
        self._answered = False
        self._clock = clock
        self._silent_since = clock()
        self._unanswered = 0

    def record_reply(self, reply: Response | NoResponse, reply_s: float = 0.0) -> None:
        """Count one call: it got a response, or none after `reply_s` seconds."""
        if isinstance(reply, Response):
            self._unanswered = 0
        else:
            if not self._unanswered:
                self._silent_since = self._clock() - reply_s
            self._unanswered += 1

    @property
    def is_silent(self) -> bool:
        """Whether the service has not answered for so long that no more calls are sent."""
        return self._unanswered > 1 and self._clock() - self._silent_since >= SILENCE_S

    def record(self, cause: Cause | None) -> None:
        """Count one instance. `cause` is why it failed; None when at least one of its cells did not fail.

        An instance with foreign content answered, too.
        """
        self._count = self._count + 1 if cause == self._cause else 1
        self._cause = cause
        self._answered |= cause in {None, Cause.FOREIGN}

    @property
    def verdict(self) -> Ending | None:
        """The ending that all remaining cells get; None while the run goes on."""
        if self.is_silent:
            return _ENDINGS[Cause.UNREACHABLE]
        if self._cause is None or self._count < LIMITS.get(self._cause, self._count + 1):
            return None
        if self._cause is Cause.NOT_THERE and self._answered:  # the API exists, only some websites do not
            return None
        return _ENDINGS[self._cause]
