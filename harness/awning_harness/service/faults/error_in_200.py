"""HTTP says 200, the body says `error: true`. Nothing is done."""

from dataclasses import dataclass, replace

from awning_harness.service.envelope import Failure
from awning_harness.service.faults.exchange import Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorIn200:
    error_code: int = 500

    async def play(self, exchange: Exchange) -> None:
        answer = exchange.failing(Failure(500, "Internal error", code=self.error_code))
        await exchange.answer(replace(answer, status=200))
