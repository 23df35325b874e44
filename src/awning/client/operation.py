"""A call before and after it is sent, as plain frozen values.

    Operation    one call, described: method, path, query, body, how to read the response, whether it may be repeated
    Wait         a pause that a flow asks for
    Response     the HTTP response
    NoResponse   why there is none, and whether the service may have acted all the same

A flow (`awning.client.flow`) yields the first two and is sent the last two.
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Generic, TypeVar

from awning.client.secret import Secret

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Json = Any
Fields = Mapping[str, Json]
"""The fields of a response's JSON object, envelope included."""


class Repeat(Enum):
    """When an operation may be sent again by itself."""

    SAFE = "reading: after any failure"
    UNPROCESSED = "changing: only when the service surely did not act"
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation(Generic[T_co]):
    """One call, described but not sent. `path` is appended to the base URL, percent-encoded already."""

    name: str
    method: str
    path: str
    parse: Callable[[Fields], T_co]
    repeat: Repeat = Repeat.UNPROCESSED
    query: tuple[tuple[str, str | Secret], ...] = ()
    body: bytes = field(default=b"", repr=False)
    secrets: tuple[Secret, ...] = ()
    """The secrets in the body. They are removed from what the service says about the call."""

    @property
    def changes(self) -> bool:
        return self.repeat is not Repeat.SAFE


@dataclass(frozen=True, slots=True)
class Wait:
    """Let `seconds` pass."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A whole HTTP response. `retry_after` and `location` are headers; `content_type` is "" where there was none."""

    status: int
    content_type: str = "application/json"
    retry_after: str | None = None
    location: str | None = None
    body: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoResponse:
    """No response. `sent` is False when the request surely never reached the service.

    `timed_out` says that it was sent and the time is over, so the service may still act on it.
    """

    why: str
    sent: bool = True
    timed_out: bool = False


Step = Operation[Any] | Wait
Reply = Response | NoResponse | None
"""What a flow is sent. None after a Wait."""
Flow = Generator[Step, Reply, T]
