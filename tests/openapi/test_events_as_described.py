"""The storefront's deliveries are as the events' description says."""

import pytest
from described_events import DOCUMENT
from described_events import check as check_event
from jsonschema import Draft202012Validator

from awning.contract import SLOTS, Dialect, event_names
from awning.contract.payloads import PARAMETERS, RECORDS
from awning.states.cart import cart_data, currency, known_cart_data, read_cart
from awning.states.product_payload import make_item
from awning.workspace.store.store_files import shipped_store

PAGE = {"language": "lv", "page": "catalog"}


def check(channel, payload):
    check_event(DOCUMENT["channels"][channel]["address"], payload)


def test_every_event_has_a_channel():
    assert tuple(channel["address"] for channel in DOCUMENT["channels"].values()) == event_names(Dialect())
    named = {op["channel"]["$ref"].rpartition("/")[2] for op in DOCUMENT["operations"].values()}
    assert named == set(DOCUMENT["channels"])
    for schema in DOCUMENT["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    assert {name for slot in SLOTS.values() for name in slot.params} == set(PARAMETERS)


@pytest.mark.parametrize("product", shipped_store().products, ids=lambda product: product.key)
@pytest.mark.parametrize("language", ["lv", "en", "de"])
def test_product_event_is_as_described(product, language):
    item = make_item(product, shipped_store().currency, language, "lv")
    param = {"item": item, "page": PAGE}
    check("after-price", {"eventParam": param})
    assert list(item) == [field.name for field in RECORDS["Item"]]
    for variant in [*item["variants"], None]:
        updated = {"item": item, "selectedVariantId": variant and variant["id"], "selectedVariant": variant}
        check("after-price-updated", {"eventParam": param, "updatedItem": updated})
        assert variant is None or list(variant) == [field.name for field in RECORDS["Variant"]]


@pytest.mark.parametrize("name", ["C1", "free", "P3x3", "1.105x1,5x2", "empty"])
def test_cart_event_is_as_described(name):
    cart = read_cart(name, shipped_store())
    whole, known = cart_data(cart, "lv"), known_cart_data(cart)
    assert set(whole) == {field.name for field in RECORDS["CartData"]}
    for data in (whole, known):
        param = {"cartData": data, "currency": currency(shipped_store()), "page": PAGE}
        check("after-cart", {"eventParam": param})
        check("after-checkout", {"eventParam": param})
        check("after-checkout-updated", {"eventParam": param, "updatedItem": known})
    assert set(known) == {field.name for field in RECORDS["CartData"] if field.source == "observed"}
    assert set(currency(shipped_store())) == {field.name for field in RECORDS["Currency"]}


@pytest.mark.parametrize(
    ("channel", "payload"),
    [
        ("after-price", {}),
        ("after-price", {"eventParam": {"item": {}}}),
        ("after-price", {"eventParam": {"item": {"price": "1"}, "page": {}}}),
        ("after-price-updated", {"eventParam": {"item": {}, "page": {}}}),
        ("after-cart", {"eventParam": {"cartData": {"total": None}, "currency": {}, "page": {}}}),
    ],
)
def test_undescribed_shape_is_reported(channel, payload):
    with pytest.raises(Exception, match="Failed validating"):
        check(channel, payload)
