"""The connection is reset before anything of the call was looked at: as if nobody listened. Nothing is done."""

from dataclasses import dataclass

from awning_harness.service.faults.exchange import Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    async def play(self, exchange: Exchange) -> None:
        exchange.reset()
