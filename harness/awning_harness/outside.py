"""The hosts outside the simulated shop: they answer what a state or a test defines, and nothing else.

A test that depends on the real network is not repeatable, so no request of a page leaves the machine. The browser has a
proxy that does not exist for every address but loopback (`tabs.py`). Requests to other hosts are answered from here, or
fail with a sentence that tells the author what to write. Playwright intercepts requests only where there is something to
answer: interception switches off the browser's cache and makes each page half as slow again.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Request, Route

from awning.errors import ConfigurationError
from awning_harness.answers import Answer, answer_of

ELSEWHERE = re.compile(
    r"https?://(?!(?:127\.0\.0\.1|\[::1\]|(?:[\w.-]+\.)?localhost)(?:[:/?#]|$))", re.IGNORECASE
)
"""The addresses of other hosts."""

ALLOWED = {"access-control-allow-origin": "*"}
"""The answering host lets every page read its answers; whether the real one does, only the real one knows."""


NO_PROXY = "net::ERR_PROXY_CONNECTION_FAILED"
"""How a request to another host fails that nobody answers."""


@dataclass(kw_only=True)  # without slots: Playwright sets an attribute on the owner of a handler
class Outside:
    """What other hosts answer to the pages of one test. An address without a query answers every query.

    `report` is called with a sentence when a page requests an address that has no answer. The workspace's `beacon`
    always has one.
    """

    folder: Path
    context: BrowserContext
    report: Callable[[str], None]
    beacon: str | None = None
    answers: dict[str, Answer] = field(default_factory=dict)
    requested: list[str] = field(default_factory=list)
    """The addresses of other hosts that the open page requested."""

    def answer(self, url: str, written: Any) -> None:
        """Define what `url` answers from here on. Raises ConfigurationError when it is no address of another host."""
        if not ELSEWHERE.match(url):
            raise ConfigurationError(f"{url} is no address of another host", hint="https://…")
        self.answers[url] = answer_of(written, self.folder)
        if len(self.answers) == 1 and not self.beacon:
            self._intercept()

    def listen(self) -> None:
        self.context.on("request", self._on_request)
        self.context.on("requestfailed", self._on_failure)
        if self.beacon:
            self._intercept()

    def stop_listening(self) -> None:
        self.context.remove_listener("request", self._on_request)
        self.context.remove_listener("requestfailed", self._on_failure)
        if self.beacon or self.answers:
            self.context.unroute(ELSEWHERE, self._answer)

    def _intercept(self) -> None:
        self.context.route(ELSEWHERE, self._answer)

    def _on_request(self, request: Request) -> None:
        if ELSEWHERE.match(request.url):
            self.requested.append(request.url)

    def _on_failure(self, request: Request) -> None:
        if request.failure == NO_PROXY:
            self.report(_missing(request.url))

    def _answer(self, route: Route) -> None:
        """Answer one request of a page. Routes that a test sets on the page itself come first."""
        url = route.request.url
        answer = self.answers.get(url) or self.answers.get(url.partition("?")[0])
        if answer is None and url == self.beacon:
            answer = Answer(status=204)
        if answer is None:
            route.continue_()
        elif answer.status:
            route.fulfill(
                status=answer.status, body=answer.body, content_type=answer.content_type, headers=ALLOWED
            )
        else:
            route.abort("namenotresolved")


def _missing(url: str) -> str:
    address = url.partition("?")[0]
    return (
        f"{url} was asked for, and tests ask no other host. Write what it answers into the state: "
        f'[state.fetch] "{address}" = {{ … }}; or in a test of your own, before the page is opened: '
        f'storefront.answer("{address}", {{ … }})'
    )
