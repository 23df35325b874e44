"""The address on which `awning dev` listens, and the host names for which it answers."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from socket import socket

from awning.errors import ConfigurationError
from awning_harness.service.hosts import checked_host, default_host
from awning_harness.service.listeners import LOOPBACK, listening_socket

DEFAULT_PORT = 8420
PORTS_TRIED = 20
LOCAL = (LOOPBACK, "localhost")
PORT_HINT = "another program may use it; without --port, awning dev takes a free one"


@dataclass(frozen=True, slots=True, kw_only=True)
class HostNames:
    """The host name in the pages' addresses, and further host names for which requests are answered."""

    host: str
    allowed: tuple[str, ...] = ()


def host_names(host: str | None, address: str, allowed: Iterable[str]) -> HostNames:
    """Return the host names of a server that listens on `address`.

    The pages' addresses have the name `host`. It must be a name of this machine, because the pages run unfinished
    scripts. The default of `host` is `address` for a loopback address, and the first of `allowed` for any other.

    Raises ConfigurationError when `host` is not such a name, when one of `allowed` is not a host name, when `address`
    is not an IPv4 address, and when `address` is not a loopback address and `allowed` is empty.
    """
    names = tuple(checked_host(name) for name in allowed)
    own = default_host(address, names)
    if host is None:
        return HostNames(host=own, allowed=names)
    if host not in LOCAL and not host.endswith(".localhost"):
        raise ConfigurationError(
            f"--host {host} is not only a name of this machine",
            hint="leave it out, or use localhost or a name that ends in .localhost",
        )
    return HostNames(host=host, allowed=names)


def listening_on(address: str, port: int | None, say: Callable[[str], object]) -> socket:
    """Return a socket that listens on `port`.

    If `port` is None, PORTS_TRIED ports are tried in order, from DEFAULT_PORT. If none is free, any free port is taken.
    `say` then gets a line when the port is not DEFAULT_PORT.

    Raises ConfigurationError when `port` cannot be used, or when this machine does not have the address.
    """
    if port is not None:
        return listening_socket(port, address=address, hint=PORT_HINT)
    listening = None
    for near in range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED):
        with suppress(ConfigurationError):
            listening = listening_socket(near, address=address)
            break
    listening = listening or listening_socket(0, address=address)
    taken = listening.getsockname()[1]
    if taken != DEFAULT_PORT:
        say(f"port {DEFAULT_PORT} is taken: this shop is on port {taken}")
    return listening
