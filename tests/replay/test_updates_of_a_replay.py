"""The title of a step that is an update: what it changes of what was delivered before."""

import json

import pytest

from awning.contract.slots import SLOTS
from awning_harness.replay.requests import update_words

PRODUCT, CHECKOUT = SLOTS["after-price"], SLOTS["after-checkout"]
MUG = {"id": 1, "name": "Mug", "variants": [{"id": "101", "price": 20}, {"id": "102", "price": 25}]}


def chosen(number, **changes):
    variant = MUG["variants"][number]
    return {"item": MUG, "selectedVariantId": variant["id"], "selectedVariant": {**variant, **changes}}


def after_base(param):
    return json.dumps({"param": param})


def after_update(item):
    return json.dumps({"param": {}, "item": item})


@pytest.mark.parametrize(
    ("slot", "delivered", "updated", "words"),
    [
        (
            PRODUCT,
            after_update(chosen(0)),
            chosen(1),
            'update selectedVariantId "101" → "102", selectedVariant.price 20 → 25',
        ),
        (
            PRODUCT,
            after_update(chosen(1)),
            chosen(1, price=20),
            "update selectedVariant.price 25 → 20",
        ),
        (
            PRODUCT,
            after_base({"item": MUG, "page": {"language": "en"}}),
            chosen(1),
            'update selectedVariantId none → "102", selectedVariant none → {…}',
        ),
        (PRODUCT, after_update(chosen(1)), chosen(1), "update that changes nothing"),
        (PRODUCT, None, chosen(1), None),
        (
            PRODUCT,
            after_update(chosen(1)),
            {**chosen(1), "item": {**MUG, "variants": MUG["variants"][:1], "name": None}},
            'update item.name "Mug" → null, item.variants [2 entries] → [1 entry]',
        ),
        (
            CHECKOUT,
            after_base({"cartData": {"total": 30, "items": [{"count": 1}]}, "currency": {}}),
            {"total": 60, "items": [{"count": 2}]},
            "update total 30 → 60, items[0].count 1 → 2",
        ),
        (
            CHECKOUT,
            after_update({f"field_{n}": n for n in range(6)}),
            {f"field_{n}": n + 1 for n in range(6)},
            "update field_0 0 → 1, field_1 1 → 2, field_2 2 → 3 and 3 more",
        ),
        (
            CHECKOUT,
            after_update({"note": "x"}),
            {"note": "y" * 99},
            f'update note "x" → "{"y" * 22}…',
        ),
    ],
)
def test_title_of_an_update_has_the_fields_that_it_changes(slot, delivered, updated, words):
    assert update_words(slot, delivered, updated) == words


def test_title_of_an_update_has_no_part_of_a_secret(monkeypatch):
    monkeypatch.setenv("AWNING_API_KEY", f"planted-canary-{'0' * 40}")
    words = update_words(PRODUCT, after_update({"note": "x"}), {"note": f"planted-canary-{'0' * 40}"})
    assert words == 'update note "x" → "***"'
