"""Stops a run that gets nowhere: an unreachable service or a refused key is not asked ten thousand times."""

from awning.publish.outcome import Cause, Ending, Outcome

LIMITS = {Cause.UNREACHABLE: 8, Cause.UNAUTHORIZED: 20, Cause.NOT_THERE: 8}
"""Instances in a row, with nothing going well in between, after which the rest is not tried."""

_ENDINGS = {
    Cause.UNREACHABLE: Ending(
        outcome=Outcome.FAILED, reason="not tried: the service is unreachable", cause=Cause.UNREACHABLE
    ),
    Cause.UNAUTHORIZED: Ending(
        outcome=Outcome.REFUSED,
        reason=f"not tried: {LIMITS[Cause.UNAUTHORIZED]} instances in a row were unauthorized",
        cause=Cause.UNAUTHORIZED,
    ),
    Cause.NOT_THERE: Ending(
        outcome=Outcome.FAILED,
        reason="not tried: there is no Apps API at the base URL",
        cause=Cause.NOT_THERE,
    ),
}


class Breaker:
    """Counts instances in a row that ended for the same cause."""

    def __init__(self) -> None:
        self._cause: Cause | None = None
        self._count = 0
        self._answered = False

    def heard(self, cause: Cause | None) -> None:
        """An instance's languages were asked for; None: with an answer."""
        self._count = self._count + 1 if cause == self._cause else 1
        self._cause = cause
        self._answered |= cause is None

    @property
    def verdict(self) -> Ending | None:
        """How cells end that are no longer tried, or None while the run goes on."""
        if self._cause is None or self._count < LIMITS.get(self._cause, self._count + 1):
            return None
        if self._cause is Cause.NOT_THERE and self._answered:  # the API is there: these websites are not
            return None
        return _ENDINGS[self._cause]
