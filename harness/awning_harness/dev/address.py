"""The address on which `awning dev` listens, and the host names for which it answers."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from socket import socket

from awning.errors import ConfigurationError
from awning_harness.service.hosts import checked_host
from awning_harness.service.listeners import LOOPBACK, listening_socket

DEFAULT_PORT = 8420
PORTS_TRIED = 20
LOCAL = (LOOPBACK, "localhost")
PORT_HINT = "another program may use it; without --port, awning dev takes a free one"


@dataclass(frozen=True, slots=True, kw_only=True)
class HostNames:
    """The host name in addresses, and the other host names for which requests are answered."""

    host: str
    allowed: tuple[str, ...] = ()


def host_names(host: str, allowed: Iterable[str]) -> HostNames:
    """Return the names of a server. `host` must be a name of this machine, because the pages run unfinished scripts.

    Raises ConfigurationError when it is not, or when one of `allowed` is no host name.
    """
    if host not in LOCAL and not host.endswith(".localhost"):
        raise ConfigurationError(
            f"--host {host} is not only a name of this machine",
            hint="leave it out, or use localhost or a name that ends in .localhost",
        )
    return HostNames(host=host, allowed=tuple(checked_host(name) for name in allowed))


def check_address(address: str, names: HostNames) -> None:
    """Check that `address` is an IP address, and that names are allowed when other machines can reach it.

    Raises ConfigurationError when it is not.
    """
    try:
        is_loopback = ip_address(address).is_loopback
    except ValueError:
        raise ConfigurationError(
            f"--listen {address} is not an IP address",
            hint="0.0.0.0 is every IPv4 address of this machine; --host sets the name in addresses",
        ) from None
    if not is_loopback and not names.allowed:
        raise ConfigurationError(
            f"--listen {address} lets other machines in, and no host name is allowed",
            hint="add --allow-host with the name in the browser's address, such as --allow-host localhost",
        )


def listening_on(address: str, port: int | None, say: Callable[[str], object]) -> socket:
    """Return a listening socket on `port`. Without a port: on the default one, or on the next that is free.

    `say` gets a line when the default one is taken.

    Raises ConfigurationError when the port is taken, or when the address is none of this machine.
    """
    if port is not None:
        return listening_socket(port, address=address, hint=PORT_HINT)
    for near in range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED):
        with suppress(ConfigurationError):
            listening = listening_socket(near, address=address)
            if near != DEFAULT_PORT:
                say(f"port {DEFAULT_PORT} is taken: this shop is on port {near}")
            return listening
    return listening_socket(0, address=address)
