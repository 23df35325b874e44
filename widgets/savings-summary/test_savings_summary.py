"""Tests beyond the states: what a raw script has to do by itself."""

import pytest

from awning_harness.testing import Storefront


def test_each_update_shows_its_own_cart(storefront: Storefront) -> None:
    visit = storefront.checkout("C1", language="en")
    assert visit.block.count() == 0
    visit.discount("SAVE10")
    assert visit.text() == "You save €6.38 on this order."
    visit.discount("FREE100")
    assert visit.text() == "You save €63.80 on this order."
    visit.shipping("pickup")
    assert visit.text() == "You save €63.80: this order costs you nothing."
    visit.discount(None)
    assert visit.text() == ""
    assert visit.block.count() == 1


@pytest.mark.parametrize("assumptions", ["documented", "observed", "hostile"])
def test_keeps_the_rules_whatever_the_service_does(storefront: Storefront, assumptions: str) -> None:
    visit = storefront.checkout("C1", language="en", assumptions=assumptions)
    visit.discount("SAVE10")
    assert visit.text() == "You save €6.38 on this order."
    assert visit.violations() == []


@pytest.mark.parametrize(
    ("total", "text"),
    [(100, ""), (99.996, ""), (99.99, "You save €0.01 on this order."), (101, "")],
    ids=["nothing", "less than a cent", "a cent", "dearer"],
)
def test_saving_is_shown_from_one_cent(storefront: Storefront, total: float, text: str) -> None:
    payload = {"cartData": {"total": total, "total_no_discount": 100}}
    assert storefront.checkout(payload=payload, language="en").text() == text


def test_symbol_of_a_currency_is_escaped(storefront: Storefront) -> None:
    payload = {
        "cartData": {"total": 1, "total_no_discount": 3},
        "currency": {"symbol": "<b>$&</b>", "decimals": 2},
    }
    visit = storefront.checkout(payload=payload, language="en")
    assert visit.text() == "You save <b>$&</b>2.00 on this order."
