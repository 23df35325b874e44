"""Ends a call to a page whose script never ends. Playwright's `evaluate` has no time limit of its own.

While a test waits for the browser, Playwright's event loop runs in the same thread. A timer of that loop closes the
page's browser context, so the waiting call fails.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import greenlet  # type: ignore[import-untyped]
from playwright.sync_api import BrowserContext, Error, Page

from awning_harness.visit.pages.causes import NEVER_ENDS

PAUSE_MS = 2000
"""The most milliseconds to wait until a script that never ends is paused."""


class NeverEnds(RuntimeError):
    """A script keeps a page busy. Its browser context is closed.

    The message has the stack of the script if a `Debugger` found it.
    """


class Debugger:
    """Pauses a script that never ends, to learn where it is.

    Chromium pauses a script only on a page that it debugged before the script began. Such a page is slower, and keeps
    the source of every script. So only a page that is opened to find a script that never ends has a debugger.
    """

    def __init__(self, page: Page) -> None:
        self._names: dict[str, str] = {}
        self._devtools = page.context.new_cdp_session(page)
        self._devtools.on("Debugger.scriptParsed", self._on_script)
        self._devtools.send("Debugger.enable")
        self._devtools.send("Debugger.setBreakpointsActive", {"active": False})  # `debugger` in the widget

    def pause(self, on_paused: Callable[[str], None]) -> None:
        """Pause the running script, and call `on_paused` with its stack."""
        self._devtools.once("Debugger.paused", lambda event: on_paused(self._stack_of(event["callFrames"])))
        self._devtools.send("Debugger.pause")

    def _on_script(self, event: dict[str, Any]) -> None:
        self._names[event["scriptId"]] = event["url"]

    def _stack_of(self, frames: list[dict[str, Any]]) -> str:
        """Return the stack as an error has it."""
        lines: list[str] = []
        for frame in frames:
            location = frame["location"]
            name = self._names.get(location["scriptId"]) or "<anonymous>"
            place = f"{name}:{location['lineNumber'] + 1}:{location['columnNumber'] + 1}"
            function = frame["functionName"]
            lines.append(f"    at {function} ({place})" if function else f"    at {place}")
        return "\n".join(lines)


class TimeLimit:
    """Calls `on_late` when `ms` milliseconds are over."""

    def __init__(self, ms: float, on_late: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._seconds = ms / 1000
        self._on_late = on_late
        self._timer = self._loop.call_later(self._seconds, on_late)

    def begin_anew(self) -> None:
        """Begin the time anew, unless it is over."""
        if self._loop.time() < self._timer.when():
            self._timer.cancel()
            self._timer = self._loop.call_later(self._seconds, self._on_late)

    def end(self) -> None:
        self._timer.cancel()


@contextmanager
def ends_within(
    context: BrowserContext, *, ms: float, debugger: Debugger | None = None
) -> Iterator[TimeLimit]:
    """Close `context` if the block takes longer than `ms`. Raises NeverEnds if the block then fails with Error.

    With a debugger of the page, the exception has the stack of the script.
    """
    loop = asyncio.get_running_loop()
    pauses: list[asyncio.TimerHandle] = []
    is_late = False
    stack = ""

    def close() -> None:
        # In a greenlet of its own, as Playwright calls event handlers: the loop must go on while the call waits.
        greenlet.greenlet(context.close).switch()

    def on_paused(stack_of_script: str) -> None:
        nonlocal stack
        stack = stack_of_script
        close()

    def on_late() -> None:
        nonlocal is_late
        is_late = True
        if debugger is None:
            close()
        else:
            pauses.append(loop.call_later(PAUSE_MS / 1000, close))
            greenlet.greenlet(debugger.pause).switch(on_paused)

    limit = TimeLimit(ms, on_late)
    try:
        yield limit
    except Error as error:
        if is_late:
            raise NeverEnds(f"{NEVER_ENDS}\n{stack}".rstrip()) from error
        raise
    finally:
        limit.end()
        for timer in pauses:
            timer.cancel()
