"""The call is performed; half of its answer's body arrives, then the connection ends."""

from dataclasses import dataclass

from awning_harness.service.asgi import answer_start
from awning_harness.service.faults.exchange import Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class Truncated:
    async def play(self, exchange: Exchange) -> None:
        answer = await exchange.perform()
        await exchange.send(answer_start(answer))
        half = answer.body[: len(answer.body) // 2]
        await exchange.send({"type": "http.response.body", "body": half, "more_body": True})
        exchange.connection.close()
