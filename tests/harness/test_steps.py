"""A step that is not possible on the open page, or changes nothing, fails at once with a message."""

import re

import pytest

from awning_harness.visit.pages.address import NotInTheStore
from awning_harness.visit.steps import page_steps as steps
from awning_harness.visit.steps import visit_script

pytestmark = pytest.mark.unit("delivery-estimate")


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    """Shorten the time limit, so that a step that wrongly waits for an element or response fails soon."""
    monkeypatch.setattr(steps, "WITHIN_MS", 1000)


REFUSED = {
    "product": [
        ("select XXL/Red", "P1 has no variant 'XXL/Red'"),
        ("select S/Red", "S/Red is already selected"),
        ("discount SAVE10", "this page accepts no discount code: only the checkout does"),
        ("discount", "this page accepts no discount code"),
        ("shipping pickup", "this page has no choice of delivery"),
        ("wait 1 minute", "the clock of the page does not stand still: open the page with `now`"),
        (
            "pay",
            '"pay" is not an action of a shopper; a step begins with one of select, discount, shipping, click',
        ),
    ],
    "cart": [
        ("select S/Red", "this page has no variants"),
        ("discount SAVE10", "this page accepts no discount code"),
        ("shipping parcel", "this page has no choice of delivery"),
    ],
    "checkout": [
        ("shipping parcel", "parcel is chosen already"),
        ("shipping drone", "the store does not ship by 'drone'"),
        ("discount", "there is no discount code to remove"),
    ],
}


@pytest.mark.parametrize("page", REFUSED)
def test_an_impossible_or_useless_step_is_refused(storefront, page):
    visit = getattr(storefront, page)(language="en")
    for words, why in REFUSED[page]:
        with pytest.raises((steps.StepFailed, NotInTheStore), match=re.escape(why)):
            visit.step(words)


def test_step_at_the_checkout_of_an_empty_cart_is_refused(storefront):
    with pytest.raises(steps.StepFailed, match="an empty cart has no checkout"):
        storefront.checkout("empty", language="en").discount("SAVE10")


def test_update_of_a_slot_without_an_updated_event_is_refused(storefront):
    visit = storefront.cart("C1", language="en")
    with pytest.raises(
        steps.StepFailed, match="after-cart has no updated event: open the page with the payload"
    ):
        visit.update({"total": 90})
    assert visit.actions == []


def test_a_repeated_step_is_refused(storefront, monkeypatch):
    visit = storefront.checkout("C1", language="en")
    monkeypatch.setattr(steps, "WITHIN_MS", 5000)
    visit.discount("SAVE10")
    visit.shipping("pickup")
    for words in ("discount SAVE10", "shipping pickup"):
        with pytest.raises(steps.StepFailed, match="already"):
            visit.step(words)
    visit.discount(None)
    with pytest.raises(steps.StepFailed, match="an empty discount code is never sent"):
        visit.discount(" ")
    with pytest.raises(steps.StepFailed, match="there is no discount code"):
        visit.discount(None)


def test_covered_control_is_reported_with_the_covering_element(storefront, monkeypatch):
    visit = storefront.checkout("C1", language="en")
    visit.evaluate(
        "document.body.insertAdjacentHTML('beforeend',"
        """'<div class="veil" style="position:fixed;inset:0"></div>')"""
    )
    monkeypatch.setattr(steps, "WITHIN_MS", 1000)
    with pytest.raises(
        steps.StepFailed, match='cannot reach the delivery by pickup: <div class="veil"></div> covers'
    ):
        visit.shipping("pickup")


def test_pointer_performs_an_action_by_its_name_and_no_other_method_or_option(storefront):
    page = storefront.product("P2", language="en").page
    heading = page.wait_for_selector("h1")
    heading.evaluate("(element) => element.addEventListener('dblclick', () => { document.title = 'twice'; })")
    visit_script._perform(heading, {"method": "dblclick"}, 5000)
    assert page.title() == "twice"
    with pytest.raises(ValueError, match="cannot perform screenshot"):
        visit_script._perform(heading, {"method": "screenshot"}, 5000)
    with pytest.raises(ValueError, match="click may not have the option force"):
        visit_script._perform(heading, {"method": "click", "options": {"trial": True, "force": True}}, 5000)
