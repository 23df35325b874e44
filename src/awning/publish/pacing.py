"""How fast calls are sent.

The specification shows no rate limit. Another API of the service, the store API, allows 5 requests a second and 300 a
minute, then answers HTTP 403 (observed). By default the publisher sends at most 5 requests a second to each instance.
`Pace` has the limits. Each is one field, whose rule names its option: the options of the verbs, the runs, the fleet
and its shared rate read the fields. All calls to a host obey its Retry-After, unless it is too long to wait for.

A "too many calls" without a Retry-After lowers the rate of all calls to FALL of what the service processed in the
second before, but to no less than KNOWN_LIMIT. Then each processed call raises the rate by GROWTH, so by 6 % a second.
After LOWERED_S seconds without another "too many calls" the rate is as before. The workers of a fleet stay at
KNOWN_LIMIT (`fleet/shared_rate.py`).
"""

import asyncio
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from awning.client import NoResponse, Response
from awning.client.retry import not_processed, throttled

SECOND = 1.0
KNOWN_LIMIT = 4.0
"""Calls per second that stay within both limits of the store API, 5 a second and 300 a minute."""
FALL = 0.75
GROWTH = 1 / 16
LOWERED_S = 60.0
Sleep = Callable[[float], Awaitable[None]]
Throttled = Callable[[int, float | None], object]
"""Called after each "too many calls".

The arguments are how many there were, and the lowered rate in calls per second; None when the rate is not lowered.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """At most `calls` calls in any `span_s` seconds. Below 1, one call in a span that is longer in proportion."""

    calls: float
    span_s: float = SECOND

    @property
    def per_s(self) -> float:
        return self.calls / self.span_s


@dataclass(frozen=True, slots=True, kw_only=True)
class PaceRule:
    """A limit of the rate, which is an option of every verb that calls the service.

    It holds for the calls to each instance or to the whole service (`of`), in any `span_s` seconds: the calls of a long
    span may all go at once. `host` is one limit for a whole run, with its waves and what it takes back.
    """

    option: str
    about: str
    of: Literal["instance", "host"]
    span_s: float = SECOND

    @property
    def parameter(self) -> str:
        """The name of the option's parameter."""
        return self.option.removeprefix("--").replace("-", "_")


_RULE = "rule"


def _limit(default: float | None, rule: PaceRule) -> Any:
    return field(default=default, metadata={_RULE: rule})


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """The limits of calls. None is no limit. A field with a `PaceRule` is a limit of the rate (`pace_rules`).

    `in_flight` is the most open requests.
    """

    per_instance: float | None = _limit(
        5.0,
        PaceRule(option="--pace", about="Requests per second and instance; 0: no limit.", of="instance"),
    )
    per_host: float | None = _limit(
        None,
        PaceRule(
            option="--host-pace", about="Requests per second to the whole service; 0: no limit.", of="host"
        ),
    )
    in_flight: int = 64

    def rates(self, of: Literal["instance", "host"]) -> tuple[Rate, ...]:
        """Return the limits of the rate to an instance, or to the whole service."""
        limits = ((rule, getattr(self, name)) for name, rule in pace_rules().items() if rule.of == of)
        return tuple(Rate(calls=calls, span_s=rule.span_s) for rule, calls in limits if calls is not None)

    @property
    def host_per_s(self) -> float | None:
        """The most calls per second to the whole service in the long run; None for no limit."""
        return min((rate.per_s for rate in self.rates("host")), default=None)


def pace_rules() -> Mapping[str, PaceRule]:
    """Return the rules by the name of their field in `Pace`."""
    return {f.name: f.metadata[_RULE] for f in fields(Pace) if _RULE in f.metadata}


class Window:
    """Lets calls start only at times that keep within all `rates`. Without rates, at any time.

    It needs no lock, because no method awaits between reading and writing its state.
    """

    def __init__(self, rates: Iterable[Rate], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = [
            (int(rate.calls), rate.span_s) if rate.calls >= 1 else (1, rate.span_s / rate.calls)
            for rate in rates
        ]
        self._starts: deque[float] = deque(maxlen=max((calls for calls, _ in self._limits), default=0))
        self._clock = clock

    def wait_s(self) -> float:
        """Reserve a time for the start of the next call. Returns the seconds until that time."""
        now = start = self._clock()
        for calls, span_s in self._limits:
            if len(self._starts) >= calls:
                start = max(start, self._starts[-calls] + span_s)
        self._starts.append(start)
        return start - now


class LoweredRate:
    """Spreads calls evenly at `per_s` calls per second, which each processed call raises by GROWTH."""

    def __init__(self, per_s: float, *, clock: Callable[[], float]) -> None:
        self.per_s = per_s
        self._clock = clock
        self._next = clock()

    def wait_s(self) -> float:
        """Reserve a time for the start of the next call. Returns the seconds until that time."""
        now = self._clock()
        start = max(now, self._next)
        self._next = start + 1 / self.per_s
        return start - now


class Slots:
    """Limits the open requests to `most`, and to fewer after the service refused to process a call (`not_processed`).

    Such a response, "too many calls" or 503 with a Retry-After, halves the limit, at most once a second. Any other
    response raises the limit by 1/limit, up to `most`: a limit of 8 grows by about one in 8 responses. A request is
    open during an `async with` block.
    """

    def __init__(self, most: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.limit = float(most)
        self._most = most
        self._clock = clock
        self._open = 0
        self._halved_at = -SECOND
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def __aenter__(self) -> None:
        while self._open >= int(self.limit):
            place = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            try:
                await place
            except asyncio.CancelledError:
                if place.done() and not place.cancelled():
                    self._wake()  # this waiter is cancelled, so the next one gets its place
                raise
        self._open += 1

    async def __aexit__(self, *_error: object) -> None:
        self._open -= 1
        self._wake()

    def answered(self) -> None:
        """Raise the limit, because the service processed a call."""
        if self.limit < self._most:
            self.limit = min(float(self._most), self.limit + 1 / self.limit)

    def throttled(self) -> None:
        """Halve the limit, to no less than 1, because the service did not process a call. Once a second at most."""
        if self._clock() - self._halved_at >= SECOND:
            self._halved_at = self._clock()
            self.limit = max(1.0, self.limit / 2)

    def _wake(self) -> None:
        free = int(self.limit) - self._open
        while free > 0 and self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)
                free -= 1


class HostPace:
    """The pace of all calls to one host, and the end of its Retry-After.

    `too_many` is how many responses meant "too many calls".
    """

    def __init__(
        self,
        pace: Pace,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Sleep = asyncio.sleep,
        throttled: Throttled = lambda _count, _per_s: None,
    ) -> None:
        self.too_many = 0
        self._throttled = throttled
        self.slots = Slots(pace.in_flight, clock=clock)
        self._window = Window(pace.rates("host"), clock=clock)
        self._lowered: LoweredRate | None = None
        self._lowered_at = -math.inf
        self._processed: deque[float] = deque()
        self._clock = clock
        self._sleep = sleep
        self._quiet_until = 0.0

    @property
    def lowered_to(self) -> float | None:
        """The lowered rate in calls per second; None when the rate is not lowered."""
        return None if self._lowered is None else round(self._lowered.per_s, 1)

    async def turn(self, own: Window) -> None:
        """Wait until the instance's window allows a call, and the host's Retry-After is over."""
        wait_s = own.wait_s()
        if wait_s > 0:
            await self._sleep(wait_s)
        await self._silence()

    async def ready(self) -> None:
        """Wait until a call may be sent. The caller must then send it without another wait.

        During another wait, calls would gather and then be sent together.
        """
        while True:
            await self._silence()
            await self._start()
            if self._quiet_until <= self._clock():
                return

    async def _start(self) -> None:
        """Wait until the host's window and the lowered rate allow one more call."""
        wait_s = self._window.wait_s()
        if self._lowered is not None:
            wait_s = max(wait_s, self._lowered.wait_s())
        if wait_s > 0:
            await self._sleep(wait_s)

    async def _silence(self) -> None:
        while (quiet_s := self._quiet_until - self._clock()) > 0:
            await self._sleep(quiet_s)

    def record(self, reply: Response | NoResponse, retry_after_s: float | None, *, patience_s: float) -> None:
        """Adapt the pace to a reply. `retry_after_s` is the wait that the reply asks for; None when it asks for none.

        A wait of more than `patience_s` seconds is ignored. A "too many calls" without a Retry-After lowers the rate,
        at most once a second.
        """
        if not isinstance(reply, Response):
            return
        now = self._clock()
        if not_processed(reply):
            self.slots.throttled()
        else:
            self.slots.answered()
            self._raise(now)
        if retry_after_s is not None and retry_after_s <= patience_s:
            self._pause(retry_after_s)
        if throttled(reply) and not reply.retry_after and now - self._lowered_at >= SECOND:
            self._lowered_at = now
            self._slow_down()
        if throttled(reply):
            self.too_many += 1
            self._throttled(self.too_many, self.lowered_to)

    def _raise(self, now: float) -> None:
        """Raise the lowered rate, because the service processed a call."""
        self._processed.append(now)
        while self._processed[0] <= now - SECOND:
            self._processed.popleft()
        if self._lowered is not None:
            self._lowered.per_s += GROWTH
            if now - self._lowered_at >= LOWERED_S:
                self._lowered = None

    def _pause(self, seconds: float) -> None:
        """Send no call for this number of seconds."""
        self._quiet_until = max(self._quiet_until, self._clock() + seconds)

    def _slow_down(self) -> None:
        """Lower the rate of all further calls to FALL of what the service processed in the last second."""
        reached = sum(at > self._clock() - SECOND for at in self._processed)
        self._lowered = LoweredRate(max(KNOWN_LIMIT, FALL * reached), clock=self._clock)
