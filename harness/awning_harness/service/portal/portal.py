"""The portal over HTTP."""

from awning_harness.service.asgi import Receive, Scope, Send, send_answer
from awning_harness.service.envelope import Failure, refusal
from awning_harness.service.service import Service


class Portal:
    """The ASGI application."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        await send_answer(send, refusal(Failure(404, "Not Found")))
