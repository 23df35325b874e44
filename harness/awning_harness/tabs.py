"""Browser tabs that are reused, because opening a tab takes several times as long as opening a page in a tab.

A tab is reused after its cookies and storage are cleared. A tab whose Playwright page a test used is closed instead,
because the test's listeners, routes, init scripts or clock could affect the next test.
"""

from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from awning_harness.other_hosts import OtherHosts
from awning_harness.runs.browser_address import context_proxy

VIEWPORT = {"width": 1280, "height": 900}

LOAD_TIMEOUT_MS = 10_000
"""The time limit for a page to load or to respond."""


class Stuck(RuntimeError):
    """A page does not load or no longer responds. The message has the address."""


@dataclass(slots=True, kw_only=True)
class Tab:
    """One page in its own browser context."""

    page: Page
    devtools: CDPSession
    handed_out: bool = False
    stuck: bool = False
    """Whether the page no longer responds, so that the tab can only be closed."""
    other_hosts: OtherHosts | None = None
    """The other hosts of the test that uses the tab."""
    is_traced: bool = False
    """Whether Playwright records a trace of the test."""

    def begin_trace(self, title: str) -> None:
        """Record a trace of a test. The tab's context records from its beginning, in one part for each test."""
        self.page.context.tracing.start_chunk(title=title)
        self.is_traced = True

    def end_trace(self, file: Path | None = None) -> None:
        """End the trace of the test, and write it to `file`; without a file, drop it."""
        if self.is_traced:
            self.is_traced = False
            self.page.context.tracing.stop_chunk(path=file)

    def open(self, url: str) -> None:
        """Go to a page and wait until it is loaded. Raises Stuck when it does not load in time."""
        try:
            self.page.goto(url, timeout=LOAD_TIMEOUT_MS)
        except PlaywrightTimeout as late:
            self.require_responsive(within_ms=1000)
            raise Stuck(
                f"the page has not loaded within {LOAD_TIMEOUT_MS // 1000} s: it waits for a file that does not arrive"
            ) from late

    def require_responsive(self, *, within_ms: int = LOAD_TIMEOUT_MS) -> None:
        """Raise Stuck when a script keeps the page busy, because an evaluation would then never return."""
        try:
            self.page.locator("html").wait_for(state="attached", timeout=within_ms)
        except PlaywrightTimeout as late:
            self.stuck = True
            raise Stuck("the page does not respond: a script on it never ends") from late

    def clear(self, origin: str) -> None:
        """Leave the page, delete everything that `origin` stored, and restore the window's size."""
        self.page.goto("about:blank")
        self.page.context.clear_cookies()
        self.devtools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        if self.page.viewport_size != VIEWPORT:
            self.page.set_viewport_size({"width": VIEWPORT["width"], "height": VIEWPORT["height"]})


@dataclass(slots=True, kw_only=True)
class Tabs:
    """Hands out the tabs of one browser, and keeps at most one free tab for reuse.

    `origin` is the origin of the storefront. With `tracing`, Playwright records a trace of each test.
    """

    browser: Browser
    origin: str
    tracing: bool = False
    free: Tab | None = None

    def take(self, title: str = "") -> Tab:
        """Return a tab for the test with this title."""
        tab, self.free = self.free or self._new(), None
        if self.tracing:
            tab.begin_trace(title)
        return tab

    def give_back(self, tab: Tab) -> None:
        """Keep the tab for the next test, or close it if it cannot be reused."""
        tab.end_trace()
        if tab.handed_out or tab.stuck:
            tab.page.context.close()
            return
        tab.clear(self.origin)
        self.free = tab

    def _new(self) -> Tab:
        context = self.browser.new_context(
            timezone_id="UTC",
            viewport={"width": VIEWPORT["width"], "height": VIEWPORT["height"]},
            proxy=context_proxy(),
        )
        if self.tracing:
            context.tracing.start(screenshots=True, snapshots=True, sources=True)
        page = context.new_page()
        return Tab(page=page, devtools=context.new_cdp_session(page))
