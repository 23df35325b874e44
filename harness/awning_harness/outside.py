"""The world outside the simulated shop: other hosts answer what a state or a test says, and nothing else.

A test that asks the real network passes or fails with the weather. So no request of a page leaves the machine:
loopback addresses are let through, all others are answered from here, or fail with a sentence that says what to do.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Route

from awning.errors import ConfigurationError
from awning_harness.answers import Answer, answer_of

ELSEWHERE = re.compile(
    r"https?://(?!(?:127\.0\.0\.1|\[::1\]|(?:[\w.-]+\.)?localhost)(?:[:/?#]|$))", re.IGNORECASE
)
"""The addresses of other hosts."""

ALLOWED = {"access-control-allow-origin": "*"}
"""The answering host lets every page read its answers; whether the real one does, only the real one knows."""


@dataclass(slots=True, kw_only=True)
class Outside:
    """What other hosts say to the pages of one test. An address without a query answers every query.

    `tell` is called with a sentence when an address is asked that has no answer. `beacon`, the workspace's, is
    always there.
    """

    folder: Path
    tell: Callable[[str], None]
    beacon: str | None = None
    answers: dict[str, Answer] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    """Of the page that is open."""

    def answer(self, url: str, written: Any) -> None:
        if not ELSEWHERE.match(url):
            raise ConfigurationError(f"{url} is no address of another host", hint="https://…")
        self.answers[url] = answer_of(written, self.folder)

    def meet(self, route: Route) -> None:
        """Answer one request of a page."""
        url = route.request.url
        self.asked.append(url)
        answer = self.answers.get(url) or self.answers.get(url.partition("?")[0])
        if answer is None and url == self.beacon:
            answer = Answer(status=204)
        if answer is None:
            self.tell(_missing(url))
        if answer is None or not answer.status:
            route.abort("namenotresolved")
        else:
            route.fulfill(
                status=answer.status, body=answer.body, content_type=answer.content_type, headers=ALLOWED
            )


def _missing(url: str) -> str:
    address = url.partition("?")[0]
    return (
        f"{url} was asked for, and tests ask no other host. Write what it answers into the state: "
        f'[state.fetch] "{address}" = {{ … }}; or in a test of your own, before the page is opened: '
        f'storefront.answer("{address}", {{ … }})'
    )
