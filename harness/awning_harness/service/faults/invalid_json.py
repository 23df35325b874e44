"""The call is performed; its answer is whole, has status 200 and is no JSON."""

from dataclasses import dataclass, replace

from awning_harness.service.asgi import send_answer
from awning_harness.service.faults.exchange import Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class InvalidJson:
    async def play(self, exchange: Exchange) -> None:
        answer = await exchange.perform()
        await send_answer(exchange.send, replace(answer, body=answer.body.replace(b'"', b"'")[:-1] + b",}"))
