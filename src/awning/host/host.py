"""What every request shares: settings, the release, the kept things, the way to the service.

    kept(function, ...)   one at a time in a thread: the databases, which a disk may keep waiting
    run(operation)        one call of the service with its repetitions
    turn(key)             one request at a time for one instance, among all workers (`awning.host.turn`)

Inside a turn, the first two make sure that it is held still. The steps are safe to repeat all the same: a worker may
die between any two of them.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import ParamSpec, TypeVar

from awning.client import Calling, NoResponse, Operation, Response, Secret, call
from awning.client.async_client import AsyncTransport, Sender, run_with
from awning.errors import ConfigurationError, DatabaseUnusable
from awning.host.current import Current
from awning.host.hooks import Hooks, HostedInstance
from awning.host.records import Installation, Records
from awning.host.settings import Settings
from awning.host.turn import CURRENT, Clock, Turn, Turns, steady_clock
from awning.publish.inventory import Inventory
from awning.publish.journal import Journal
from awning.publish.state_server import state_at

T = TypeVar("T")
P = ParamSpec("P")


class Host:
    """One app's server, without HTTP. `send` puts calls on another wire.

    `clock` tells the time (seconds since 1970), `steady` the seconds since some moment, which nobody sets.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        hooks: Hooks | None = None,
        send: Sender | None = None,
        clock: Clock = time.time,
        steady: Clock = steady_clock,
    ) -> None:
        self.settings = settings
        self.hooks = hooks or Hooks()
        self.clock = clock
        self.steady = steady
        self.state = state_at(settings.state, settings.database)
        self.records = Records.open(self.state)
        self.inventory = Inventory.open(self.state)
        # Used later, but a start leaves no step missing: the journal, and where the key is.
        journal = Journal.open(self.state)
        try:
            journal.check()
        finally:
            journal.close()
        _ = self.state.key
        self.current = Current(settings.dist, heads=settings.head_snippets)
        self.calling = Calling(access=settings.access, retry=settings.retry)
        self._given = send
        self._transport: AsyncTransport | None = None
        self._opening = asyncio.Lock()
        self._database = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="databases")
        self._turns = Turns(records=self.records, act=self._act, timing=settings.turns, clock=steady)

    async def kept(self, act: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Run what touches the disk, away from the event loop. Raises TurnLost."""
        turn = CURRENT.get()
        if turn is not None:
            await turn.confirm()
        return await self._act(act, *arguments, **named)

    async def run(self, operation: Operation[T]) -> T:
        """Raises a ServiceError."""
        return await run_with(call(operation, self.calling), self.send)

    async def send(self, operation: Operation[object]) -> Response | NoResponse:
        """Send once. Raises TurnLost."""
        send = self._given or (await self._opened()).send
        turn = CURRENT.get()
        if turn is None:
            return await send(operation)
        async with turn.limited(unclear=operation.method != "GET"):
            return await send(operation)

    def turn(self, key: str) -> AbstractAsyncContextManager[Turn]:
        return self._turns.turn(key)

    async def _act(self, act: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """A database has one user at a time, and a thread that nothing else keeps busy.

        A thread cannot be cancelled: who is, waits for its end, so that the next one finds the database free.
        """
        async with self._database:
            loop = asyncio.get_running_loop()
            acting = loop.run_in_executor(self._thread, partial(act, *arguments, **named))
            try:
                return await asyncio.shield(acting)
            finally:
                await asyncio.wait([acting])

    def key_of(self, code: Secret) -> str:
        """The keyed hash of a code. Raises ConfigurationError for what no code can be."""
        return self.inventory.instance(code.reveal()).key

    def enter(self, code: Secret, *, now: float) -> Installation:
        """Remember an instance, in the inventory too: before anything is asked of the service, so nothing is lost."""
        instance = self.inventory.instance(code.reveal())
        if self.inventory.find(code) is None:
            self.inventory.restore(instance)
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
        """Out of the inventory, so that no publish meets it; kept aside there until it comes back or is purged."""
        instance = self.inventory.find(code)
        if instance is not None:
            self.inventory.remove(instance)

    def forget(self, found: Installation, *, now: float) -> None:
        """Uninstalled: out of the inventory, marked removed here."""
        self.withdraw(found.code)
        self.records.remove(found.key, now=now)

    async def close(self) -> None:
        if self._transport is not None:
            await self._transport.__aexit__(None, None, None)
            self._transport = None
        self._thread.shutdown()
        self.records.close()
        self.inventory.close()

    async def _opened(self) -> AsyncTransport:
        """Made when the first call needs it: an event loop is there by then, whatever the server."""
        async with self._opening:
            if self._transport is None:
                transport = AsyncTransport(self.settings.access, limits=self.settings.limits)
                self._transport = await transport.__aenter__()
            return self._transport


def hosted(installation: Installation) -> HostedInstance:
    """An installation as hooks see it."""
    return HostedInstance(
        key=installation.key, code=installation.code, url=installation.url, brand=installation.brand
    )
