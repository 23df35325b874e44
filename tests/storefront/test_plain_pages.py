"""A slot on a kind of page that has no design of its own in the simulated shop: the shop has a plain page with it."""

from dataclasses import replace

import pytest

from awning.contract import SLOTS, Dialect
from awning.contract.slots import CART_TOPIC, PRODUCT_TOPIC, SlotPage
from awning.states.state_events import state_events
from awning.workspace.store.store_files import shipped_store
from awning_harness.checks.situation import ordinary_state
from awning_harness.visit.pages.address import NotInTheStore, page_address, page_names


@pytest.fixture(params=["nothing", "product", "cart"])
def slot_on_a_plain_page(request, monkeypatch) -> str:
    """A slot on a kind of page for which the shop has no template."""
    topic = {"nothing": None, "product": PRODUCT_TOPIC, "cart": CART_TOPIC}[request.param]
    base = SLOTS["after-price" if topic == PRODUCT_TOPIC else "after-cart"]
    slot = replace(base, name="after-help", page=SlotPage(name="help", topic=topic), updates=False)
    monkeypatch.setitem(SLOTS, slot.name, slot)
    return slot.name


def test_page_without_a_template_is_a_plain_one(slot_on_a_plain_page, app_with, ask):
    store = shipped_store()
    app = app_with(languages=("en",))
    for name in page_names(store, slot_on_a_plain_page):
        address = page_address(store, slot_on_a_plain_page, name, "en", {})
        answer = ask(app, f"/1/{address.path}")
        assert answer.status == 200
        assert '"svc-content-after-help"' in answer.text
        assert '<div class="placeholder-after-help">' in answer.text


def test_gallery_shows_a_slot_on_a_plain_page(slot_on_a_plain_page):
    events = state_events(ordinary_state(slot_on_a_plain_page), "en", ("en",), Dialect())
    assert events.event == "svc-content-after-help"
    assert list(events.params) == list(SLOTS[slot_on_a_plain_page].params)


def test_page_about_nothing_of_the_store_has_no_product_and_no_cart(monkeypatch):
    page = SlotPage(name="help", topic=None)
    monkeypatch.setitem(SLOTS, "after-help", replace(SLOTS["after-cart"], name="after-help", page=page))
    with pytest.raises(NotInTheStore, match="shows no product and no cart"):
        page_address(shipped_store(), "after-help", "P1", "en", {})
