"""One rate of calls for all workers of a run.

A row of the database holds the number of calls that may be sent now. The number grows at 80 % of the set rate. A worker
takes several calls with one query, and may send them within a tenth of a second after the database has answered. Unsent
calls then expire. So in any second the workers send at most about the set rate: 98 % of it, if the database answers at
once. The row also holds the end of the service's Retry-After.
"""

import asyncio
from dataclasses import dataclass
from typing import Self

from sqlalchemy import insert, select, update

from awning.client import NoResponse, Response
from awning.publish.fleet.chunks import NOW, writing_as_worker
from awning.publish.pacing import HostPace, Pace
from awning.publish.state.database import Database
from awning.publish.state.migrations import RUNS
from awning.publish.state.store import StateStore
from awning.publish.waves.tables import PUBLISH_RATE

FILLED = 0.8
"""The rate at which new calls become available, as a share of the set rate."""
EXPIRES_S = 0.1
LOOK_S = 1.0
"""The seconds between two reads of the row when no rate is set. The row is then read only for the Retry-After."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """How many calls a worker may send now. When `calls` is 0, it asks again after `wait_s` seconds.

    `quiet_s` is the rest of the service's Retry-After, in seconds.
    """

    calls: int
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
        return cls(state.open(RUNS), run, per_s)

    def close(self) -> None:
        self._database.close()

    def make(self) -> None:
        """Make the row of the run."""
        with self._database.writing() as connection:
            connection.execute(insert(PUBLISH_RATE).values(run=self._run, calls=0.0, at=NOW, quiet_until=0.0))

    @property
    def most_at_once(self) -> int:
        """The most calls that a worker takes with one query."""
        return 100 if self._per_s is None else max(1, min(100, int(self._per_s * EXPIRES_S)))

    def take(self) -> Grant:
        """Take calls for this worker from the row. Without a set rate, the row does not change."""
        own = PUBLISH_RATE.c.run == self._run
        columns = (PUBLISH_RATE.c.calls, PUBLISH_RATE.c.at, PUBLISH_RATE.c.quiet_until, NOW.label("now"))
        with writing_as_worker(self._database) as connection:
            row = connection.execute(select(*columns).where(own).with_for_update()).one()
            quiet_s = max(0.0, row.quiet_until - row.now)
            if self._per_s is None:
                return Grant(calls=self.most_at_once, wait_s=0.0, quiet_s=quiet_s)
            fill = self._per_s * FILLED
            most = max(1.0, self._per_s * EXPIRES_S)
            there = min(most, row.calls + max(0.0, row.now - row.at) * fill)
            calls = min(int(there), self.most_at_once)
            connection.execute(update(PUBLISH_RATE).where(own).values(calls=there - calls, at=row.now))
        return Grant(calls=calls, wait_s=0.0 if calls else (1.0 - there) / fill, quiet_s=quiet_s)

    def silence(self, seconds: float) -> None:
        """Make all workers wait for this number of seconds, because the service sent a Retry-After."""
        row = update(PUBLISH_RATE).where(
            PUBLISH_RATE.c.run == self._run, PUBLISH_RATE.c.quiet_until < NOW + seconds
        )
        with writing_as_worker(self._database) as connection:
            connection.execute(row.values(quiet_until=NOW + seconds))


class FleetPace(HostPace):
    """The pace of a worker: as `HostPace`, but the rate that all workers share replaces the limit of the host.

    So a "too many calls" without a Retry-After pauses all workers for a second, and does not lower the shared rate.
    """

    def __init__(self, pace: Pace, rate: SharedRate, *, is_limited: bool) -> None:
        super().__init__(pace)
        self._rate = rate
        self._is_limited = is_limited
        self._calls = 0
        self._expires_at = 0.0
        self._taking = asyncio.Lock()
        self._telling: set[asyncio.Future[None]] = set()

    async def _start(self) -> None:
        """Wait until the workers together may send one more call."""
        while not self._has_call():
            async with self._taking:
                if self._has_call():
                    return
                grant = await asyncio.to_thread(self._rate.take)
                now = self._clock()
                self._quiet_until = max(self._quiet_until, now + grant.quiet_s)
                if grant.calls == 0:
                    await self._sleep(grant.wait_s)
                    continue
                self._calls = grant.calls
                self._expires_at = now + (EXPIRES_S if self._is_limited else LOOK_S)

    def _has_call(self) -> bool:
        if self._clock() >= self._expires_at or self._calls <= 0:
            return False
        self._calls -= self._is_limited
        return True

    def record(self, reply: Response | NoResponse, retry_after_s: float | None, *, patience_s: float) -> None:
        super().record(reply, retry_after_s, patience_s=patience_s)
        if retry_after_s is not None and retry_after_s <= patience_s:
            telling = asyncio.ensure_future(asyncio.to_thread(self._rate.silence, retry_after_s))
            self._telling.add(telling)
            telling.add_done_callback(self._telling.discard)
