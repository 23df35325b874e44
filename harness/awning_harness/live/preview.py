"""Opens a live page with the local build in it, and observes the widgets."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from secrets import token_hex
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import (
    ConsoleMessage,
    Error,
    Page,
)
from playwright.async_api import TimeoutError as PlaywrightTimeout

from awning.build_record import BuiltWidget, Place
from awning.bundle.emulator import dialect_defines
from awning.contract import Dialect
from awning.data_schema import stopped_widgets
from awning.errors import AwningError
from awning.rules import rule_ids
from awning.typed_values import Mismatch, convert
from awning_harness.browser import Browser as Chromium
from awning_harness.dev.overview import payload_fields
from awning_harness.live.foreign_page import ForeignPage, open_foreign_page
from awning_harness.live.local_build import LocalBuild
from awning_harness.live.page_gate import GateRules, PageGate
from awning_harness.public_pages import (
    EVENTS,
    LOAD_MS,
    RENDER_MS,
    RENDERED,
    RULES,
    watching_script,
    widget_classes,
    widgets_elsewhere,
)
from awning_harness.storefront.scripts import bundle_scripts

RESPONSE_S = 5.0
"""The most seconds in which a page must respond. If it does not, its scripts do not end."""
BINDING = f"awning{token_hex(8)}"
"""The name of the function by which the inspector asks. The inspector takes it before the page's own scripts run."""
_LOOK_S = 0.03
"""The seconds between two looks at the page."""
_STAYS_S = 0.25
"""A page that has been complete for this time, and has not left, is the one that a shopper sees."""
_FAILED = 400
"""The first HTTP status of a failure."""

_LOOK = f"""(classes) => ({{
  visible: ({RENDERED})(classes), events: ({EVENTS})(), rules: ({RULES})(),
  complete: document.readyState == "complete", url: location.href,
}})"""


_SCROLL = """(classes) => {
  const block = classes.map((name) => document.querySelector("." + name)).find(Boolean);
  scrollTo({ top: 0, behavior: "instant" });
  const isBelow = block?.getBoundingClientRect().bottom > innerHeight;
  if (isBelow) block.scrollIntoView({ block: "center", behavior: "instant" });
}"""
"""From the top of the page, with the shop's header, where that has the widget in view."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _PageView:
    """What the page says of itself. Its own JavaScript may have changed every function that tells it."""

    visible: tuple[str, ...]
    events: tuple[str, ...] | None
    rules: tuple[str, ...]
    complete: bool
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewedWidget:
    """Whether a widget showed something, and how many milliseconds after the page began to load."""

    name: str
    rendered: bool
    ms: int | None

    def as_json(self) -> dict[str, object]:
        return {"name": self.name, "rendered": self.rendered, "ms": self.ms}


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewResult:
    """What a live page showed of the local build. `widgets` are those whose slot the page has."""

    url: str
    replaced: dict[Place, int]
    added: bool
    widgets: tuple[PreviewedWidget, ...]
    violations: tuple[str, ...]
    errors: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        return not (self.errors or self.violations) and all(widget.rendered for widget in self.widgets)

    def as_json(self) -> dict[str, object]:
        return {
            "url": self.url,
            "replaced": self.replaced,
            "added": self.added,
            "widgets": [widget.as_json() for widget in self.widgets],
            "violations": list(self.violations),
            "errors": list(self.errors),
        }


@dataclass(slots=True)
class OpenPreview:
    """A live page in a browser, behind a gate."""

    page: Page
    gate: PageGate
    address: str
    foreign: ForeignPage
    build: LocalBuild
    answer: Callable[[object, object], Awaitable[object]] | None = None
    """Answers a call of the inspector in a window: what it asks, and with which content."""
    console: list[str] = field(default_factory=list)
    """The errors of widgets and of the Content Security Policy in the page's console."""

    def use(self, build: LocalBuild) -> None:
        """Put another build into the page from its next load on."""
        self.build = self.gate.build = build

    async def load(self, *, again: bool = False) -> PreviewResult:
        """Load the page with the gate's build. Returns what it shows; an error in it says why there is nothing.

        `again` loads the page at which the user is now, if there is one.
        """
        is_shown = bool(self.gate.status)
        self.gate.begin()
        self.console.clear()
        deadline = monotonic() + (LOAD_MS + RENDER_MS) / 1000
        try:
            if again and is_shown:
                await self.page.reload(wait_until="domcontentloaded", timeout=LOAD_MS)
            else:
                await self.page.goto(self.address, wait_until="domcontentloaded", timeout=LOAD_MS)
        except PlaywrightTimeout:
            return self._failed(f"the page {self.gate.lateness()}")
        except Error as error:
            if "interrupted by another navigation" not in error.message:
                return self._failed(self.foreign.unreachable() or _first_line(error))
        if not self.gate.status and not self.gate.errors:
            return self._failed("the address gives no HTML page")
        if self.gate.status >= _FAILED:
            return self._failed(f"the page answers with HTTP {self.gate.status}")
        return await self._observe(min(deadline, monotonic() + RENDER_MS / 1000), deadline)

    async def asked(self, source: dict[str, Any], what: object, content: object) -> object:
        """Answer a call of the inspector. A call from a frame gets None."""
        if self.answer is None or source["frame"] != self.page.main_frame:
            return None
        return await self.answer(what, content)

    @property
    def is_shown(self) -> bool:
        """Whether a page is there, and not an error of the shop or of the browser."""
        return 0 < self.gate.status < _FAILED

    async def picture(self) -> bytes:
        """Return a picture of the page (PNG), with its first widget in view. Raises AwningError without one."""
        classes = [*self._classes().values()]
        try:
            await asyncio.wait_for(self.page.evaluate(_SCROLL, classes), RESPONSE_S)
            return await self.page.screenshot(timeout=RESPONSE_S * 1000)
        except TimeoutError:
            raise AwningError("the page gives no picture: its scripts do not end") from None
        except Error as error:
            raise AwningError(f"the page gives no picture: {_first_line(error)}") from None

    async def _observe(self, deadline: float, latest: float) -> PreviewResult:
        """Look at the page until all widgets show something, or until the deadline.

        A page that is about to load again by then is looked at until it stays, is found restless, or it is `latest`.
        """
        times: dict[str, int] = {}
        look: _PageView | None = None
        unsettled = monotonic()
        while not self.gate.errors and not self.page.is_closed():
            classes = self._classes()
            try:
                seen = await asyncio.wait_for(self.page.evaluate(_LOOK, [*classes.values()]), RESPONSE_S)
                look = convert(seen, _PageView)
            except TimeoutError:
                return self._failed("the page does not respond: its scripts do not end")
            except (Error, Mismatch):  # the page is about to be replaced, or its JavaScript does not tell
                look, unsettled = None, monotonic()
            if look:
                names = [name for name, of in classes.items() if of in look.visible]
                now = round(self.gate.loaded_since() * 1000)
                times = {name: times.get(name, now) for name in names}
                expected = self._expected(classes, look.events)
                is_shown = not self._lacks_slots(look) and times.keys() >= set(expected)
                if not look.complete or self.gate.is_leaving:
                    unsettled = monotonic()
                if is_shown and min(monotonic() - unsettled, self.gate.loaded_since()) > _STAYS_S:
                    break
            is_undecided = self.gate.is_moving and not self.gate.is_restless
            if monotonic() > (latest if is_undecided else deadline):
                break
            await asyncio.sleep(_LOOK_S)
        if self.gate.is_restless:
            return self._failed(f"the page {self.gate.lateness()}")
        if self.gate.errors or not look:
            return self._failed("the page was closed, is replaced all the time, or tells nothing of itself")
        return self._result(times, look)

    def _result(self, times: dict[str, int], look: _PageView) -> PreviewResult:
        expected = self._expected(self._classes(), look.events)
        errors = [*self.console]
        if self._lacks_slots(look):
            slots = sorted({slot for widget in self._active() for slot in widget.slots})
            errors.append(f"the page has no slot of the widgets: it delivered no event of {', '.join(slots)}")
        if look.events is None and expected and not times:
            errors.append("no event of the page reached the widgets: perhaps it has no widgets of apps")
        return PreviewResult(
            url=_without_added_parts(look.url, self.address),
            replaced={**self.gate.replaced},
            added=self.gate.added,
            widgets=tuple(
                PreviewedWidget(name=name, rendered=name in times, ms=times.get(name)) for name in expected
            ),
            violations=tuple(name for name in look.rules if name in rule_ids()),
            errors=tuple(errors),
        )

    def _active(self) -> list[BuiltWidget]:
        """Return the widgets that are not stopped by the app data."""
        stopped = self._stopped()
        return [widget for widget in self.build.widgets if widget.name not in stopped]

    def _lacks_slots(self, look: _PageView) -> bool:
        """Return whether the page has delivered no event of an active widget's slot, verbatim widgets included."""
        names = [widget.name for widget in self._active()]
        return look.events is not None and bool(names) and not self._expected(names, look.events)

    def _classes(self) -> dict[str, str]:
        """Return the class of each widget that is not stopped by the app data, by its name."""
        stopped = self._stopped()
        classes = widget_classes(self.build.snippets.values())
        return {name: of for name, of in classes.items() if name not in stopped}

    def _stopped(self) -> frozenset[str]:
        data = self.gate.rules.data[0] if self.gate.rules.data else self.gate.data
        if isinstance(data, str):
            try:
                data = json.loads(data)
            except ValueError:
                return frozenset()
        return frozenset(stopped_widgets(data))

    def _expected(self, names: Collection[str], events: Sequence[str] | None) -> list[str]:
        if events is None:
            return [*names]
        watched = self.build.watched(self._stopped())
        elsewhere = widgets_elsewhere(watched, names, events, self.build.dialect)
        return [name for name in names if name not in elsewhere]

    def _failed(self, reason: str) -> PreviewResult:
        return PreviewResult(
            url=self.address,
            replaced={**self.gate.replaced},
            added=self.gate.added,
            widgets=(),
            violations=(),
            errors=tuple(self.gate.errors or [reason]),
        )

    def note(self, message: ConsoleMessage) -> None:
        """Collect an error of a widget, which the runtime begins with the widget's name, or of the page's policy."""
        if message.type != "error":
            return
        is_widget = message.text.split(" ", 1)[0] in widget_classes(self.build.snippets.values())
        # The browser names the hash of what the policy refused. What it refuses of the shop's own is not our affair.
        is_policy = any(digest in message.text for digest in self.gate.hashes)
        if is_widget or is_policy:
            self.console.append(message.text.splitlines()[0][:500])


@asynccontextmanager
async def open_preview(
    address: str,
    build: LocalBuild,
    rules: GateRules,
    chromium: Chromium,
    say: Callable[[str], None],
    *,
    headed: bool = False,
    follows: bool = False,
) -> AsyncIterator[OpenPreview]:
    """Open a foreign page with a build in it. Yields the page, which is not loaded yet.

    A page that follows the saves has the inspector, and needs a build with a revision.
    """
    scripts = [watching_script(build.watched(frozenset()), build.dialect)]
    async with open_foreign_page(address, rules, chromium, say, build=build, headed=headed) as foreign:
        preview = OpenPreview(
            page=foreign.page, gate=foreign.gate, address=address, foreign=foreign, build=build
        )
        # Playwright marks a method's object, which slots do not allow.
        foreign.page.on("console", partial(preview.note))
        if follows:
            # The binding must be there before the script that takes it.
            await foreign.page.expose_binding(BINDING, partial(preview.asked))
            scripts.append(inspector_script(build.dialect))
        for script in scripts:
            await foreign.page.add_init_script(script)
        yield preview


def _without_added_parts(url: str, address: str) -> str:
    """Return where the page is now, without a query or fragment that the page has added: it may hold a token."""
    now, asked = urlsplit(url), urlsplit(address)
    query = now.query if now.query == asked.query else ""
    fragment = now.fragment if now.fragment == asked.fragment else ""
    return now._replace(query=query, fragment=fragment).geturl()


def inspector_script(dialect: Dialect) -> str:
    """Return the JavaScript of the inspector. The page runs it before its own."""
    code = bundle_scripts({"live": "inspector/live.ts"}, dialect_defines(dialect))["live.js"].decode()
    fields = json.dumps(payload_fields(dialect))
    return f"{{const AWNING_FIELDS = {fields}, AWNING_BINDING = {json.dumps(BINDING)};\n{code}}}"


def _first_line(error: Error) -> str:
    """Return what Playwright says about a failure, without the name of its method."""
    line = error.message.splitlines()[0]
    return line.removeprefix("Page.goto: ").removeprefix("Page.screenshot: ")
