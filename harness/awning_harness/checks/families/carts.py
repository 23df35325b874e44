"""Checks of what a shop does with its cart: it replaces the cart in place, and has a second one beside it.

They run on pages that the shop replaces in place, such as that of `after-cart`. The docstring of a check says what is
wrong when the check fails.
"""

from collections.abc import Sequence

from awning.contract import SLOTS
from awning_harness.checks.families import looks_at
from awning_harness.checks.families.events import ON_THE_PLAIN_PAGE, is_steady
from awning_harness.checks.situation import CheckedWidget, Situation, each_payload
from awning_harness.checks.subject import Subject, difference, is_same
from awning_harness.visit.pages.visibility import quoted

REPLACED = "after the cart was replaced in place"
TWO_CARTS = "in a shop with a cart and a side cart"


def each_cart(checked: CheckedWidget) -> Sequence[Situation]:
    """Return the situations of `each_payload` on pages that the shop replaces in place."""
    return [each for each in each_payload(checked) if SLOTS[each.state.slot].page.replaced]


@looks_at(each_cart)
async def test_cart_replaced(subject: Subject) -> None:
    """When the shop has replaced the cart in place, the block is gone, is there twice, differs or makes errors."""
    trial = subject.trial("page", "loaded", "replaced", "replaced")
    observed, usual = await subject.observe_one(trial), (await subject.usual()).last
    subject.require_no_problems(observed, REPLACED)
    if not is_same(usual, observed.last) and await is_steady(subject):
        subject.fail(difference(REPLACED, observed.last, ON_THE_PLAIN_PAGE, usual), at=observed.last)


@looks_at(each_cart)
async def test_two_carts(subject: Subject) -> None:
    """In a shop with two carts, a cart has no block or several, the last block differs, or the widget makes errors."""
    trial = subject.trial("page", "loaded", options={"scenario": "two-carts"})
    observed, usual = await subject.observe_one(trial), (await subject.usual()).last
    subject.require_no_problems(observed, TWO_CARTS)
    blocks, wanted = observed.last.blocks, 2 * usual.blocks
    if blocks != wanted:
        sentence = f"{TWO_CARTS}, the page has {blocks} blocks of the widget instead of {wanted}"
        subject.fail(sentence, at=observed.last)
    # The first cart has a copy of the block's first content. Only the last block is the widget's to change.
    if not observed.last.form.endswith(usual.form) and await is_steady(subject):
        subject.fail(
            f"{TWO_CARTS}, the block of the last cart differs from the block {ON_THE_PLAIN_PAGE}: "
            f"the blocks show {quoted(observed.last.text)}, there it shows {quoted(usual.text)}",
            at=observed.last,
        )
