"""The exception of a shopper's step that failed, with the reason that was found on the page."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from playwright.sync_api import TimeoutError as PlaywrightTimeout

from awning_harness.visit.pages import tabs

_COVERS = re.compile(r"(<.*>) (?:from .* subtree )?intercepts pointer events")


class Responsive(Protocol):
    """The part of a tab that `explain_timeout` and the steps in the block use."""

    def require_responsive(self, *, within_ms: int) -> None:
        """Raise Stuck when JavaScript keeps the page busy for `within_ms` milliseconds."""


class StepFailed(ValueError):
    """A step is not possible on the page, or would change nothing. The message has the reason.

    `index` is the step's place in the state's `steps`, from 0; None outside a state.
    """

    def __init__(self, why: str, *, index: int | None = None) -> None:
        super().__init__(why)
        self.index = index


class PageLeft(StepFailed):
    """The frame of a widget test has another page than the one that was shown. The message names it."""


@contextmanager
def explain_timeout(tab: Responsive, what: str) -> Iterator[None]:
    """Raise StepFailed with the reason when Playwright cannot act on an element, which the message calls `what`.

    Raises Stuck instead when the page does not respond.
    """
    try:
        yield
    except PlaywrightTimeout as late:
        tab.require_responsive(within_ms=tabs.LOAD_TIMEOUT_MS)
        cover = _COVERS.search(str(late))
        why = f"{cover[1]} covers it" if cover else "it cannot be clicked"
        if "element is not enabled" in str(late):
            why = "it is disabled"
        raise StepFailed(f"a shopper cannot reach {what}: {why}") from late
