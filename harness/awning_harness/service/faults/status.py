"""An error of any HTTP status, in the envelope, with Retry-After where it is given. Nothing is done."""

from dataclasses import dataclass
from http import HTTPStatus

from awning_harness.service.envelope import Failure
from awning_harness.service.faults.exchange import Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    status: int
    retry_after: int | None = None

    async def play(self, exchange: Exchange) -> None:
        after = () if self.retry_after is None else ((b"retry-after", str(self.retry_after).encode()),)
        await exchange.answer(exchange.failing(Failure(self.status, phrase(self.status), headers=after)))


def phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return f"Status {status}"
