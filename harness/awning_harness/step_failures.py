"""How a step of a shopper fails: at once, with the reason on the page."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import TimeoutError as PlaywrightTimeout

from awning_harness.tabs import Tab

_COVERS = re.compile(r"(<.*>) (?:from .* subtree )?intercepts pointer events")


class StepFailed(ValueError):
    """A step is not possible on the page or changes nothing. The message has the reason.

    `index` is the step's place in the state's `steps`, from 0; None outside a state.
    """

    def __init__(self, why: str, *, index: int | None = None) -> None:
        super().__init__(why)
        self.index = index


@contextmanager
def explain_timeout(tab: Tab, what: str) -> Iterator[None]:
    """Raise StepFailed with the reason when Playwright cannot act on an element, which is called `what`."""
    try:
        yield
    except PlaywrightTimeout as late:
        tab.require_responsive(within_ms=1000)
        cover = _COVERS.search(str(late))
        why = f"{cover[1]} covers it" if cover else "it cannot be clicked"
        if "element is not enabled" in str(late):
            why = "it is disabled"
        raise StepFailed(f"a shopper cannot reach {what}: {why}") from late
