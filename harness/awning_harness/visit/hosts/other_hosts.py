"""Simulates all hosts other than the simulated shop. They respond as a state or a test describes.

A test that depends on the real network is not repeatable, so no request of a page leaves the machine. For every address
except loopback, the browser uses a proxy that does not exist (CLOSED_PROXY). A request to another host gets its
response from this module, or fails with a message that shows how to describe the response. Playwright intercepts
requests only when there is a beacon or a described response, because interception turns off the browser's cache, and
each page then takes 50 % longer. The browser of a Playwright server cannot use this proxy, so there Playwright
intercepts all requests to other hosts.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import BrowserContext, CDPSession, Error, Request, Route

from awning.errors import ConfigurationError
from awning.states.host_responses import HostResponse, read_host_response
from awning_harness.runs.browser_address import context_proxy

OTHER_HOST = re.compile(
    r"https?://(?!(?:127\.0\.0\.1|\[::1\]|(?:[\w.-]+\.)?localhost)(?:[:/?#]|$))", re.IGNORECASE
)
"""Matches the address of another host."""

HEADERS = {"access-control-allow-origin": "*"}
"""Headers that let every page read the responses. The real host may not allow this."""

ROUND_MS = 1000
"""The milliseconds of one wait for the responses to a page's requests, as the page counts them while it runs."""
MOST_ROUNDS = 10
"""The most waits for requests that follow from responses. A page may send requests without an end."""
POLL_MS = 5

HAS_RECEIVED = f"""async (page, urls) => {{
  const isReadable = (frame) => {{
    try {{
      return Boolean(frame.performance);
    }} catch {{
      return false; // of another host
    }}
  }};
  const entriesOf = (window) => {{
    const frames = Array.from({{ length: window.length }}, (_, number) => window[number]);
    return [...window.performance.getEntriesByType("resource"), ...frames.filter(isReadable).flatMap(entriesOf)];
  }};
  const has = () => {{
    const counts = new Map();
    const count = (name, by) => counts.set(name, (counts.get(name) ?? 0) + by).get(name);
    for (const {{ name }} of entriesOf(page)) count(name.split("#")[0], 1);
    return urls.every((url) => count(url, -1) >= 0);
  }};
  for (let waited = 0; !has(); waited += {POLL_MS}) {{
    if (waited >= {ROUND_MS}) return "late";
    await new Promise((done) => setTimeout(done, {POLL_MS}));
  }}
  return "received";
}}"""
"""JavaScript that waits until a page and its frames have the responses to all requests.

`urls` has each address as often as it was requested.
"""

PROBE = "https://probe.awning.invalid/"
"""An address that the tab with the frames requests, to learn whether requests are intercepted yet.

The page in a frame never requests it.
"""

SENT = "Network.requestWillBeSent"
"""Chromium's event of a request. It comes before the value of a later evaluation that awaits a timer."""

PROXY_FAILED = "net::ERR_PROXY_CONNECTION_FAILED"
"""Chromium's error for a request to another host without a described response."""

ANSWER_FILES = {
    "stylesheet": "answer.css",
    "script": "answer.js",
    "image": "answer.png",
    "font": "answer.woff2",
    "document": "answer.html",
    "media": "answer.mp4",
}
"""An example of a file that answers a request, by the request's type. Other requests are answered with JSON."""


HeldOrder = Literal["in-order", "backwards"]
"""The order in which held responses arrive: that of the requests, or backwards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchAnswers:
    """What other hosts answer to `fetch`, as in a trial of the laboratory: by address, None for a host that is silent.

    `delays` are the delays of the responses in milliseconds, in the order of the requests. After the last one, the
    first is used again. Without `held`, no response is held.
    """

    responses: Mapping[str, HostResponse | None]
    delays: Sequence[int] = ()
    held: HeldOrder | None = None


@dataclass(kw_only=True)  # no slots, because Playwright sets an attribute on the object that owns a handler
class OtherHosts:
    """The responses of other hosts to the pages of one test. An address without a query matches every query.

    `report` gets a message when a page requests an address without a response. The workspace's `beacon` always
    responds. `devtools` is a session of the page, if its requests are waited for.
    """

    folder: Path
    context: BrowserContext
    report: Callable[[str], None]
    devtools: CDPSession | None = None
    beacon: str | None = None
    responses: dict[str, HostResponse] = field(default_factory=dict)
    at_opening: dict[str, HostResponse] = field(default_factory=dict)
    """The responses that were described when the open page was opened."""
    to_fetch: FetchAnswers | None = None
    """The responses to `fetch`; None if they are those to other requests. A tab with them is for one test."""
    held: list[tuple[Route, HostResponse]] | None = None
    """The responses that are held now, in the order of the requests. None if they are not held."""
    fetched: int = 0
    """How many of these responses the open page has got or waits for."""
    intercepts_all: bool = field(default_factory=lambda: context_proxy() is None)
    """Whether all requests to other hosts are intercepted, because CLOSED_PROXY cannot be used in this browser."""
    requested: list[str] = field(default_factory=list)
    """The addresses of other hosts that the open page requested."""
    sent: Counter[str] = field(default_factory=Counter)
    """How often the page requested an address, as Chromium reports it, while requests are intercepted."""
    reported: Counter[str] = field(default_factory=Counter)
    """How often the page requested an address, as Playwright reports it: an intercepted request in its own time."""
    ended: set[str] = field(default_factory=set)
    """The requested addresses that got a response or failed."""
    late: int = 0
    """How many requests are no longer waited for, because a test may leave a request open on purpose."""

    def begin_page(self) -> None:
        """Forget the requests of the previous page."""
        self.at_opening = dict(self.responses)
        self.fetched = 0
        self.requested.clear()
        self.sent.clear()
        self.reported.clear()
        self.ended.clear()
        self.late = 0

    def await_answers(self, has_received: Callable[[list[str]], bool], settle: Callable[[], None]) -> None:
        """Wait for the responses to the page's requests to other hosts. A missing response is waited for only once.

        `has_received` waits at most ROUND_MS, and returns whether the page has the responses to all given requests.
        `settle` waits while the page uses the responses, which may lead to further requests.
        """
        requested_count = 0
        for _ in range(MOST_ROUNDS):
            if requested_count == len(self.requested):
                return
            requested_count = len(self.requested)
            self._await(has_received)
            settle()

    def _await(self, has_received: Callable[[list[str]], bool]) -> None:
        waiting = self.unanswered()
        if (waiting and self.late == len(self.requested)) or has_received(self._awaited()):
            return
        # A response that was sent is on its way, if this process or Playwright's stood still for a while.
        is_on_its_way = not waiting or self.unanswered() != waiting
        if not (is_on_its_way and has_received(self._awaited())):
            self.late = len(self.requested)

    def _awaited(self) -> list[str]:
        """Return the requests whose responses are waited for: all but those of a worker that have ended.

        The page does not know of them, and Chromium does not report them with the page's.
        """
        if not (self.devtools and self.intercepts):
            return self.requested
        counts = Counter[str]()
        awaited = []
        for url in self.requested:
            counts[url] += 1
            if counts[url] <= self.sent[url] or url not in self.ended:
                awaited.append(url)
        return awaited

    def unanswered(self) -> list[str]:
        """Return the addresses that the open page requested, without those that got a response or failed, each once."""
        return [url for url in dict.fromkeys(self.requested) if url not in self.ended]

    def answer(self, url: str, written: Any) -> None:
        """Set the response of `url`: JSON, a file below `folder` (str) or a status (int).

        Raises ConfigurationError when `url` is not an address of another host, or when the file cannot be read.
        """
        if not OTHER_HOST.match(url):
            raise ConfigurationError(f"{url} is not the address of another host", hint="https://…")
        intercepted = self.intercepts
        self.responses[url] = read_host_response(written, self.folder)
        if not intercepted:
            self._intercept()

    def hold(self) -> None:
        """Hold the responses to `fetch` from now on, if `to_fetch` says in which order they arrive then."""
        self.held = [] if self.to_fetch and self.to_fetch.held else None

    def release(self) -> Iterator[None]:
        """Send the held responses. Yields after each, so that the caller waits until the page has used it."""
        held, self.held = self.held or [], None
        for route, response in held if self.to_fetch and self.to_fetch.held == "in-order" else held[::-1]:
            with suppress(Error):  # the page is closed or left meanwhile
                self._answer(route, response)
            yield

    def response_to(self, url: str, kind: str) -> HostResponse | None:
        """Return the described response to a request of Playwright's resource type `kind`; None without one."""
        return self._described(url, kind)[1]

    def _described(self, url: str, kind: str) -> tuple[bool, HostResponse | None]:
        """Return whether an answer to a request is described, and the response; None of a host that is silent."""
        responses = self.to_fetch.responses if self.to_fetch and kind == "fetch" else self.responses
        for address in (url, url.partition("?")[0]):
            if address in responses:
                return True, responses[address]
        return False, None

    @property
    def intercepts(self) -> bool:
        """Whether Playwright intercepts the requests to other hosts."""
        return bool(self.beacon or self.responses or self.intercepts_all)

    def listen(self) -> None:
        self.context.on("request", self._on_request)
        self.context.on("requestfailed", self._on_failure)
        self.context.on("requestfinished", self._on_end)
        if self.intercepts:
            self._intercept()

    def stop_listening(self) -> None:
        self.context.remove_listener("request", self._on_request)
        self.context.remove_listener("requestfailed", self._on_failure)
        self.context.remove_listener("requestfinished", self._on_end)
        if self.intercepts:
            with suppress(Error):  # the tab may be closed already
                self.context.unroute(OTHER_HOST, self._respond)
                if self.devtools:
                    self.devtools.remove_listener(SENT, self._on_sent)
                    self.devtools.send("Network.disable")

    def _intercept(self) -> None:
        self.context.route(OTHER_HOST, self._respond)
        if self.devtools:
            self.devtools.on(SENT, self._on_sent)
            self.devtools.send("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0})

    def _on_sent(self, event: Mapping[str, Any]) -> None:
        if event["initiator"]["type"] != "preflight":
            self._count(event["request"]["url"], self.sent)

    def _on_request(self, request: Request) -> None:
        self._count(request.url, self.reported)

    def _count(self, url: str, counts: Counter[str]) -> None:
        """Count a request of another host. One that is reported twice, in any order, is one in `requested`."""
        if OTHER_HOST.match(url) and url != PROBE:
            counts[url] += 1
            if counts[url] > self.requested.count(url):
                self.requested.append(url)

    def _on_end(self, request: Request) -> None:
        self.ended.add(request.url)

    def _on_failure(self, request: Request) -> None:
        self._on_end(request)
        if request.failure == PROXY_FAILED and request.url != PROBE:
            self.report(explain_missing(request.url, request.resource_type))

    def _respond(self, route: Route) -> None:
        """Respond to one request of a page. Routes that a test sets on the page come first."""
        request = route.request
        is_described, response = self._described(request.url, request.resource_type)
        if is_described and response is None:
            return
        if response is not None and self.held is not None and request.resource_type == "fetch":
            self.held.append((route, response))
            return
        if response is None or not (
            self.to_fetch and self.to_fetch.delays and request.resource_type == "fetch"
        ):
            self._answer(route, response)
            return
        delay = self.to_fetch.delays[self.fetched % len(self.to_fetch.delays)]
        self.fetched += 1
        with suppress(Error):  # the page is closed or left meanwhile
            request.frame.page.wait_for_timeout(delay)  # Playwright calls other handlers meanwhile
            self._answer(route, response)

    def _answer(self, route: Route, response: HostResponse | None) -> None:
        url = route.request.url
        self.ended.add(url)
        if response is None and url in (self.beacon, PROBE):
            response = HostResponse(status=204)
        if response is None and self.intercepts_all:
            self.report(explain_missing(url, route.request.resource_type))
            route.abort()
        elif response is None:
            route.continue_()
        elif response.status:
            route.fulfill(
                status=response.status,
                body=response.body,
                content_type=response.type_for(route.request.resource_type),
                headers=HEADERS,
            )
        else:
            route.abort("namenotresolved")


def explain_missing(url: str, kind: str) -> str:
    """Return what to do about a request without a response. `kind` is one of ANSWER_FILES, or anything else."""
    address = url.partition("?")[0]
    file = ANSWER_FILES.get(kind)
    answer = f'"{file}"' if file else "{ … }"
    where = "; the file is in the widget's folder, and 200 instead of it is an empty answer" if file else ""
    return (
        f"{url} was asked for, and tests ask no other host. Write what it answers into the state: "
        f'[state.fetch] "{address}" = {answer}; or in a test of your own, before the page is opened: '
        f'storefront.answer("{address}", {answer}){where}'
    )
