"""The steps of a shopper on a page: choose a variant, enter a discount code, choose a way of shipping.

Each step first checks whether it is possible on the page and whether it changes anything. If not, it fails at once with
the reason. Playwright alone would wait for half a minute.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, Response
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from awning.workspace.store import Store
from awning.workspace.store.records import ProductRecord
from awning_harness.store_names import require_shipping, require_variant
from awning_harness.tabs import Tab

VERBS = ("select", "discount", "shipping")
WITHIN_MS = 5000
"""The most milliseconds until an element must be clickable, and until the shop must respond."""

ONLY_CHECKOUT = "only the checkout does, and an empty cart has no checkout"

_COVERS = re.compile(r"(<.*>) (?:from .* subtree )?intercepts pointer events")


class StepFailed(ValueError):
    """A step is not possible on the page or changes nothing. The message has the reason.

    `index` is the step's place in the state's `steps`, from 0; None outside a state.
    """

    def __init__(self, why: str, *, index: int | None = None) -> None:
        super().__init__(why)
        self.index = index


def take(tab: Tab, store: Store, product: ProductRecord | None, words: str) -> None:
    """Take one step of a state: `select L/Blue`, `discount SAVE10`, `discount`, `shipping pickup`.

    Raises StepFailed when the step is not possible, NotInTheStore for an unknown variant or way of shipping.
    """
    verb, _, rest = (part.strip() for part in words.strip().partition(" "))
    if verb == "select":
        if not select(tab, product, rest):
            raise StepFailed(f"{rest} is already selected")
    elif verb == "discount":
        enter_code(tab, rest or None)
    elif verb == "shipping":
        choose_shipping(tab, store, rest)
    else:
        raise StepFailed(f"a step is {', '.join(VERBS[:-1])} or {VERBS[-1]}, not {verb!r}")


def select(tab: Tab, product: ProductRecord | None, variant: str) -> bool:
    """Choose a variant by its id or its options in English. Returns False if it was already chosen."""
    record = require_variant(product, variant)
    changed = False
    for dimension, option in enumerate(record.options):
        radio = tab.page.locator(f"form[data-buy] input[data-option='{dimension}']").nth(option)
        with _explain_click_timeout(tab, f"the option of {variant!r}"):
            if not radio.is_checked(timeout=WITHIN_MS):
                _label(radio).click(timeout=WITHIN_MS)
                changed = True
    return changed


def enter_code(tab: Tab, code: str | None) -> None:
    """Enter a discount code at the checkout; None removes it. Raises StepFailed when that is not possible."""
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
    with _quoted(tab), _explain_click_timeout(tab, "the discount code"):
        if code is None:
            tab.page.locator("button[data-remove-code]").click(timeout=WITHIN_MS)
        else:
            form.locator("input[name=code]").fill(code, timeout=WITHIN_MS)
            form.locator("button[type=submit]").click(timeout=WITHIN_MS)


def choose_shipping(tab: Tab, store: Store, way: str) -> None:
    """Choose the way of shipping: `parcel` or `pickup`. Raises StepFailed when that is not possible."""
    require_shipping(store, way)
    radio = tab.page.locator(f"input[name=shipping][data-shipping][value='{way}']")
    if not radio.count():
        raise StepFailed(f"this page has no choice of delivery: {ONLY_CHECKOUT}")
    if radio.is_checked():
        raise StepFailed(f"{way} is chosen already")
    with _quoted(tab), _explain_click_timeout(tab, f"the delivery by {way}"):
        _label(radio).click(timeout=WITHIN_MS)


def _label(radio: Locator) -> Locator:
    """Return the label that a shopper clicks. The radio button itself may be transparent."""
    return radio.locator("xpath=..")


@contextmanager
def _quoted(tab: Tab) -> Iterator[None]:
    """Wait after the block until the page shows the new total, which the shop has sent."""

    def is_quote(response: Response) -> bool:
        return response.url.partition("?")[0].endswith("/checkout/quote")

    try:
        with tab.page.expect_response(is_quote, timeout=WITHIN_MS):
            yield
        tab.page.locator("dl[data-totals]:not([aria-busy])").wait_for(timeout=WITHIN_MS)
    except PlaywrightTimeout as late:
        raise StepFailed(f"the page does not show the new total within {WITHIN_MS // 1000} s") from late


@contextmanager
def _explain_click_timeout(tab: Tab, what: str) -> Iterator[None]:
    try:
        yield
    except PlaywrightTimeout as late:
        tab.require_responsive(within_ms=1000)
        cover = _COVERS.search(str(late))
        why = f"{cover[1]} covers it" if cover else "it cannot be clicked"
        raise StepFailed(f"a shopper cannot reach {what}: {why}") from late
