"""The call is performed; its answer's body comes in small pieces that take `ms` in all."""

import asyncio
from dataclasses import dataclass

from awning_harness.service.asgi import answer_start
from awning_harness.service.faults.exchange import Exchange

PIECES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Drip:
    ms: int

    async def play(self, exchange: Exchange) -> None:
        answer = await exchange.perform()
        await exchange.send(answer_start(answer))
        size = -(-len(answer.body) // PIECES)
        for begin in range(0, len(answer.body), size):
            await asyncio.sleep(self.ms / 1000 / PIECES)
            piece = answer.body[begin : begin + size]
            await exchange.send({"type": "http.response.body", "body": piece, "more_body": True})
        await exchange.send({"type": "http.response.body"})
