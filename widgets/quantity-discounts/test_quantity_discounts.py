"""Tests beyond the states: the table follows the variant and its stock, and bad entries of a shop do no harm."""

from playwright.sync_api import expect

from awning_harness.testing import OpenedPage, Storefront


def table(visit: OpenedPage) -> list[list[str]]:
    """Return the rows of the table, without its caption and head."""
    return [
        line.rstrip("\t").replace("\N{EN DASH}", "-").split("\t") for line in visit.text().splitlines()[2:]
    ]


def test_the_table_follows_the_chosen_variant(storefront: Storefront) -> None:
    visit = storefront.product("P1", language="en")
    assert table(visit) == [["1-2", "€19.90"], ["3+", "€18.91", "5%"]]
    visit.select("L/Red")
    assert table(visit)[1:] == [["3-4", "€21.76", "5%"], ["5-9", "€20.61", "10%"], ["10+", "€19.47", "15%"]]
    visit.select("L/Blue")
    assert visit.text() == ""


def test_the_table_has_a_name(storefront: Storefront) -> None:
    visit = storefront.product("P3", language="de")
    expect(visit.block.get_by_role("table", name="Mehr kaufen, weniger zahlen")).to_be_visible()


def test_incomplete_entries_are_left_out(storefront: Storefront) -> None:
    tiers = [
        {"percent": 5},
        {"from": 4, "percent": 25},
        {"from": "many", "percent": 9},
        {"from": 6},
        {"from": 7, "percent": 150},
    ]
    visit = storefront.product("P3", language="en", data={"tiers": tiers})
    assert table(visit) == [["1-3", "€50.00"], ["4+", "€37.50", "25%"]]
