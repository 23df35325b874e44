"""The call is performed, and answered, late; also when nobody waits for the answer any more."""

import asyncio
from dataclasses import dataclass

from awning_harness.service.asgi import send_answer
from awning_harness.service.faults.exchange import Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class Delay:
    ms: int

    async def play(self, exchange: Exchange) -> None:
        await exchange.read()  # first: a client that gives up meanwhile has sent it all the same
        await asyncio.sleep(self.ms / 1000)
        await send_answer(exchange.send, await exchange.perform())
