"""Tries a running server with good and bad requests, whatever it is written in (`awning conformance`).

Accepted is an answer of 2XX or 3XX, refused one of 4XX. 5XX, or no answer, is a failure for any request: a request
that nobody signed must not be able to break the server. Redirects are not followed.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from awning.errors import ConfigurationError, Unreachable
from awning.service.access import Access
from awning.service.conformance_cases import Case, Expected
from awning.service.operation import Answer, Broken, Operation, Repeat

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
    """What a server did with one request. `status` is None where there was no answer; `why` then says more."""

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


def try_server(tried: Iterable[Case], send: Send) -> Iterator[Tried]:
    """Send one request after the other. Raises Unreachable when even the first gets no connection."""
    for number, case in enumerate(tried):
        reply = send(_operation(case))
        if number == 0 and isinstance(reply, Broken) and not reply.sent:
            raise Unreachable(reply.why, call=CALL)
        yield _judged(case, reply)


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


def _judged(case: Case, reply: Answer | Broken) -> Tried:
    if isinstance(reply, Broken):
        return Tried(case=case, outcome=Outcome.FAILED, status=None, why=reply.why)
    taken = reply.status in _TAKEN
    outcome = Outcome.ACCEPTED if taken else Outcome.REFUSED if reply.status in _REFUSED else Outcome.FAILED
    return Tried(case=case, outcome=outcome, status=reply.status, why=f"HTTP {reply.status}")
