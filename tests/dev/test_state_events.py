"""The events of a widget's state."""

import pytest

from awning.contract import Dialect
from awning.states.state_events import state_events
from awning.workspace.model import WidgetState

LANGUAGES = ("lv", "en", "de")


def stage(slot, payload, *steps, language="en"):
    state = WidgetState(name="s", title="S", slot=slot, payload=payload, steps=steps)
    return state_events(state, language, LANGUAGES, Dialect())


def selected(staged_):
    return [step["update"]["selectedVariantId"] for step in staged_.steps]


def test_a_product_has_its_item_and_the_preselected_variant():
    got = stage("after-price", "P1", language="lv")
    assert got.event == "svc-content-after-price"
    assert got.params["item"]["name"] == "Lina T-krekls"
    assert got.params["page"] == {"language": "lv", "page": "catalog"}
    assert [update["selectedVariantId"] for update in got.automatic] == ["101"]


@pytest.mark.parametrize(
    ("steps", "ids"),
    [(["select L/Blue"], ["106"]), (["select 104", "select S/Red"], ["104", "101"]), (["select X"], [])],
)
def test_steps_select_variants_by_id_or_by_options(steps, ids):
    got = stage("after-price", "P1", *steps)
    assert selected(got) == ids
    assert all(step["update"]["item"] is got.params["item"] for step in got.steps)


def test_a_product_without_variants_has_no_update():
    got = stage("after-price", "P2")
    assert (got.automatic, got.steps) == ((), ())


@pytest.mark.parametrize(("slot", "payload"), [("after-price", "P7"), ("after-cart", "empty")])
def test_some_payloads_fire_nothing_and_have_a_note(slot, payload):
    got = stage(slot, payload)
    assert got.event is None
    assert got.note


def test_the_checkout_steps_are_those_of_the_table():
    got = stage("after-checkout", "C1", "discount SAVE10", "shipping pickup", "discount")
    assert got.params["cartData"]["total"] == 67.3
    assert [step["update"]["total"] for step in got.steps] == [60.92, 57.42, 63.8]


@pytest.mark.parametrize("payload", ["C1", {"cartData": {"total": 1}}])
def test_steps_in_the_block_are_passed_on_whatever_the_payload(payload):
    words = 'type "#note" "Hi"'
    assert stage("after-cart", payload, words).steps == (
        {"words": words, "verb": "type", "arguments": ("#note", "Hi")},
    )


@pytest.mark.parametrize("payload", ["P1", {"item": {"name": "x"}}])
def test_wait_keeps_its_place_among_the_steps_whatever_the_payload(payload):
    got = stage("after-price", payload, 'click "p"', "wait 10 minutes")
    assert got.steps[1:] == ({"words": "wait 10 minutes", "ms": 600_000},)


def test_a_states_own_payload_is_the_event_parameter():
    got = stage("after-cart", {"cartData": {"total": 1}})
    assert list(got.params) == ["cartData", "currency", "page"]
    assert got.params["cartData"] == {"total": 1}


@pytest.mark.parametrize(("currency", "price"), [(None, 24), ("JPY", 3840), ("USD", 26.4)])
def test_currency_of_a_state_is_that_of_its_payload(currency, price):
    state = WidgetState(name="s", title="S", slot="after-price", payload="P2", currency=currency)
    item = state_events(state, "en", LANGUAGES, Dialect()).params["item"]
    assert (item["currency"], item["price"]) == (currency or "EUR", price)


def test_currency_of_a_state_is_that_of_a_payload_of_its_own():
    state = WidgetState(
        name="s", title="S", slot="after-cart", payload={"cartData": {"total": 1}}, currency="JPY"
    )
    assert state_events(state, "en", LANGUAGES, Dialect()).params["currency"]["code"] == "JPY"
