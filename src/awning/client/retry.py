"""Decides whether a call is repeated, and after which delay.

The delay is a random share of an exponentially growing ceiling (full jitter), so that many clients do not return at the
same moment. All calls of a client share a budget of retries, so that a failing service does not get four times as many
calls. A Retry-After of the service overrides the delay.
"""

import re
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Lock

from awning.client.operation import NoResponse, Operation, Repeat, Reply, Response

FORBIDDEN, TOO_MANY_REQUESTS, UNAVAILABLE = 403, 429, 503
FIRST_FAULT = 500
BREATH_S = 1.0
"""Seconds to wait after "too many calls" without a Retry-After. The only known limit counts calls per second."""

_TWO_DIGITS = re.compile(r"\d-[A-Za-z]{3}-\d\d\b")
"""Matches the year of a date of RFC 850: `06-Nov-94`."""
_EARLY_YEAR = re.compile(r"(?:[A-Za-z][ -]|:\d\d )(00\d\d)\b")
"""Matches a year before 100, which Python reads as one of the 20th or 21st century."""
_TOO_MANY = re.compile(rb"too many|rate.?limit|throttl|quota", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """How often a call is tried, and the delays between the attempts. Times are in seconds.

    A Retry-After longer than `patience_s` ends the call.
    """

    attempts: int = 4
    first_s: float = 0.25
    ceiling_s: float = 8.0
    patience_s: float = 120.0

    def delay(self, *, attempt: int, retry_after_s: float | None, jitter: float) -> float | None:
        """Return the seconds between `attempt`, counted from 1, and the next one; None to give up.

        `jitter` is in [0, 1).
        """
        if attempt >= self.attempts:
            return None
        backoff = jitter * min(self.ceiling_s, self.first_s * 2.0 ** (attempt - 1))
        if retry_after_s is None:
            return backoff
        # Clients that got the same Retry-After should not all return at the same instant.
        return retry_after_s + jitter * self.first_s if retry_after_s <= self.patience_s else None


class RetryBudget:
    """Retries that all calls of a client share. Each retry costs 1, and each success gives back `per_success`.

    By default a client may spend 100 retries at once, and then one for every five calls that succeed.
    """

    def __init__(self, *, capacity: float = 100.0, per_success: float = 0.2) -> None:
        self._capacity = capacity
        self._per_success = per_success
        self._left = capacity
        self._lock = Lock()

    def spend(self) -> bool:
        """Take one retry. Returns False when there is none left."""
        with self._lock:
            if self._left < 1:
                return False
            self._left -= 1
            return True

    def succeeded(self) -> None:
        with self._lock:
            self._left = min(self._capacity, self._left + self._per_success)


def may_repeat(operation: Operation[object], reply: Reply) -> bool:
    """Return whether sending `operation` again is harmless and could help."""
    if operation.repeat is Repeat.NEVER:
        return False
    if isinstance(reply, NoResponse):
        return operation.repeat is Repeat.SAFE or not reply.sent
    if not isinstance(reply, Response):
        return False
    if not_processed(reply):
        return True
    # `flow` asks about a 2XX only if it could not be parsed (cut short, an HTML page). A read may be repeated then.
    damaged = reply.status >= FIRST_FAULT or reply.status in range(200, 300)
    return operation.repeat is Repeat.SAFE and damaged


def throttled(reply: Reply) -> bool:
    """Return whether a reply means "too many calls": 429, or 403 whose body says so (observed at the store API)."""
    if not isinstance(reply, Response):
        return False
    if reply.status == FORBIDDEN:
        return _TOO_MANY.search(reply.body) is not None
    return reply.status == TOO_MANY_REQUESTS


def not_processed(answer: Response) -> bool:
    """Return whether a response means that the service did not act: too many calls, or 503 with a Retry-After."""
    if throttled(answer):
        return True
    return answer.status == UNAVAILABLE and answer.retry_after is not None


def retry_after_s(reply: Reply, *, now: float) -> float | None:
    """Return the seconds to wait after a reply, 0 or more; None when the reply does not ask for a wait.

    A reply asks for a wait when it has Retry-After (RFC 9110, 10.2.3: seconds or a date) or means "too many calls".
    """
    text = reply.retry_after.strip() if isinstance(reply, Response) and reply.retry_after else ""
    if text.isascii() and text.isdigit():
        return float(text)
    if text:
        with suppress(ValueError, OverflowError):  # a malformed header counts as absent
            return max(0.0, http_time(text, now=now) - now)
    return BREATH_S if throttled(reply) else None


def http_time(text: str, *, now: float | None = None) -> float:
    """Return the time of an HTTP header in seconds since 1970. Raises ValueError or OverflowError for no time.

    RFC 9110, 5.6.7: three forms of dates are accepted, and every one is in UTC. Two are read without a zone. A year of
    two digits is the last such year that is at most 50 years after `now`, the present. A second may be a leap second.
    """
    moment = parsedate_to_datetime(re.sub(r"(:\d\d):60\b", r"\1:59", text))
    if _TWO_DIGITS.search(text):
        latest = datetime.fromtimestamp(time.time() if now is None else now, UTC).year + 50
        moment = moment.replace(year=latest - (latest - moment.year) % 100)
    elif early := _EARLY_YEAR.search(text):
        moment = moment.replace(year=int(early[1]))
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
