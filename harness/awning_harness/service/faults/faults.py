"""The faults. Each is a class; `FAULTS` at the end lists the classes by name.

Fields are the options that a control call may set. `play` is what happens to one call. The docstring is the fault's
description in docs/service-reference.md.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from awning_harness.service.envelope import Failure, ServiceResponse
from awning_harness.service.faults.exchange import Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class Delay:
    """The call is performed late, and its response is late, too. This happens even if the client no longer waits."""

    ms: int

    async def play(self, exchange: Exchange) -> None:
        # The request is read first, so that the call is performed even if the client gives up.
        await exchange.read()
        await asyncio.sleep(self.ms / 1000)
        await exchange.respond(await exchange.perform())


PIECES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Drip:
    """The call is performed. The body of its response arrives in small pieces, which take `ms` in total."""

    ms: int

    async def play(self, exchange: Exchange) -> None:
        response = await exchange.perform()
        await exchange.begin(response)
        size = len(response.body)
        for n in range(PIECES):  # a piece of a short body may be empty
            await asyncio.sleep(self.ms / 1000 / PIECES)
            piece = response.body[size * n // PIECES : size * (n + 1) // PIECES]
            await exchange.send({"type": "http.response.body", "body": piece, "more_body": True})
        await exchange.send({"type": "http.response.body"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """With share 1 and no route, connections are refused. Otherwise the connection of a call is reset before the
    call is read. The call is not performed.
    """

    async def play(self, exchange: Exchange) -> None:
        exchange.reset()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetBefore:
    """The connection is reset after the head of the request, before the body is read. The call is not performed."""

    async def play(self, exchange: Exchange) -> None:
        exchange.reset()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetAfter:
    """The connection is reset after the whole request was read. The call is not performed (see `lost_response`)."""

    async def play(self, exchange: Exchange) -> None:
        await exchange.read()
        exchange.reset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeout:
    """The request is read, but gets no response. The connection stays open until the client gives up. The call is not
    performed.
    """

    async def play(self, exchange: Exchange) -> None:
        await exchange.read()
        exchange.ignore()
        while (await exchange.request.receive())["type"] != "http.disconnect":
            pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Truncated:
    """The call is performed. Half of its response's body arrives, then the connection ends."""

    async def play(self, exchange: Exchange) -> None:
        response = await exchange.perform()
        await exchange.begin(response)
        half = response.body[: len(response.body) // 2]
        await exchange.send({"type": "http.response.body", "body": half, "more_body": True})
        exchange.connection.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class InvalidJson:
    """The call is performed. Its response is complete and keeps its status, but its body is not JSON."""

    async def play(self, exchange: Exchange) -> None:
        response = await exchange.perform()
        broken = bytes(response.body).replace(b'"', b"'")[:-1] + b",}"
        headers = {name: value for name, value in response.headers.items() if name != "content-length"}
        await exchange.respond(Response(broken, response.status_code, headers))


PAGE = (
    b"<!doctype html>\n<html><head><title>502 Bad Gateway</title></head>"
    b"<body><h1>502 Bad Gateway</h1></body></html>\n"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlPage:
    """The response is an HTML page, as from a proxy in front of the service. The call is not performed."""

    status: int = 502

    async def play(self, exchange: Exchange) -> None:
        await exchange.answer(ServiceResponse(PAGE, self.status, media_type="text/html"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorIn200:
    """The status is 200 and the body has `error: true`. The call is not performed."""

    error_code: int = 500

    async def play(self, exchange: Exchange) -> None:
        response = exchange.to_response(Failure(500, "Internal error", code=self.error_code))
        response.status_code = 200
        await exchange.answer(response)


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """An error with any HTTP status, in the envelope, with Retry-After if `retry_after` is set. The call is not
    performed.
    """

    status: int
    retry_after: int | None = None

    async def play(self, exchange: Exchange) -> None:
        after = None if self.retry_after is None else {"retry-after": str(self.retry_after)}
        await exchange.answer(exchange.to_response(Failure(self.status, phrase(self.status), headers=after)))


def phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return f"Status {status}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LostResponse:
    """The call is performed, and the connection is reset before the response. The client cannot know the outcome."""

    async def play(self, exchange: Exchange) -> None:
        await exchange.perform()
        exchange.connection.reset()


FAULTS: Mapping[str, type[Any]] = {
    "delay": Delay,
    "drip": Drip,
    "refused": Refused,
    "reset_before": ResetBefore,
    "reset_after": ResetAfter,
    "timeout": Timeout,
    "truncated": Truncated,
    "invalid_json": InvalidJson,
    "html_page": HtmlPage,
    "error_in_200": ErrorIn200,
    "status": Status,
    "lost_response": LostResponse,
}
