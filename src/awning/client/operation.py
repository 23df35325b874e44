"""What a call is, before and after it is sent: plain frozen values.

    Operation   one call, described: method, path, query, body, how to read the answer, may it be repeated?
    Wait        a pause that a flow asks for
    Answer      what came back
    Broken      nothing usable came back, and whether the service may have acted all the same

A flow (`awning.client.flow`) yields the first two and is sent the last two; a driver stands between it and
the wire. Nothing in here knows of sockets, so flows are tested as tables.
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
"""The fields of an answer's JSON object, envelope included."""


class Repeat(Enum):
    """When an operation may be sent again by itself."""

    SAFE = "reading: after any failure"
    UNPROCESSED = "changing: only where the service surely did not act"
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
    """Those in the body: taken out of whatever the service says about the call."""

    @property
    def changes(self) -> bool:
        return self.repeat is not Repeat.SAFE


@dataclass(frozen=True, slots=True)
class Wait:
    """Let `seconds` pass."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An HTTP answer, whole. `retry_after` and `location` are headers; `content_type` is "" where there was none."""

    status: int
    content_type: str = "application/json"
    retry_after: str | None = None
    location: str | None = None
    body: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """No answer. `sent` is False where the request surely never reached the service.

    `timed_out`: it was sent and we stopped waiting, so the service may act on it still.
    """

    why: str
    sent: bool = True
    timed_out: bool = False


Step = Operation[Any] | Wait
Reply = Answer | Broken | None
"""None answers a Wait."""
Flow = Generator[Step, Reply, T]
