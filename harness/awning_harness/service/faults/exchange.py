"""One call as a fault sees it: what it may let happen, and the connection it may break."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from awning_harness.service.asgi import Receive, Request, Scope, Send, head_of, read_body, send_answer
from awning_harness.service.envelope import Answer, Failure, refusal
from awning_harness.service.protocol import CONNECTION, Connection


class Exchange:
    """A call that has arrived; its body is still to be read.

    `answering` performs a call, logs it and gives the answer; `noting` only logs; `failing` puts
    a failure into the envelope of the API that was called. What is not answered at all is
    logged with status 0.
    """

    def __init__(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        *,
        answering: Callable[[Request], Answer],
        noting: Callable[[Request, Answer], None],
        failing: Callable[[Failure], Answer] = refusal,
    ) -> None:
        self._request = head_of(scope)
        self._unread = True
        self._answering = answering
        self._noting = noting
        self.failing = failing
        self.receive = receive
        self.send = send
        self.connection: Connection = scope["state"][CONNECTION]

    async def read(self) -> None:
        """Take in the whole request. Raises a Failure (413)."""
        if self._unread:
            self._unread = False
            self._request = replace(self._request, body=await read_body(self.receive))

    async def perform(self) -> Answer:
        """Do what the call asks for; returns the answer it should get."""
        await self.read()
        return self._answering(self._request)

    async def answer(self, answer: Answer) -> None:
        """Send an answer instead of doing anything."""
        await self.read()
        self._noting(self._request, answer)
        await send_answer(self.send, answer)

    def ignore(self) -> None:
        """Log that there is no answer."""
        self._noting(self._request, Answer(status=0))

    def reset(self) -> None:
        """Break the connection instead of doing anything."""
        self.ignore()
        self.connection.reset()


class Fault(Protocol):
    """What each fault's dataclass has."""

    async def play(self, exchange: Exchange) -> None: ...
