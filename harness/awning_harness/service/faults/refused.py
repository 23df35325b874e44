"""Nobody listens. With share 1 and no route connections are refused; otherwise the connection of a call that
drew the lot is reset before anything of it was looked at. Nothing is done.
"""

from dataclasses import dataclass

from awning_harness.service.faults.exchange import Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    async def play(self, exchange: Exchange) -> None:
        exchange.reset()
