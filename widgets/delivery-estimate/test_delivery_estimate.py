"""Tests beyond the states: several choices in a row, heavy goods, the cut-off hour, and a product on request."""

from awning_harness.testing import Storefront

MONDAY_MORNING = "2026-03-02T10:30:00"


def test_choosing_another_variant_changes_the_estimate(storefront: Storefront) -> None:
    visit = storefront.product("P1", language="en", now=MONDAY_MORNING)
    assert "Only" not in visit.text()
    visit.select("L/Blue")
    assert "Only 1 left." in visit.text()
    visit.select("S/Blue")
    assert visit.text() == "Sold out. No delivery date at the moment."
    visit.select("M/Red")
    assert "Arrives Tue, Mar 3" in visit.text()


def test_repeated_updates_keep_one_block(storefront: Storefront) -> None:
    visit = storefront.product("P1", language="en", now=MONDAY_MORNING)
    for variant in ("M/Red", "M/Blue", "L/Red", "S/Red"):
        visit.select(variant)
    assert visit.block.count() == 1


def test_heavy_goods_take_longer(storefront: Storefront) -> None:
    data = {"heavy_from_grams": 4000, "heavy_extra_days": 5}
    visit = storefront.product("P5", language="en", now=MONDAY_MORNING, data=data)
    visit.select("100 g")
    assert "Tue, Mar 3" in visit.text()
    visit.select("5 kg")
    assert "Tue, Mar 10" in visit.text()


def test_cutoff_hour_is_taken_from_the_app_data(storefront: Storefront) -> None:
    early = storefront.product("P2", language="en", now=MONDAY_MORNING, data={"cutoff_hour": 10})
    assert "Wed, Mar 4" in early.text()


def test_a_product_on_request_has_no_estimate(storefront: Storefront) -> None:
    visit = storefront.product("P7", language="en", now=MONDAY_MORNING)
    assert visit.block.count() == 0
    assert not visit.errors
