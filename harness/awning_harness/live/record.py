"""Records a visit to a live shop: its events in their order, and how the pages look around the slots.

A script in the page redacts each event before it leaves the page (`jsrc/recorder`). As the page may have changed what
that script uses, an empty page redacts the events once more, before anything else sees them.
"""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from secrets import token_hex
from time import monotonic
from types import MappingProxyType
from typing import Any, cast

from playwright.async_api import Browser, Error, Locator, Page, Request
from playwright.async_api import TimeoutError as PlaywrightTimeout

from awning.contract import SLOTS, Dialect
from awning.contract.slots import event_names
from awning.live.recorder_script import recorder_script
from awning.live.recording import (
    MOST_CHANGES,
    MOST_EVENTS,
    MOST_TEXT,
    MOST_TOTAL,
    PlaceChange,
    RecordedEvent,
    Recording,
    SentChange,
    SlotSurroundings,
    event_text,
    is_bounded,
)
from awning.typed_values import Mismatch, convert
from awning.workspace.steps import BLOCK_STEPS, WAIT, Step
from awning_harness.live.foreign_page import ForeignPage
from awning_harness.live.visit_file import VisitedPage
from awning_harness.public_pages import LOAD_MS, RENDER_MS

_STEP_MS = 5_000
_RESPONSE_S = 5.0
_QUIET_S = 0.5
"""A page is quiet when no event and no response came for this time, and none of _AWAITED is under way."""
_LONGEST_S = 2.0
"""A request that takes longer is not waited for: a long poll, or one of a page that was left.

The browser does not tell of each request that ends with its page.
"""
_AWAITED = frozenset({"document", "fetch", "script", "xhr"})
"""The types of the requests whose responses may lead to an event."""
_LOOK_S = 0.03
_FAILED = 400
_BINDING = "awningRecords"
_REASON = re.compile(r"\bnet::ERR_([A-Z_]{1,60})\b")
"""Why Chromium did not load a page."""

_SURROUNDINGS = """(slots) => slots.flatMap((slot) => {
  let element = document.querySelector(".placeholder-" + slot);
  const around = [];
  while (element && around.length < 6) {
    const style = getComputedStyle(element);
    around.push({
      tag: element.localName, classes: [...element.classList].slice(0, 20),
      width: element.getBoundingClientRect().width,
      color: style.color, background: style.backgroundColor, font: style.fontFamily, size: parseFloat(style.fontSize),
    });
    element = element.parentElement;
  }
  return around.length ? [{ slot, around }] : [];
})"""


async def _set_open(details: Locator, *, is_open: bool) -> None:
    if await details.evaluate("(element) => element.open", timeout=_STEP_MS) != is_open:
        await details.locator("summary").first.click(timeout=_STEP_MS)


ACTIONS: Mapping[str, Callable[..., Coroutine[Any, Any, object]]] = MappingProxyType(
    {
        "choose": lambda element, option: element.select_option(label=option, timeout=_STEP_MS),
        "open": partial(_set_open, is_open=True),
        "close": partial(_set_open, is_open=False),
    }
)
"""What the shopper does on a live page, for each step in the block without a `method`, by its verb.

It takes the element and the arguments.
"""


@dataclass(slots=True)
class Recorder:
    """Collects what a page sends during a visit."""

    foreign: ForeignPage
    dialect: Dialect
    began: float = field(default_factory=monotonic)
    latest: float = 0
    loaded: float = 0
    """When a page was loaded last, with its images and scripts."""
    answered: float = 0
    """When a response came last."""
    asked: dict[Request, float] = field(default_factory=dict)
    """When each request that is under way was sent."""
    number: int = 0
    events: list[RecordedEvent] = field(default_factory=list)
    surroundings: dict[str, SlotSurroundings] = field(default_factory=dict)
    steps: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    changes: list[PlaceChange] = field(default_factory=list)
    begun: Counter[int] = field(default_factory=Counter)
    """How many steps have begun, by the load of their page."""
    is_by_hand: bool = False
    own_steps: Mapping[str, Callable[..., Awaitable[str]]] = field(default_factory=dict)
    """The steps that no shopper takes, by their verb: each takes the page and its arguments, and returns why it is not
    possible, as `_take` does."""
    failed_step: str = ""
    """The step that was not possible, with its place in the visit file and its selector, which no recording keeps."""

    @property
    def page(self) -> Page:
        return self.foreign.page

    async def listen(self) -> None:
        """Prepare the page. It may be loaded then."""
        self.page.on("load", lambda _: setattr(self, "loaded", monotonic()))
        # Playwright marks a method's object, which slots do not allow.
        self.page.on("request", partial(self._ask))
        for end in ("requestfinished", "requestfailed"):
            self.page.on(end, partial(self._learn_response))
        await self.page.expose_binding(_BINDING, lambda source, *words: self._receive(source, words))
        options = {"BINDING": _BINDING, "SALT": token_hex()}
        await self.page.add_init_script(recorder_script("visit", self.dialect, options))

    def _ask(self, request: Request) -> None:
        if request.resource_type in _AWAITED:
            self.asked[request] = monotonic()

    def _learn_response(self, request: Request) -> None:
        if self.asked.pop(request, None) is not None:
            self.answered = monotonic()

    def _receive(self, source: Any, words: Sequence[Any]) -> None:
        if source["frame"] != self.page.main_frame or len(words) != 1:
            return
        self.latest = monotonic()
        text = words[0]
        if not isinstance(text, str) or not 0 < len(text) <= MOST_TEXT or len(self.events) >= MOST_EVENTS:
            self.fail("an event was not recorded: it is too large, or there are too many")
            return
        try:
            values = json.loads(text)
        except (ValueError, RecursionError):
            values = None
        if isinstance(values, dict) and "place" in values and "event" not in values:
            self._learn_change(values)
        elif (
            isinstance(values, dict)
            and values.get("event") in event_names(self.dialect)
            and is_bounded(values)
        ):
            load = self.foreign.gate.loads
            event = RecordedEvent(
                page=self.number,
                load=load,
                step=None if self.is_by_hand else self.begun[load],
                ms=round((self.latest - self.began) * 1000),
                values=values,
            )
            self.events.append(event)
        else:
            self.fail("the page sent something that is no event")

    def _learn_change(self, values: dict[str, Any]) -> None:
        try:
            sent = convert(values, SentChange)
        except Mismatch:
            return
        if sent.is_checked() and len(self.changes) < MOST_CHANGES:
            at = self.latest - self.began - sent.ago / 1000
            change = PlaceChange(
                slot=sent.place,
                what=sent.what,
                page=self.number,
                load=self.foreign.gate.loads,
                ms=max(round(at * 1000), 0),
                request=sent.request or None,
                after_ms=round(sent.after) if sent.request else None,
            )
            self.changes.append(change)

    def fail(self, sentence: str) -> None:
        if sentence not in self.errors:
            self.errors.append(sentence)

    async def visit(self, pages: Sequence[VisitedPage]) -> None:
        """Go through the pages until the end, or until one of them cannot be shown."""
        for number, visited in enumerate(pages, 1):
            self.number, since = number, monotonic()
            if visited.url is not None and not await self._load(visited.url):
                return
            # On the page that is open already, nothing has caused an event since the last step.
            await self._settle(since if visited.url else None, loads=visited.url is not None)
            for index, step in enumerate(visited.steps, 1):
                self.steps.append(f"page {number}: {step.verb}")
                since = monotonic()
                self.begun[self.foreign.gate.loads] += 1
                if reason := await self._take(step):
                    self.fail(f"page {number}: step {index} ({step.verb}) is not possible: {reason}")
                    place = f"{visited.places[index - 1]}: " if visited.places else ""
                    self.failed_step = f"{place}{Step(step.verb, step.arguments[:1]).words}: {reason}"
                    return
                await self._settle(None if step.verb == WAIT else since)
            await self._look_around()

    async def by_hand(self) -> None:
        """Record until the user closes the window."""
        self.is_by_hand = True
        closed = asyncio.Event()
        self.page.on("close", lambda _: closed.set())
        while not (closed.is_set() or self.page.is_closed()):
            await self._look_around()
            try:
                await asyncio.wait_for(closed.wait(), 1)
            except TimeoutError:
                continue

    async def _load(self, url: str) -> bool:
        gate, problem = self.foreign.gate, ""
        self._keep_errors()
        gate.begin()
        self.asked.clear()
        try:
            await self.page.goto(url, wait_until="domcontentloaded", timeout=LOAD_MS)
        except PlaywrightTimeout:
            problem = f"page {self.number} {gate.lateness()}"
        except Error as error:  # its message has the address, which may name a person
            reason = _REASON.search(error.message)
            why = f": {reason[1].replace('_', ' ').lower()}" if reason else ""
            problem = self.foreign.unreachable() or f"page {self.number} cannot be loaded{why}"
        if not problem and gate.status >= _FAILED:
            problem = f"page {self.number} answers with HTTP {gate.status}"
        if problem:
            self.fail(problem)
        return not (problem or gate.errors)

    def _keep_errors(self) -> None:
        """Keep what the gate says of the page, which it forgets at the next one."""
        for sentence in self.foreign.gate.errors:
            self.fail(sentence)

    async def _settle(self, since: float | None, *, loads: bool = False) -> None:
        """Wait until no more events come after the first one since a time, at most for RENDER_MS.

        Without a time, no first one is awaited. A page that `loads` may take LOAD_MS, and the limit counts from then:
        a slow page fires late, and a step of a shopper would fail before the page can take it.
        """
        since = 0 if since is None else since
        while loads and self.loaded <= since and not self.foreign.gate.errors:
            if monotonic() > since + LOAD_MS / 1000:
                return
            await asyncio.sleep(_LOOK_S)
        end = monotonic() + RENDER_MS / 1000
        while monotonic() < end:
            await asyncio.sleep(_LOOK_S)
            is_quiet = monotonic() > max(self.latest, self.loaded, self.answered) + _QUIET_S
            is_answered = all(monotonic() > asked + _LONGEST_S for asked in self.asked.values())
            if self.latest >= since and is_quiet and is_answered:
                return

    async def _take(self, step: Step) -> str:
        """Take a step of the shopper. Returns why it is not possible, without a text of the page; "" when it is."""
        if step.verb == WAIT:
            await asyncio.sleep(step.seconds)
            return ""
        if own := self.own_steps.get(step.verb):
            return await own(self.page, *step.arguments)
        selector, *words = step.arguments
        element = self.page.locator(selector)
        try:
            if method := BLOCK_STEPS[step.verb].method:
                await getattr(element, method)(*words, timeout=_STEP_MS)
            else:
                await ACTIONS[step.verb](element, *words)
        except Error:  # its message has the selector and the text
            return await self._why(element, step.verb)
        return ""

    async def _why(self, element: Locator, verb: str) -> str:
        """Return why a step with an element was not possible, in the words that the steps of states have."""
        try:
            async with asyncio.timeout(_RESPONSE_S):
                if (count := await element.count()) != 1:
                    several = f"{count} elements on the page match the selector"
                    return several if count else "nothing on the page matches the selector"
                if not await element.is_visible():
                    return "the element is hidden"
                if await element.is_disabled():
                    return "a shopper cannot reach the element: it is disabled"
        except TimeoutError:
            return "the page does not respond: its scripts do not end"
        except Error:
            return "the page was left, or the selector is not CSS"
        return f"a shopper cannot {verb} the element"

    async def _look_around(self) -> None:
        try:
            asked = self.page.evaluate(_SURROUNDINGS, [*SLOTS])
            entries = convert(await asyncio.wait_for(asked, _RESPONSE_S), tuple[SlotSurroundings, ...])
        except TimeoutError:
            self.fail(f"page {self.number} does not respond: its scripts do not end")
        except (Error, Mismatch):  # the page was left or closed, or its JavaScript does not tell
            return
        else:
            for entry in entries:
                looks = tuple(look.checked() for look in entry.around[:6])
                if entry.slot in SLOTS and looks:
                    self.surroundings.setdefault(entry.slot, replace(entry, around=looks))

    async def recording(self, browser: Browser) -> Recording:
        """Return what was recorded, redacted once more. Raises Playwright's Error when the browser has ended."""
        self._keep_errors()
        recording = Recording(
            events=tuple(self.events),
            surroundings=tuple(self.surroundings.values()),
            steps=tuple(self.steps),
            errors=tuple(self.errors),
            changes=tuple(self.changes),
        )
        return await redact_again(recording, browser, self.dialect)


async def redact_again(recording: Recording, browser: Browser, dialect: Dialect) -> Recording:
    """Return a recording whose events an empty page has redacted, whose JavaScript nobody has changed.

    It has as many events as fit. Raises Playwright's Error when the browser has ended.
    """
    context = await browser.new_context()
    empty = await context.new_page()
    await empty.evaluate(recorder_script("second_pass", dialect))
    # As texts, because Playwright takes as long for a value of a few megabytes as all the rest does together.
    text = json.dumps([dict(event.values) for event in recording.events])
    clean_text = await empty.evaluate("(text) => JSON.stringify(awningRedacts(JSON.parse(text)))", text)
    redacted = cast("list[dict[str, Any]]", json.loads(clean_text))
    events, total = [], 0
    for event, clean in zip(recording.events, redacted, strict=True):
        total += len(event_text(clean).encode())
        if total > MOST_TOTAL:
            break
        events.append(replace(event, values=clean))
    missing = len(recording.events) - len(events)
    too_large = f"{missing} events were not recorded: together, they are too large"
    errors = (*recording.errors, too_large) if missing else recording.errors
    return replace(recording, events=tuple(events), errors=errors)
