"""Turns: a lock for each instance among all workers on all machines. Clocks of two machines are never compared.

    holder   raises a number in the database every `beat_s` seconds (a beat). Its calls are cancelled `hold_s` seconds
             after the start of its last successful beat
    waiter   reads the holder's name and number. It takes over the turn when neither has changed for `watch_s` seconds
             by the waiter's own clock

`hold_s` is shorter than `watch_s`, so a holder stops before another worker can take over. This also holds when the
database fails, when a beat hangs, and when the process is stopped and resumed (SIGSTOP, a sleeping machine), because
the holder's clock continues. Inside a turn, every call of the service and every use of a table first checks the time.
After `hold_s` the holder checks the database, and continues if no other worker has taken over.

A request that the kernel has already sent cannot be cancelled. So the steps of an installation read before they write,
and are safe to repeat.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from secrets import token_hex
from typing import ParamSpec, Protocol, TypeVar
from weakref import WeakValueDictionary

from awning.errors import DatabaseUnusable, Unreachable
from awning.host.host_records import Beat, HostRecords
from awning.host.log import LOG

T = TypeVar("T")
P = ParamSpec("P")

Clock = Callable[[], float]


class Act(Protocol):
    """Calls a function that uses a database, in a thread."""

    async def __call__(self, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T: ...


class TurnLost(Unreachable):
    """Another worker has or may have the turn of this instance, so this worker must not work on the instance."""


def turn_lost(
    why: str = "this worker lost its turn, and another worker may have it", *, unclear: bool = False
) -> TurnLost:
    return TurnLost(why, call="turn", unclear=unclear)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The times of a turn in seconds.

    `again_s` is the pause between two attempts to take a turn. `patience_s` is the longest wait for a worker that keeps
    its turn. The module explains the other times.
    """

    beat_s: float = 1.0
    hold_s: float = 3.0
    watch_s: float = 4.0
    again_s: float = 0.05
    patience_s: float = 60.0


class Turn:
    """The lock of one worker on one instance. `turns` are all turns of its process."""

    def __init__(self, key: str, turns: "Turns") -> None:
        self.key = key
        self.holder = token_hex(8)
        self._turns = turns
        self._until = 0.0
        self._limits: set[asyncio.Timeout] = set()

    @property
    def left_s(self) -> float:
        """The seconds for which no other worker can have the turn; 0 when another worker may have it."""
        return max(0.0, self._until - self._turns.clock())

    async def confirm(self) -> None:
        """Check that the turn is held.

        Raises TurnLost when another worker may have it, DatabaseUnusable when the database cannot be asked.
        """
        if not self.left_s:
            await self.beat()
        if not self.left_s:
            raise turn_lost()

    async def take(self, over: Beat | None) -> Beat | None:
        """Take the turn if it is free, or if its holder and number are still as in `over`.

        Returns None on success, else the present holder and its number.
        """
        begun = self._turns.clock()
        seen = await self._turns.act(self._turns.records.take_turn, self.key, self.holder, over)
        if seen is None:
            self._extend_hold(begun)
        return seen

    async def beat(self) -> bool:
        """Send a beat: raise the turn's number in the database. Returns False when this worker has lost the turn."""
        begun = self._turns.clock()
        if await self._turns.act(self._turns.records.beat_turn, self.key, self.holder):
            self._extend_hold(begun)
            return True
        self._until = 0.0
        self._cut(0.0)
        return False

    async def end(self) -> None:
        self._until = 0.0
        await self._turns.act(self._turns.records.end_turn, self.key, self.holder)

    @asynccontextmanager
    async def limited(self, *, unclear: bool) -> AsyncIterator[None]:
        """Cancel the block and raise TurnLost as soon as another worker may have the turn.

        `unclear` is whether a cancelled block may have had an effect; the exception says so. Before the block begins,
        raises TurnLost when another worker may have the turn, DatabaseUnusable when the database cannot be asked.
        """
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
                raise turn_lost(unclear=unclear) from None
            raise

    def _extend_hold(self, begun: float) -> None:
        self._until = begun + self._turns.timing.hold_s
        self._cut(asyncio.get_running_loop().time() + self.left_s)

    def _cut(self, at: float) -> None:
        """Cancel the running blocks at the time `at`, by the event loop's clock. This replaces the time set before."""
        for limit in self._limits:
            if not limit.expired():
                limit.reschedule(at)


CURRENT: ContextVar[Turn | None] = ContextVar("turn", default=None)
"""The turn that the running task holds."""


class Watch:
    """Tells a waiter whether the turn's holder has stopped: for `watch_s` seconds, it has not raised its number."""

    def __init__(self, timing: Timing, clock: Clock) -> None:
        self._timing = timing
        self._clock = clock
        self._seen: Beat | None = None
        self._since = 0.0

    def has_stopped(self, seen: Beat) -> bool:
        if seen != self._seen:
            self._seen, self._since = seen, self._clock()
        return self._clock() - self._since >= self._timing.watch_s


@dataclass(slots=True, kw_only=True)
class Turns:
    """All turns of one worker process."""

    records: HostRecords
    act: Act
    timing: Timing
    clock: Clock
    _here: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary, init=False)

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[Turn]:
        """Hold the turn of `key` during the block.

        Raises TurnLost when another worker still holds it after `patience_s` seconds, and DatabaseUnusable when the
        database fails.
        """
        lock = self._here.setdefault(key, asyncio.Lock())
        turn = Turn(key, self)
        async with lock:
            try:
                await self._take(turn)
                async with self._keep_beating(turn):
                    token = CURRENT.set(turn)
                    try:
                        yield turn
                    finally:
                        CURRENT.reset(token)
            finally:  # even when taking the turn failed, because the database may have recorded it
                await _end(turn)

    async def _take(self, turn: Turn) -> None:
        watch = Watch(self.timing, self.clock)
        patient_until = self.clock() + self.timing.patience_s
        over: Beat | None = None
        while (seen := await turn.take(over)) is not None:
            if self.clock() > patient_until:
                raise turn_lost("another worker is still working on this instance")
            over = seen if watch.has_stopped(seen) else None
            if over is None:
                await asyncio.sleep(self.timing.again_s)

    @asynccontextmanager
    async def _keep_beating(self, turn: Turn) -> AsyncIterator[None]:
        task = asyncio.create_task(self._beat(turn))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])

    async def _beat(self, turn: Turn) -> None:
        """Send a beat every `beat_s` seconds until this worker has lost the turn. A database error is only logged."""
        beating = True
        while beating:
            await asyncio.sleep(self.timing.beat_s)
            try:
                beating = await turn.beat()
            except DatabaseUnusable as problem:
                LOG.warning("a beat of a turn failed: %s", problem.message)
        LOG.warning("another worker has taken over %s, so this worker stops working on it", turn.key)


async def _end(turn: Turn) -> None:
    try:
        await turn.end()
    except DatabaseUnusable as problem:  # harmless: the work is done, and a waiter takes over after `watch_s`
        LOG.error("a turn could not be ended: %s", problem.message)
