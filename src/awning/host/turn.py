"""Whose turn it is with an instance, among all workers of all machines. No two machines' clocks are compared.

    the holder   raises a number in the database every `beat_s`, and counts from just before its last beat that got
                 through: after `hold_s` it does nothing more, whatever kept it from the next beat
    a waiter     looks at holder and number, and takes over when its own clock has seen both stand still for `watch_s`

`hold_s` is shorter than `watch_s`, so a holder stops before anybody can have taken its turn: where the database is
away, where a beat hangs, and where the process was stopped (SIGSTOP, a machine that sleeps) and goes on later. Its
clock runs on meanwhile. Every call of the service and every use of a database inside a turn asks first. After
`hold_s` the database is asked: a turn that nobody took goes on. A call that is under way at that time is cut.

What no worker can take back is a request that its kernel has handed to the network. The steps read before they
write, and are safe to repeat.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from secrets import token_hex
from typing import ParamSpec, Protocol, TypeVar
from weakref import WeakValueDictionary

from awning.errors import DatabaseUnusable, Unreachable
from awning.host.log import LOG
from awning.host.records import Beat, Records

T = TypeVar("T")
P = ParamSpec("P")

Clock = Callable[[], float]


class Act(Protocol):
    """Runs what uses a database, away from the event loop."""

    async def __call__(self, act: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T: ...


class TurnLost(Unreachable):
    """Another worker may have this instance by now, or has it still. Nothing more is done for it here."""


def lost(
    why: str = "this worker lost its turn, and another may have taken it", *, unclear: bool = False
) -> TurnLost:
    return TurnLost(why, call="turn", unclear=unclear)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Seconds. `patience_s`: how long the turn of another worker that is alive is waited for."""

    beat_s: float = 1.0
    hold_s: float = 3.0
    watch_s: float = 4.0
    again_s: float = 0.05
    patience_s: float = 60.0


class Turn:
    """One worker's hold on one instance."""

    def __init__(self, key: str, *, records: Records, act: Act, timing: Timing, clock: Clock) -> None:
        self.key = key
        self.holder = token_hex(8)
        self._records = records
        self._act = act
        self._timing = timing
        self._clock = clock
        self._until = 0.0
        self._limits: set[asyncio.Timeout] = set()

    @property
    def left_s(self) -> float:
        """Seconds for which nobody else can have it; 0 where somebody may."""
        return max(0.0, self._until - self._clock())

    async def confirm(self) -> None:
        """Make sure that it is held. Raises TurnLost; DatabaseUnusable where nobody can tell."""
        if not self.left_s:
            await self.beat()
        if not self.left_s:
            raise lost()

    async def take(self, over: Beat | None) -> Beat | None:
        """Take it where nobody has it, or over from who stands still; None, or who has it."""
        begun = self._clock()
        seen = await self._act(self._records.take_turn, self.key, self.holder, over)
        if seen is None:
            self._hold_from(begun)
        return seen

    async def beat(self) -> bool:
        """Raise our number. False where the turn is another's."""
        begun = self._clock()
        if await self._act(self._records.beat_turn, self.key, self.holder):
            self._hold_from(begun)
            return True
        self._until = 0.0
        self._cut(0.0)
        return False

    async def end(self) -> None:
        self._until = 0.0
        await self._act(self._records.end_turn, self.key, self.holder)

    @asynccontextmanager
    async def limited(self, *, unclear: bool) -> AsyncIterator[None]:
        """Cut off what the block does when the turn may be another's. Raises TurnLost, `unclear` where it was cut."""
        await self.confirm()
        limit = asyncio.timeout(self.left_s)
        try:
            async with limit:
                self._limits.add(limit)
                try:
                    yield
                finally:
                    self._limits.discard(limit)
        except TimeoutError:
            if limit.expired():
                raise lost(unclear=unclear) from None
            raise

    def _hold_from(self, begun: float) -> None:
        self._until = begun + self._timing.hold_s
        self._cut(asyncio.get_running_loop().time() + self.left_s)

    def _cut(self, at: float) -> None:
        """Cut off what is under way at `at`, by the loop's clock."""
        for limit in self._limits:
            if not limit.expired():
                limit.reschedule(at)


CURRENT: ContextVar[Turn | None] = ContextVar("turn", default=None)
"""The turn that the running task is inside of."""


class Watch:
    """Tells a waiter when a holder has stood still for long enough."""

    def __init__(self, timing: Timing, clock: Clock) -> None:
        self._timing = timing
        self._clock = clock
        self._seen: Beat | None = None
        self._since = 0.0

    def stands_still(self, seen: Beat) -> bool:
        if seen != self._seen:
            self._seen, self._since = seen, self._clock()
        return self._clock() - self._since >= self._timing.watch_s


class Turns:
    """All turns of one worker."""

    def __init__(self, *, records: Records, act: Act, timing: Timing, clock: Clock) -> None:
        self._records = records
        self._act = act
        self._timing = timing
        self._clock = clock
        self._here: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[Turn]:
        """One at a time for `key`. Raises TurnLost where another worker keeps it for longer than we are patient."""
        lock = self._here.setdefault(key, asyncio.Lock())
        turn = Turn(key, records=self._records, act=self._act, timing=self._timing, clock=self._clock)
        async with lock:
            try:
                await self._take(turn)
                async with self._beating(turn):
                    token = CURRENT.set(turn)
                    try:
                        yield turn
                    finally:
                        CURRENT.reset(token)
            finally:  # also where it was given up on: the database may have noted it all the same
                await _end(turn)

    async def _take(self, turn: Turn) -> None:
        watch = Watch(self._timing, self._clock)
        patient_until = self._clock() + self._timing.patience_s
        over: Beat | None = None
        while (seen := await turn.take(over)) is not None:
            if self._clock() > patient_until:
                raise lost("another worker is still busy with this instance")
            over = seen if watch.stands_still(seen) else None
            if over is None:
                await asyncio.sleep(self._timing.again_s)

    @asynccontextmanager
    async def _beating(self, turn: Turn) -> AsyncIterator[None]:
        task = asyncio.create_task(self._beat(turn))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])

    async def _beat(self, turn: Turn) -> None:
        """Until the turn is another's. While the database is away, it is tried again and again."""
        beating = True
        while beating:
            await asyncio.sleep(self._timing.beat_s)
            try:
                beating = await turn.beat()
            except DatabaseUnusable as problem:
                LOG.warning("a turn could not be kept up: %s", problem.message)
        LOG.warning("another worker has taken over %s: nothing more is done for it here", turn.key)


async def _end(turn: Turn) -> None:
    try:
        await turn.end()
    except DatabaseUnusable as problem:  # what was done is done; the turn stands still from now on
        LOG.error("a turn could not be ended: %s", problem.message)


def steady_clock() -> float:
    """Seconds, on a clock that nobody sets and that runs on while a process is stopped; on Linux, a machine too."""
    boottime = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boottime is None else time.clock_gettime(boottime)
