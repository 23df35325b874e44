"""Opens a page that is not ours in Chromium, behind the gate and the proxy, for a preview or a recording."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from playwright.async_api import (
    Browser,
    Dialog,
    Download,
    Error,
    Page,
    Playwright,
    ViewportSize,
    async_playwright,
)

from awning_harness.browser import Browser as Chromium
from awning_harness.browser import launch_arguments
from awning_harness.live.local_build import LocalBuild
from awning_harness.live.page_gate import GateRules, PageGate
from awning_harness.live.public_proxy import BYPASS, PublicProxy, public_proxy

_CLOSE_S = 5.0
_NO_DIRECT_UDP = "--force-webrtc-ip-handling-policy=disable_non_proxied_udp"
"""Keeps WebRTC from asking addresses that no proxy sees."""
_VIEWPORT: ViewportSize = {"width": 1280, "height": 900}


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignPage:
    """A page in a browser of its own, which is not loaded yet. `proxy` is None if private addresses are allowed."""

    browser: Browser
    page: Page
    gate: PageGate
    proxy: PublicProxy | None

    def unreachable(self) -> str | None:
        """Return why the host of the page is not connected to, as far as the proxy knows."""
        reason = self.proxy.reasons.get(self.gate.host) if self.proxy else None
        return f"cannot open {self.gate.rules.named(self.gate.host)}: {reason}" if reason else None


@asynccontextmanager
async def open_foreign_page(
    address: str,
    rules: GateRules,
    chromium: Chromium,
    say: Callable[[str], None],
    *,
    build: LocalBuild | None = None,
    headed: bool = False,
) -> AsyncIterator[ForeignPage]:
    """Start Chromium with a new profile, which is thrown away, and yield a page that is not loaded yet.

    The snippets of `build` are put into the page. Without `allow_private`, a proxy keeps the browser from private
    addresses. Downloads, dialogs and further tabs are refused, and `say` gets a line about each. No service worker is
    registered: one could answer from its cache, with the deployed snippet.
    """
    async with AsyncExitStack() as open_things:
        proxy = (
            None
            if rules.allow_private
            else await open_things.enter_async_context(public_proxy(say, rules.named))
        )
        playwright = await open_things.enter_async_context(async_playwright())
        browser = await launch(playwright, chromium, proxy, headed=headed)
        try:
            page, main_frame = await _open_page(browser, rules, say, headed=headed)
            gate = PageGate(
                devtools=await browser.new_browser_cdp_session(),
                main_frame=main_frame,
                site=urlsplit(address).hostname or "",
                build=build,
                rules=rules,
                say=say,
            )
            await gate.open()
            yield ForeignPage(browser=browser, page=page, gate=gate, proxy=proxy)
        finally:
            _forget_what_playwright_awaits()
            with suppress(Error, TimeoutError):
                await asyncio.wait_for(browser.close(), _CLOSE_S)


def _forget_what_playwright_awaits() -> None:
    """After Ctrl-C, let asyncio print nothing about calls of Playwright that nobody awaits any more.

    Ctrl-C in a terminal also ends the process with which Playwright controls the browser, and its calls with it.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        asyncio.get_running_loop().set_exception_handler(lambda _loop, _context: None)


async def launch(
    playwright: Playwright, chromium: Chromium, proxy: PublicProxy | None, *, headed: bool
) -> Browser:
    return await playwright.chromium.launch(
        executable_path=str(chromium.path),
        args=[*launch_arguments(), _NO_DIRECT_UDP],
        headless=not headed,
        proxy={"server": proxy.address, "bypass": BYPASS} if proxy else None,
    )


async def _open_page(
    browser: Browser, rules: GateRules, say: Callable[[str], None], *, headed: bool
) -> tuple[Page, str]:
    """Return a page without a cache, and the name of its main frame."""
    context = await browser.new_context(
        accept_downloads=False,
        service_workers="block",
        no_viewport=headed or None,
        viewport=None if headed else _VIEWPORT,
    )
    if rules.allow_private:
        # Chromium takes a page with changed HTML for a public one, which may not ask the local network.
        await context.grant_permissions(["local-network-access"])
    page = await context.new_page()
    devtools = await context.new_cdp_session(page)
    frames = await devtools.send("Page.getFrameTree")
    await devtools.send("Network.enable")
    await devtools.send("Network.setCacheDisabled", {"cacheDisabled": True})
    _refuse(page, say)
    return page, str(frames["frameTree"]["frame"]["id"])


def _refuse(page: Page, say: Callable[[str], None]) -> None:
    """Refuse what a page opens beside itself."""

    async def dismiss(dialog: Dialog) -> None:
        say(f"refused a dialog of the page: {dialog.type}")
        with suppress(Error):
            await dialog.dismiss()

    async def cancel(download: Download) -> None:
        say("refused a download")
        with suppress(Error):
            await download.cancel()

    async def close(tab: Page) -> None:
        say("closed a tab that the page opened")
        with suppress(Error):
            await tab.close()

    page.on("dialog", dismiss)
    page.on("download", cancel)
    page.on("popup", close)
