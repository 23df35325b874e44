"""The connection is reset after the whole request was read. Nothing is done: what was done is `lost_response`."""

from dataclasses import dataclass

from awning_harness.service.faults.exchange import Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetAfter:
    async def play(self, exchange: Exchange) -> None:
        await exchange.read()
        exchange.reset()
