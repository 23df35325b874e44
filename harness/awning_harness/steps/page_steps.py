"""The steps of a shopper on a page: choose a variant, enter a code, choose shipping, wait, act in the block.

Each step first checks whether it is possible on the page and, except for a click and typing in the block, whether it
changes anything. If not, it fails with the reason, at once or after WITHIN_MS. Playwright alone would wait for half a
minute.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Locator, Response
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from awning.workspace.steps import WAIT, Step, StepSyntaxError, read_step
from awning.workspace.store import Store
from awning.workspace.store.records import ProductRecord
from awning_harness.pages.store_names import require_shipping, require_variant
from awning_harness.pages.tabs import Tab
from awning_harness.steps.block_steps import take_in_block
from awning_harness.steps.failures import StepFailed, explain_timeout

WITHIN_MS = 5000
"""How many milliseconds an element may take to become clickable, and the shop to respond."""

ONLY_CHECKOUT = "only the checkout does, and an empty cart has no checkout"

MOVE_CLOCK = """async (page, { ms, within }) => {
  const clock = page[Symbol.for("awning.clock")];
  if (!clock) return "the clock of the page does not stand still: open the page with `now`";
  return await clock.wait(ms, within) ? "" : `the page's timers take more than ${within / 1000} s`;
}"""
"""JavaScript that moves the page's clock (jsrc/storefront/clock.ts). It returns why that is not possible, else ""."""


def take(tab: Tab, store: Store, product: ProductRecord | None, block: Locator, words: str) -> None:
    """Take one step of a state, such as `select L/Blue` or `click "button.more"`. `block` is the widget's block.

    Raises StepFailed when the step is not possible or changes nothing, NotInTheStore for an unknown variant or way of
    shipping, and Stuck when the page does not respond.
    """
    try:
        step = read_step(words)
    except StepSyntaxError as error:
        raise StepFailed(f"{error}; {error.hint}") from error
    argument = step.arguments[0] if step.arguments else None
    if step.is_in_block:
        take_in_block(tab, block, step, within_ms=WITHIN_MS)
    elif step.verb == "discount":
        enter_code(tab, argument)
    elif step.verb == "shipping":
        choose_shipping(tab, store, argument or "")
    elif step.verb == WAIT:
        if why := tab.evaluate(f"(step) => ({MOVE_CLOCK})(window, step)", waiting(step)):
            raise StepFailed(why)
    elif not select(tab, product, argument or ""):
        raise StepFailed(f"{argument} is already selected")


def select(tab: Tab, product: ProductRecord | None, variant: str) -> bool:
    """Choose a variant by its id or its options in English. Returns False if it was already chosen.

    Raises NotInTheStore for an unknown variant, StepFailed when its options cannot be clicked, and Stuck when the page
    does not respond.
    """
    record = require_variant(product, variant)
    changed = False
    for dimension, option in enumerate(record.options):
        choice = tab.page.locator(f"form[data-buy] select[data-option='{dimension}']")
        with explain_timeout(tab, f"the option of {variant!r}"):
            if choice.evaluate("(choice) => choice.selectedIndex", timeout=WITHIN_MS) != option:
                choice.click(trial=True, timeout=WITHIN_MS)  # a list that something covers cannot be opened
                choice.select_option(index=option, timeout=WITHIN_MS)
                changed = True
    return changed


def enter_code(tab: Tab, code: str | None) -> None:
    """Enter a discount code at the checkout; None removes the present code.

    Raises StepFailed when that is not possible or changes nothing, and Stuck when the page does not respond.
    """
    form = tab.page.locator("form[data-code][data-quote]")
    if not form.count():
        raise StepFailed(f"this page accepts no discount code: {ONLY_CHECKOUT}")
    applied = tab.page.locator("dl[data-totals]").get_attribute("data-code-value", timeout=WITHIN_MS)
    if code is None and not applied:
        raise StepFailed("there is no discount code to remove")
    if code is not None and not code.strip():
        raise StepFailed("an empty discount code is never sent; to remove a code, use None")
    if code is not None and applied == code.strip():
        raise StepFailed(f"the discount code {applied} is already applied")
    with _quoted(tab), explain_timeout(tab, "the discount code"):
        if code is None:
            tab.page.locator("button[data-remove-code]").click(timeout=WITHIN_MS)
        else:
            form.locator("input[name=code]").fill(code, timeout=WITHIN_MS)
            form.locator("button[type=submit]").click(timeout=WITHIN_MS)


def choose_shipping(tab: Tab, store: Store, way: str) -> None:
    """Choose a way of shipping of the store, such as `parcel` or `pickup`.

    Raises NotInTheStore for an unknown way of shipping, StepFailed when it cannot be chosen or is chosen already, and
    Stuck when the page does not respond.
    """
    require_shipping(store, way)
    radio = tab.page.locator(f"input[name=shipping][data-shipping][value='{way}']")
    if not radio.count():
        raise StepFailed(f"this page has no choice of delivery: {ONLY_CHECKOUT}")
    if radio.is_checked():
        raise StepFailed(f"{way} is chosen already")
    with _quoted(tab), explain_timeout(tab, f"the delivery by {way}"):
        _label(radio).click(timeout=WITHIN_MS)


def waiting(step: Step) -> dict[str, Any]:
    """Return a wait as the argument of MOVE_CLOCK."""
    return {"verb": WAIT, "ms": step.seconds * 1000, "within": WITHIN_MS}


def _label(radio: Locator) -> Locator:
    """Return the label that a shopper clicks. The radio button itself may be transparent."""
    return radio.locator("xpath=..")


@contextmanager
def _quoted(tab: Tab) -> Iterator[None]:
    """Wait, after the `with` block, until the shop has sent the new total and the page shows it.

    Raises StepFailed when this takes more than WITHIN_MS.
    """

    def is_quote(response: Response) -> bool:
        return response.url.partition("?")[0].endswith("/checkout/quote")

    try:
        with tab.page.expect_response(is_quote, timeout=WITHIN_MS):
            yield
        tab.page.locator("dl[data-totals]:not([aria-busy])").wait_for(timeout=WITHIN_MS)
    except PlaywrightTimeout as late:
        raise StepFailed(f"the page does not show the new total within {WITHIN_MS // 1000} s") from late
