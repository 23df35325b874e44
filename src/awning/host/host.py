"""What every request shares: settings, the release, the kept things, the way to the service.

    kept(function, ...)   one at a time in a thread: the databases, which a disk may keep waiting
    run(operation)        one call of the service with its repetitions
    turn(key)             one request at a time for one instance, among all workers

The steps are safe to repeat all the same: a worker that dies, or is slower than its turn is long, loses it.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from secrets import token_hex
from typing import ParamSpec, TypeVar
from weakref import WeakValueDictionary

from awning.errors import ConfigurationError, DatabaseUnusable
from awning.host.current import Current
from awning.host.hooks import Hooks, HostedInstance
from awning.host.log import LOG
from awning.host.records import Installation, Records
from awning.host.settings import Settings
from awning.publish.inventory import Inventory
from awning.publish.journal import Journal
from awning.publish.state_server import state_at
from awning.service import Answer, Broken, Calling, Operation, Secret, call
from awning.service.aio import AsyncWire, Sender, drive

TURN_S = 60.0
"""How long a worker may take for one instance before another may think that it died."""
AGAIN_S = 0.05
T = TypeVar("T")
P = ParamSpec("P")


class Host:
    """One app's server, without HTTP. `send` puts calls on another wire, `clock` tells the time (seconds)."""

    def __init__(
        self,
        settings: Settings,
        *,
        hooks: Hooks | None = None,
        send: Sender | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.settings = settings
        self.hooks = hooks or Hooks()
        self.clock = clock
        self.state = state_at(settings.state, settings.database)
        self.records = Records.open(self.state)
        self.inventory = Inventory.open(self.state)
        # Used later, but a start leaves no step missing: the journal, and where the key is.
        Journal.open(self.state).close()
        _ = self.state.key
        self.current = Current(settings.dist, heads=settings.head_snippets)
        self.calling = Calling(access=settings.access, retry=settings.retry)
        self._given = send
        self._wire: AsyncWire | None = None
        self._opening = asyncio.Lock()
        self._database = asyncio.Lock()
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def kept(self, act: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Run what touches the disk, away from the event loop. A database has one user at a time.

        A thread cannot be cancelled: who is, waits for its end, so that the next one finds the database free.
        """
        async with self._database:
            acting = asyncio.ensure_future(asyncio.to_thread(act, *arguments, **named))
            try:
                return await asyncio.shield(acting)
            finally:
                await asyncio.wait([acting])

    async def run(self, operation: Operation[T]) -> T:
        """Raises a ServiceError."""
        return await drive(call(operation, self.calling), self.send)

    async def send(self, operation: Operation[object]) -> Answer | Broken:
        return await (self._given or (await self._opened()).send)(operation)

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[None]:
        lock = self._turns.setdefault(key, asyncio.Lock())
        async with lock:
            holder = token_hex(8)
            try:
                await self._take_turn(key, holder)
            except asyncio.CancelledError:  # the database may have noted it all the same
                await self._end_turn(key, holder)
                raise
            try:
                yield
            finally:
                await self._end_turn(key, holder)

    async def _take_turn(self, key: str, holder: str) -> None:
        """Wait while another worker is at it; at most as long as its turn may be."""
        until = time.monotonic() + TURN_S
        while not await self.kept(
            self.records.take_turn, key, holder, now=self.clock(), until=self.clock() + TURN_S
        ):
            if time.monotonic() > until:
                return
            await asyncio.sleep(AGAIN_S)

    async def _end_turn(self, key: str, holder: str) -> None:
        try:
            await self.kept(self.records.end_turn, key, holder)
        except DatabaseUnusable as problem:  # what was done is done; the turn ends by itself
            LOG.error("a turn could not be ended: %s", problem.message)

    def key_of(self, code: Secret) -> str:
        """The keyed hash of a code. Raises ConfigurationError for what no code can be."""
        return self.inventory.instance(code.reveal()).key

    def enter(self, code: Secret, *, now: float) -> Installation:
        """Remember an instance, in the inventory too: before anything is asked of the service, so nothing is lost."""
        instance = self.inventory.instance(code.reveal())
        if self.inventory.find(code) is None:
            self.inventory.put([instance])
        self.records.begin(instance.key, code, now=now)
        found = self.records.installation(instance.key)
        if found is None:
            raise RuntimeError("an installation that was just entered is not there")
        return found

    def name(self, found: Installation, url: str | None, brand: str | None) -> None:
        """Keep what the website is called; the inventory shows it where its owner gave no name."""
        self.records.note(found.key, url=url, brand=brand)
        instance = self.inventory.find(found.code)
        name = (url or "").partition("://")[2].rstrip("/")
        if instance is None or instance.name is not None or not name:
            return
        try:
            named = self.inventory.instance(
                instance.code.reveal(),
                name=name,
                languages=" ".join(instance.languages),
                labels=" ".join(instance.labels),
            )
            self.inventory.put([named])
        except DatabaseUnusable:
            raise
        except ConfigurationError:
            return  # a name that is taken or cannot be one: the keyed hash names it

    def withdraw(self, code: Secret) -> None:
        """Out of the inventory, so that no publish meets it; the records keep it for the next request."""
        instance = self.inventory.find(code)
        if instance is not None:
            self.inventory.remove(instance)

    def forget(self, found: Installation, *, now: float) -> None:
        """Uninstalled: out of the inventory, marked removed here."""
        self.withdraw(found.code)
        self.records.remove(found.key, now=now)

    async def close(self) -> None:
        if self._wire is not None:
            await self._wire.__aexit__(None, None, None)
            self._wire = None
        self.records.close()
        self.inventory.close()

    async def _opened(self) -> AsyncWire:
        """The wire, made when the first call needs it: an event loop is there by then, whatever the server."""
        async with self._opening:
            if self._wire is None:
                wire = AsyncWire(self.settings.access, limits=self.settings.limits)
                self._wire = await wire.__aenter__()
            return self._wire


def hosted(installation: Installation) -> HostedInstance:
    """An installation as hooks see it."""
    return HostedInstance(
        key=installation.key, code=installation.code, url=installation.url, brand=installation.brand
    )
