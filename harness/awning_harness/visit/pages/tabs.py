"""Browser tabs that are reused, because opening a tab takes several times as long as opening a page in a tab.

Each test has an origin of its own, so it sees no storage, database, cache or worker of another. The origins are of one
site, so that the browser keeps its process. What a site shares is cleared between tests: cookies of its domain, the
name of the window, its history. A tab whose Playwright page a test used is closed instead, because the test's
listeners, routes, init scripts or clock could affect the next test.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Error, Locator, Page, Response
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from awning_harness.runs.browser_address import context_proxy
from awning_harness.storefront.origins import own_origin
from awning_harness.visit.hosts.other_hosts import OtherHosts
from awning_harness.visit.pages.causes import NEVER_ENDS
from awning_harness.visit.pages.watchdog import NeverEnds, ends_within

VIEWPORT = {"width": 1280, "height": 900}

LOAD_TIMEOUT_MS = 10_000
"""The time limit for a page to load or to respond."""

MARGIN_MS = 2000
"""How much longer a call of a frame's page may take than what it waits for there."""

SEARCH_MS = LOAD_TIMEOUT_MS // 2
"""How many milliseconds a page runs again with a debugger, before the script that never ends is paused.

A script that takes shorter, however long it is for a page, is not named.
"""

SCREENSHOT_MS = 10_000
"""The time limit for a picture of a page."""

EMPTY_PAGE = """() => {
  const isHovered = Boolean(document.querySelector(":hover"));
  window.name = "";
  document.open();
  document.close();
  return isHovered;
}"""
"""JavaScript that empties a page and removes its listeners, so that no listener runs when the tab leaves the page.

It also clears `window.name`. It returns whether the pointer was over the page.
"""


class Stuck(RuntimeError):
    """A page does not load or no longer responds. The message says which of the two, and why.

    If a script never ends and its place is known, the message has its stack.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """What Playwright records of each test: a trace, and a video in a file of the folder `videos`."""

    tracing: bool = False
    videos: Path | None = None


@dataclass(slots=True, kw_only=True)
class ReusedTab:
    """A page in its own browser context, which is used by one test after another."""

    page: Page
    devtools: CDPSession
    handed_out: bool = False
    """Whether a test used Playwright's page. The next test must then have another one."""
    is_lent: bool = False
    """Whether the test took an object of Playwright's, also only a locator."""
    is_traced: bool = False
    """Whether Playwright records a trace of the test."""
    video: Path | None = None
    """The file for the video of the test, if it is wanted."""

    def close(self) -> None:
        """Close the tab, which ends its video. A video that is not wanted is deleted."""
        self.page.context.close()
        if video := self.page.video:
            if self.video:
                video.save_as(self.video)
            video.delete()

    def reset_pointer(self) -> None:
        """Move the pointer out of the tab, as in a new tab.

        Otherwise, the next page is hovered at the place where the test left the pointer.
        """
        self.page.mouse.move(-1, -1)

    def begin_trace(self, title: str) -> None:
        """Record a trace of a test. The tab's context records from its beginning, in one part for each test."""
        self.page.context.tracing.start_chunk(title=title)
        self.is_traced = True

    def end_trace(self, file: Path | None = None) -> None:
        """End the trace of the test, and write it to `file`; without a file, drop it."""
        if self.is_traced:
            self.is_traced = False
            self.page.context.tracing.stop_chunk(path=file)


class WatchedLocator(Locator):
    """A locator of a tab. If a test uses its `page`, the tab is not reused: the next test would have this page, too."""

    def __init__(self, locator: Locator, tab: ReusedTab) -> None:
        super().__init__(locator._impl_obj)  # noqa: SLF001 - Playwright has no other way to copy a locator
        self.tab = tab

    @property
    def page(self) -> Page:
        self.tab.handed_out = True
        return super().page


@dataclass(slots=True, kw_only=True)
class Tab(ReusedTab):
    """A tab that goes to the pages of the shop."""

    origin: str = ""
    """The storefront's origin for the test that uses the tab."""
    stuck: bool = False
    """Whether the page no longer responds, so that the tab can only be closed."""
    other_hosts: OtherHosts | None = None
    """The other hosts of the test that uses the tab."""
    response: Response | None = None
    """The storefront's answer with the page that was opened last; None if that page did not load."""
    first_scripts: list[str] = field(default_factory=list)
    """The scripts that run on each page before its own."""

    @property
    def is_for_one_test(self) -> bool:
        """Whether a test left in the tab what the next test would have, too."""
        has_late_answers = self.other_hosts is not None and self.other_hosts.to_fetch is not None
        return bool(self.handed_out or self.stuck or self.first_scripts or has_late_answers)

    def run_first(self, script: str) -> None:
        """Run a script on each page that is opened from now on, before the page's own scripts."""
        self.first_scripts.append(script)
        self.page.add_init_script(script)

    def open(self, url: str) -> None:
        """Go to a page and wait until it is loaded. Raises Stuck when it does not load in time."""
        self.response = None
        try:
            self.response = self.page.goto(url, timeout=LOAD_TIMEOUT_MS)
        except PlaywrightTimeout as late:
            self.require_responsive()
            raise Stuck(
                f"the page has not loaded within {LOAD_TIMEOUT_MS // 1000} s: it waits for a file that does not arrive"
            ) from late

    def evaluate(self, script: str, argument: Any = None) -> Any:
        """Run a script in the page, and return its value. Raises Stuck, and closes the tab, when it never ends."""
        try:
            with ends_within(self.page.context, ms=LOAD_TIMEOUT_MS):
                return self.page.evaluate(script, argument)
        except NeverEnds as error:
            self.stuck = True
            raise Stuck(str(error)) from error

    def require_responsive(self, *, within_ms: int | None = None) -> None:
        """Raise Stuck when a script keeps the page busy, because an evaluation would then never return."""
        try:
            self.page.locator("html").wait_for(state="attached", timeout=within_ms or LOAD_TIMEOUT_MS)
        except PlaywrightTimeout:
            self.stuck = True
            raise Stuck(NEVER_ENDS) from None

    def clear(self) -> None:
        """Empty the page, clear what the origins share, and restore the window's size."""
        if self.evaluate(EMPTY_PAGE):
            self.reset_pointer()
        self.page.context.clear_cookies()
        self.devtools.send("Page.resetNavigationHistory")
        if self.page.viewport_size != VIEWPORT:
            self.page.set_viewport_size({"width": VIEWPORT["width"], "height": VIEWPORT["height"]})


@dataclass(slots=True, kw_only=True)
class Tabs:
    """Hands out the tabs of one browser, and keeps at most one free tab for reuse.

    `storefront_url` is the address of the storefront. A tab whose video is recorded is for one test.
    """

    browser: Browser
    storefront_url: str
    recording: Recording = field(default_factory=Recording)
    free: Tab | None = None
    test_count: int = 0

    def take(self, title: str = "", *, own_context: bool = False) -> Tab:
        """Return a tab, with a new origin, for the test with this title. With `own_context`, the tab is a new one.

        A browser of a Playwright server cannot reach such an origin. Each test then has a new tab, with the
        storefront's usual origin.
        """
        reaches_origins = context_proxy() is not None
        if own_context or self.recording.videos or not reaches_origins:
            tab = self._new()
            tab.handed_out = True
        else:
            tab, self.free = self.free or self._new(), None
        self.test_count += 1
        tab.is_lent = False
        url = self.storefront_url
        tab.origin = own_origin(url, f"t{self.test_count}") if reaches_origins else url
        if self.recording.tracing:
            tab.begin_trace(title)
        return tab

    def give_back(self, tab: Tab) -> None:
        """Keep the tab for the next test, or close it if it cannot be reused."""
        tab.end_trace()
        try:
            if self.free is None and not tab.is_for_one_test:
                tab.clear()
                self.free = tab
        except (Error, Stuck):  # the test closed the page, or a script on it never ends
            tab.stuck = True
        if self.free is not tab:
            tab.close()

    def _new(self) -> Tab:
        page = open_page(self.browser, self.recording)
        return Tab(page=page, devtools=page.context.new_cdp_session(page))


def open_page(browser: Browser, recording: Recording | None = None) -> Page:
    """Return a page in a new browser context of the tests."""
    context = browser.new_context(
        timezone_id="UTC",
        viewport={"width": VIEWPORT["width"], "height": VIEWPORT["height"]},
        proxy=context_proxy(),
        permissions=["clipboard-write"],  # a browser with a window allows it after a click
        record_video_dir=recording.videos if recording else None,
    )
    if recording and recording.tracing:
        context.tracing.start(screenshots=True, snapshots=True, sources=True)
    page = context.new_page()
    _subscribe(page)
    return page


def clear_site_storage(page: Page, devtools: CDPSession, origin: str) -> None:
    """Delete the cookies of a page's context, and the databases and caches of an origin."""
    page.context.clear_cookies()
    stored = {"origin": origin, "storageTypes": "indexeddb,cache_storage"}
    devtools.send("Storage.clearDataForOrigin", stored)


def _subscribe(page: Page) -> None:
    """Subscribe to the events that tests collect, for as long as the page is open.

    Otherwise, each test costs eight messages to the browser: its first listener of an event subscribes, and the removal
    of the last one unsubscribes.
    """
    page.on("console", _ignore)
    for event in ("request", "requestfailed", "requestfinished"):
        page.context.on(event, _ignore)


def _ignore(_event: object) -> None:
    pass
