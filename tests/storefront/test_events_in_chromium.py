"""The deliveries to an app on the storefront and their order, in a real browser."""

import pytest
from playwright.sync_api import expect

from awning.contract import Dialect
from awning_harness.storefront.scenarios import SCENARIOS as SITUATIONS
from awning_harness.storefront.scenarios import in_dialect

FIRST = ["after-price", "after-price-updated", "after-price-updated"]


@pytest.mark.parametrize(("product", "variant"), [("1", "101"), ("5", "501"), ("8", "801")])
def test_a_product_page_fires_base_then_updated_twice_with_the_first_variant(tab, product, variant):
    tab.open(f"en/product/{product}")
    assert tab.events == FIRST
    assert [entry["args"] for entry in tab.seen] == [3, 4, 4]
    assert [entry["updated"]["selectedVariantId"] for entry in tab.seen[1:]] == [variant, variant]


@pytest.mark.parametrize("product", ["2", "3", "4", "6"])
def test_a_product_without_variants_fires_the_base_event_only(tab, product):
    assert tab.open(f"en/product/{product}").events == ["after-price"]


def test_product_on_request_fires_no_event(tab):
    assert tab.open("en/product/7").events == []


def test_choosing_a_variant_fires_updated_with_the_same_item(tab):
    tab.open("lv/product/1")
    tab.page.get_by_text("Zila", exact=True).click()
    tab.page.get_by_text("M", exact=True).click()
    assert tab.events == [*FIRST, "after-price-updated", "after-price-updated"]
    last = tab.seen[-1]
    assert last["updated"]["selectedVariantId"] == "104"
    assert last["updated"]["selectedVariant"] == last["params"]["item"]["variants"][3]
    assert tab.page.evaluate(
        "seen[0].params.item === seen[4].updated.item && seen[0].params === seen[4].params"
    )
    assert tab.page.evaluate("seen[4].updated.selectedVariant === seen[4].params.item.variants[3]")


def test_choice_without_a_matching_variant_fires_no_event_and_cannot_be_bought(tab):
    tab.open("en/product/1")
    tab.page.evaluate("seen[0].params.item.variants.splice(2, 1)")
    tab.page.get_by_text("M", exact=True).click()
    assert tab.events == FIRST
    assert tab.page.locator("[data-add]").is_disabled()
    tab.page.get_by_text("Blue", exact=True).click()
    assert tab.events == [*FIRST, "after-price-updated"]
    assert tab.page.locator("[data-add]").is_enabled()


def test_choosing_a_variant_changes_the_page(tab):
    tab.open("en/product/1")
    assert tab.text("[data-price]") == "€19.90"
    assert tab.page.locator(".chip.sold-out").all_inner_texts() == ["Blue\nSold out"]
    tab.page.get_by_text("M", exact=True).click()
    tab.page.get_by_text("Blue", exact=True).click()
    assert tab.text("[data-price]") == "€18.90"
    assert tab.text("[data-before-price]") == "€22.90"
    assert tab.text("[data-stock]") == "In stock: 2"
    assert tab.text("[data-sku]") == "LT-100-M-B"
    assert tab.page.locator(".chip.sold-out").all_inner_texts() == ["S\nSold out"]
    tab.page.get_by_text("L", exact=True).click()
    tab.page.get_by_text("Red", exact=True).click()
    assert tab.text("[data-stock]") == "Available"
    assert tab.text("[data-weight]") == "210 g"


def test_a_sold_out_variant_can_be_chosen_but_not_bought(tab):
    tab.open("de/product/1")
    tab.page.get_by_text("Blau", exact=True).click()
    assert tab.seen[-1]["updated"]["selectedVariantId"] == "102"
    button = tab.page.locator("[data-add]")
    assert button.is_disabled()
    assert button.inner_text() == "Ausverkauft"


def test_the_chosen_variant_is_added_to_the_cart(tab):
    tab.open("en/product/5?cart=empty")
    tab.page.get_by_text("1 kg", exact=True).click()
    tab.page.get_by_role("button", name="One more").click()
    tab.page.get_by_role("button", name="Add to cart").click()
    tab.page.wait_for_url("**/cart?cart=5.502x2")
    assert tab.text(".sum-total dd") == "€59.80"
    assert tab.wait_for_events(1)[0]["params"]["cartData"]["total"] == 59.8


def test_variants_can_be_chosen_with_the_keyboard(tab):
    tab.open("en/product/1")
    tab.page.get_by_role("radio", name="S", exact=True).focus()
    tab.page.keyboard.press("ArrowRight")
    assert tab.seen[-1]["updated"]["selectedVariantId"] == "103"


@pytest.mark.parametrize(("query", "total"), [("", 63.8), ("?cart=P3x3", 150), ("?cart=free", 0)])
def test_the_cart_page_fires_after_cart_once(tab, query, total):
    tab.open(f"en/cart{query}")
    assert tab.events == ["after-cart"]
    assert tab.seen[0]["params"]["cartData"]["total"] == total
    assert tab.text("#content-after-cart") == "svc-content-after-cart"


def test_empty_cart_fires_no_event(tab):
    assert tab.open("en/cart?cart=empty").events == []


def test_a_quantity_in_the_cart_is_sent_at_once(tab):
    tab.open("en/cart")
    tab.page.get_by_role("group", name="Quantity: Ceramic").get_by_role("button", name="One more").click()
    tab.page.wait_for_url("**/cart?cart=1.103x2%2C2x2")
    assert tab.wait_for_events(1)[0]["params"]["cartData"]["total"] == 87.8


def test_checkout_fires_an_event_at_each_documented_step(tab):
    tab.open("en/checkout")
    assert tab.events == ["after-checkout"]
    steps = [
        (lambda: use_code(tab, "SAVE10"), 60.92, 67.3, "€60.92"),
        (lambda: tab.page.get_by_label("Pick up").check(), 57.42, 63.8, "€57.42"),
        (lambda: tab.page.get_by_role("button", name="Remove code").click(), 63.8, 63.8, "€63.80"),
    ]
    for count, (step, total, no_discount, price) in enumerate(steps, start=2):
        step()
        last = tab.wait_for_events(count)[-1]
        assert last["event"] == "svc-content-after-checkout-updated"
        assert (last["updated"]["total"], last["updated"]["total_no_discount"]) == (total, no_discount)
        assert last["params"]["cartData"]["total"] == 67.3, "the page-load object stays as it was"
        assert tab.text("[data-shown=total]") == price


def test_wrong_code_fires_no_event_and_shows_a_message(tab):
    tab.open("en/checkout")
    with tab.page.expect_response("**/checkout/quote*"):
        use_code(tab, "SAVE99")
    tab.page.get_by_role("alert").filter(has_text="not known").wait_for()
    assert tab.events == ["after-checkout"]
    assert tab.text("[data-shown=total]") == "€67.30"


def test_the_clock_can_be_fixed(tab):
    tab.open("en/product/2?now=2026-03-02T10:30:00")
    assert tab.page.evaluate("[new Date().getHours(), new Date().getDate(), Date.now() === +new Date()]") == [
        10,
        2,
        True,
    ]
    assert tab.page.evaluate("new Date(0).getTime() + Date.UTC(1970, 0, 1)") == 0
    assert tab.page.evaluate("new Date() instanceof Date && typeof Date() === 'string'")


SCENARIOS = {
    "late-neighbour": ["Reviews, loaded late", "svc-content-after-price"],
    "throwing-neighbour": [],
    "late-subscriber": ["svc-content-after-price", "Subscribed after the page was ready"],
    "subscribed-twice": ["svc-content-after-price", "Subscribed twice", "Subscribed twice"],
    "init-in-updated": [
        "svc-content-after-price",
        "One more block for variant 101",
        "One more block for variant 101",
    ],
    "inline-script": ["svc-content-after-price", "Content with a script"],
    "emptied": ["", "svc-content-after-price"],
    "throwing-ready-handler": [],
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenarios_show_the_observed_behaviour(tab, name):
    tab.open(f"en/product/1?scenario={name}")
    blocks = tab.page.locator("#content-after-price > div")
    tab.page.wait_for_function(
        "count => document.querySelectorAll('#content-after-price > div').length >= count",
        arg=len(SCENARIOS[name]),
    )
    assert [text.strip() for text in blocks.all_inner_texts()] == SCENARIOS[name]
    if name == "inline-script":
        assert tab.page.evaluate("foreignRuns") == 1


def test_scenarios_use_the_names_of_the_dialect():
    event = in_dialect(
        SITUATIONS["late-neighbour"].before, Dialect(global_object="acme", event_prefix="acme-")
    )
    assert 'acme.subscribeEvent("acme-content-after-price"' in event[0]
    assert "svc" not in event[0]


def test_code_and_shipping_chosen_during_a_request_both_take_effect(tab):
    tab.open("en/checkout")
    held = []
    tab.page.route("**/checkout/quote?*", lambda route: held.append(route))  # noqa: PLW0108 - not a builtin
    with tab.page.expect_request("**/checkout/quote?*"):
        use_code(tab, "SAVE10")
    with tab.page.expect_request("**/checkout/quote?*"):
        tab.page.get_by_text("Pick up in the shop").click()
    for route in held:
        route.continue_()
    expect(tab.page.locator("[data-shown=total]")).to_have_text("€57.42")


@pytest.mark.parametrize(("csp", "block"), [("nonce", None), ("trusted-types", "TrustedHTML")])
def test_pages_work_under_a_content_security_policy(tab, csp, block):
    """Under trusted-types the only error is that of the recording app, which sets a string."""
    complaints: list[str] = []
    tab.page.on("console", lambda message: complaints.append(message.text))
    tab.open(f"en/checkout?csp={csp}")
    assert tab.events == ["after-checkout"]
    assert [text for text in complaints if block is None or block not in text] == []
    assert bool(complaints) is (csp == "trusted-types")


def use_code(tab, code):
    tab.page.get_by_label("Discount code").fill(code)
    tab.page.get_by_role("button", name="Apply").click()
