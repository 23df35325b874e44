"""The store's prices, weights and totals are the documented ones. Keys of payloads come in the observed order."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awning.states.cart import cart_data, known_cart_data, make_line
from awning.states.cart import read_cart as read_cart_of
from awning.states.json_values import inline_json
from awning.states.money import display, included_tax, number, percent_of
from awning.states.product_payload import make_item as make_item_in
from awning.workspace.store.store_files import shipped_store
from awning_harness.storefront.options import checkout_cart

STORE = shipped_store()
EUR = STORE.currency
find_product = STORE.find_product


def make_item(product, *languages):
    return make_item_in(product, EUR, *languages)


def read_cart(spec):
    return read_cart_of(spec, STORE)


VARIANTS = {
    "P1": [
        ("101", ["S", "Red"], 19.9, 19.9, 4, None),
        ("102", ["S", "Blue"], 19.9, 19.9, 0, None),
        ("103", ["M", "Red"], 19.9, 19.9, 7, None),
        ("104", ["M", "Blue"], 18.9, 22.9, 2, None),
        ("105", ["L", "Red"], 22.9, 22.9, None, 210),
        ("106", ["L", "Blue"], 22.9, 22.9, 1, None),
    ],
    "P5": [
        ("501", ["100 g"], 9.4, 9.4, 12, 100),
        ("502", ["1 kg"], 29.9, 29.9, 12, 1000),
        ("503", ["5 kg"], 119, 119, 12, 5000),
    ],
}


@pytest.mark.parametrize(
    ("key", "price", "before", "weight", "stock"),
    [
        ("P1", 21, 21, 180, None),
        ("P2", 24, 32, 350, 3),
        ("P3", 50, 50, 0, None),
        ("P4", 4235.65, 4235.65, 28500, 0),
        ("P5", 8.46, 8.46, 100, 12),
        ("P8", 21, 21, 180, 0),
    ],
)
def test_products_have_the_documented_numbers(key, price, before, weight, stock):
    payload = make_item(find_product(key), "en")
    got = (payload["price"], payload["price_undiscounted"], payload["weight"], payload["stock"])
    assert got == (price, before, weight, stock)


@pytest.mark.parametrize("key", VARIANTS)
def test_variants_have_the_documented_numbers(key):
    got = [
        (
            v["id"],
            [o["title"] for o in v["options"]],
            v["price"],
            v["price_undiscounted"],
            v["stock"],
            v["weight"],
        )
        for v in make_item(find_product(key), "en")["variants"]
    ]
    assert got == VARIANTS[key]


def test_sold_out_shirt_equals_the_shirt_with_stock_0_everywhere():
    ours = make_item(find_product("P8"), "en")["variants"]
    assert {v["stock"] for v in ours} == {0}
    assert [v["price"] for v in ours] == [v["price"] for v in make_item(find_product("P1"), "en")["variants"]]


def test_payload_keys_come_in_the_observed_order():
    payload = make_item(find_product("P1"), "en")
    assert list(payload) == [
        "id", "name", "sku", "brand", "category", "price", "price_undiscounted", "currency", "weight", "stock",
        "variants",
    ]  # fmt: skip
    assert list(payload["variants"][0]) == [
        "id",
        "options",
        "price",
        "price_undiscounted",
        "sku",
        "stock",
        "weight",
    ]


@pytest.mark.parametrize(
    ("language", "name", "category", "colour"),
    [
        ("lv", "Lina T-krekls", "Apģērbs/T-krekli", "Sarkana"),
        ("en", "Linen T-shirt", "Clothing/T-shirts", "Red"),
        ("de", "Leinen-T-Shirt", "Kleidung/T-Shirts", "Rot"),
        ("de-AT", "Leinen-T-Shirt", "Kleidung/T-Shirts", "Rot"),
    ],
)
def test_an_item_is_in_the_language_of_its_page(language, name, category, colour):
    payload = make_item(find_product("P1"), language)
    assert (payload["name"], payload["category"]) == (name, category)
    assert payload["variants"][0]["options"][1] == {"title": colour}


@pytest.mark.parametrize(
    ("key", "first"), [("P1", "101"), ("P2", None), ("P5", "501"), ("P8", "801")], ids=str
)
def test_preselected_variant_is_the_first_in_stock_or_else_the_first(key, first):
    chosen = find_product(key).first_variant()
    assert (chosen.id if chosen else None) == first


def test_ids_are_digits_and_unique():
    ids = [p.id for p in STORE.products] + [v.id for p in STORE.products for v in p.variants]
    assert all(i.isdigit() for i in ids)
    assert len(set(ids)) == len(ids)


def test_weight_and_total_of_a_cart_are_the_sums_of_its_lines():
    cart = read_cart("C1")
    assert (cart.goods, cart.weight, cart.pieces) == (6380, 710, 3)
    assert [entry.total for entry in cart.lines] == [3980, 2400]


CHECKOUT = [
    ("parcel", {}, 3.5, 0, 67.3, 67.3),
    ("SAVE10", {"code": "SAVE10"}, 3.5, 6.38, 67.3, 60.92),
    ("pickup", {"code": "SAVE10", "shipping": "pickup"}, 0, 6.38, 63.8, 57.42),
    ("code-removed", {"code": "", "shipping": "pickup"}, 0, 0, 63.8, 63.8),
    ("code-in-lower-case", {"code": " save10 "}, 3.5, 6.38, 67.3, 60.92),
]


@pytest.mark.parametrize(
    ("query", "shipping", "discount", "no_discount", "total"),
    [r[1:] for r in CHECKOUT],
    ids=[r[0] for r in CHECKOUT],
)
def test_checkout_has_the_documented_totals(query, shipping, discount, no_discount, total):
    cart, known = checkout_cart(read_cart("C1"), query)
    data = cart_data(cart, "en")
    assert known
    got = (data["shipping_price"], data["discount_amount"], data["total_no_discount"], data["total"])
    assert got == (shipping, discount, no_discount, total)


def test_a_wrong_code_is_unknown_and_changes_no_total():
    cart, known = checkout_cart(read_cart("C1"), {"code": "SAVE99"})
    assert not known
    assert cart.total == 6730


@pytest.mark.parametrize(
    ("spec", "total"), [("empty", 0), ("P3x3", 15000), ("1.103x2,2x1", 6380), ("2x1,2x2", 7200)]
)
def test_cart_is_read_from_the_address(spec, total):
    assert read_cart(spec).total == total


def test_the_cart_with_a_whole_discount_costs_0():
    cart, _ = checkout_cart(read_cart("free"), {})
    assert cart.total == 0
    assert cart_data(cart)["total"] == 0
    assert known_cart_data(cart) == {"total": 0, "total_no_discount": 63.8}


@pytest.mark.parametrize("spec", ["", "x", "9x1", "1.999x1", "P7x1", "1x0", "1.103x2,", "1x1;2x1"])
def test_an_invalid_cart_is_refused(spec):
    assert read_cart(spec) is None


def test_a_cart_has_one_line_for_each_variant():
    cart = read_cart("2x1").with_line(make_line(STORE, "2", 2))
    assert cart.spec == "2x3"
    assert cart.with_quantity("2", 0).spec == "empty"
    assert cart.with_quantity("2", 500).spec == "2x99"


def test_cart_data_keys_come_in_order():
    data = cart_data(replace(read_cart("C1"), code="SAVE10"), "de")
    assert list(data) == [
        "items", "total", "total_no_discount", "discount_code", "discount_amount", "shipping_price", "taxes", "weight",
    ]  # fmt: skip
    assert list(data["items"][0]) == [
        "id", "variant_id", "name", "sku", "options", "quantity", "price", "price_undiscounted", "weight",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("cents", "text"), [(0, "€0.00"), (423565, "€4235.65"), (5, "€0.05"), (-638, "\N{MINUS SIGN}€6.38")]
)
def test_prices_are_displayed_symbol_first_with_two_decimals(cents, text):
    assert display(cents, EUR) == text


@pytest.mark.parametrize(
    ("cents", "json_text"), [(5000, "50"), (1990, "19.9"), (423565, "4235.65"), (0, "0")]
)
def test_numbers_in_json_are_plain(cents, json_text):
    assert json.dumps(number(cents)) == json_text


@given(st.integers(0, 10**7), st.integers(0, 100))
def test_percentages_round_half_up(cents, percent):
    assert percent_of(cents, percent) * 100 - cents * percent in range(-49, 51)


@given(st.integers(0, 10**7))
def test_the_included_tax_is_the_nearest_cent(cents):
    assert abs(included_tax(cents) * 121 - cents * 21) * 2 <= 121


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda j: st.lists(j) | st.dictionaries(st.text(), j),
    )
)
def test_inline_json_reads_back_and_cannot_leave_a_script(value):
    text = inline_json(value)
    assert json.loads(text) == value
    assert text.isascii()
    assert not set("<>&") & set(text)
    assert "/" not in text.replace("\\/", "")
