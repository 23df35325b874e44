"""Tests beyond the states: when the server is asked, and what the block shows until it answers."""

import json

import pytest
from playwright.sync_api import Route, expect

from awning_harness.testing import Storefront

SERVER = "https://reviews.example.com/v1"
DATA = {"server": SERVER}
ANSWER = {
    "average": 4.2,
    "count": 2,
    "reviews": [
        {"author": "Ilze", "stars": 5, "day": "2026-02-21", "text": "Soft <b>linen</b>."},
        {"author": "Jānis", "stars": 3, "day": "2026-02-03", "text": "Fine."},
    ],
}


def test_a_late_answer_takes_the_place_of_the_note(storefront: Storefront) -> None:
    asked: list[Route] = []
    storefront.page.route(f"{SERVER}?*", lambda route: asked.append(route))  # noqa: PLW0108 - Playwright reads its parameters
    visit = storefront.product("P1", language="en", data=DATA)
    visit.select("L/Blue")
    assert visit.text() == "Loading reviews…"
    before = visit.block.bounding_box()
    assert len(asked) == 1
    assert asked[0].request.url == f"{SERVER}?product=1&language=en"
    asked[0].fulfill(body=json.dumps(ANSWER), headers={"access-control-allow-origin": "*"})
    expect(visit.block).to_contain_text("2 reviews")
    assert visit.block.bounding_box() == before, "what is below does not move"


def test_an_opened_list_survives_an_update(storefront: Storefront) -> None:
    storefront.answer(SERVER, ANSWER)
    visit = storefront.product("P1", language="en", data=DATA)
    visit.block.locator("summary").click()
    visit.select("M/Red")
    expect(visit.block.get_by_text("Soft <b>linen</b>.")).to_be_visible()
    expect(visit.block.get_by_role("img", name="3.0 of 5 stars")).to_have_text("★★★☆☆")
    expect(visit.block.get_by_text("Feb 21, 2026")).to_be_visible()


@pytest.mark.parametrize(
    ("average", "shown", "drawn"),
    [
        (0, "0.0", "☆☆☆☆☆"),
        (0.2, "0.2", "☆☆☆☆☆"),
        (3.74, "3.7", "★★★½☆"),
        (4.24, "4.2", "★★★★☆"),
        (4.6, "4.6", "★★★★½"),
        (4.75, "4.8", "★★★★★"),
        (5, "5.0", "★★★★★"),
    ],
)
def test_stars_are_drawn_by_half(storefront: Storefront, average: float, shown: str, drawn: str) -> None:
    storefront.answer(SERVER, {**ANSWER, "average": average, "reviews": []})
    visit = storefront.product("P1", language="en", data=DATA)
    stars = visit.block.get_by_role("img", name=f"{shown} of 5 stars")
    expect(stars).to_have_text(drawn.replace("½", "☆"))
    expect(stars.locator(".half")).to_have_count(drawn.count("½"))


@pytest.mark.parametrize("average", [-1, 5.1, 1e21, "five", None])
def test_what_is_no_rating_is_not_shown(storefront: Storefront, average: object) -> None:
    storefront.answer(SERVER, {**ANSWER, "average": average, "count": 1234, "reviews": []})
    visit = storefront.product("P1", language="en", data=DATA)
    expect(visit.block).to_have_text("1,234 reviews")


@pytest.mark.allow_problems("Failed to load resource", reason="the server does not work at first")
def test_the_update_after_a_failure_asks_again(storefront: Storefront) -> None:
    storefront.answer(SERVER, 503)
    visit = storefront.product("P1", language="en", data=DATA)
    expect(visit.block).to_contain_text("cannot be loaded")
    storefront.answer(SERVER, ANSWER)
    visit.select("M/Red")
    expect(visit.block).to_contain_text("2 reviews")


def test_the_settings_limit_the_list(storefront: Storefront) -> None:
    storefront.answer(SERVER, ANSWER)
    visit = storefront.product("P1", language="en", data={**DATA, "most": 1})
    expect(visit.block.locator("li")).to_have_count(1)
