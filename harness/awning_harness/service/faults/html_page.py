"""A proxy in front of the service answers with a page of its own. Nothing is done."""

from dataclasses import dataclass

from awning_harness.service.envelope import Answer
from awning_harness.service.faults.exchange import Exchange

PAGE = (
    b"<!doctype html>\n<html><head><title>502 Bad Gateway</title></head>"
    b"<body><h1>502 Bad Gateway</h1></body></html>\n"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlPage:
    status: int = 502

    async def play(self, exchange: Exchange) -> None:
        await exchange.answer(Answer(status=self.status, body=PAGE, content_type=b"text/html; charset=utf-8"))
