"""The addresses that reports come from: which one a request has, and how many requests each may make in a minute.

An address is an IPv4 address, or an IPv6 network of 64 bits: a customer usually has such a network. Addresses are held
in memory only.
"""

import asyncio
import ipaddress
import re
from collections import OrderedDict

from starlette.requests import Request

PER_ADDRESS = 60
SITE_TIMES = 10
"""The limit of a /48 network, as a multiple of PER_ADDRESS. A provider divides such a network among customers."""
WINDOW_S = 60.0
MOST_ADDRESSES = 20_000
"""The most addresses and networks that are counted. When there are more, the one that reported least recently is
dropped.
"""
_WITH_PORT = re.compile(r"\[([^\]]+)\](?::\d+)?|([^:]+):\d+")
"""`[2001:db8::1]:443` or `192.0.2.1:443`: some proxies add the port."""

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class AddressLimit:
    """Counts the requests of each address in a time window. It needs a running event loop."""

    def __init__(self, most: int = PER_ADDRESS, window_s: float = WINDOW_S) -> None:
        self._most = most
        self._window_s = window_s
        self._counts: OrderedDict[str, int] = OrderedDict()
        self._timer: asyncio.TimerHandle | None = None

    def allows(self, address: str) -> bool:
        """Count a request. Returns whether its address and, for IPv6, its /48 network are within their limits."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._window_s, self.forget)
        parsed = parse_address(address)
        if isinstance(parsed, ipaddress.IPv6Address):
            site = ipaddress.IPv6Network((int(parsed), 48), strict=False)
            if self._count(str(site)) > SITE_TIMES * self._most:
                return False
        return self._count(network_of(address) or address[:64]) <= self._most

    def _count(self, network: str) -> int:
        """Count a request from an address or network. Returns the count so far."""
        self._counts[network] = self._counts.get(network, 0) + 1
        self._counts.move_to_end(network)
        if len(self._counts) > MOST_ADDRESSES:
            self._counts.popitem(last=False)
        return self._counts[network]

    def forget(self) -> None:
        """Forget all addresses, and stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        self._counts.clear()


def address_of(request: Request, *, behind_proxy: bool) -> str:
    """Return the IP address that a request came from; "" when it is not known.

    It is the last address in X-Forwarded-For when a proxy is configured or the peer is this machine, else the peer's
    address. Everything before the last address was written by the visitor: some proxies append to the header, others
    add a header line of their own after the visitor's.
    """
    peer = request.client.host if request.client else ""
    parsed = parse_address(peer)
    if behind_proxy or (parsed is not None and parsed.is_loopback):
        forwarded = ",".join(request.headers.getlist("x-forwarded-for")).rpartition(",")[2].strip()
        return forwarded if parse_address(forwarded) is not None else peer
    return peer


def network_of(address: str) -> str | None:
    """Return an IPv4 address, or the 64-bit network of an IPv6 address, in one spelling; None for any other text."""
    parsed = parse_address(address)
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((int(parsed), 64), strict=False))
    return None if parsed is None else str(parsed)


def parse_address(text: str) -> IpAddress | None:
    """Return an IP address; None for any other text. A port is left out; IPv4 in IPv6 becomes IPv4."""
    with_port = _WITH_PORT.fullmatch(text)
    try:
        parsed = ipaddress.ip_address((with_port[1] or with_port[2]) if with_port else text)
    except ValueError:
        return None
    return getattr(parsed, "ipv4_mapped", None) or parsed
