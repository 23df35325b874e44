"""Tests beyond the states: both lines follow the choice, and the limits of the settings."""

import pytest

from awning_harness.testing import Storefront


def test_both_lines_follow_the_chosen_variant(storefront: Storefront) -> None:
    visit = storefront.product("P5", language="en")
    assert visit.text() == "€94.00 per kg"
    visit.select("1 kg")
    assert visit.text().split("\n") == ["€29.90 per kg", "or 3 payments of €9.97"]
    visit.select("100 g")
    assert visit.text() == "€94.00 per kg"


def test_all_variants_of_a_product_have_one_unit(storefront: Storefront) -> None:
    visit = storefront.product("P5", language="en", data={"per": "weight", "instalments": 0})
    assert visit.text() == "€9.40 per 100 g"
    visit.select("5 kg")
    assert visit.text() == "€2.38 per 100 g"


def test_unit_stays_when_a_variant_has_the_weight_of_its_product(storefront: Storefront) -> None:
    data = {"per": "weight", "instalments": 0, "categories": ["Pantry"]}
    variants = [
        {"id": "1", "options": [], "price": 10, "weight": None},
        {"id": "2", "options": [], "price": 50, "weight": 1000},
    ]
    item = {
        "id": "9",
        "category": "Pantry",
        "price": 10,
        "currency": "EUR",
        "weight": 100,
        "variants": variants,
    }
    visit = storefront.product(payload={"item": item}, language="en", data=data)
    assert visit.text() == "€100.00 per kg"
    visit.page.evaluate(
        "(item) => awningEmulator.fire('svc-content-after-price-updated',"
        " { item, selectedVariantId: '2', selectedVariant: item.variants[1] })",
        item,
    )
    assert visit.text() == "€50.00 per kg"


@pytest.mark.parametrize(("minimum", "text"), [(24, "or 3 payments of €8.00"), (24.01, "")])
def test_instalments_begin_at_the_minimum(storefront: Storefront, minimum: float, text: str) -> None:
    assert storefront.product("P2", language="en", data={"minimum": minimum}).text() == text


@pytest.mark.parametrize("count", [0, 1])
def test_one_instalment_is_none(storefront: Storefront, count: int) -> None:
    assert storefront.product("P2", language="en", data={"instalments": count}).block.count() == 0
