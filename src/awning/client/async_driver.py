"""The asynchronous driver: flows over aiohttp.

Redirects are not followed (the key would go with them), cookies are not kept, and no exception of the HTTP
library leaves: those hold URLs, and a URL here holds an authCode.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType, TracebackType
from typing import Self, TypeVar

import aiohttp
from yarl import URL

from awning.client.access import Access
from awning.client.flow import Calling, call
from awning.client.operation import Answer, Broken, Flow, Operation, Reply, Step, Wait
from awning.client.proxies import proxy_for
from awning.client.wire import USUAL, Limits, headers_of, url_of

T = TypeVar("T")

Sender = Callable[[Operation[object]], Awaitable[Answer | Broken]]
"""Puts one operation on the wire. Wrapped by whoever paces or counts."""


class AsyncWire:
    """Sends operations over a pool of connections. An asynchronous context manager."""

    def __init__(
        self, access: Access, *, limits: Limits = USUAL, environ: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self._access = access
        self._limits = limits
        self._proxy = proxy_for(access.base_url, environ)
        self._headers = headers_of(access)
        # Observed: public clients send their GETs with Content-Length: 0.
        self._empty = self._headers | {"Content-Length": "0"}
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=self._limits.connections),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=self._limits.total_s, sock_connect=self._limits.connect_s),
            skip_auto_headers=("Accept-Encoding",),
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def send(self, operation: Operation[object]) -> Answer | Broken:
        """Send once. Never raises for what the network does."""
        try:
            return await self._exchange(operation)
        except (aiohttp.ClientError, OSError) as error:
            return _broken(error, self._limits)

    async def _exchange(self, operation: Operation[object]) -> Answer | Broken:
        if self._session is None:
            raise RuntimeError("used outside its `async with`")
        async with self._session.request(
            operation.method,
            URL(url_of(operation, self._access), encoded=True),
            headers=self._headers if operation.body else self._empty,
            data=operation.body or None,
            allow_redirects=False,
            proxy=self._proxy,
        ) as response:
            body = await self._body(response)
            if body is None:
                return Broken(why=f"the answer is larger than {self._limits.answer_bytes} bytes")
            headers = response.headers
            return Answer(
                status=response.status,
                content_type=headers.get("Content-Type", ""),
                retry_after=headers.get("Retry-After"),
                location=headers.get("Location"),
                body=body,
            )

    async def _body(self, response: aiohttp.ClientResponse) -> bytes | None:
        """The whole body, or None where it is too large."""
        most = self._limits.answer_bytes
        if response.content_length is not None and "Content-Encoding" not in response.headers:
            return None if response.content_length > most else await response.read()
        parts: list[bytes] = []
        size = 0
        async for part in response.content.iter_any():
            size += len(part)
            if size > most:
                return None
            parts.append(part)
        return b"".join(parts)


def _broken(error: Exception, limits: Limits) -> Broken:
    """What happened, in words that hold nothing of the request."""
    match error:
        case aiohttp.ClientConnectorError():
            return Broken(why=_cannot_connect(error), sent=False)
        case aiohttp.ConnectionTimeoutError():
            return Broken(why=f"no connection within {limits.connect_s:g} s", sent=False)
        case TimeoutError():
            return Broken(why=f"no answer within {limits.total_s:g} s", timed_out=True)
        case aiohttp.ServerDisconnectedError():
            why = "the connection was closed before an answer came"
        case aiohttp.ClientPayloadError():
            why = "the answer was cut short"
        case _:
            why = f"the connection broke ({type(error).__name__})"
    return Broken(why=why)


def _cannot_connect(error: aiohttp.ClientConnectorError) -> str:
    """Names host and cause, nothing of the request."""
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return f"no such host: {error.host}"
    if isinstance(error, aiohttp.ClientSSLError):
        return f"no secure connection to {error.host}:{error.port} (its certificate or TLS)"
    return f"cannot connect to {error.host}:{error.port}"


async def drive(flow: Flow[T], send: Sender, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> T:
    """Run a flow to its end."""
    reply: Reply = None
    try:
        while True:
            reply = await answer(flow.send(reply), send, sleep)
    except StopIteration as stop:
        result: T = stop.value
        return result


async def answer(
    step: Step, send: Sender, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> Reply:
    """Do what a flow asks for."""
    if isinstance(step, Wait):
        await sleep(step.seconds)
        return None
    return await send(step)


class AsyncClient:
    """`await client.run(operation)`: one call with its repetitions. An asynchronous context manager."""

    def __init__(self, calling: Calling, wire: AsyncWire) -> None:
        self._calling = calling
        self._wire = wire

    async def __aenter__(self) -> Self:
        await self._wire.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._wire.__aexit__(kind, error, trace)

    async def run(self, operation: Operation[T]) -> T:
        return await drive(call(operation, self._calling), self._wire.send)
