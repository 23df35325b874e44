"""Tests beyond the states: the order of the suggestions, where they lead, and settings of another tool."""

import pytest
from playwright.sync_api import expect

from awning_harness.testing import Storefront

TOWEL = {"name": "Towel", "address": "https://shop.example.com/towel", "beside": ["1", "2"]}
WRAPPING = {"name": "Wrapping", "address": "https://shop.example.com/wrapping"}
BEANS = {"name": "Beans", "address": "https://shop.example.com/beans", "beside": ["2"]}


def test_suggestions_for_more_products_of_the_cart_come_first(storefront: Storefront) -> None:
    visit = storefront.cart("C1", language="en", data={"suggestions": [WRAPPING, BEANS, TOWEL]})
    expect(visit.block.get_by_role("link")).to_have_text(["TTowel", "BBeans", "WWrapping"])


def test_each_suggestion_is_one_link_to_its_page(storefront: Storefront) -> None:
    visit = storefront.cart("C1", language="en", data={"suggestions": [WRAPPING]})
    link = visit.block.get_by_role("link", name="Wrapping", exact=True)
    expect(link).to_have_attribute("href", "https://shop.example.com/wrapping")
    expect(visit.block.get_by_role("link")).to_have_count(1)


def test_only_the_known_fields_rule_out_no_suggestion(storefront: Storefront) -> None:
    visit = storefront.cart(
        "C1", language="en", data={"suggestions": [BEANS, WRAPPING]}, assumptions="cart-fields=known"
    )
    expect(visit.block.get_by_role("link")).to_have_text(["BBeans", "WWrapping"])


def test_picture_that_does_not_load_leaves_an_empty_tile(storefront: Storefront) -> None:
    picture = "https://shop.example.com/wrapping.jpg"
    storefront.answer(picture, 404)
    visit = storefront.cart(
        "C1", language="en", data={"suggestions": [{**WRAPPING, "picture": picture, "price": 3.5}]}
    )
    assert visit.text().split("\n") == ["Goes well with your cart", "Wrapping", "€3.50"]
    expect(visit.block.locator("img")).to_have_attribute("alt", "")


def test_address_that_runs_a_script_is_no_link(storefront: Storefront) -> None:
    visit = storefront.cart(
        "C1", language="en", data={"suggestions": [{"name": "Trap", "address": "javascript:alert(1)"}]}
    )
    assert "javascript" not in (visit.block.get_by_role("link").get_attribute("href") or "")


def test_suggestion_with_fields_of_other_types_harms_no_other(storefront: Storefront) -> None:
    odd = {**WRAPPING, "name": 7, "beside": None, "price": "cheap", "picture": {}}
    visit = storefront.cart("C1", language="en", data={"suggestions": [odd, {**BEANS, "beside": "2"}]})
    expect(visit.block.get_by_role("link")).to_have_count(2)
    expect(visit.block.get_by_role("link").first).to_have_text("BBeans")


@pytest.mark.parametrize("stored", [None, "Towel", {"name": "Towel"}, 7])
def test_suggestions_of_another_type_show_nothing(storefront: Storefront, stored: object) -> None:
    visit = storefront.cart("C1", language="en", data={"suggestions": stored})
    assert visit.block.count() == 0
    assert not visit.errors
