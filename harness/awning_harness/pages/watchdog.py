"""Ends a call to a page whose script never ends. Playwright's `evaluate` has no time limit of its own.

While a test waits for the browser, Playwright's event loop runs in the same thread. A timer of that loop closes the
page's browser context, so the waiting call fails.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import greenlet  # type: ignore[import-untyped]
from playwright.sync_api import BrowserContext, Error


class NeverEnds(RuntimeError):
    """A script keeps a page busy. Its browser context is closed."""


@contextmanager
def ends_within(context: BrowserContext, *, ms: float) -> Iterator[None]:
    """Close `context` if the block takes longer than `ms`. Raises NeverEnds if the block then fails with Error."""
    is_late = False

    def close() -> None:
        nonlocal is_late
        is_late = True
        # In a greenlet of its own, as Playwright calls event handlers: the loop must go on while the call waits.
        greenlet.greenlet(context.close).switch()

    timer = asyncio.get_running_loop().call_later(ms / 1000, close)
    try:
        yield
    except Error as error:
        if is_late:
            raise NeverEnds("the page does not respond: a script on it never ends") from error
        raise
    finally:
        timer.cancel()
