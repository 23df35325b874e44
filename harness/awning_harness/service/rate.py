"""A rate limit as in the service's store API (observed): 5 calls a second and 300 a minute, then HTTP 403.

It applies if the assumption `rate-limit` is `store-api`.
"""

from collections import defaultdict, deque
from datetime import datetime, timedelta

from awning_harness.service.envelope import Failure

WINDOWS = ((timedelta(seconds=1), 5), (timedelta(minutes=1), 300))


class RateLimit:
    """Counts the accepted calls of each app, and refuses further calls over the limit."""

    def __init__(self) -> None:
        self._calls: defaultdict[int, deque[datetime]] = defaultdict(deque)

    def count(self, app_id: int, now: datetime) -> None:
        """Count one call. Raises Failure (403) when the app has called too often."""
        calls = self._calls[app_id]
        while calls and not now - WINDOWS[-1][0] < calls[0] <= now:
            calls.popleft()
        for window, most in WINDOWS:
            if sum(call > now - window for call in calls) >= most:
                raise Failure(403, "Too many requests")
        calls.append(now)

    def clear(self) -> None:
        """Forget all counted calls."""
        self._calls.clear()
