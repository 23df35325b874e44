"""The faults. Each is a class; its name in snake case is the fault's name.

Fields are the options that a control call may set. `play` is what happens to one call. The docstring is the fault's
description in docs/service-reference.md.
"""

import asyncio
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated

from msgspec import Meta, Struct
from starlette.responses import Response

from awning_harness.service.envelope import Failure, ServiceResponse
from awning_harness.service.faults.exchange import Exchange

Milliseconds = Annotated[int, Meta(ge=0, le=600_000)]
HttpStatus = Annotated[int, Meta(ge=200, le=599)]


def _fault_name(class_name: str) -> str:
    return re.sub(r"(?<=.)(?=[A-Z])|(?<=[a-z])(?=\d)", "_", class_name).lower()


class Fault(Struct, kw_only=True, forbid_unknown_fields=True, tag_field="fault", tag=_fault_name):
    """A fault with its options, and with the calls on which it acts.

    It acts with the probability `share` on the calls of the operation `route`, without one on all calls. With the same
    `seed`, it acts on the same calls each time, if they come in the same order.
    """

    share: Annotated[float, Meta(ge=0, le=1)] = 1
    route: str | None = None
    seed: int | str | None = None

    async def play(self, exchange: Exchange) -> None:
        raise NotImplementedError


class Delay(Fault):
    """The call is performed late, and its response is late, too. This happens even if the client no longer waits."""

    ms: Milliseconds

    async def play(self, exchange: Exchange) -> None:
        # The request is read first, so that the call is performed even if the client gives up.
        await exchange.read()
        await asyncio.sleep(self.ms / 1000)
        await exchange.respond(await exchange.perform())


PIECES = 10


class Drip(Fault):
    """The call is performed. The body of its response arrives in small pieces, which take `ms` in total."""

    ms: Milliseconds

    async def play(self, exchange: Exchange) -> None:
        response = await exchange.perform()
        await exchange.begin(response)
        size = len(response.body)
        for n in range(PIECES):  # a piece of a short body may be empty
            await asyncio.sleep(self.ms / 1000 / PIECES)
            piece = response.body[size * n // PIECES : size * (n + 1) // PIECES]
            await exchange.send({"type": "http.response.body", "body": piece, "more_body": True})
        await exchange.send({"type": "http.response.body"})


class Refused(Fault):
    """With share 1 and no route, connections are refused. Otherwise the connection of a call is reset before the
    call is read. The call is not performed.
    """

    async def play(self, exchange: Exchange) -> None:
        exchange.reset()


class ResetBefore(Fault):
    """The connection is reset after the head of the request, before the body is read. The call is not performed."""

    async def play(self, exchange: Exchange) -> None:
        exchange.reset()


class ResetAfter(Fault):
    """The connection is reset after the whole request was read. The call is not performed (see `lost_response`)."""

    async def play(self, exchange: Exchange) -> None:
        await exchange.read()
        exchange.reset()


class Timeout(Fault):
    """The request is read, but gets no response. The connection stays open until the client gives up. The call is not
    performed.
    """

    async def play(self, exchange: Exchange) -> None:
        await exchange.read()
        exchange.ignore()
        while (await exchange.request.receive())["type"] != "http.disconnect":
            pass


class Truncated(Fault):
    """The call is performed. Half of its response's body arrives, then the connection ends."""

    async def play(self, exchange: Exchange) -> None:
        response = await exchange.perform()
        await exchange.begin(response)
        half = response.body[: len(response.body) // 2]
        await exchange.send({"type": "http.response.body", "body": half, "more_body": True})
        exchange.connection.close()


class InvalidJson(Fault):
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


class HtmlPage(Fault):
    """The response is an HTML page, as from a proxy in front of the service. The call is not performed."""

    status: HttpStatus = 502

    async def play(self, exchange: Exchange) -> None:
        await exchange.answer(ServiceResponse(PAGE, self.status, media_type="text/html"))


class ErrorIn200(Fault):
    """The status is 200 and the body has `error: true`. The call is not performed."""

    error_code: Annotated[int, Meta(ge=-(2**31), le=2**31)] = 500

    async def play(self, exchange: Exchange) -> None:
        response = exchange.to_response(Failure(500, "Internal error", code=self.error_code))
        response.status_code = 200
        await exchange.answer(response)


class Status(Fault):
    """An error with any HTTP status, in the envelope, with Retry-After if `retry_after` is set. The call is not
    performed.
    """

    status: HttpStatus
    retry_after: Annotated[int, Meta(ge=0, le=86_400)] | None = None

    async def play(self, exchange: Exchange) -> None:
        after = None if self.retry_after is None else {"retry-after": str(self.retry_after)}
        await exchange.answer(exchange.to_response(Failure(self.status, phrase(self.status), headers=after)))


def phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return f"Status {status}"


class LostResponse(Fault):
    """The call is performed, and the connection is reset before the response. The client cannot know the outcome."""

    async def play(self, exchange: Exchange) -> None:
        await exchange.perform()
        exchange.connection.reset()


FAULTS: Mapping[str, type[Fault]] = {str(kind.__struct_config__.tag): kind for kind in Fault.__subclasses__()}
