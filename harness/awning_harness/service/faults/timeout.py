"""The request is read and never answered: the connection stays open until the client gives up. Nothing is done."""

from dataclasses import dataclass

from awning_harness.service.faults.exchange import Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeout:
    async def play(self, exchange: Exchange) -> None:
        await exchange.read()
        exchange.ignore()
        while (await exchange.receive())["type"] != "http.disconnect":
            pass
