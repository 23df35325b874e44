"""Sees every request of a live page and every HTML response, and decides what happens to it.

It uses the domain Fetch of the DevTools protocol, for the whole browser: so it sees the requests of frames, workers and
further tabs, whichever process they run in. Chromium itself asks the network, with its cookies, redirects, preflights
and encodings, and the gate changes only the HTML of the site that the user named:

- a request that is not GET, HEAD or OPTIONS is refused, because it could submit an order, unless submitting is allowed;
- another tab gets nothing, so that it runs nothing until it is closed;
- the page itself may not lead to another site, load without end, or have more HTML than MOST_HTML.

`public_proxy.py` refuses addresses that are not public.
"""

import asyncio
import base64
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import CDPSession, Error

from awning.build_record import Place
from awning.live.deployed import deployed_snippets, inline_hashes, language_of, nonce_of, put_snippets
from awning.publish.verify.page_content import decode_page
from awning_harness.live.local_build import LocalBuild

MOST_HTML = 16_000_000
"""The most bytes of HTML in one response."""
MOST_LOADS, WITHIN_S = 8, 10.0
"""A page that loads more often within this time navigates without end."""
_RESTLESS, _STAYS_S = 4, 0.5
"""A page that has begun to load so often, and has not stayed for this time, navigates without end, too.

On a slow machine it may end each load of its own by the next one.
"""
_CHUNK = 1_000_000
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_OF_THE_BYTES = frozenset({"content-length", "content-encoding", "transfer-encoding", "content-type", "etag"})
"""The headers that describe the bytes of a response, which the gate changes."""
_HTML = ("text/html", "application/xhtml+xml")

Paused = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRules:
    """What a page may do, and what the user says about it. `data` is a tuple with the app data of `--data`.

    With an `own_host`, no message names another one: a page may choose a host's name to say something of a person.
    """

    allow_submit: bool = False
    allow_private: bool = False
    language: str | None = None
    data: tuple[Any] | None = None
    own_host: str | None = None

    def named(self, host: str | None) -> str:
        """Return a host as messages name it."""
        return f"{host}" if self.own_host in (None, host) else "another host"


@dataclass(slots=True)
class PageGate:
    """The gate of one page. `build` is replaced when the workspace has a new build; without one, the HTML stays.

    `devtools` is a session of the whole browser, `main_frame` the frame of the page.
    """

    devtools: CDPSession
    main_frame: str
    site: str
    build: LocalBuild | None
    rules: GateRules
    say: Callable[[str], None]
    replaced: dict[Place, int] = field(default_factory=lambda: {"head": 0, "body": 0})
    """Whether a snippet of the app was cut out of the page that is shown: 1, or 0."""
    added: bool = False
    """Whether the page had no snippet of the app."""
    data: str | None = None
    """The app data in the deployed snippet."""
    language: str = ""
    """The app's code of the language in which the page has the snippets."""
    hashes: frozenset[str] = frozenset()
    """The hashes of the snippets' scripts and styles, as a Content Security Policy names them."""
    host: str = ""
    """The host that was asked for the page last."""
    status: int = 0
    """The HTTP status of the page that is shown; 0 before its response."""
    errors: list[str] = field(default_factory=list)
    """Why the page cannot be shown."""
    loads: int = 0
    """How often a page was loaded."""
    asked_loads: int = 0
    """How often the page was asked for since `begin`, or has asked for another one, without redirects."""
    is_leaving: bool = False
    """Whether another page is asked for."""
    _loads: deque[float] = field(default_factory=lambda: deque(maxlen=MOST_LOADS))
    _tabs: set[str] = field(default_factory=set)
    _notes: set[str] = field(default_factory=set)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def open(self) -> None:
        # Playwright marks the object of a method, which slots do not allow.
        self.devtools.on("Fetch.requestPaused", partial(self._begin))
        self.devtools.on("Target.targetCreated", partial(self._learn_tab))
        await self.devtools.send("Target.setDiscoverTargets", {"discover": True})
        patterns = [
            {"urlPattern": "*", "requestStage": "Request"},
            {"urlPattern": "*", "requestStage": "Response", "resourceType": "Document"},
        ]
        await self.devtools.send("Fetch.enable", {"patterns": patterns})

    def begin(self) -> None:
        """Forget what the page showed before, because it is loaded anew."""
        self.errors.clear()
        self.asked_loads = 0
        self._loads.clear()
        self.replaced = {"head": 0, "body": 0}
        self.added, self.data, self.hashes, self.host, self.status = False, None, frozenset(), "", 0

    def loaded_since(self) -> float:
        """Return for how many seconds the page has not begun to load again."""
        return monotonic() - self._loads[-1] if self._loads else 0.0

    @property
    def is_moving(self) -> bool:
        """Whether the page has loaded again by itself, and is about to do so, or has just done so."""
        return self.asked_loads > 1 and (self.is_leaving or self.loaded_since() < _STAYS_S)

    @property
    def is_restless(self) -> bool:
        """Whether the page is moving and has loaded several times."""
        return self.asked_loads >= _RESTLESS and self.is_moving

    def lateness(self) -> str:
        """Say of a page that has not loaded in time what it does instead. The words follow its name."""
        if self.asked_loads >= _RESTLESS:
            return f"loads again and again: {self.asked_loads} times so far"
        return "does not load in time, or its scripts do not end"

    def _learn_tab(self, created: dict[str, Any]) -> None:
        """Learn the frame of another tab. Its target has the same name."""
        target = created["targetInfo"]
        if target["type"] in ("page", "tab") and target["targetId"] != self.main_frame:
            self._tabs.add(target["targetId"])

    def _begin(self, paused: Paused) -> None:
        task = asyncio.ensure_future(self._decide(paused))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _decide(self, paused: Paused) -> None:
        try:
            if "responseStatusCode" in paused or "responseErrorReason" in paused:
                await self._answer(paused)
            elif self._is_allowed(paused):
                await self._let_go(paused)
            else:
                await self._refuse(paused)
        except Error:  # the page was closed, or has dropped the request
            return

    async def _let_go(self, paused: Paused) -> None:
        await self.devtools.send("Fetch.continueRequest", {"requestId": paused["requestId"]})

    async def _refuse(self, paused: Paused) -> None:
        """Refuse a request. After a form that would have been sent, the page stays as it is (HTTP 204)."""
        of = {"requestId": paused["requestId"]}
        if paused["resourceType"] == "Document" and paused["request"]["method"] not in _SAFE_METHODS:
            await self.devtools.send("Fetch.fulfillRequest", {**of, "responseCode": 204})
        else:
            await self.devtools.send("Fetch.failRequest", {**of, "errorReason": "BlockedByClient"})

    def _is_allowed(self, paused: Paused) -> bool:
        """Return whether a request may be made."""
        method, parts = paused["request"]["method"], urlsplit(paused["request"]["url"])
        if parts.scheme not in ("http", "https"):
            return True
        if paused["frameId"] in self._tabs:
            return False
        if method not in _SAFE_METHODS and not self.rules.allow_submit:
            # Not the path, which may name a person or hold a token.
            where = f"{method} to {self.rules.named(parts.hostname)}"
            self._note(f"refused {where}: it could submit an order; --allow-submit lets it pass")
            return False
        if self._is_main(paused):
            self.host = parts.hostname or ""
            if not is_same_site(self.host, self.site):
                self._fail(
                    f"the page leads to another site, {self.rules.named(self.host)}: name that address"
                )
                return False
            self.is_leaving = True
            self.asked_loads += "redirectedRequestId" not in paused
        return True

    def _is_main(self, paused: Paused) -> bool:
        return bool(paused["resourceType"] == "Document" and paused["frameId"] == self.main_frame)

    async def _answer(self, paused: Paused) -> None:
        """Put the snippets into a page of the site. Another response passes as it is."""
        if self._is_main(paused):
            self.is_leaving = False
        status = paused.get("responseStatusCode", 0)
        headers = paused.get("responseHeaders", [])
        is_redirect = status // 100 == 3  # noqa: PLR2004 - the class of redirects
        content_type = _header(headers, "content-type")
        is_html = content_type.partition(";")[0].strip().lower() in _HTML
        is_attached = _header(headers, "content-disposition").lower().startswith("attachment")
        host = urlsplit(paused["request"]["url"]).hostname or ""
        if not status or is_redirect or not is_html or is_attached or not is_same_site(host, self.site):
            await self._let_go(paused)
            return
        is_main = self._is_main(paused)
        if is_main and self._loads_without_end():
            self._fail(f"the page loads again and again: {MOST_LOADS} times within {WITHIN_S:.0f} seconds")
            await self._refuse(paused)
            return
        if self.build is None:
            if is_main:
                self.status = status
            await self._let_go(paused)
            return
        body = await self._body(paused)
        if body is None:
            if is_main:
                self._fail(f"the page has more than {MOST_HTML // 1_000_000} MB of HTML")
            await self._refuse(paused)
            return
        text = decode_page(body, _charset(content_type))
        html = self._with_snippets(self.build, text, _policies(headers), is_main=is_main)
        if is_main:
            self.status = status
        await self._fulfil(paused, html, headers)

    def _loads_without_end(self) -> bool:
        now = monotonic()
        is_full = len(self._loads) == MOST_LOADS
        without_end = is_full and now - self._loads[0] < WITHIN_S
        self._loads.append(now)
        self.loads += 1
        return without_end

    async def _body(self, paused: Paused) -> bytes | None:
        """Return the body of a response, decompressed; None when it is too large. It is read only up to the limit."""
        answer = await self.devtools.send(
            "Fetch.takeResponseBodyAsStream", {"requestId": paused["requestId"]}
        )
        body, stream = bytearray(), {"handle": answer["stream"]}
        while True:
            part = await self.devtools.send("IO.read", {**stream, "size": _CHUNK})
            body += base64.b64decode(part["data"]) if part.get("base64Encoded") else part["data"].encode()
            if len(body) > MOST_HTML or part["eof"]:
                break
        await self.devtools.send("IO.close", stream)
        return None if len(body) > MOST_HTML else bytes(body)

    def _with_snippets(self, build: LocalBuild, html: str, policies: list[str], *, is_main: bool) -> str:
        own = build.marks.own(deployed_snippets(html))
        if is_main:
            for place in self.replaced:
                self.replaced[place] = int(any(snippet.place == place for snippet in own))
            self.added = not own
        elif not own:
            return html
        deployed = next((snippet for snippet in own if snippet.data is not None), None)
        if is_main:
            self.data = deployed.data if deployed else None
        data = self.rules.data
        if data is None and deployed is not None:
            data = (deployed.data,)
        language = (deployed.language if deployed else None) or language_of(html)
        snippets = build.filled(language, data, self.rules.language)
        if is_main:
            self.language = self.rules.language or build.code_of(language) or ""
            self.hashes = inline_hashes("".join(snippets.values()))
        return put_snippets(html, own, snippets, nonce_of(policies, html))

    async def _fulfil(self, paused: Paused, html: str, headers: list[dict[str, str]]) -> None:
        others = [header for header in headers if header["name"].lower() not in _OF_THE_BYTES]
        body = base64.b64encode(html.encode("utf-8", "replace")).decode("ascii")
        await self.devtools.send(
            "Fetch.fulfillRequest",
            {
                "requestId": paused["requestId"],
                "responseCode": paused["responseStatusCode"],
                "responseHeaders": [*others, {"name": "content-type", "value": "text/html; charset=utf-8"}],
                "body": body,
            },
        )

    def _note(self, sentence: str) -> None:
        if sentence not in self._notes:
            self._notes.add(sentence)
            self.say(sentence)

    def _fail(self, sentence: str) -> None:
        self._note(sentence)
        if sentence not in self.errors:
            self.errors.append(sentence)


def is_same_site(host: str, site: str) -> bool:
    """Return whether a host is that of a site, or one below it. `www.` makes no difference, but in `www.com`."""
    host, site = (_without_www(name.lower().rstrip(".")) for name in (host, site))
    return host == site or host.endswith(f".{site}")


def _without_www(name: str) -> str:
    rest = name.removeprefix("www.")
    return rest if "." in rest else name


def _header(headers: list[dict[str, str]], name: str) -> str:
    return next((header["value"] for header in headers if header["name"].lower() == name), "")


def _policies(headers: list[dict[str, str]]) -> list[str]:
    return [header["value"] for header in headers if header["name"].lower() == "content-security-policy"]


def _charset(content_type: str) -> str | None:
    for parameter in content_type.split(";")[1:]:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset" and value.strip():
            return value.strip(" \"'")
    return None
