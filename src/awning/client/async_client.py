"""The asynchronous client, over aiohttp.

It stores no cookies and does not follow redirects, which would send the key to another address. `send` never raises an
exception of aiohttp, because such an exception holds the URL, and the URL holds an authCode.
"""

import asyncio
from collections.abc import Mapping
from types import MappingProxyType, TracebackType
from typing import Self, TypeVar

import aiohttp
from aiohttp import hdrs
from aiohttp.abc import AbstractStreamWriter
from yarl import URL

from awning.client.access import Access, apps_access
from awning.client.flow import Calling, Sender, call, run_flow
from awning.client.operation import Flow, NoResponse, Operation, Reply, Response, Step, Wait
from awning.client.secret import Secret
from awning.client.transport import (
    USUAL,
    Limits,
    headers_of,
    no_secure_connection,
    proxy_for,
    steady_clock,
    url_of,
)

T = TypeVar("T")

WITHOUT_BODY = {"Content-Length": "0"}
"""The header of a request without a body. Public clients send it with GET requests, too (observed)."""


class AsyncTransport:
    """Sends operations over a pool of connections, which an `async with` block opens and closes."""

    def __init__(
        self, access: Access, *, limits: Limits = USUAL, environ: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self._access = access
        self._limits = limits
        self._proxy = proxy_for(access.base_url, environ)
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=self._limits.connections),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers=headers_of(self._access) | {"Accept-Encoding": "identity"},
            timeout=aiohttp.ClientTimeout(total=self._limits.total_s, sock_connect=self._limits.connect_s),
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def send(self, operation: Operation[object]) -> Response | NoResponse:
        """Send an operation once. A failure of the network is a `NoResponse` and never an exception."""
        has_body = operation.body or operation.changes  # `delete` changes something with an empty body
        data = _TimelyBody(operation.body, within_s=self._limits.total_s) if has_body else None
        try:
            return await self._exchange(operation, data)
        except (aiohttp.ClientError, OSError) as error:
            if data is not None and data.is_too_late:
                return NoResponse(why="the process was stopped before it sent the call", sent=False)
            return _no_response(error, self._limits)

    async def _exchange(
        self, operation: Operation[object], data: "_TimelyBody | None"
    ) -> Response | NoResponse:
        if self._session is None:
            raise RuntimeError("used outside of its `async with`")
        async with self._session.request(
            operation.method,
            URL(url_of(operation, self._access), encoded=True),
            headers=None if operation.body else WITHOUT_BODY,
            data=data,
            allow_redirects=False,
            proxy=self._proxy,
        ) as response:
            body = await self._body(response)
            if body is None:
                return NoResponse(why=f"the answer is larger than {self._limits.response_bytes} bytes")
            headers = response.headers
            return Response(
                status=response.status,
                content_type=headers.get("Content-Type", ""),
                retry_after=headers.get("Retry-After"),
                location=headers.get("Location"),
                body=body,
            )

    async def _body(self, response: aiohttp.ClientResponse) -> bytes | None:
        """Return the whole body, or None when it is too large."""
        most = self._limits.response_bytes
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


class _TimelyBody(aiohttp.BytesPayload):
    """The body of a call. The call is sent within `within_s` seconds after the body was made, or never.

    A process may be stopped, or its machine suspended, after a call has begun and before its bytes are sent. A write
    that is sent hours later could replace what another process has written since. Until the body is written, aiohttp
    sends nothing, because it holds back the head of the request, even before an empty body.
    """

    def __init__(self, body: bytes, *, within_s: float) -> None:
        super().__init__(body)
        self._until = steady_clock() + within_s
        self.is_too_late = False

    async def write_with_length(self, writer: AbstractStreamWriter, content_length: int | None) -> None:
        if steady_clock() > self._until:
            self.is_too_late = True
            raise TimeoutError
        await super().write_with_length(writer, content_length)


def _no_response(error: Exception, limits: Limits) -> NoResponse:
    """Return why there is no response. The text names only the host and the port, because the URL holds an authCode."""
    if isinstance(error, aiohttp.ClientSSLError):
        return no_secure_connection(f"{error.host}:{error.port}", error.os_error)
    failure = _connect_failure(error, limits)
    if failure is not None:
        return NoResponse(why=failure, sent=False)
    match error:
        case TimeoutError():
            return NoResponse(why=f"no answer within {limits.total_s:g} s", timed_out=True)
        case aiohttp.ServerDisconnectedError():
            why = "the connection was closed before an answer came"
        case aiohttp.ClientPayloadError():
            why = "the answer was cut short"
        case _:
            why = f"the connection broke ({type(error).__name__})"
    return NoResponse(why=why)


def _connect_failure(error: Exception, limits: Limits) -> str | None:
    """Return why there is no connection to the service; None when the call may have been sent."""
    match error:
        case aiohttp.ClientConnectorDNSError():
            return f"no such host: {error.host}"
        case aiohttp.ClientConnectorError():
            return f"cannot connect to {error.host}:{error.port}"
        case aiohttp.ConnectionTimeoutError():
            return f"no connection within {limits.connect_s:g} s"
        case aiohttp.ClientResponseError() if error.request_info.method == hdrs.METH_CONNECT:
            return f"the proxy does not connect to {error.request_info.url.host}"
    return None


async def run_with(flow: Flow[T], send: Sender) -> T:
    """Run a flow to its end, and return its result. `send` sends its operations."""

    async def perform(step: Step) -> Reply:
        if isinstance(step, Wait):
            await asyncio.sleep(step.seconds)
            return None
        return await send(step)

    return await run_flow(flow, perform)


class AsyncClient:
    """Runs operations of the Apps API during an `async with` block."""

    def __init__(self, calling: Calling, transport: AsyncTransport) -> None:
        self._calling = calling
        self._transport = transport

    async def __aenter__(self) -> Self:
        await self._transport.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._transport.__aexit__(kind, error, trace)

    async def run(self, operation: Operation[T]) -> T:
        """Send `operation`, and return its result. After a failure, send it again if that is safe.

        Raises a ServiceError when it fails in the end.
        """
        return await run_with(call(operation, self._calling), self._transport.send)


def async_apps_client(
    base_url: str,
    key: Secret,
    *,
    allow_plain_http: bool = False,
    limits: Limits = USUAL,
    environ: Mapping[str, str] = MappingProxyType({}),
) -> AsyncClient:
    """Return a client of the Apps API with the default retries. The proxy is the one that `environ` names.

    Raises ConfigurationError when the key or the address is not valid, when the key must not be sent to the address, or
    when the proxy is not an http proxy. Raises TypeError when the key is not a Secret.
    """
    access = apps_access(base_url, key, allow_plain_http=allow_plain_http)
    return AsyncClient(Calling(access=access), AsyncTransport(access, limits=limits, environ=environ))
