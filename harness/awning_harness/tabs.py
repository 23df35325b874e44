"""Browser tabs that are used again: opening one takes several times as long as the page in it.

A tab is as good as new when its cookies and storage are cleared, unless a test got hold of Playwright's page: what
it hung on it (listeners, routes, init scripts, a fake clock) could meet the next test, so such a tab is closed.
"""

from dataclasses import dataclass

from playwright.sync_api import Browser, CDPSession, Page, ProxySettings
from playwright.sync_api import TimeoutError as Late

from awning_harness.outside import Outside

VIEWPORT = {"width": 1280, "height": 900}

NOWHERE: ProxySettings = {"server": "http://127.0.0.1:9", "bypass": "127.0.0.1,[::1],localhost,.localhost"}
"""A proxy that does not exist, for all hosts but loopback: no request of a page leaves the machine."""

ANSWERS_MS = 10_000
"""How long a page may take to load, or to answer at all, before a test gives it up."""


class Stuck(RuntimeError):
    """A page that never loads or that does not answer any more. The sentence says which."""


@dataclass(slots=True, kw_only=True)
class Tab:
    """One page in a browser context of its own."""

    page: Page
    devtools: CDPSession
    handed_out: bool = False
    stuck: bool = False
    """The page does not answer any more: the tab can only be closed."""
    outside: Outside | None = None
    """The other hosts, for the test that has the tab."""

    def open(self, url: str) -> None:
        """Go to a page and wait until it is loaded. Raises Stuck."""
        try:
            self.page.goto(url, timeout=ANSWERS_MS)
        except Late as late:
            self.require_answer(within_ms=1000)
            raise Stuck(
                f"the page has not loaded within {ANSWERS_MS // 1000} s: it waits for a file that never comes"
            ) from late

    def require_answer(self, *, within_ms: int = ANSWERS_MS) -> None:
        """Raise Stuck when a script on the page keeps it busy: an evaluation would then never return."""
        try:
            self.page.locator("html").wait_for(state="attached", timeout=within_ms)
        except Late as late:
            self.stuck = True
            raise Stuck("the page does not answer: a script on it runs without an end") from late

    def clear(self, origin: str) -> None:
        """Leave the page, forget everything that `origin` stored, and put the window back to its size."""
        self.page.goto("about:blank")
        self.page.context.clear_cookies()
        self.devtools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        if self.page.viewport_size != VIEWPORT:
            self.page.set_viewport_size({"width": VIEWPORT["width"], "height": VIEWPORT["height"]})


@dataclass(slots=True, kw_only=True)
class Tabs:
    """The tab of one browser that is free, if any. `origin` is the storefront's."""

    browser: Browser
    origin: str
    free: Tab | None = None

    def take(self) -> Tab:
        tab, self.free = self.free or self._new(), None
        return tab

    def give_back(self, tab: Tab) -> None:
        """Keep the tab for the next test, or close it."""
        if tab.handed_out or tab.stuck:
            tab.page.context.close()
            return
        tab.clear(self.origin)
        self.free = tab

    def _new(self) -> Tab:
        context = self.browser.new_context(
            timezone_id="UTC",
            viewport={"width": VIEWPORT["width"], "height": VIEWPORT["height"]},
            proxy=NOWHERE,
        )
        page = context.new_page()
        return Tab(page=page, devtools=context.new_cdp_session(page))
