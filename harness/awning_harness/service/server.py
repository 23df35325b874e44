"""The running service: one event loop, five listeners on loopback, in this thread or in one of its own."""

import asyncio
import contextlib
import socket  # noqa: TC003 - an annotation that readers may resolve
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass

from awning_harness.service.addresses import Addresses
from awning_harness.service.apps_api import BASE_PATH, AppsApi
from awning_harness.service.asgi import App
from awning_harness.service.control import ControlApi
from awning_harness.service.guarded import always_answered
from awning_harness.service.hosts import local_only
from awning_harness.service.listeners import Listener, listening_near, listening_socket, quiet_server_logs
from awning_harness.service.portal import Portal
from awning_harness.service.reseller.api import ResellerApi
from awning_harness.service.reseller.envelope import failed
from awning_harness.service.service import Service
from awning_harness.service.shop import Shop

WITHIN_S = 5
NAMES = ("apps", "portal", "control", "storefront", "reseller")
APIS = ("apps", "reseller")
"""Those on which faults play."""


class Sockets:
    """The five listeners, bound: from here on a client may connect, and is answered once the service runs."""

    def __init__(self, port: int = 0) -> None:
        first = listening_socket(port)
        own = first.getsockname()[1]
        others = [listening_near(own + n if port else 0) for n in range(1, len(NAMES))]
        self.by_name: Mapping[str, socket.socket] = dict(zip(NAMES, (first, *others), strict=True))

    def addresses(self) -> Addresses:
        urls = {name: "http://{}:{}".format(*s.getsockname()) for name, s in self.by_name.items()}
        return Addresses(
            apps_url=urls["apps"] + BASE_PATH,
            reseller_url=urls["reseller"],
            portal_url=urls["portal"],
            control_url=urls["control"],
            storefront_url=urls["storefront"],
        )


async def run_service(service: Service, sockets: Sockets, stop: asyncio.Event) -> None:
    """Serve until `stop` is set."""
    quiet_server_logs()
    apps = applications(service)
    listeners = {name: Listener(sockets.by_name[name], local_only(app)) for name, app in apps.items()}

    def refuse(refusing: bool) -> None:
        for name in APIS:
            listeners[name].refuse(refusing)

    service.faults.watch(_in_this_loop(refuse))
    try:
        for listener in listeners.values():
            await listener.open()
        await stop.wait()
    finally:
        service.faults.watch(None)
        await asyncio.gather(*(listener.stop() for listener in listeners.values()))


def _in_this_loop(call: Callable[[bool], None]) -> Callable[[bool], None]:
    """`call`, always run in the running loop's thread, and over when the caller goes on."""
    loop, own = asyncio.get_running_loop(), threading.get_ident()

    def from_anywhere(value: bool) -> None:
        if threading.get_ident() == own:
            call(value)
            return
        done = threading.Event()
        loop.call_soon_threadsafe(call, value)
        loop.call_soon_threadsafe(done.set)
        done.wait(WITHIN_S)

    return from_anywhere


def applications(service: Service) -> dict[str, App]:
    return {
        "apps": always_answered(AppsApi(service)),
        "portal": always_answered(Portal(service)),
        "control": always_answered(ControlApi(service)),
        "storefront": always_answered(Shop(service)),
        "reseller": always_answered(ResellerApi(service), failed),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A service that answers, and where."""

    service: Service
    apps_url: str
    reseller_url: str
    portal_url: str
    control_url: str
    storefront_url: str


@contextmanager
def serve(service: Service | None = None, *, port: int = 0) -> Iterator[Running]:
    """Run `service` (a fresh one by default) in a thread of its own while the block runs.

    Raises a ConfigurationError when the port is taken.
    """
    own = service is None
    service = service or Service()
    sockets = Sockets(port)
    service.addresses = addresses = sockets.addresses()
    try:
        with _in_thread(service, sockets):
            yield Running(service=service, **asdict(addresses))
    finally:
        if own:
            service.close()


@contextmanager
def _in_thread(service: Service, sockets: Sockets) -> Iterator[None]:
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()

    def run() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(run_service(service, sockets, stop))

    thread = threading.Thread(target=run, name="simulated service", daemon=True)
    thread.start()
    try:
        yield
    finally:
        with contextlib.suppress(RuntimeError):  # the loop has ended by itself
            loop.call_soon_threadsafe(stop.set)
        thread.join()
