"""One call on which a fault acts. The fault can perform the call, replace the response or break the connection."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Send

from awning_harness.service.applications import read_body
from awning_harness.service.envelope import Failure, ServiceResponse
from awning_harness.service.protocol import CONNECTION, Connection


class Exchange:
    """A call on which a fault acts. At first, the body of its request is not read.

    `perform` performs a call with its body, logs it and returns the response; `log` only logs. `to_response` puts a
    failure into the envelope of the called API. `ignore` and `reset` log the call with status 0.
    """

    def __init__(
        self,
        request: Request,
        send: Send,
        *,
        perform: Callable[[bytes], ServiceResponse],
        log: Callable[[ServiceResponse], None],
        to_response: Callable[[Failure], ServiceResponse],
    ) -> None:
        self._body: bytes | None = None
        self._perform = perform
        self._log = log
        self.request = request
        self.send = send
        self.to_response = to_response
        self.connection: Connection = request.scope["state"][CONNECTION]

    async def read(self) -> bytes:
        """Return the body, read to its end.

        Raises Failure (413) when it is too large, and ClientDisconnect when the client disconnects.
        """
        if self._body is None:
            self._body = await read_body(self.request)
        return self._body

    async def perform(self) -> ServiceResponse:
        """Perform the call; returns its response."""
        return self._perform(await self.read())

    async def respond(self, response: Response) -> None:
        """Send a whole response."""
        await response(self.request.scope, self.request.receive, self.send)

    async def begin(self, response: Response) -> None:
        """Send the head of `response`."""
        head = {"status": response.status_code, "headers": response.raw_headers}
        await self.send({"type": "http.response.start", **head})

    async def answer(self, response: ServiceResponse) -> None:
        """Log and send `response` without performing the call."""
        await self.read()
        self._log(response)
        await self.respond(response)

    def ignore(self) -> None:
        """Log that the call is not performed and gets no response."""
        self._log(ServiceResponse(status_code=0))

    def reset(self) -> None:
        """Break the connection without performing the call."""
        self.ignore()
        self.connection.reset()
