"""One call on which a fault acts. The fault can perform the call, replace the response or break the connection."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from awning_harness.service.asgi import Receive, Request, Scope, Send, head_of, read_body, send_response
from awning_harness.service.envelope import Failure, Response, failure_response
from awning_harness.service.protocol import CONNECTION, Connection


class Exchange:
    """A call on which a fault acts. At first, the body of its request is not read.

    `perform` performs a call, logs it and returns the response; `log` only logs. `to_response` puts a failure into the
    envelope of the called API. `ignore` and `reset` log the call with status 0.
    """

    def __init__(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        *,
        perform: Callable[[Request], Response],
        log: Callable[[Request, Response], None],
        to_response: Callable[[Failure], Response] = failure_response,
    ) -> None:
        self._request = head_of(scope)
        self._unread = True
        self._perform = perform
        self._log = log
        self.to_response = to_response
        self.receive = receive
        self.send = send
        self.connection: Connection = scope["state"][CONNECTION]

    async def read(self) -> None:
        """Read the whole request. Raises Failure (413) when it is too large, and Gone when the client disconnects."""
        if self._unread:
            self._unread = False
            self._request = replace(self._request, body=await read_body(self.receive))

    async def perform(self) -> Response:
        """Perform the call; returns its response."""
        await self.read()
        return self._perform(self._request)

    async def answer(self, response: Response) -> None:
        """Log and send `response` without performing the call."""
        await self.read()
        self._log(self._request, response)
        await send_response(self.send, response)

    def ignore(self) -> None:
        """Log that the call is not performed and gets no response."""
        self._log(self._request, Response(status=0))

    def reset(self) -> None:
        """Break the connection without performing the call."""
        self.ignore()
        self.connection.reset()


class Fault(Protocol):
    """The interface of a fault's dataclass."""

    async def play(self, exchange: Exchange) -> None: ...
