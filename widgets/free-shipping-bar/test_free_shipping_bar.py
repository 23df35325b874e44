"""Tests beyond the states: the bar's width, the threshold to the cent, and an empty cart."""

from playwright.sync_api import expect

from awning_harness.testing import Storefront


def test_bar_width_follows_the_cart_total(storefront: Storefront) -> None:
    visit = storefront.cart("C1", language="en", data={"threshold": 127.6})
    bar = visit.block.get_by_role("progressbar", name="Progress to free shipping from €127.60")
    expect(bar).to_have_attribute("aria-valuenow", "50")
    expect(bar.locator(".fill")).to_have_attribute("style", "width: 50%")


def test_one_cent_short_is_not_free(storefront: Storefront) -> None:
    visit = storefront.cart("C1", language="en", data={"threshold": 63.81})
    assert visit.text() == "Add €0.01 more and shipping is free."


def test_exactly_the_threshold_is_free(storefront: Storefront) -> None:
    visit = storefront.cart("C1", language="en", data={"threshold": 63.8})
    assert visit.text() == "Shipping is free for this order."


def test_an_empty_cart_has_no_bar(storefront: Storefront) -> None:
    visit = storefront.cart("empty", language="en")
    assert visit.block.count() == 0
    assert not visit.errors
