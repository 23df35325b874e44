"""The deliveries to an app on the storefront and their order, in a real browser."""

import json
from time import monotonic
from urllib.parse import quote

import pytest
from playwright.sync_api import expect
from shop_choices import choose_option

from awning.contract import Dialect
from awning_harness.storefront import FixedSnippets
from awning_harness.storefront.scenarios import SCENARIOS as SITUATIONS
from awning_harness.storefront.scenarios import in_dialect

FIRST = ["after-price", "after-price-updated", "after-price-updated"]


@pytest.mark.parametrize(("product", "variant"), [("1", "101"), ("8", "801")])
def test_a_product_page_fires_base_then_updated_twice_with_the_first_variant(tab, product, variant):
    tab.open(f"en/product/{product}")
    assert tab.events == FIRST
    assert [entry["args"] for entry in tab.seen] == [3, 4, 4]
    assert [entry["updated"]["selectedVariantId"] for entry in tab.seen[1:]] == [variant, variant]


@pytest.mark.parametrize("product", ["2", "6"])
def test_a_product_without_variants_fires_the_base_event_only(tab, product):
    assert tab.open(f"en/product/{product}").events == ["after-price"]


def test_product_on_request_fires_no_event(tab):
    assert tab.open("en/product/7").events == []


def test_choosing_a_variant_fires_updated_with_the_same_item(tab):
    tab.open("lv/product/1")
    choose_option(tab.page, "Zila")
    choose_option(tab.page, "M")
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
    choose_option(tab.page, "M")
    assert tab.events == FIRST
    assert tab.page.locator("[data-add]").is_disabled()
    choose_option(tab.page, "Blue")
    assert tab.events == [*FIRST, "after-price-updated"]
    assert tab.page.locator("[data-add]").is_enabled()


def test_choosing_a_variant_changes_the_page(tab):
    tab.open("en/product/1")
    assert tab.text(".product-price") == "€19.90"
    assert sold_out(tab) == ["Blue (Sold out)"]
    choose_option(tab.page, "M")
    choose_option(tab.page, "Blue")
    assert tab.text(".product-price") == "€18.90"
    assert tab.text(".product-price-undiscounted") == "€22.90"
    assert tab.text("[data-stock]") == "In stock: 2"
    assert tab.text("[data-sku]") == "LT-100-M-B"
    assert sold_out(tab) == ["S (Sold out)"]
    choose_option(tab.page, "L")
    choose_option(tab.page, "Red")
    assert tab.text("[data-stock]") == "Available"
    assert tab.text("[data-weight]") == "210 g"


def test_a_sold_out_variant_can_be_chosen_but_not_bought(tab):
    tab.open("de/product/1")
    choose_option(tab.page, "Blau")
    assert tab.seen[-1]["updated"]["selectedVariantId"] == "102"
    button = tab.page.locator("[data-add]")
    assert button.is_disabled()
    assert button.inner_text() == "Ausverkauft"


def test_product_is_added_to_the_side_cart_and_the_page_stays(tab):
    tab.open("en/product/5?cart=empty")
    tab.page.evaluate("window.stays = true")
    choose_option(tab.page, "1 kg")
    count = len(tab.events)
    tab.page.get_by_role("button", name="One more").click()
    tab.page.get_by_role("button", name="Add to cart").click()
    last = tab.wait_for_events(count + 1)[-1]
    assert last["event"] == "svc-content-after-cart"
    assert last["params"]["cartData"]["total"] == 59.8
    side = tab.page.get_by_role("complementary", name="Cart")
    expect(side.locator(".placeholder-after-cart")).to_have_text("svc-content-after-cart")
    expect(side).to_be_focused()
    assert tab.page.locator("[data-pieces]").inner_text() == "2"
    assert tab.page.evaluate("window.stays")
    assert tab.page.url.endswith("/product/5?cart=5.502x2")
    tab.page.keyboard.press("Escape")
    expect(side).to_be_hidden()
    tab.page.get_by_role("link", name="Cart 2 pieces").click()
    assert tab.text(".sum-total dd") == "€59.80"


def test_product_that_is_added_twice_is_in_the_cart_twice(tab):
    tab.open("en/product/2?cart=empty")
    tab.page.evaluate("() => { for (let i = 0; i < 2; i++) document.querySelector('[data-add]').click(); }")
    assert tab.wait_for_events(3)[-1]["params"]["cartData"]["total"] == 48


def test_product_is_added_with_a_page_load_if_the_assumption_says_so(tab):
    tab.open("en/product/5?cart=empty&assumptions=cart-changes%3Dpage-load")
    tab.page.get_by_role("button", name="Add to cart").click()
    tab.page.wait_for_url("**/cart?cart=5.501x1&*")
    assert tab.wait_for_events(1)[0]["params"]["cartData"]["total"] == 9.4


def test_variants_can_be_chosen_with_the_keyboard(tab):
    tab.open("en/product/1")
    tab.page.get_by_label("Size").focus()
    tab.page.keyboard.press("ArrowDown")
    assert tab.seen[-1]["updated"]["selectedVariantId"] == "103"


@pytest.mark.parametrize(("query", "total"), [("", 63.8), ("?cart=P3x3", 150), ("?cart=free", 0)])
def test_the_cart_page_fires_after_cart_once(tab, query, total):
    tab.open(f"en/cart{query}")
    assert tab.events == ["after-cart"]
    assert tab.seen[0]["params"]["cartData"]["total"] == total
    assert tab.text(".placeholder-after-cart") == "svc-content-after-cart"


def test_empty_cart_fires_no_event(tab):
    assert tab.open("en/cart?cart=empty").events == []


def test_changed_quantity_replaces_the_cart_in_place_with_a_new_host(tab):
    tab.open("en/cart")
    tab.page.evaluate("window.before = document.querySelector('.placeholder-after-cart')")
    more = tab.page.get_by_role("group", name="Quantity: Ceramic").get_by_role("button", name="One more")
    more.click()
    assert tab.wait_for_events(2)[1]["params"]["cartData"]["total"] == 87.8
    assert tab.text(".sum-total dd") == "€87.80"
    assert tab.text(".placeholder-after-cart") == "svc-content-after-cart"
    assert tab.page.evaluate(
        "[before.isConnected, before !== document.querySelector('.placeholder-after-cart')]"
    ) == [
        False,
        True,
    ]
    assert tab.page.evaluate("seen[0].params !== seen[1].params")
    expect(tab.page.get_by_role("button", name="One more").first).to_be_focused()
    assert tab.page.url.endswith("/cart?cart=1.103x2%2C2x2")
    more.click()
    assert tab.wait_for_events(3)[2]["params"]["cartData"]["total"] == 111.8


def test_removed_lines_replace_the_cart_in_place_until_it_is_empty(tab):
    tab.open("en/cart")
    tab.page.get_by_role("link", name="Remove Ceramic").click()
    assert tab.wait_for_events(2)[1]["params"]["cartData"]["total"] == 39.8
    tab.page.get_by_role("link", name="Remove Linen").click()
    tab.page.get_by_text("Your cart is empty").wait_for()
    assert len(tab.events) == 2
    expect(tab.page.locator(".basket-count")).to_be_hidden()
    assert tab.page.url.endswith("/cart?cart=empty")


def test_changed_quantity_loads_the_page_if_the_assumption_says_so(tab):
    tab.open("en/cart?assumptions=cart-changes%3Dpage-load")
    tab.page.get_by_role("group", name="Quantity: Ceramic").get_by_role("button", name="One more").click()
    tab.page.wait_for_url("**/cart?*cart=1.103x2%2C2x2")
    assert tab.wait_for_events(1)[0]["params"]["cartData"]["total"] == 87.8


@pytest.mark.parametrize("csp", ["nonce", "trusted-types"])
def test_cart_can_be_changed_under_a_content_security_policy(tab, csp):
    tab.open(f"en/cart?csp={csp}")
    tab.page.get_by_role("link", name="Remove Ceramic").click()
    expect(tab.page.locator(".sum-total dd")).to_have_text("€39.80")


def test_cart_keeps_the_payload_of_the_address_when_it_is_replaced(tab):
    tab.open("en/cart?payload=" + quote(json.dumps({"cartData": {"total": 5, "total_no_discount": 5}})))
    tab.page.get_by_role("link", name="Remove Ceramic").click()
    assert tab.wait_for_events(2)[1]["params"]["cartData"]["total"] == 5


def test_scenario_replaces_the_cart_twice(tab):
    tab.open("en/cart?scenario=cart-replaced")
    totals = [entry["params"]["cartData"]["total"] for entry in tab.wait_for_events(3)]
    assert totals == [63.8, 83.7, 63.8]


def test_scenario_has_two_carts_with_one_host(tab):
    tab.open("en/cart?scenario=two-carts")
    assert tab.events == ["after-cart"]
    assert tab.page.locator(".placeholder-after-cart").all_inner_texts() == ["svc-content-after-cart"] * 2
    tab.page.evaluate("document.querySelector('[data-cart] .line-remove').click()")
    assert tab.wait_for_events(2)[1]["params"]["cartData"]["total"] == 24
    assert tab.page.locator(".placeholder-after-cart").all_inner_texts() == ["svc-content-after-cart"] * 2


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
    blocks = tab.page.locator(".placeholder-after-price > div")
    tab.page.wait_for_function(
        "count => document.querySelectorAll('.placeholder-after-price > div').length >= count",
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
    deadline = monotonic() + 30
    with tab.page.expect_request("**/checkout/quote?*"):
        use_code(tab, "SAVE10")
    with tab.page.expect_request("**/checkout/quote?*"):
        tab.page.get_by_text("Pick up in the shop").click()
    while len(held) < 2 and monotonic() < deadline:  # the request is told of before its route
        tab.page.wait_for_timeout(10)
    assert len(held) == 2
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


def sold_out(tab):
    return tab.page.locator("option", has_text="Sold out").all_text_contents()


def use_code(tab, code):
    tab.page.get_by_label("Discount code").fill(code)
    tab.page.get_by_role("button", name="Apply").click()


READY_APPS = """
<script>
window.seen = [];
for (const app of ["A", "B"]) {
  jQuery(function () {
    for (const event of ["svc-content-after-price", "svc-content-after-price-updated"]) {
      svcPlugins.subscribeEvent(event, (given, init, params) => {
        const what = event.endsWith("d") ? "updated" : "base";
        window.seen.push({ app, what, live: given instanceof jQuery.Event });
        if (what === "base") setTimeout(() => window.seen.push({ app, what: "timer" }));
      });
    }
  });
}
</script>
"""
THROWING_APP = "<script>jQuery(function () { throw new Error('foreign'); });</script>"


def test_apps_that_subscribe_in_ready_handlers_get_the_base_event_replayed_and_the_update_live(
    browser, shop_with
):
    page = browser.new_page()
    page.goto(shop_with(FixedSnippets(body=READY_APPS)) + "/en/product/1")
    page.wait_for_function("window.seen.length === 8")
    told = [(entry["app"], entry["what"], entry.get("live")) for entry in page.evaluate("window.seen")]
    assert told == [
        ("A", "base", False),
        ("B", "base", False),
        ("A", "updated", True),
        ("B", "updated", True),
        ("A", "updated", True),
        ("B", "updated", True),
        ("A", "timer", None),
        ("B", "timer", None),
    ]
    page.close()


def test_ready_handler_that_throws_leaves_the_base_event_and_no_update(browser, shop_with, recorder):
    page = browser.new_page()
    page.goto(shop_with(FixedSnippets(body=recorder + THROWING_APP)) + "/en/product/1")
    choose_option(page, "M")
    assert page.evaluate("window.seen.map((entry) => entry.event)") == ["svc-content-after-price"]
    assert page.locator(".product-price").inner_text() == "€19.90"
    page.close()


CONTROLS = """
<script>
window.sent = [];
svcPlugins.subscribeEvent("svc-content-after-price", function (event, init) {
  init().setContent('<button class="plain">Plain</button><b class="product-price">old</b>' +
    '<form class="own"><input name="q" value="x"><button>Send</button></form>');
  document.querySelector(".own").addEventListener("submit", (submit) => {
    submit.preventDefault();
    window.sent.push(new FormData(submit.target).get("q"));
  });
});
</script>
"""


def test_form_and_button_of_a_widget_are_outside_of_the_shops_form(browser, shop_with):
    page = browser.new_page()
    url = shop_with(FixedSnippets(body=CONTROLS)) + "/en/product/1"
    page.goto(url)
    page.locator(".plain").click()
    page.locator(".own button").click()
    assert page.evaluate("window.sent") == ["x"]
    assert page.locator(".plain").evaluate("(button) => button.form") is None
    assert page.url == url
    page.close()


def test_price_elements_are_rewritten_by_class_in_the_slot_too(browser, shop_with):
    page = browser.new_page()
    page.goto(shop_with(FixedSnippets(body=CONTROLS)) + "/en/product/1")
    choose_option(page, "M")
    choose_option(page, "Blue")
    assert page.locator(".product-price").all_inner_texts() == ["€18.90", "€18.90"]
    page.close()
