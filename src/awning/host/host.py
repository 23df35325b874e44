"""The objects that all requests share: settings, the build, the databases, the client of the service.

    run_blocking(function, ...)   calls a function that uses a database, in a thread that does one call at a time
    run(operation)                calls the service, with retries
    turn(key)                     lets one request at a time work on an instance, among all workers (`awning.host.turn`)

Inside a turn, `run_blocking` and `run` check that this worker still holds the turn. A worker may die between any two
steps, so every step is safe to repeat.

The build has its snippets, its data schema and its tab mode. It is read again when `dist/build.json` is replaced, so a
new build needs no restart.
"""

import asyncio
import json
import math
import os
import time
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from awning.build_record import FILE_NAME, read_build_record
from awning.client import Calling, Flow, NoResponse, Operation, Response, Secret, call
from awning.client.async_client import AsyncTransport, run_with
from awning.client.flow import Sender
from awning.client.transport import steady_clock
from awning.data_schema import Group, read_app_schema, read_form
from awning.errors import AwningError, ConfigurationError, DatabaseUnusable
from awning.host.hooks import Hooks, HostedInstance
from awning.host.host_records import HostRecords, Installation
from awning.host.log import LOG
from awning.host.settings import Settings
from awning.host.turn import CURRENT, Clock, Turn, Turns
from awning.preview_record import Preview, find_preview
from awning.publish.health.reports import HealthReports
from awning.publish.inventory.inventory import Inventory
from awning.publish.journal.journal import Journal
from awning.publish.release.build_files import BuildFiles, read_files
from awning.publish.state.server import state_at
from awning.publish.state.store import Installing


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedBuild:
    """The parts of a build that the server needs."""

    files: BuildFiles
    titles: Mapping[str, str] | str
    """The app's name: its display title (one text, or a text per language), else its title."""
    form: Group
    preview: Preview | None
    """What the settings form shows the widgets with; None for a build without states or of an older awning."""
    returns: bool
    """Whether the browser returns to the service after the installation: when app_tab_mode is `self`.

    This is step 8 of the Installation process (Apps Integration API).
    """


class CurrentBuild:
    """Reads the build in a folder, and reads it again when its build record changes."""

    def __init__(self, dist: Path) -> None:
        self._dist = dist
        self._stamp: tuple[int, ...] | None = None
        self._build: ServedBuild | None = None

    def build(self) -> ServedBuild:
        """Return the build. Raises Faulty or ConfigurationError when it is missing, damaged or built with errors."""
        stamp = _stamp(self._dist / FILE_NAME)
        if self._build is None or stamp is None or stamp != self._stamp:
            self._build = read_served_build(self._dist)
            self._stamp = stamp
        return self._build


def read_served_build(dist: Path) -> ServedBuild:
    """Read the build in `dist`.

    Raises Faulty or ConfigurationError when it is missing, damaged or built with errors.
    """
    record = read_build_record(dist)
    manifest = _read_json(dist / "manifest.json")
    return ServedBuild(
        files=read_files(dist),
        titles=manifest.get("app_display_title") or record.title,
        form=read_form(read_app_schema(_read_json(dist / "data.schema.json"))),
        preview=_preview(dist, record.fingerprint),
        returns=manifest.get("app_tab_mode") == "self",
    )


def _preview(dist: Path, fingerprint: str) -> Preview | None:
    """Return the preview of the build. One that cannot be used is logged: the settings can be stored without it."""
    try:
        return find_preview(dist, fingerprint)
    except ConfigurationError as error:
        LOG.warning("the settings form has no preview: %s", error)
        return None


def _stamp(path: Path) -> tuple[int, ...] | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - faster, and this runs for every request
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _read_json(path: Path) -> Mapping[str, Any]:
    """Return the JSON object in a file of the build; an empty object when the file does not exist.

    Raises ConfigurationError when the file cannot be read, or does not hold a JSON object.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        raise ConfigurationError(f"{path} is not JSON", hint="run: awning build") from None
    if not isinstance(value, dict):
        raise ConfigurationError(f"{path} is not a JSON object", hint="run: awning build")
    return value


T = TypeVar("T")
P = ParamSpec("P")
RESULT_S = 1.0
"""For how many seconds the result of testing the databases is reused."""


class Host:
    """The server of one app, without HTTP. In tests, `send` replaces the transport.

    `clock` returns the time in seconds since 1970; `steady` is a monotonic clock in seconds.
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
        self.state = state_at(settings.state, settings.database, settings.cipher)
        self.records = HostRecords.open(self.state)
        self.inventory = Inventory.open(self.state)
        self.health = HealthReports.open(self.state)
        self.app_data_locks = self.state.app_data_locks()
        with closing(Journal.open(self.state)) as journal:
            journal.check()
        _ = self.state.key  # a database server has it in a table
        self.current = CurrentBuild(settings.dist)
        self.calling = Calling(access=settings.access, retry=settings.retry)
        self.is_accepted = False
        """Whether the service has accepted a call. Its base URL and the API key are then right."""
        self._own_send = send
        self._transport: AsyncTransport | None = None
        self._opening = asyncio.Lock()
        self._database = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="databases")
        self._turns = Turns(records=self.records, act=self._act, timing=settings.turns, clock=steady)

    async def run_blocking(self, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Call a function that uses a database, in the database thread.

        Raises what the function raises. Inside a turn, also raises TurnLost when another worker may have the turn, and
        DatabaseUnusable when that cannot be checked.
        """
        turn = CURRENT.get()
        if turn is not None:
            await turn.confirm()
        return await self._act(function, *arguments, **named)

    async def run(self, operation: Operation[T]) -> T:
        """Call the service, with retries.

        Raises ServiceError when the call fails. Inside a turn, raises TurnLost when another worker may have the turn,
        and DatabaseUnusable when that cannot be checked.
        """
        result = await self.follow(call(operation, self.calling))
        self.is_accepted = True
        return result

    async def follow(self, flow: Flow[T]) -> T:
        """Run a flow of calls, and return its result. Raises as `run` does. A flow may take a refusal for an answer."""
        return await run_with(flow, self.send)

    async def send(self, operation: Operation[object]) -> Response | NoResponse:
        """Send a call once.

        Inside a turn, raises TurnLost when another worker may have the turn, and DatabaseUnusable when that cannot be
        checked.
        """
        send = self._own_send or (await self._open_transport()).send
        turn = CURRENT.get()
        if turn is None:
            return await send(operation)
        async with turn.limited(unclear=operation.method != "GET"):
            return await send(operation)

    def turn(self, key: str) -> AbstractAsyncContextManager[Turn]:
        return self._turns.turn(key)

    @asynccontextmanager
    async def installing(self) -> AsyncIterator[Installing]:
        """Hold the installation lock (`StateStore.lock_installation`)."""
        lock = self.state.lock_installation()
        installing = await self.run_blocking(lock.__enter__)
        try:
            yield installing
        finally:
            await self._act(lock.__exit__, None, None, None)

    async def _act(self, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Call a function in the database thread, which does one call at a time.

        A running thread cannot be cancelled. So a cancelled caller waits until the function has returned. Then the next
        caller can use the database.
        """
        async with self._database:
            loop = asyncio.get_running_loop()
            future = loop.run_in_executor(self._thread, partial(function, *arguments, **named))
            try:
                return await asyncio.shield(future)
            finally:
                await asyncio.wait([future])

    def key_of(self, code: Secret) -> str:
        """Return the keyed hash of an authCode. Raises ConfigurationError when `code` cannot be an authCode."""
        return self.inventory.instance(code.reveal()).key

    def add_installation(self, code: Secret, *, now: float) -> Installation:
        """Store an instance in the server's tables and in the inventory, and return its record.

        An instance that is already stored does not change. A removed instance is restored, and its steps begin anew.
        Call this for a new instance before the first request to the service, so that a crash does not lose its
        authCode.

        Raises ConfigurationError when `code` cannot be an authCode, RuntimeError when the record is missing afterwards.
        """
        instance = self.inventory.instance(code.reveal())
        if self.inventory.find(code) is None:
            self.inventory.restore(instance)
        self.records.begin(instance.key, code, now=now)
        installation = self.records.installation(instance.key)
        if installation is None:
            raise RuntimeError("an installation that was just added is not there")
        return installation

    def set_website(self, installation: Installation, url: str | None, brand: str | None) -> None:
        """Record the website's address and brand.

        An instance without a name in the inventory gets the address without its scheme as name.
        """
        self.records.update(installation.key, url=url, brand=brand)
        instance = self.inventory.find(installation.code)
        name = (url or "").partition("://")[2].rstrip("/")
        if instance is None or instance.name is not None or not name:
            return
        try:
            named_instance = self.inventory.instance(
                instance.code.reveal(),
                name=name,
                languages=" ".join(instance.languages),
                labels=" ".join(instance.labels),
            )
            self.inventory.put([named_instance])
        except DatabaseUnusable:
            raise
        except ConfigurationError:
            return  # the name is taken or invalid, so the instance stays without a name

    def withdraw(self, code: Secret) -> None:
        """Remove the instance from the inventory. It can be restored there until it is purged."""
        instance = self.inventory.find(code)
        if instance is not None:
            self.inventory.remove(instance)

    def remove_installation(self, installation: Installation, *, now: float) -> None:
        """Remove the instance from the inventory, and mark its installation as removed."""
        self.withdraw(installation.code)
        self.records.remove(installation.key, now=now)

    async def close(self) -> None:
        if self._transport is not None:
            await self._transport.__aexit__(None, None, None)
            self._transport = None
        self._thread.shutdown()
        self.records.close()
        self.inventory.close()
        self.health.close()
        self.app_data_locks.close()

    async def _open_transport(self) -> AsyncTransport:
        """Return the transport. The first call opens it, because it needs a running event loop."""
        async with self._opening:
            if self._transport is None:
                transport = AsyncTransport(self.settings.access, limits=self.settings.limits)
                self._transport = await transport.__aenter__()
            return self._transport


def hosted_instance(installation: Installation) -> HostedInstance:
    """Return the installation as the value that hooks get."""
    return HostedInstance(
        key=installation.key, code=installation.code, url=installation.url, brand=installation.brand
    )


class Readiness:
    """Computes the result of `/healthz`: whether this process can use the state, and can read its build.

    It does not test the service. Anybody may request the check, and a test of the databases costs a write. So the
    result of that test is reused for a second. The build is tested at each request.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self._checking = asyncio.Lock()
        self._checked_at = -math.inf
        self._databases_are_good = False

    async def is_good(self) -> bool:
        """Return whether all tests pass. A failed test is logged."""
        async with self._checking:
            if self._host.steady() >= self._checked_at + RESULT_S:
                self._databases_are_good = await self._passes(self._check)
                self._checked_at = self._host.steady()
            return self._databases_are_good and await self._passes(self._host.current.build)

    async def _passes(self, check: Callable[[], object]) -> bool:
        try:
            await self._host.run_blocking(check)
        except Exception as error:  # noqa: BLE001 - any error means that this process is not healthy
            why = error.message if isinstance(error, AwningError) else type(error).__name__
            LOG.error("not healthy: %s", why)
            return False
        return True

    def _check(self) -> None:
        self._host.records.check_writable()
        Journal.open(self._host.state).close()
