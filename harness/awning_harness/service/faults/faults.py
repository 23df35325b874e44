"""The faults, and the random choice of calls on which they act. The name of a fault is its class's, in snake case.

Fields are the options that a control call may set. `play` is what happens to one call, and `effect` describes it. The
reference (packaging/reference/service.py) and the tests read the docstring, the options, the examples and the effects,
so that a new fault is a new class and nothing else.

A rule is an active fault. It has a share (the probability that it acts on a call), a route (the name of an operation; a
rule without a route applies to every call) and a seed. With the same seed, it acts on the same calls each time, if they
come in the same order. The rules are tried in order, and at most one acts on a call.
"""

import asyncio
import random
import re
import threading
from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct, StructMeta
from msgspec.structs import fields as options_of
from starlette.responses import Response

from awning.diagnostics import did_you_mean
from awning.typed_values import Mismatch, convert
from awning_harness.service.envelope import BODILESS, Failure, ServiceResponse
from awning_harness.service.faults.exchange import Exchange

Milliseconds = Annotated[int, Meta(ge=0, le=600_000)]
HttpStatus = Annotated[int, Meta(ge=200, le=599)]


class Got(StrEnum):
    """What the client of a call gets."""

    RESPONSE = "the response of the call"
    ERROR = "an error of the service"
    NOT_JSON = "a response that is not JSON"
    HALF = "a part of the response, then the end of the connection"
    RESET = "a reset of the connection"
    NO_CONNECTION = "no connection"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What a fault does to a call.

    `status` is the HTTP status of the response, and `error_code` that of its envelope. With None they are those of the
    call's own response, or there is no response. `retry_after` is the header of that name.

    `ms` is after how many milliseconds the client has got everything. With `late`, the call is performed only then.
    """

    got: Got
    performed: bool = False
    status: int | None = None
    error_code: int | None = None
    retry_after: int | None = None
    ms: int = 0
    late: bool = False


class _FaultMeta(StructMeta, ABCMeta):
    """Makes structs whose abstract methods every subclass must have."""


def _fault_name(class_name: str) -> str:
    return re.sub(r"(?<=.)(?=[A-Z])|(?<=[a-z])(?=\d)", "_", class_name).lower()


class Fault(
    Struct,
    metaclass=_FaultMeta,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="fault",
    tag=_fault_name,
):
    """A fault with its options, and with the calls on which it acts.

    It acts with the probability `share` on the calls of the operation `route`, without one on all calls. With the same
    `seed`, it acts on the same calls each time, if they come in the same order.
    """

    examples: ClassVar[Sequence[Mapping[str, Any]]] = ({},)
    """Options, one choice of them for each effect. Tests add a longer `ms`, if the fault has that option."""

    share: Annotated[float, Meta(ge=0, le=1)] = 1
    route: str | None = None
    seed: int | str | None = None

    @property
    @abstractmethod
    def effect(self) -> Effect:
        """What the fault does to a call."""

    @abstractmethod
    async def play(self, exchange: Exchange) -> None:
        """Act on a call."""


class Delay(Fault):
    """The call and its response are late. The call is performed even if the client no longer waits."""

    examples = ({"ms": 20},)

    ms: Milliseconds

    @property
    def effect(self) -> Effect:
        return Effect(got=Got.RESPONSE, performed=True, ms=self.ms, late=True)

    async def play(self, exchange: Exchange) -> None:
        # The request is read first, so that the call is performed even if the client gives up.
        await exchange.read()
        await asyncio.sleep(self.ms / 1000)
        await exchange.respond(await exchange.perform())


PIECES = 10


class Drip(Fault):
    """The body of the response arrives in small pieces, which take `ms` in total."""

    examples = ({"ms": 20},)

    ms: Milliseconds

    @property
    def effect(self) -> Effect:
        return Effect(got=Got.RESPONSE, performed=True, ms=self.ms)

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
    call is read.
    """

    @property
    def effect(self) -> Effect:
        refuses_all = self.share == 1 and self.route is None
        return Effect(got=Got.NO_CONNECTION if refuses_all else Got.RESET)

    async def play(self, exchange: Exchange) -> None:
        exchange.reset()


class ResetBefore(Fault):
    """The connection is reset after the head of the request, before the body is read."""

    effect = Effect(got=Got.RESET)

    async def play(self, exchange: Exchange) -> None:
        exchange.reset()


class ResetAfter(Fault):
    """The connection is reset after the whole request was read (see `lost_response`)."""

    effect = Effect(got=Got.RESET)

    async def play(self, exchange: Exchange) -> None:
        await exchange.read()
        exchange.reset()


class Timeout(Fault):
    """The request is read, but gets no response. The connection stays open until the client gives up."""

    effect = Effect(got=Got.NOTHING)

    async def play(self, exchange: Exchange) -> None:
        await exchange.read()
        exchange.ignore()
        while (await exchange.request.receive())["type"] != "http.disconnect":
            pass


class Truncated(Fault):
    """Half of the response's body arrives, then the connection ends."""

    effect = Effect(got=Got.HALF, performed=True)

    async def play(self, exchange: Exchange) -> None:
        response = await exchange.perform()
        await exchange.begin(response)
        half = response.body[: len(response.body) // 2]
        await exchange.send({"type": "http.response.body", "body": half, "more_body": True})
        exchange.connection.close()


class InvalidJson(Fault):
    """The response is complete and keeps its status, but its body is not JSON."""

    effect = Effect(got=Got.NOT_JSON, performed=True)

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
    """The response is an HTML page, as from a proxy in front of the service."""

    examples = ({}, {"status": 200})

    status: HttpStatus = 502

    @property
    def effect(self) -> Effect:
        return Effect(got=Got.NOT_JSON, status=self.status)

    async def play(self, exchange: Exchange) -> None:
        await exchange.answer(ServiceResponse(PAGE, self.status, media_type="text/html"))


class ErrorIn200(Fault):
    """The status is 200 and the body has `error: true`."""

    error_code: Annotated[int, Meta(ge=-(2**31), le=2**31)] = 500

    @property
    def effect(self) -> Effect:
        return Effect(got=Got.ERROR, status=200, error_code=self.error_code)

    async def play(self, exchange: Exchange) -> None:
        response = exchange.to_response(Failure(500, "Internal error", code=self.error_code))
        response.status_code = 200
        await exchange.answer(response)


class Status(Fault):
    """An error with any HTTP status, in the envelope, with Retry-After if `retry_after` is set."""

    examples = (
        *({"status": status} for status in (401, 404, 500)),
        *({"status": status, "retry_after": 0} for status in (429, 503)),
    )

    status: HttpStatus
    retry_after: Annotated[int, Meta(ge=0, le=86_400)] | None = None

    @property
    def effect(self) -> Effect:
        if self.status in BODILESS:
            return Effect(got=Got.NOT_JSON, status=self.status, retry_after=self.retry_after)
        return Effect(got=Got.ERROR, status=self.status, error_code=self.status, retry_after=self.retry_after)

    async def play(self, exchange: Exchange) -> None:
        after = None if self.retry_after is None else {"retry-after": str(self.retry_after)}
        await exchange.answer(exchange.to_response(Failure(self.status, phrase(self.status), headers=after)))


def phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return f"Status {status}"


class LostResponse(Fault):
    """The connection is reset before the response. The client cannot know whether the call was performed."""

    effect = Effect(got=Got.RESET, performed=True)

    async def play(self, exchange: Exchange) -> None:
        await exchange.perform()
        exchange.connection.reset()


FAULTS: Mapping[str, type[Fault]] = {str(kind.__struct_config__.tag): kind for kind in Fault.__subclasses__()}
"""Every fault, by name."""


class BadFault(ValueError):
    """A rule is invalid. The message has the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One active fault. `fields` are those of the control call."""

    name: str
    fault: Fault
    fields: Mapping[str, Any]
    lots: random.Random = field(repr=False, compare=False)

    @property
    def refuses_all(self) -> bool:
        """Whether clients get no connection."""
        return self.fault.effect.got is Got.NO_CONNECTION

    def hits(self, operation: str | None) -> bool:
        if self.fault.route is not None and self.fault.route != operation:
            return False
        return self.lots.random() < self.fault.share


class Faults:
    """The rules in force."""

    def __init__(self) -> None:
        self._rules: tuple[Rule, ...] = ()
        self._lock = threading.Lock()
        self._watcher: Callable[[bool], None] | None = None

    def watch(self, watcher: Callable[[bool], None] | None) -> None:
        """Call `watcher` now and after each change. Its argument tells whether all connections are refused."""
        self._watcher = watcher
        self._tell_watcher()

    def put(self, rules: Iterable[Any], routes: Iterable[str]) -> None:
        """Replace all rules; `routes` are the known operations.

        Raises BadFault, and changes nothing, when a rule is invalid.
        """
        known = tuple(routes)
        self._rules = tuple(_rule(rule, known) for rule in rules)
        self._tell_watcher()

    def _tell_watcher(self) -> None:
        watcher = self._watcher  # the thread of the service may take it away meanwhile
        if watcher is not None:
            watcher(any(rule.refuses_all for rule in self._rules))

    def listing(self) -> list[dict[str, Any]]:
        return [dict(rule.fields) for rule in self._rules]

    def draw(self, operation: str | None) -> Rule | None:
        """Return the rule that acts on this call of `operation`; None when no rule does."""
        if not self._rules:
            return None
        with self._lock:
            return next((rule for rule in self._rules if rule.hits(operation)), None)


def _rule(fields: Any, routes: tuple[str, ...]) -> Rule:
    if not isinstance(fields, dict):
        raise BadFault("each fault is an object")
    if "fault" not in fields:
        raise BadFault(_nameless(fields))
    name, route = fields["fault"], fields.get("route")
    if name not in [*FAULTS]:
        raise BadFault(_unknown("fault", name, FAULTS))
    if route is not None and route not in routes:
        raise BadFault(_unknown("route", route, routes))
    present = {key: value for key, value in fields.items() if key != "share" or value is not None}
    try:
        fault = convert(present, FAULTS[name])
    except Mismatch as mismatch:
        raise BadFault(mismatch.of(f'the fault "{name}"')) from mismatch
    return Rule(name=name, fault=fault, fields=fields, lots=random.Random(fault.seed))  # noqa: S311


def _nameless(fields: Mapping[str, Any]) -> str:
    """Return the message for a rule without `fault`.

    It names the first unknown key, which may be a mistyped `fault`.
    """
    options = {option.name for kind in FAULTS.values() for option in options_of(kind)}
    unknown = [key for key in fields if key not in options]
    instead = f', which is not called "{unknown[0]}"' if unknown else ""
    return f'"fault" is required{instead}: such as {{"fault": "status", "status": 503}}'


def _unknown(what: str, word: object, known: Iterable[str]) -> str:
    names = tuple(known)
    return f'unknown {what} "{word}": {did_you_mean(str(word), names) or "there are " + ", ".join(names)}'
