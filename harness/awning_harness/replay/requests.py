"""The requests of a page that is played again: what went out at which step, and what answered.

Of an address, the values of the query are left out, apart from short numbers and languages, and so is what may be a
secret or an e-mail address.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from playwright.sync_api import BrowserContext, Request, Response

from awning_harness.replay.records import SentRequest
from awning_harness.replay.secrets import without_secrets
from awning_harness.visit.hosts.other_hosts import OTHER_HOST, PROBE, PROXY_FAILED, OtherHosts
from awning_harness.visit.pages.event_lines import shorten
from awning_harness.visit.pages.visibility import one_line

FROM_SCRIPTS = ("fetch", "xhr", "ping", "eventsource")
"""Playwright's types of requests that scripts send. Of those to this machine, the others are for the shop's files."""
FIRST_FAULT = 400
"""The first status that is an error (RFC 9110, 15.5)."""
LONGEST_ANSWER = 80
UNREAD = "net::ERR_ABORTED"
"""Chromium's error, after a status, when a page does not read an empty body (observed)."""
HIDDEN = "…"
PERSONAL = re.compile(r"[^/]*(?:@|\d{6}|[0-9a-fA-F]{16})[^/]*|[^/]{41,}")
"""Matches a part of a path that may be an e-mail address, a telephone number or a token."""
PAIR = re.compile(r"[A-Za-z_.\[\]-]{1,30}=(?:\d{0,4}|[a-z]{2}(?:-[A-Z]{2})?)")
"""Matches a name of a query with a value that is not personal: the id of a product of the shop, or a language."""
NAME = re.compile(r"[A-Za-z_.\[\]-]{1,30}=")
"""Matches a name of a query."""


@dataclass(kw_only=True)
class _Exchange:
    """A request and what answered it so far, with the numbers of the steps."""

    method: str
    url: str
    step: int
    status: int | None = None
    failure: str | None = None
    answered_at: int | None = None


@dataclass(kw_only=True)  # no slots, because Playwright sets an attribute on the object that owns a handler
class RequestLog:
    """Collects the requests of a page: those to other hosts, and those of scripts to other servers of this machine.

    `shop` is the shop's own address. `step` is the number of the step that is taken.
    """

    context: BrowserContext
    other_hosts: OtherHosts
    shop: str
    step: int = 0
    exchanges: dict[Request, _Exchange] = field(default_factory=dict)

    def listen(self) -> None:
        """Collect from now on, until the context is closed."""
        self.context.on("request", self._on_request)
        self.context.on("response", self._on_response)
        self.context.on("requestfailed", self._on_failure)

    def sent_at(self, step: int) -> Sequence[SentRequest]:
        """Return the requests that went out at a step, with what has answered them by now."""
        return [self._sent(each) for each in self.exchanges.values() if each.step == step]

    def _on_request(self, request: Request) -> None:
        if OTHER_HOST.match(request.url):
            is_collected = request.url != PROBE
        else:
            is_collected = request.resource_type in FROM_SCRIPTS and _server(request.url) != _server(
                self.shop
            )
        if is_collected and request.url.startswith("http"):
            self.exchanges[request] = _Exchange(method=request.method, url=request.url, step=self.step)

    def _on_response(self, response: Response) -> None:
        if exchange := self.exchanges.get(response.request):
            exchange.status, exchange.answered_at = response.status, self.step

    def _on_failure(self, request: Request) -> None:
        exchange = self.exchanges.get(request)
        if exchange and (exchange.status is None or request.failure != UNREAD):
            exchange.failure, exchange.answered_at = request.failure or "no reason known", self.step

    def _sent(self, exchange: _Exchange) -> SentRequest:
        late = exchange.answered_at is not None and exchange.answered_at > exchange.step
        is_good = exchange.failure is None and exchange.status is not None and exchange.status < FIRST_FAULT
        return SentRequest(
            method=exchange.method,
            address=plain_address(exchange.url),
            answer=self._answer(exchange) + (f", late: at step {exchange.answered_at}" if late else ""),
            is_good=is_good and not late,
        )

    def _answer(self, exchange: _Exchange) -> str:
        if exchange.failure == PROXY_FAILED:
            return "failed: no answer is described"
        if exchange.failure is not None:
            return f"failed: {exchange.failure}"
        if exchange.status is None:
            return "still open"
        response = self.other_hosts.response_to(exchange.url)
        if response is None or response.content_type != "application/json":
            return str(exchange.status)
        body = one_line(without_secrets(response.body.decode(errors="replace")))
        return f"{exchange.status} with {shorten(body, LONGEST_ANSWER)}"


def plain_address(url: str) -> str:
    """Return an address without what may be a secret or personal: `https://a.example/near?code=…&shop=1`."""
    parts = urlsplit(without_secrets(url))
    path = PERSONAL.sub(HIDDEN, without_secrets(unquote(parts.path)))
    query = "&".join(map(_plain_pair, parts.query.split("&"))) if parts.query else ""
    host = parts.netloc.rpartition("@")[2]
    return shorten(f"{parts.scheme}://{host}{path}{'?' if query else ''}{query}")


def _plain_pair(pair: str) -> str:
    if PAIR.fullmatch(pair):
        return pair
    name = NAME.match(pair)
    return f"{name[0] if name else ''}{HIDDEN}"


def _server(url: str) -> str:
    return urlsplit(url).netloc
