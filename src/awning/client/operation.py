"""A call before and after it is sent, as frozen values.

    Operation    the description of one call: method, path, query, body, parser of the response, when it may be repeated
    Wait         a pause in a flow
    Response     the HTTP response
    NoResponse   why there is no response, and whether the service may still have acted

A flow (`awning.client.flow`) yields an Operation or a Wait, and receives a Response, a NoResponse or None.
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
"""The fields of a response's JSON object, including those of the envelope."""


class Repeat(Enum):
    """When an operation may be repeated automatically. `retry.may_repeat` decides which failures are worth a retry.

    SAFE is also for calls that create something new each time without harm, such as a login link.
    """

    SAFE = "the call only reads: repeat it after any failure"
    UNPROCESSED = "the call changes something: repeat it only when the service certainly did not act"
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation(Generic[T_co]):
    """The description of one call. `path` is percent-encoded, and is appended to the base URL."""

    name: str
    method: str
    path: str
    parse: Callable[[Fields], T_co]
    repeat: Repeat = Repeat.UNPROCESSED
    query: tuple[tuple[str, str | Secret], ...] = ()
    body: bytes = field(default=b"", repr=False)
    secrets: tuple[Secret, ...] = ()
    """The secrets in the body. They are removed from the service's error messages about the call."""

    @property
    def changes(self) -> bool:
        return self.repeat is not Repeat.SAFE


@dataclass(frozen=True, slots=True)
class Wait:
    """A pause of `seconds` seconds."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A whole HTTP response.

    `retry_after` and `location` are headers, None when missing. `content_type` is "" when the header is missing.
    """

    status: int
    content_type: str = "application/json"
    retry_after: str | None = None
    location: str | None = None
    body: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoResponse:
    """There was no whole response. `sent` is False when the request certainly did not reach the service.

    `timed_out` is True when no response came in time to a request that may have been sent. The service may still act
    on the request. `hint` says what to do, if the client knows it.
    """

    why: str
    sent: bool = True
    timed_out: bool = False
    hint: str | None = None


Step = Operation[Any] | Wait
Reply = Response | NoResponse | None
"""The result of a flow's step, which is sent into the flow. It is None for a Wait."""
Flow = Generator[Step, Reply, T]
