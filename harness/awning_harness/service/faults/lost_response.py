"""The call is performed and the connection reset instead of an answer: the client cannot know."""

from dataclasses import dataclass

from awning_harness.service.faults.exchange import Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class LostResponse:
    async def play(self, exchange: Exchange) -> None:
        await exchange.perform()
        exchange.connection.reset()
