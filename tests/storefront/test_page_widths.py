"""A page of the shop is as wide as the window, also with wide content in its slot."""

import pytest

SCROLLER = """(slot) => {
  const cards = Array.from({ length: 6 }, () => '<div style="flex: none; width: 150px">card</div>').join("");
  document.querySelector(slot).innerHTML = `<div style="display: flex; overflow-x: auto">${cards}</div>`;
}"""

SLOTS = {
    "product/1": ".placeholder-after-price",
    "cart": ".placeholder-after-cart",
    "cart?cart=empty&assumptions=empty-cart%3Devent": ".placeholder-after-cart",
    "checkout": ".placeholder-after-checkout",
}


@pytest.mark.parametrize("path", ["en/order?currency=JPY&cart=P4x99", "lv/checkout?currency=AED&cart=P4x99"])
def test_long_amounts_do_not_widen_the_page_of_a_phone(tab, path):
    tab.page.set_viewport_size({"width": 360, "height": 800})
    tab.open(path)
    assert tab.page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize(("path", "slot"), SLOTS.items(), ids=["product", "cart", "empty-cart", "checkout"])
def test_a_scroller_in_a_slot_does_not_widen_the_page(tab, path, slot, width):
    tab.page.set_viewport_size({"width": width, "height": 800})
    tab.open(f"en/{path}")
    tab.page.evaluate(SCROLLER, slot)
    scroller = tab.page.locator(slot).locator("> div")
    assert tab.page.evaluate("document.documentElement.scrollWidth") == width
    assert scroller.evaluate("one => one.clientWidth") < 900
    assert scroller.evaluate("one => one.scrollWidth") == 900
