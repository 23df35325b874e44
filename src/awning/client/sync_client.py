"""The synchronous client, over http.client: for the command line, WSGI apps and other programs without an event loop.

It reuses idle connections. Threads may share one client. When the network fails, `send` returns a `NoResponse` and
raises no exception of http.client. docs/decisions/0001 has the reason for not using urllib3.
"""

import http.client
import socket
import ssl
import time
from base64 import b64encode
from collections import deque
from collections.abc import Callable, Mapping
from types import MappingProxyType, TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import SplitResult, unquote, urlsplit

from awning.client import apps
from awning.client.access import Access
from awning.client.app_data import AppDataTooDeep, decode_app_data
from awning.client.flow import Calling, call, run_flow, without_waiting
from awning.client.operation import Flow, NoResponse, Operation, Reply, Response, Step, Wait
from awning.client.secret import Secret
from awning.client.transport import USUAL, Limits, headers_of, no_secure_connection, proxy_for, url_of
from awning.errors import BadAnswer, ServiceError

T = TypeVar("T")

CHUNK = 64 * 1024


class _Unanswered(Exception):  # carries a NoResponse to `send`
    def __init__(self, reply: NoResponse) -> None:
        super().__init__(reply.why)
        self.reply = reply


class Transport:
    """Sends operations, one at a time in each thread. Use it as a context manager."""

    def __init__(
        self, access: Access, *, limits: Limits = USUAL, environ: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self._access = access
        self._limits = limits
        self._target = urlsplit(access.base_url)
        proxy = proxy_for(access.base_url, environ)
        self._proxy = urlsplit(proxy) if proxy else None
        self._headers = headers_of(access)
        if self._proxy is not None and self._target.scheme == "http":
            self._headers |= _proxy_headers(self._proxy)
        self._idle: deque[http.client.HTTPConnection] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        while self._idle:
            self._idle.pop().close()

    def send(self, operation: Operation[object]) -> Response | NoResponse:
        """Send an operation once. A failure of the network is a `NoResponse` and not an exception."""
        try:
            connection = self._connection()
        except _Unanswered as stop:
            return stop.reply
        try:
            response = self._exchange(connection, operation)
        except _Unanswered as stop:
            connection.close()
            return stop.reply
        except BaseException:
            connection.close()
            raise
        return response

    def _connection(self) -> http.client.HTTPConnection:
        """Return an idle connection, or a new one. Raises _Unanswered when the new one cannot be made."""
        try:
            return self._idle.pop()
        except IndexError:
            pass
        connection = self._new_connection()
        try:
            connection.connect()
        except (http.client.HTTPException, OSError) as error:
            connection.close()
            raise _Unanswered(self._connect_failure(error)) from None
        return connection

    def _connect_failure(self, error: Exception) -> NoResponse:
        """Return why there is no connection. `error` is what `connect` raised.

        With a proxy, the first connection is the one to the proxy. If it fails, the text names the proxy's host.
        """
        target, peer = self._target, self._proxy or self._target
        match error:
            case socket.gaierror():
                why = f"no such host: {peer.hostname}"
            case TimeoutError():
                why = f"no connection within {self._limits.connect_s:g} s"
            case ssl.SSLError():
                return no_secure_connection(target.netloc, error)
            case OSError(errno=int()):
                why = f"cannot connect to {peer.netloc.rpartition('@')[2]}"  # drops the proxy's password
            case _:
                why = f"the proxy does not connect to {target.hostname}"  # it refused, or does not speak HTTP
        return NoResponse(why=why, sent=False)

    def _new_connection(self) -> http.client.HTTPConnection:
        target, peer = self._target, self._proxy or self._target
        secure = target.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        port = peer.port or (443 if secure and self._proxy is None else 80)
        connection = kind(peer.hostname or "", port, timeout=self._limits.connect_s)
        if self._proxy is not None and secure:
            connection.set_tunnel(
                target.hostname or "", target.port or 443, headers=_proxy_headers(self._proxy)
            )
        return connection

    def _exchange(self, connection: http.client.HTTPConnection, operation: Operation[object]) -> Response:
        deadline = time.monotonic() + self._limits.total_s
        try:
            self._limit_to(connection, deadline)
            url = url_of(operation, self._access)
            absolute = self._proxy is not None and self._target.scheme == "http"
            if not absolute:  # only for http through a proxy, the request line has the whole URL
                url = url[url.index("/", url.index("://") + 3) :]
            # Public clients send Content-Length: 0 with a GET, too (observed).
            headers = self._headers | {"Content-Length": str(len(operation.body))}
            connection.request(operation.method, url, operation.body, headers)
            response = connection.getresponse()
            body = self._body(connection, response, deadline)
            response.close()  # frees the connection: with a Content-Length, read1 does not
        except TimeoutError:
            why = f"no answer within {self._limits.total_s:g} s"
            raise _Unanswered(NoResponse(why=why, timed_out=True)) from None
        except http.client.IncompleteRead:
            raise _Unanswered(NoResponse(why="the answer was cut short")) from None
        except http.client.RemoteDisconnected:
            raise _Unanswered(NoResponse(why="the connection was closed before an answer came")) from None
        except (http.client.HTTPException, OSError) as error:
            raise _Unanswered(NoResponse(why=f"the connection broke ({type(error).__name__})")) from None
        self._return_to_pool(connection, response)
        return Response(
            status=response.status,
            content_type=response.headers.get("Content-Type", ""),
            retry_after=response.headers.get("Retry-After"),
            location=response.headers.get("Location"),
            body=body,
        )

    def _body(
        self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse, deadline: float
    ) -> bytes:
        """Read the whole body. One deadline covers all of it, so that a very slow response ends, too.

        Raises _Unanswered when the body is too large, IncompleteRead when it is cut short, and TimeoutError at the
        deadline.
        """
        parts: list[bytes] = []
        left = self._limits.response_bytes
        expected = response.length
        while part := response.read1(CHUNK):
            left -= len(part)
            if left < 0:
                raise _Unanswered(
                    NoResponse(why=f"the answer is larger than {self._limits.response_bytes} bytes")
                )
            parts.append(part)
            self._limit_to(connection, deadline)
        body = b"".join(parts)
        if expected is not None and len(body) < expected:
            raise http.client.IncompleteRead(body)
        return body

    def _limit_to(self, connection: http.client.HTTPConnection, deadline: float) -> None:
        """Set the timeout of the next socket operation to the time until the deadline.

        Raises TimeoutError when no time is left.
        """
        left_s = deadline - time.monotonic()
        if left_s <= 0:
            raise TimeoutError
        if connection.sock is not None:
            connection.sock.settimeout(left_s)

    def _return_to_pool(
        self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse
    ) -> None:
        if response.will_close or len(self._idle) >= self._limits.connections:
            connection.close()
        else:
            self._idle.append(connection)


def _proxy_headers(proxy: SplitResult) -> dict[str, str]:
    if proxy.username is None:
        return {}
    pair = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": f"Basic {b64encode(pair.encode()).decode()}"}


def run_here(
    flow: Flow[T],
    send: Callable[[Operation[object]], Response | NoResponse],
    sleep: Callable[[float], None] = time.sleep,
) -> T:
    """Run a flow to its end in this thread."""

    async def perform(step: Step) -> Reply:
        if isinstance(step, Wait):
            sleep(step.seconds)
            return None
        return send(step)

    return without_waiting(run_flow(flow, perform))


class Client:
    """Runs operations of the Apps API. Use it as a context manager."""

    def __init__(self, calling: Calling, transport: Transport) -> None:
        self.calling = calling
        self._transport = transport

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._transport.__exit__(kind, error, trace)

    def run(self, operation: Operation[T]) -> T:
        """Send `operation`, and return its result. After a failure, send it again if that is safe.

        Raises a ServiceError when it fails in the end.
        """
        return self.follow(call(operation, self.calling))

    def follow(self, flow: Flow[T]) -> T:
        """Run a flow that was made with `calling`, and return its result. Raises what the flow raises."""
        return run_here(flow, self._transport.send)


def store_app_data(client: Client, code: Secret, encoded: str) -> None:
    """Store encoded app data, and read them back.

    Raises ServiceError when the data are not stored or cannot be read back. Raises BadAnswer when the service confirms
    the write, but returns other data.
    """
    problem: ServiceError | None = None
    try:
        client.run(apps.set_data(code, encoded))
    except ServiceError as error:
        if not error.unclear:
            raise
        problem = error  # the data may be stored in spite of the error, so the read-back decides
    stored = client.run(apps.get_data(code))
    if stored != encoded and not _is_same(stored, encoded):
        raise problem or BadAnswer("set_data: confirmed, but other data reads back", call="set_data")


def _is_same(stored: Any, encoded: str) -> bool:
    """Return whether stored app data have the values of encoded ones."""
    try:
        return bool(decode_app_data(stored) == decode_app_data(encoded))
    except AppDataTooDeep:
        return False
