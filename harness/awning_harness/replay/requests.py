"""The requests and updates of a page that is played again: what went out at which step, and what an update changes.

Of an address, the values of the query are left out, apart from short numbers and languages, and so is what may be a
secret or an e-mail address.

An update is in the title of its step: `update selectedVariant.price 20 → 25`. It is compared with what the page has
delivered last: an update, or else its base event.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlsplit

from playwright.sync_api import BrowserContext, Request, Response

from awning.contract.slots import Slot
from awning.states.host_responses import HostResponse
from awning_harness.replay.records import SentRequest, without_secrets
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
    """A request of one of Playwright's resource types and what answered it so far, with the numbers of the steps."""

    method: str
    url: str
    kind: str
    step: int
    status: int | None = None
    failure: str | None = None
    answered_at: int | None = None
    described: HostResponse | None = None
    """The described response when it came."""


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
            self.exchanges[request] = _Exchange(
                method=request.method, url=request.url, kind=request.resource_type, step=self.step
            )

    def _on_response(self, response: Response) -> None:
        if exchange := self.exchanges.get(response.request):
            exchange.status, exchange.answered_at = response.status, self.step
            exchange.described = self.other_hosts.response_to(exchange.url, exchange.kind)

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
        response = exchange.described
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


KEEP_DELIVERED = """(() => {
  const earlier = Object.getOwnPropertyDescriptor(globalThis, "awningEmulator")?.set;
  const set = (emulator) => {
    const delivered = {};
    emulator.observe({
      delivering: ({ event, param, update }) => {
        const base = event.replace(/-updated$/, "");
        delete delivered[base];
        try {
          delivered[base] = JSON.stringify({ param, item: update?.item });
        } catch {
          // A widget has made a value of it that JSON lacks, such as a circle. The title is then without the change.
        }
      },
      calling: () => () => {},
    });
    const value = Object.assign(emulator, { delivered: (event) => delivered[event] ?? null });
    const property = { value, configurable: true, enumerable: true, writable: true };
    Object.defineProperty(globalThis, "awningEmulator", property);
    earlier?.(value);
  };
  Object.defineProperty(globalThis, "awningEmulator", { set, configurable: true, enumerable: true });
})()"""
"""JavaScript that lets the emulator of a page that loads keep the values of the last delivery of each event."""

DELIVERED = "(event) => globalThis.awningEmulator?.delivered?.(event) ?? null"
"""JavaScript that returns the values of the last delivery, as JSON; null without one."""

MOST_CHANGES = 3
LONGEST_VALUE = 24
MISSING = object()
"""Stands for the value of a field that is not there."""


def update_words(slot: Slot, delivered: str | None, updated: Mapping[str, Any]) -> str | None:
    """Return an update as the title of a step; None if nothing was delivered before. `updated` is its updatedItem."""
    if delivered is None:
        return None
    changes: dict[str, str] = {}
    for path, was, now in sorted(_changes(_earlier(slot, delivered, updated), updated), key=_depth):
        changes.setdefault(f"{_value(was)} → {_value(now)}", path)  # the id is there twice, for example
    if not changes:
        return "update that changes nothing"
    texts = [f"{path} {change}" for change, path in changes.items()]
    more = len(texts) - MOST_CHANGES
    return f"update {', '.join(texts[:MOST_CHANGES])}" + (f" and {more} more" if more > 0 else "")


def _earlier(slot: Slot, delivered: str, updated: Mapping[str, Any]) -> Any:
    """Return the values before the update, in its form."""
    values = json.loads(delivered)
    if "item" in values:
        return values["item"] or {}
    param = values.get("param") or {}
    if slot.payload.chooses_variant:
        return {name: param[name] for name in updated if name in param}
    return param.get(slot.params[0]) or {}


def _changes(was: Any, now: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the path and both values of each field that differs."""
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        for name in dict.fromkeys([*now, *was]):
            inner = f"{path}.{name}" if path else name
            yield from _changes(was.get(name, MISSING), now.get(name, MISSING), inner)
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for at, (old, new) in enumerate(zip(was, now, strict=True)):
            yield from _changes(old, new, f"{path}[{at}]")
    elif was != now:
        yield path, was, now


def _depth(change: tuple[str, Any, Any]) -> int:
    path = change[0]
    return path.count(".") + path.count("[")


def _value(value: Any) -> str:
    if value is MISSING:
        return "none"
    if isinstance(value, Mapping):
        return "{…}"
    if isinstance(value, list):
        return "[1 entry]" if len(value) == 1 else f"[{len(value)} entries]"
    return shorten(without_secrets(json.dumps(value, ensure_ascii=False)), LONGEST_VALUE)
