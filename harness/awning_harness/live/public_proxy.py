"""A proxy between the browser and the network, which connects to public addresses alone, as a typed address must be.

Every connection of the browser goes through it: those of frames, workers and WebSockets, and those to which a redirect
leads. It resolves a name itself and connects to exactly the addresses that it checked, so that a name whose address
changes in between leads nowhere else. It speaks SOCKS 5 (RFC 1928), and does not look into what it passes on.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from awning.errors import ConfigurationError
from awning.publish.verify.page_address import HostRefused, check_host, is_allowed

_VERSION, _CONNECT, _NO_PASSWORD = 5, 1, 0
_IP4, _NAME, _IP6 = 1, 3, 4
_DONE, _FAILED, _FORBIDDEN = 0, 1, 2
_CONNECT_S = 20.0
_CHUNK = 65_536

BYPASS = "<-loopback>"
"""Chromium's list of hosts without the proxy: none, not even this machine."""


class _Refused(Exception):
    """The host is not connected to. The message says why."""


@dataclass(slots=True)
class PublicProxy:
    """`reasons` says of each host that was not connected to why, as the end of a sentence.

    `named` returns a host as messages name it.
    """

    say: Callable[[str], None]
    named: Callable[[str], str]
    port: int = 0
    reasons: dict[str, str] = field(default_factory=dict)
    _tunnels: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def address(self) -> str:
        return f"socks5://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection of the browser."""
        task = asyncio.current_task()
        if task is not None:
            self._tunnels.add(task)
            task.add_done_callback(self._tunnels.discard)
        try:
            host, port = await _read_request(reader, writer)
            try:
                far_reader, far_writer = await self._connect(host, port)
            except _Refused as refused:
                await _reply(writer, _FORBIDDEN)
                self._learn(host, f"{refused}")
                return
            except (OSError, TimeoutError) as error:
                await _reply(writer, _FAILED)
                self.reasons[host] = getattr(error, "strerror", None) or "it does not answer in time"
                return
            await _reply(writer, _DONE)
            try:
                await asyncio.gather(_pass_on(reader, far_writer), _pass_on(far_reader, writer))
            finally:
                far_writer.close()
        except (OSError, EOFError, ValueError):  # the browser has closed the connection
            return
        finally:
            writer.close()

    def _learn(self, host: str, reason: str) -> None:
        if self.reasons.get(host) != reason:
            self.reasons[host] = reason
            self.say(f"refused {self.named(host)}: {reason}")

    async def _connect(self, host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the first address of a host that answers. Raises _Refused when one of them is not public."""
        addresses = await resolve(host, port)
        if not all(is_allowed(address, allow_loopback=False) for address in addresses):
            raise _Refused("its address is not public; --allow-private lets it pass")
        for index, address in enumerate(addresses):
            try:
                return await asyncio.wait_for(asyncio.open_connection(address, port), _CONNECT_S)
            except (OSError, TimeoutError):
                if index + 1 == len(addresses):
                    raise
        raise OSError(0, "it has no address")

    async def close(self) -> None:
        tunnels = [*self._tunnels]
        for task in tunnels:
            task.cancel()
        await asyncio.gather(*tunnels, return_exceptions=True)


async def resolve(host: str, port: int) -> Sequence[str]:
    """Return the addresses of a host. Raises OSError when it has none."""
    try:
        answers = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise OSError(0, "it has no address") from None
    return [*dict.fromkeys(str(answer[4][0]) for answer in answers)]


@asynccontextmanager
async def public_proxy(
    say: Callable[[str], None], named: Callable[[str], str] = str
) -> AsyncIterator[PublicProxy]:
    """Serve the proxy on a free port of this machine. `say` gets a line about each host that is refused."""
    proxy = PublicProxy(say=say, named=named)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        await proxy.close()


async def _read_request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> tuple[str, int]:
    """Read what the browser asks for: a host and a port. Raises ValueError for anything else."""
    version, count = await reader.readexactly(2)
    await reader.readexactly(count)
    if version != _VERSION:
        raise ValueError("not SOCKS 5")
    writer.write(bytes((_VERSION, _NO_PASSWORD)))
    await writer.drain()
    _, command, _, kind = await reader.readexactly(4)
    if command != _CONNECT:
        raise ValueError("not a connection")
    if kind == _NAME:
        [length] = await reader.readexactly(1)
        host = (await reader.readexactly(length)).decode("ascii")
    else:
        family = {_IP4: socket.AF_INET, _IP6: socket.AF_INET6}[kind]
        host = socket.inet_ntop(family, await reader.readexactly(4 if kind == _IP4 else 16))
    return host, int.from_bytes(await reader.readexactly(2))


async def _reply(writer: asyncio.StreamWriter, code: int) -> None:
    writer.write(bytes((_VERSION, code, 0, _IP4, 0, 0, 0, 0, 0, 0)))
    await writer.drain()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass on what comes, until its end, and then the end. An end that is lost closes the other one, too."""
    try:
        while content := await reader.read(_CHUNK):
            writer.write(content)
            await writer.drain()
        writer.write_eof()
    except OSError:
        writer.close()


def require_allowed(url: str, *, allow_private: bool) -> None:
    """Raise ConfigurationError for an address that is not opened."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        host = ""
    if not host or parts.scheme not in ("http", "https"):
        hint = "name the page as the browser shows it: https://shop.example/en/product/1"
        raise ConfigurationError(f"{url} is not the address of a page", hint=hint)
    if parts.username or parts.password:
        raise ConfigurationError("the address holds a user name or a password", hint="leave them out")
    if allow_private:
        return
    try:
        check_host(host, allow_loopback=False)
    except HostRefused as refused:
        if not _has_address(host):
            hint = "is the address written correctly, and is there a network?"
            raise ConfigurationError(f"no address is known of the host {host}", hint=hint) from None
        hint = "for a shop on this machine or in your network: --allow-private"
        raise ConfigurationError(str(refused), hint=hint) from None


def _has_address(host: str) -> bool:
    try:
        return bool(socket.getaddrinfo(host, None, type=socket.SOCK_STREAM))
    except (OSError, UnicodeError):
        return False
