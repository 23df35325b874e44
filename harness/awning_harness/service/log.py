"""The request log: the calls of the Apps API and of the Reseller API, each with its result. It contains no secrets.

Visits of login links and incomplete requests are not logged. Queries, headers and bodies are not logged either. Long
segments of an unknown path are replaced, because a client with a bug may put its authCode into the path. Only the
newest KEPT calls stay in the log.
"""

from collections import deque
from dataclasses import asdict, dataclass
from typing import Any

KEPT = 5000
LONGEST_SEGMENT = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedRequest:
    """One call. `id` counts from 1; `at` is the time of the service's clock, in ISO 8601.

    `operation` is None for an unknown path. `status` is 0 for a call that a fault neither performed nor answered. With
    the fault `lost_response`, it is the status of the response that was not sent. `fault` is None for a call whose body
    was too large, even with a fault, because it is refused first.
    """

    id: int
    at: str
    method: str
    path: str
    operation: str | None
    status: int
    error_code: int | None
    app_id: int | None = None
    instance_id: int | None = None
    website_id: int | None = None
    fault: str | None = None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


class RequestLog:
    """The newest KEPT calls."""

    def __init__(self) -> None:
        self._requests: deque[LoggedRequest] = deque(maxlen=KEPT)
        self._count = 0

    def add(self, **fields: Any) -> None:
        self._count += 1
        self._requests.append(LoggedRequest(id=self._count, **fields))

    def all(self) -> tuple[LoggedRequest, ...]:
        return tuple(self._requests)

    def clear(self) -> None:
        self._requests.clear()


def loggable_path(path: str) -> str:
    """Return the first 200 characters of `path`. "…" replaces each long segment, because it may be a secret."""
    segments = path[:200].split("/")
    return "/".join("…" if len(segment) > LONGEST_SEGMENT else segment for segment in segments)
