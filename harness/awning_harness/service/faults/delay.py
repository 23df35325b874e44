"""The call is performed, and answered, late."""

import asyncio
from dataclasses import dataclass

from awning_harness.service.asgi import send_answer
from awning_harness.service.faults.exchange import Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class Delay:
    ms: int

    async def play(self, exchange: Exchange) -> None:
        await asyncio.sleep(self.ms / 1000)
        await send_answer(exchange.send, await exchange.perform())
