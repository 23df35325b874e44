"""Runs the simulated service: one event loop with five listeners, in this thread or a separate one."""

import asyncio
import contextlib
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import asdict, dataclass

from starlette.types import ASGIApp, Receive, Scope, Send

from awning_harness.service.addresses import Addresses
from awning_harness.service.applications import service_application
from awning_harness.service.apps_api import BASE_PATH, AppsApi
from awning_harness.service.control.api import control_application
from awning_harness.service.hosts import Refuse, host_check, https_only, refuse_plainly
from awning_harness.service.listeners import (
    LOOPBACK,
    Listener,
    listening_near,
    listening_socket,
    quiet_server_logs,
)
from awning_harness.service.portal.portal import portal_application
from awning_harness.service.reseller.api import ResellerApi, refuse_reseller_call
from awning_harness.service.service import Service
from awning_harness.service.tls_listener import Tls, TlsListener

WITHIN_S = 30
NAMES = ("apps", "portal", "control", "storefront", "reseller")
APIS = ("apps", "reseller")
"""The listeners on which faults act."""
ALSO_PLAIN = ("reseller", "storefront")
"""The listeners that accept plain http besides https, because clients use both (observed)."""


class Sockets:
    """The five listening sockets. Clients can connect at once; they get responses as soon as the service runs."""

    def __init__(self, port: int = 0, address: str = LOOPBACK) -> None:
        first = listening_socket(port, address=address)
        own = first.getsockname()[1]
        others = [listening_near(own + n if port else 0, address) for n in range(1, len(NAMES))]
        self.by_name: Mapping[str, socket.socket] = dict(zip(NAMES, (first, *others), strict=True))

    def addresses(self, tls: Tls | None = None, host: str = LOOPBACK) -> Addresses:
        """Return the addresses with this host name."""
        scheme = "https" if tls else "http"
        places = {name: f"{host}:{s.getsockname()[1]}" for name, s in self.by_name.items()}
        urls = {name: f"{scheme}://{place}" for name, place in places.items()}
        plain = {f"{name}_http_url": f"http://{places[name]}" for name in ALSO_PLAIN} if tls else {}
        urls["apps"] += BASE_PATH
        named = {f"{name}_url": url for name, url in urls.items()}
        return Addresses(**named, **plain, ca_file=str(tls.ca_file) if tls else None)


async def run_service(
    service: Service,
    sockets: Sockets,
    stop: asyncio.Event,
    tls: Tls | None = None,
    *,
    opened: Callable[[], object] = lambda: None,
) -> None:
    """Serve until `stop` is set. With `tls`, serve over https. Calls `opened` when faults act on the listeners."""
    quiet_server_logs()
    listeners = {
        name: _listener(name, face, sockets.by_name[name], service, tls)
        for name, face in faces(service).items()
    }

    def refuse(refusing: bool) -> None:
        for name in APIS:
            listeners[name].refuse(refusing)

    async def settled() -> None:
        for name in APIS:
            await listeners[name].settled()

    try:
        for listener in listeners.values():
            await listener.open()
        service.faults.watch(_in_this_loop(refuse, settled))
        opened()
        await stop.wait()
    finally:
        service.faults.watch(None)
        await asyncio.gather(*(listener.stop() for listener in listeners.values()))


def _in_this_loop(
    call: Callable[[bool], None], settled: Callable[[], Awaitable[None]]
) -> Callable[[bool], None]:
    """Return a function that runs `call` in the thread of the running loop.

    Called in another thread, the function waits until `settled` has returned, too. When the loop ends meanwhile, or has
    ended, there is nothing left to call. Raises TimeoutError when this takes more than WITHIN_S seconds.
    """
    loop, own = asyncio.get_running_loop(), threading.get_ident()

    def from_anywhere(value: bool) -> None:
        if threading.get_ident() == own:
            call(value)
            return
        settling = settle(value)
        try:
            asyncio.run_coroutine_threadsafe(settling, loop).result(WITHIN_S)
        except (RuntimeError, CancelledError, TimeoutError) as error:
            if not (loop.is_closed() or isinstance(error, CancelledError)):
                raise
            settling.close()

    async def settle(value: bool) -> None:
        call(value)
        await settled()

    return from_anywhere


@dataclass(frozen=True, slots=True)
class Face:
    """One application, and the function that refuses requests before they reach it."""

    app: ASGIApp
    refuse: Refuse = refuse_plainly


def faces(service: Service) -> dict[str, Face]:
    apps, reseller = AppsApi(service), ResellerApi(service)
    return {
        "apps": Face(service_application(default=apps), apps.refuse),
        "portal": Face(portal_application(service)),
        "control": Face(control_application(service)),
        "storefront": Face(service_application(default=LazyStorefront(service))),
        "reseller": Face(
            service_application(to_response=refuse_reseller_call, default=reseller), reseller.refuse
        ),
    }


def _listener(name: str, face: Face, listening: socket.socket, service: Service, tls: Tls | None) -> Listener:
    app = host_check(face.app, service.allowed_hosts, face.refuse)
    if tls is None:
        return Listener(listening, app)
    plain = app if name in ALSO_PLAIN else https_only(face.refuse)
    return TlsListener(
        listening,
        app,
        plain=plain,
        context=tls.context,
        names=service.allowed_hosts,
        refuse=face.refuse,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Running(Addresses):
    """A running service and its addresses."""

    service: Service


@contextmanager
def serve(service: Service | None = None, *, port: int = 0, tls: Tls | None = None) -> Iterator[Running]:
    """Run `service` (by default a new one) in a separate thread while the block runs. With `tls`, use https.

    Raises ConfigurationError when the port cannot be used.
    """
    own = service is None
    service = service or Service()
    try:
        sockets = Sockets(port)
        service.addresses = addresses = sockets.addresses(tls)
        with _in_thread(service, sockets, tls):
            yield Running(service=service, **asdict(addresses))
    finally:
        if own:
            service.close()


@contextmanager
def _in_thread(service: Service, sockets: Sockets, tls: Tls | None) -> Iterator[None]:
    loop = asyncio.new_event_loop()
    stop, opened = asyncio.Event(), threading.Event()
    failures: list[Exception] = []

    def run() -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: loop) as runner:
                runner.run(run_service(service, sockets, stop, tls, opened=opened.set))
        except Exception as error:  # noqa: BLE001 - raised again in the thread that waits
            failures.append(error)
            for listening in sockets.by_name.values():
                listening.close()
        finally:
            opened.set()

    thread = threading.Thread(target=run, name="simulated service", daemon=True)
    thread.start()
    try:
        opened.wait()
        if not failures:
            yield
    finally:
        with contextlib.suppress(RuntimeError):  # the loop has already ended
            loop.call_soon_threadsafe(stop.set)
        thread.join()
    if failures:
        raise failures[0]


class LazyStorefront:
    """The ASGI application that creates the storefront and passes requests on to it.

    It imports the storefront at the first request, so that the simulated service starts within half a second.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._lock = asyncio.Lock()
        self._storefront: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        storefront = self._storefront or await self._opened()
        await storefront(scope, receive, send)

    async def _opened(self) -> ASGIApp:
        async with self._lock:
            if self._storefront is None:
                self._storefront = await asyncio.to_thread(self._open)
            return self._storefront

    def _open(self) -> ASGIApp:
        from awning_harness.storefront import storefront_app  # noqa: PLC0415 - see above

        service = self._service
        return storefront_app(
            service,
            dialect=service.dialect,
            store=service.store,
            allowed_globals=lambda: service.allowed_globals,
            assumed=service.assumptions.values,
        )
