"""One rate of calls for all workers of a run.

A row of the database holds the number of calls that may be sent now. The number grows at 80 % of the set rate. A worker
takes several calls with one query, and may send them within a tenth of a second after the database has answered. Unsent
calls then expire. So in any second the workers send at most about the set rate: 98 % of it, if the database answers at
once.

The row also holds the end of the service's Retry-After. After a "too many calls" without a Retry-After, it holds
KNOWN_LIMIT, and the workers together send no more than that.
"""

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Self

from sqlalchemy import insert, select, update

from awning.publish.fleet.chunks import NOW, writing_as_worker
from awning.publish.pacing import KNOWN_LIMIT, HostPace, Pace
from awning.publish.state.database import Database
from awning.publish.state.store import StateStore
from awning.publish.state.tables import STATE
from awning.publish.state.tables.runs import PUBLISH_RATE

FILLED = 0.8
"""The rate at which new calls become available, as a share of the set rate."""
EXPIRES_S = 0.1
MOST_AT_ONCE = 100
"""The most calls that a worker takes with one query."""
LOOK_S = 1.0
"""The seconds between two reads of the row while there is no rate. The service may have asked for a pause or a rate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """How many calls a worker may send now; None without a rate.

    When `calls` is 0, the worker asks again after `wait_s` seconds. `quiet_s` is the rest of the service's Retry-After,
    in seconds.
    """

    calls: int | None
    wait_s: float
    quiet_s: float


class SharedRate:
    """The rate of one run in the database. `per_s` is the set rate in calls per second; None for no limit."""

    def __init__(self, database: Database, run: int, per_s: float | None) -> None:
        self._database = database
        self._run = run
        self._per_s = per_s

    @classmethod
    def open(cls, state: StateStore, run: int, per_s: float | None) -> Self:
        return cls(state.open(STATE), run, per_s)

    def close(self) -> None:
        self._database.close()

    def make(self) -> None:
        """Make the row of the run."""
        self._database.change(insert(PUBLISH_RATE).values(run=self._run, calls=0.0, at=NOW, quiet_until=0.0))

    def take(self) -> Grant:
        """Take calls for this worker from the row. Without a rate, the row does not change."""
        own = PUBLISH_RATE.c.run == self._run
        with writing_as_worker(self._database) as connection:
            row = connection.execute(
                select(PUBLISH_RATE, NOW.label("now")).where(own).with_for_update()
            ).one()
            quiet_s = max(0.0, row.quiet_until - row.now)
            per_s = min(self._per_s or math.inf, row.lowered_to or math.inf)
            if math.isinf(per_s):
                return Grant(calls=None, wait_s=0.0, quiet_s=quiet_s)
            fill = per_s * FILLED
            most = max(1.0, per_s * EXPIRES_S)
            there = min(most, row.calls + max(0.0, row.now - row.at) * fill)
            calls = min(int(there), MOST_AT_ONCE)
            connection.execute(update(PUBLISH_RATE).where(own).values(calls=there - calls, at=row.now))
        return Grant(calls=calls, wait_s=0.0 if calls else (1.0 - there) / fill, quiet_s=quiet_s)

    def silence(self, seconds: float) -> None:
        """Make all workers wait for this number of seconds, because the service sent a Retry-After."""
        row = update(PUBLISH_RATE).where(
            PUBLISH_RATE.c.run == self._run, PUBLISH_RATE.c.quiet_until < NOW + seconds
        )
        with writing_as_worker(self._database) as connection:
            connection.execute(row.values(quiet_until=NOW + seconds))

    def lower(self) -> None:
        """Keep all workers within KNOWN_LIMIT for the rest of the run."""
        row = update(PUBLISH_RATE).where(PUBLISH_RATE.c.run == self._run, PUBLISH_RATE.c.lowered_to.is_(None))
        with writing_as_worker(self._database) as connection:
            connection.execute(row.values(lowered_to=KNOWN_LIMIT))


class FleetPace(HostPace):
    """The pace of a worker: as `HostPace`, but all workers share the rate and the pauses."""

    def __init__(self, pace: Pace, rate: SharedRate) -> None:
        super().__init__(pace)
        self._rate = rate
        self._calls = 0.0
        self._expires_at = 0.0
        self._taking = asyncio.Lock()
        self._telling: set[asyncio.Future[None]] = set()

    async def _start(self) -> None:
        """Wait until the workers together may send one more call."""
        while not self._has_call():
            async with self._taking:
                if self._has_call():
                    return
                if self._telling:
                    await asyncio.wait(self._telling)
                grant = await asyncio.to_thread(self._rate.take)
                now = self._clock()
                self._quiet_until = max(self._quiet_until, now + grant.quiet_s)
                if grant.calls == 0:
                    await self._sleep(grant.wait_s)
                    continue
                self._calls = math.inf if grant.calls is None else grant.calls
                self._expires_at = now + (LOOK_S if grant.calls is None else EXPIRES_S)

    def _has_call(self) -> bool:
        if self._clock() >= self._expires_at or self._calls <= 0:
            return False
        self._calls -= 1
        return True

    def _pause(self, seconds: float) -> None:
        super()._pause(seconds)
        self._tell(partial(self._rate.silence, seconds))

    def _slow_down(self) -> None:
        self._expires_at = 0.0
        self._tell(self._rate.lower)

    def _tell(self, write: Callable[[], None]) -> None:
        """Write to the row of the run, for all workers. The next grant is taken after that."""
        telling = asyncio.ensure_future(asyncio.to_thread(write))
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)
