"""Prices in other currencies, and pages that are written from right to left."""

import pytest
from shop_choices import choose_option

from awning.states.cart import cart_data, currency, read_cart
from awning.states.money import display, number
from awning.states.product_payload import make_item
from awning.workspace.store.store_files import shipped_store
from awning_harness.storefront import FixedSnippets
from awning_harness.storefront.options import BadOption, read_options

STORE = shipped_store()
LEFT, RIGHT, END, MARK, MINUS = "\u2066", "\u2067", "\u2069", "\u200e", "\N{MINUS SIGN}"
SYMBOL = "د.إ"


def test_payloads_have_whole_numbers_in_a_currency_without_decimals():
    yen = STORE.in_currency("JPY")
    item = make_item(yen.find_product("P1"), yen.currency, "en")
    assert (item["currency"], item["price"], item["variants"][3]["price_undiscounted"]) == ("JPY", 3360, 3664)
    data = cart_data(read_cart("C1", yen), "en")
    assert (data["total"], data["taxes"], data["items"][0]["price"]) == (10208, 1772, 3184)
    assert all(
        isinstance(data[key], int) for key in ("total", "total_no_discount", "shipping_price", "taxes")
    )


def test_display_format_of_the_cart_event_is_that_of_the_pages():
    assert currency(STORE.in_currency("JPY")) == {
        "code": "JPY",
        "symbol": "¥",
        "position": "before",
        "decimals": 0,
        "decimal_separator": ".",
        "thousands_separator": ",",
    }


@pytest.mark.parametrize(
    ("code", "amount", "direction", "text"),
    [
        ("EUR", 423565, "ltr", "€4235.65"),
        ("EUR", -638, "rtl", f"{LEFT}{MINUS}€6.38{END}"),
        ("USD", 465922, "ltr", "$4,659.22"),
        ("JPY", 677704, "ltr", "¥677,704"),
        ("JPY", 5, "rtl", f"{LEFT}¥5{END}"),
        ("AED", 7960, "rtl", f"{RIGHT}79.60 {SYMBOL}{END}"),
        ("AED", -7960, "ltr", f"{RIGHT}{MARK}{MINUS}79.60 {SYMBOL}{END}"),
    ],
)
def test_amounts_are_shown_in_the_format_of_the_currency_and_isolated_where_directions_meet(
    code, amount, direction, text
):
    assert display(amount, STORE.in_currency(code).currency, direction) == text


@pytest.mark.parametrize(("amount", "decimals", "json"), [(3360, 0, 3360), (1500, 3, 1.5), (1000, 3, 1)])
def test_numbers_follow_the_decimals_of_the_currency(amount, decimals, json):
    assert number(amount, decimals) == json


def test_unknown_currency_is_refused_with_the_known_ones():
    with pytest.raises(BadOption, match="no currency 'XYZ'; there are EUR, USD, JPY, AED"):
        read_options({"currency": "XYZ"})


def test_links_and_forms_keep_the_currency(get):
    soup = get("/1/en/product/1?currency=JPY").soup
    assert soup.select_one("[data-buy] [name=currency]")["value"] == "JPY"
    assert soup.select_one(".basket")["href"].endswith("?currency=JPY")


def test_page_shows_the_selected_variant_in_its_currency_from_right_to_left(browser, shop_with):
    page = browser.new_page()
    page.goto(f"{shop_with(FixedSnippets())}/de/product/1?currency=AED")
    choose_option(page, "M")
    choose_option(page, "Blau")
    assert page.locator(".product-price").text_content() == f"{RIGHT}75.60 {SYMBOL}{END}"
    page.close()


def test_page_in_a_right_to_left_language_says_so_even_without_texts(app_with, ask):
    soup = ask(app_with(languages=("en", "ar", "he")), "/1/ar/product/1").soup
    assert (soup.html["lang"], soup.html["dir"], soup.h1.get_text()) == ("ar", "rtl", "قميص من الكتان")
    assert ask(app_with(languages=("en", "he")), "/1/he/cart").soup.html["dir"] == "rtl"
