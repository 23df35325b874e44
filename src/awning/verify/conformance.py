"""Tries a running server with good and bad requests, whatever it is written in (`awning conformance`).

Accepted is an answer of 2XX or 3XX that looks like the one to the authentic request (`conformance_looks`); another
one, or 4XX, is refused. 5XX, or no answer, is a failure for any request: a request that nobody signed must not be
able to break the server. Redirects are not followed.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from awning.client.access import Access
from awning.client.operation import Answer, Broken, Operation, Repeat
from awning.errors import ConfigurationError, Unreachable
from awning.verify.conformance_cases import FORGED, Case, Expected
from awning.verify.conformance_looks import Judge, Look, look_of

CALL = "conformance"
FORMS = ("raw", "canonical")
_TAKEN, _REFUSED = range(200, 400), range(400, 500)

Send = Callable[[Operation[object]], Answer | Broken]


class Outcome(StrEnum):
    ACCEPTED = "accepted"
    REFUSED = "refused"
    FAILED = "failed"
    """5XX, another status, or no answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What a server did with one request. `status` is None where there was no answer; `why` says how it is known."""

    case: Case
    outcome: Outcome
    status: int | None
    why: str = ""

    @property
    def passed(self) -> bool:
        if self.case.expected is Expected.EITHER:
            return self.outcome is not Outcome.FAILED
        return str(self.outcome) == str(self.case.expected)

    def as_json(self) -> dict[str, object]:
        return {
            "name": self.case.name,
            "about": self.case.about,
            "expected": str(self.case.expected),
            "outcome": str(self.outcome),
            "status": self.status,
            "passed": self.passed,
            "why": self.why,
            "query": self.case.shown,
        }


def server_access(url: str) -> Access:
    """The address of the app's install or settings page. Raises ConfigurationError."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.scheme not in {"http", "https"} or not url.isascii() or not url.isprintable():
        raise ConfigurationError(f"{url} is not an http or https address")
    if parts.query or parts.fragment or "?" in url:
        raise ConfigurationError(
            "the address must not hold a query", hint="only the path: the query is what is tried"
        )
    return Access(base_url=url if parts.path else f"{url}/")


def try_server(tried: Iterable[Case], send: Send) -> tuple[Tried, ...]:
    """Send all requests, then judge the answers by those to the authentic and to a forged request.

    The first case is the authentic request; it is sent twice. Raises Unreachable when it gets no connection.
    """
    known = tuple(tried)
    replies = [_sent(known[0], send)]
    if isinstance(replies[0], Broken) and not replies[0].sent:
        raise Unreachable(replies[0].why, call=CALL)
    again = _sent(known[0], send)
    replies += [_sent(case, send) for case in known[1:]]
    judge = _judge(known, replies, again)
    return tuple(_judged(case, reply, judge) for case, reply in zip(known, replies, strict=True))


def _sent(case: Case, send: Send) -> Answer | Broken:
    return send(_operation(case))


def _judge(known: tuple[Case, ...], replies: list[Answer | Broken], again: Answer | Broken) -> Judge | None:
    """None where the authentic request is not accepted: then there is nothing to compare with."""
    authentic, second = _look(known[0], replies[0]), _look(known[0], again)
    if authentic is None or second is None:
        return None
    forged = next((_look(c, r) for c, r in zip(known, replies, strict=True) if c.name == FORGED), None)
    return Judge(authentic=authentic, again=second, forged=forged)


def _look(case: Case, reply: Answer | Broken) -> Look | None:
    taken = isinstance(reply, Answer) and reply.status in _TAKEN
    return look_of(reply, case.query) if taken and isinstance(reply, Answer) else None


def verifies_nothing(tried: Iterable[Tried]) -> bool:
    """Whether a forged request gets what the authentic one gets."""
    outcomes = {one.case.name: one.outcome for one in tried}
    return outcomes.get(FORGED) is Outcome.ACCEPTED


def forms_taken(tried: Iterable[Tried]) -> dict[str, bool]:
    """Which form the server verifies: all requests in which it differs from the other accepted, and none misjudged.

    A server that takes what it must refuse verifies nothing, however much of a form it accepts.
    """
    known = tuple(tried)
    sound = all(one.passed for one in known)
    return {form: sound and not missed for form, missed in not_taken(known).items()}


def not_taken(tried: Iterable[Tried]) -> dict[str, tuple[str, ...]]:
    """By form, the names of its requests that the server did not accept, among those it may take or refuse."""
    open_ = [one for one in tried if one.case.expected is Expected.EITHER]
    return {
        form: tuple(
            one.case.name
            for one in open_
            if one.case.name.endswith(f"/{form}") and one.outcome is not Outcome.ACCEPTED
        )
        for form in FORMS
    }


def _operation(case: Case) -> Operation[object]:
    path = f"?{case.query}" if case.query else ""
    return Operation(name=CALL, method="GET", path=path, parse=lambda _: None, repeat=Repeat.NEVER)


def _judged(case: Case, reply: Answer | Broken, judge: Judge | None) -> Tried:
    if isinstance(reply, Broken):
        return Tried(case=case, outcome=Outcome.FAILED, status=None, why=reply.why)
    status = f"HTTP {reply.status}"
    if reply.status in _REFUSED:
        return Tried(case=case, outcome=Outcome.REFUSED, status=reply.status, why=status)
    if reply.status not in _TAKEN:
        return Tried(case=case, outcome=Outcome.FAILED, status=reply.status, why=status)
    difference = judge.differs(look_of(reply, case.query)) if judge else None
    if difference is None:
        return Tried(case=case, outcome=Outcome.ACCEPTED, status=reply.status, why=status)
    return Tried(case=case, outcome=Outcome.REFUSED, status=reply.status, why=f"{status}: {difference}")
