"""The connection is reset after the request's head, before its body was read. Nothing is done."""

from dataclasses import dataclass

from awning_harness.service.faults.exchange import Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetBefore:
    async def play(self, exchange: Exchange) -> None:
        exchange.reset()
