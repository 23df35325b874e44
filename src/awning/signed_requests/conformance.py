"""Tests a running server with authentic and forged requests (`awning conformance`).

A request counts as accepted when its response is 2XX or 3XX and resembles the response to the authentic request
(`page_likeness`). It counts as refused when the response is a different page, or 4XX. 5XX or no response is always a
failure, because a forged request must not break the server. Redirects are not followed.

If the authentic request itself gets no 2XX or 3XX, there is no page to compare with: then every 2XX or 3XX counts as
accepted.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from urllib.parse import urlsplit

from awning.client import Limits, Transport
from awning.client.access import Access
from awning.client.operation import NoResponse, Operation, Repeat, Response
from awning.errors import ConfigurationError, Unreachable
from awning.signed_requests.page_likeness import PageSummary, ReferencePages, summary_of
from awning.signed_requests.trial_requests import FORGED, Expected, SampleValues, TrialRequest, trial_requests

CALL = "conformance"
FORMS = ("raw", "canonical")
_MAY_BE_ACCEPTED, _REFUSED = range(200, 400), range(400, 500)

Send = Callable[[Operation[object]], Response | NoResponse]


class ServerDecision(StrEnum):
    ACCEPTED = "accepted"
    REFUSED = "refused"
    FAILED = "failed"
    """A status other than 2XX, 3XX and 4XX, or no response."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestResult:
    """How a server responded to one request. `status` is None without a response; `why` explains `outcome`."""

    request: TrialRequest
    outcome: ServerDecision
    status: int | None
    why: str = ""

    @property
    def passed(self) -> bool:
        if self.request.expected in (Expected.EITHER, Expected.NOTED):
            return self.outcome is not ServerDecision.FAILED
        return str(self.outcome) == str(self.request.expected)

    @property
    def note(self) -> str:
        """What a user should know about a request that passed; empty if nothing."""
        return self.request.note if self.outcome is ServerDecision.ACCEPTED else ""

    def as_json(self) -> dict[str, object]:
        return {
            "name": self.request.name,
            "about": self.request.about,
            "expected": str(self.request.expected),
            "outcome": str(self.outcome),
            "status": self.status,
            "passed": self.passed,
            "note": self.note,
            "why": self.why,
            "query": self.request.shown,
        }


def try_server_at(
    url: str, sample: SampleValues, *, timeout_s: float, environ: Mapping[str, str]
) -> tuple[RequestResult, ...]:
    """Send all trial requests to the server at `url`. `environ` has the proxy settings.

    Raises ConfigurationError when the address is not an http or https address or has a query or a fragment, or when the
    proxy is not an http proxy. Raises Unreachable when the first request gets no connection.
    """
    access = server_access(url)
    limits = Limits(connect_s=timeout_s, total_s=timeout_s)
    with Transport(access, limits=limits, environ=environ) as transport:
        return try_server(trial_requests(sample), transport.send)


def server_access(url: str) -> Access:
    """Return the `Access` for `url`, the address of the app's install or settings page.

    Raises ConfigurationError when it is not an http or https address or has a query or a fragment.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.scheme not in {"http", "https"} or not url.isascii() or not url.isprintable():
        raise ConfigurationError(f"{url} is not an http or https address")
    if parts.query or parts.fragment or "?" in url:
        raise ConfigurationError(
            "the address must not hold a query", hint="leave it out: awning adds the queries that it tries"
        )
    return Access(base_url=url if parts.path else f"{url}/")


def try_server(requests: Iterable[TrialRequest], send: Send) -> tuple[RequestResult, ...]:
    """Send all requests, then compare each response with those to the authentic request and to the request `FORGED`.

    The first request is the authentic one; it is sent twice, and so is each whose redirect may be to a fresh address.
    Raises Unreachable when the first request gets no connection.
    """
    known = tuple(requests)
    authentic = known[0]
    first = send(_operation(authentic))
    if isinstance(first, NoResponse) and not first.sent:
        raise Unreachable(first.why, call=CALL)
    again = _page(authentic, send(_operation(authentic)))
    replies = (first, *(send(_operation(request)) for request in known[1:]))
    pages = {request.name: _page(request, reply) for request, reply in zip(known, replies, strict=True)}
    references = None
    if (page := pages[authentic.name]) and again:
        references = ReferencePages(authentic=page, again=again, forged=pages[FORGED])
        references = replace(references, fixed_targets=_fixed_targets(known, pages, references, send))
    return tuple(_result(request, reply, references) for request, reply in zip(known, replies, strict=True))


def _fixed_targets(
    requests: Iterable[TrialRequest],
    pages: Mapping[str, PageSummary | None],
    references: ReferencePages,
    send: Send,
) -> frozenset[str]:
    """Send each request again whose target may be fresh, and return the targets that it gets again."""
    targets = set()
    for request in requests:
        page = pages[request.name]
        if page and page.target and references.seems_fresh(page):
            again = _page(request, send(_operation(request)))
            if again and again.target == page.target:
                targets.add(page.target)
    return frozenset(targets)


def _operation(request: TrialRequest) -> Operation[object]:
    path = f"?{request.query}" if request.query else ""
    return Operation(name=CALL, method="GET", path=path, parse=lambda _: None, repeat=Repeat.NEVER)


def _page(request: TrialRequest, reply: Response | NoResponse) -> PageSummary | None:
    """Return the summary of a 2XX or 3XX response, which may mean acceptance; None for any other reply."""
    if isinstance(reply, Response) and reply.status in _MAY_BE_ACCEPTED:
        return summary_of(reply, request.query)
    return None


def _result(
    request: TrialRequest, reply: Response | NoResponse, pages: ReferencePages | None
) -> RequestResult:
    if isinstance(reply, NoResponse):
        return RequestResult(request=request, outcome=ServerDecision.FAILED, status=None, why=reply.why)
    decision, why = _decision(request, reply, pages)
    return RequestResult(request=request, outcome=decision, status=reply.status, why=why)


def _decision(
    request: TrialRequest, response: Response, pages: ReferencePages | None
) -> tuple[ServerDecision, str]:
    status = f"HTTP {response.status}"
    if response.status in _REFUSED:
        return ServerDecision.REFUSED, status
    if response.status not in _MAY_BE_ACCEPTED:
        return ServerDecision.FAILED, status
    difference = pages.difference(summary_of(response, request.query)) if pages else None
    if difference is None:
        return ServerDecision.ACCEPTED, status
    return ServerDecision.REFUSED, f"{status}: {difference}"


def verifies_nothing(results: Iterable[RequestResult]) -> bool:
    """Return whether the server treats a forged request like the authentic request."""
    outcomes = {result.request.name: result.outcome for result in results}
    return outcomes.get(FORGED) is ServerDecision.ACCEPTED


def accepted_forms(results: Iterable[RequestResult]) -> dict[str, bool]:
    """Return, for each of the `FORMS`, whether the server verifies the query in that form.

    A server verifies a form if it accepts all requests of the form, and passes all tests. So a server that accepts a
    request that it must refuse verifies no form.
    """
    known = tuple(results)
    sound = all(result.passed for result in known)
    return {form: sound and not names for form, names in requests_not_accepted(known).items()}


def requests_not_accepted(results: Iterable[RequestResult]) -> dict[str, tuple[str, ...]]:
    """Return, for each of the `FORMS`, the names of the requests that the server may accept but did not accept."""
    optional = [result for result in results if result.request.expected is Expected.EITHER]
    return {
        form: tuple(
            result.request.name
            for result in optional
            if result.request.name.endswith(f"/{form}") and result.outcome is not ServerDecision.ACCEPTED
        )
        for form in FORMS
    }


def partly_accepted_forms(results: Iterable[RequestResult]) -> tuple[str, ...]:
    """Return those of the `FORMS` of which the server accepted some requests and did not accept others."""
    known = tuple(results)
    accepted = [result.request.name for result in known if result.outcome is ServerDecision.ACCEPTED]
    return tuple(
        form
        for form, missed in requests_not_accepted(known).items()
        if missed and any(name.endswith(f"/{form}") for name in accepted)
    )
