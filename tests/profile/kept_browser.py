"""The commands that open a live page share one Playwright and one Chromium while a module's tests run.

To start both takes longer than most visits. Each command has a context of its own, which is closed at its end, as its
browser would be. Behind the proxy, in a window, and after a page that cannot be closed, a command has a new browser.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from playwright.async_api import Browser, BrowserContext, CDPSession, Playwright, async_playwright
from pytest import MonkeyPatch  # noqa: PT013

from awning_harness.live import foreign_page, record_command

CLOSES_WITHIN_S = 2
REAL_RUN, REAL_LAUNCH = asyncio.run, foreign_page.launch


class SharedBrowser:
    """The browser as one command has it."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._ends: list[Callable[[], Awaitable[None]]] = []

    async def new_context(self, **options: Any) -> BrowserContext:
        context = await self._browser.new_context(**options)
        self._ends.append(context.close)
        return context

    async def new_browser_cdp_session(self) -> CDPSession:
        session = await self._browser.new_browser_cdp_session()
        self._ends.append(session.detach)
        return session

    async def close(self) -> None:
        """Close what the command has opened; if a page does not end, the whole browser."""
        try:
            async with asyncio.timeout(CLOSES_WITHIN_S):
                for end in reversed(self._ends):
                    await end()
        except BaseException:
            await self._browser.close()
            raise


class KeptBrowser:
    """The event loop, Playwright and the browser. They are started when a command first needs them."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._kept: set[asyncio.Task[Any]] = set()
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None

    def run(self, main: Coroutine[Any, Any, Any]) -> Any:
        """Do what `asyncio.run` does, in the kept loop. A server in another thread has a loop of its own."""
        if threading.current_thread() is not threading.main_thread():
            return REAL_RUN(main)
        try:
            return self._runner.run(main)
        finally:
            self._runner.run(self._end_tasks())

    async def _end_tasks(self) -> None:
        tasks = asyncio.all_tasks() - self._kept - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @asynccontextmanager
    async def playwright(self) -> AsyncIterator[Playwright]:
        if self._playwright is None:
            before = asyncio.all_tasks()
            self._playwright = await async_playwright().start()
            self._kept = asyncio.all_tasks() - before
        yield self._playwright

    async def launch(self, playwright: Playwright, chromium: Any, proxy: Any, *, headed: bool) -> Any:
        if proxy or headed:
            return await REAL_LAUNCH(playwright, chromium, proxy, headed=headed)
        if self._browser is None or not self._browser.is_connected():
            self._browser = await REAL_LAUNCH(playwright, chromium, None, headed=False)
        return SharedBrowser(self._browser)

    def close(self) -> None:
        if self._playwright:
            self._runner.run(self._playwright.stop())
        self._runner.close()

    def put_in_place(self, monkeypatch: MonkeyPatch) -> None:
        """Let commands in this process use what is kept, until the test ends.

        The test's own `monkeypatch` undoes it: what a test patches over it is undone first.
        """
        playwright: Callable[[], AbstractAsyncContextManager[Playwright]] = self.playwright
        monkeypatch.setattr(asyncio, "run", self.run)
        for module in (foreign_page, record_command):
            monkeypatch.setattr(module, "async_playwright", playwright)
            monkeypatch.setattr(module, "launch", self.launch)
