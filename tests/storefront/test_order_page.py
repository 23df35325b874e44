"""The page after a finished order, and the way from a product to it."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from shop_choices import choose_option

ORDER = "/1/en/order?cart=1.103x2,2x1&code=SAVE10&shipping=parcel"


def test_order_has_the_lines_and_the_sums_of_its_address(get):
    soup = get(ORDER).soup
    assert [name.get_text() for name in soup.select(".line-name > span:first-child")] == [
        "Linen T-shirt",
        'Ceramic Mug "Rīga"',
    ]
    sums = {row.dt.get_text(): row.dd.get_text() for row in soup.select("dl div")}
    assert sums == {
        "Subtotal": "€63.80",
        "Discount · SAVE10": "\N{MINUS SIGN}€6.38",
        "Delivery · Parcel machine": "€3.50",
        "Total": "€60.92",
        "of which VAT 21 %": "€10.57",
    }


def test_order_has_a_number_that_depends_on_its_address_alone(get):
    numbers = [
        get(url).soup.select_one(".eyebrow").get_text() for url in (ORDER, ORDER, ORDER + "&now=2026-01-01")
    ]
    assert numbers == [numbers[0]] * 3
    assert get("/1/en/order?cart=2x1").soup.select_one(".eyebrow").get_text() != numbers[0]


def test_after_the_order_the_cart_is_empty_and_the_other_languages_have_the_order(get):
    soup = get(ORDER + "&currency=USD").soup
    basket = soup.select_one(".basket")
    assert basket.select_one(".basket-count").has_attr("hidden")
    assert parse_qs(urlsplit(basket["href"]).query) == {"cart": ["empty"], "currency": ["USD"]}
    german = parse_qs(urlsplit(soup.select_one("a[hreflang=de]")["href"]).query)
    assert german == {
        "cart": ["1.103x2,2x1"],
        "code": ["SAVE10"],
        "shipping": ["parcel"],
        "currency": ["USD"],
    }


def test_order_of_an_empty_cart_leads_to_the_cart(get):
    answer = get("/1/en/order?cart=empty")
    assert (answer.status, answer.headers["location"]) == (303, "/1/en/cart?cart=empty")


@pytest.mark.parametrize(("answer", "has"), [("snippets", True), ("none", False)])
def test_snippets_on_the_order_page_are_an_assumption(get, answer, has):
    assert ("the app's body" in get(f"{ORDER}&assumptions=order-page={answer}").text) is has


def test_order_has_no_container_and_the_page_value_of_the_catalogue(get):
    answer = get(ORDER)
    assert "svc-content" not in answer.text
    assert json.loads(answer.text.partition("var page=")[2].partition(";")[0])["page"] == "catalog"


def test_checkout_hands_its_code_and_shipping_to_the_order_without_scripts(get):
    form = get("/1/en/checkout?code=SAVE10&shipping=pickup").soup.select_one("form#order")
    owned = form.find_parents("html")[0].select("[form=order], form#order input")
    values = {i["name"]: i["value"] for i in owned if i["type"] == "hidden" or i.has_attr("checked")}
    assert values == {"cart": "1.103x2,2x1", "code": "SAVE10", "shipping": "pickup"}


def test_a_shopper_walks_from_the_product_to_the_order(tab):
    tab.open("en/product/1?cart=empty&currency=JPY")
    choose_option(tab.page, "L")
    assert tab.text(".product-price") == "¥3,664"
    tab.page.locator("[data-add]").click()
    tab.page.get_by_role("link", name="Go to checkout").click()
    tab.page.get_by_label("Name").fill("Anna Example")
    tab.page.get_by_label("E-mail").fill("anna@example.com")
    tab.page.get_by_label("Discount code").fill("SAVE10")
    tab.page.get_by_role("button", name="Apply").click()
    tab.page.get_by_text("Code SAVE10 applied").wait_for()
    with tab.page.expect_response("**/checkout/quote*"):
        tab.page.get_by_text("Pick up in the shop").click()
    tab.page.get_by_role("button", name="Place order").click()
    tab.page.get_by_role("heading", name="Thank you for your order").wait_for()
    assert tab.text(".sum-total dd") == "¥3,298"
    assert tab.events == []
    address = parse_qs(urlsplit(tab.page.url).query)
    assert address == {"cart": ["1.105x1"], "currency": ["JPY"], "code": ["SAVE10"], "shipping": ["pickup"]}
