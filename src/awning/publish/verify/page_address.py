"""Makes the address of the public page that shows a cell, and refuses one whose host is not public.

The form of the address is an assumption (`page-address`). A shop may name any address as that of its page. Without a
check, a shop could make awning open a cloud's metadata service (169.254.169.254) or a machine in a private
network. Addresses of this machine are allowed only when the service itself runs on this machine, as the simulated
service does.
"""

import asyncio
import re
import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver

from awning.errors import ConfigurationError

USUAL = "{url}{language}/"
"""The usual pattern. For the website-wide cell the address is `{url}` alone."""
NAMES = frozenset({"url", "website", "language"})
_NAME = re.compile(r"\{([^{}]*)\}")
_FIRST = "en"


def checked_page_pattern(pattern: str) -> str:
    """Return `pattern`, the page pattern of a profile.

    Raises ConfigurationError when it has an unknown name in braces, or does not give an http or https address.
    """
    unknown = sorted(set(_NAME.findall(pattern)) - NAMES)
    if unknown:
        raise ConfigurationError(
            f'the profile\'s page has the unknown name "{{{unknown[0]}}}"',
            hint="there are {url}, {website} and {language}",
        )
    example = page_address(pattern, "https://shop.example/", _FIRST)
    if example is None or "{" in example or "}" in example:
        raise ConfigurationError(
            f'the profile\'s page "{pattern}" makes no http or https address',
            hint='such as page = "https://{website}/{language}/shop/"',
        )
    return pattern


def page_address(pattern: str, website_url: str, language: str | None) -> str | None:
    """Return the address of a page; None when it is not an http or https address.

    `{url}` is the website's address with a final slash. `{website}` is that address without scheme and final slash.
    `{language}` is the language code; empty for the website-wide page.
    """
    url = website_url.rstrip("/") + "/"
    website = url.partition("://")[2].rstrip("/")
    if language is None and pattern == USUAL:
        address = url
    else:
        values = {"url": url, "website": website, "language": language or ""}
        address = _NAME.sub(lambda match: values.get(match[1], match[0]), pattern)
        if language is None:
            address = re.sub(r"(?<!:)//+", "/", address)
    return address if is_fetchable(address) else None


def is_fetchable(address: str) -> bool:
    """Return whether `address` is an http or https address without user name, white space and control characters."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return False
    printable = address.isprintable() and not any(map(str.isspace, address))
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.username is None and printable


NAT64 = IPv6Network("64:ff9b::/96")
"""IPv6 addresses that hold an IPv4 address in their last 32 bits (RFC 6052, 2.1)."""


class HostRefused(Exception):
    """The host has an address that is not public, or no address."""

    def __init__(self, host: str) -> None:
        super().__init__(f"its host {host} is not at a public address, so it is not opened")


def is_allowed(address: str, *, allow_loopback: bool) -> bool:
    """Return whether an IP address may be connected to."""
    ip = _plain(ip_address(address.partition("%")[0]))
    return (ip.is_global and not ip.is_multicast) or (allow_loopback and ip.is_loopback)


def check_literal(host: str, *, allow_loopback: bool) -> None:
    """Check `host` if it is an IP address. Raises HostRefused when the address is not allowed. A name passes."""
    try:
        allowed = is_allowed(host, allow_loopback=allow_loopback)
    except ValueError:  # `host` is a name
        return
    if not allowed:
        raise HostRefused(host)


def check_host(host: str, *, allow_loopback: bool) -> None:
    """Check all addresses of `host`. Raises HostRefused when one is not allowed, or when there is none."""
    check_literal(host, allow_loopback=allow_loopback)
    try:
        answers = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise HostRefused(host) from None
    _check_all(host, [str(answer[4][0]) for answer in answers], allow_loopback=allow_loopback)


class PublicResolver(AbstractResolver):
    """Resolves names and refuses those with an address that is not public.

    The connection uses exactly the returned addresses.
    """

    def __init__(self, *, allow_loopback: bool) -> None:
        self._allow_loopback = allow_loopback
        self._resolver = ThreadedResolver(loop=asyncio.get_running_loop())

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of `host`. Raises HostRefused when an address is not allowed."""
        answers = await self._resolver.resolve(host, port, family)
        _check_all(host, [answer["host"] for answer in answers], allow_loopback=self._allow_loopback)
        return answers

    async def close(self) -> None:
        await self._resolver.close()


def _check_all(host: str, addresses: Sequence[str], *, allow_loopback: bool) -> None:
    if not all(is_allowed(address, allow_loopback=allow_loopback) for address in addresses):
        raise HostRefused(host)


def _plain(ip: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return the IPv4 address that an IPv6 address contains; the address itself when it contains none."""
    if isinstance(ip, IPv4Address):
        return ip
    if ip in NAT64:
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.ipv4_mapped or ip.sixtofour or ip
