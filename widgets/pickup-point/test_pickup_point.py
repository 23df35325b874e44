"""Tests beyond the states: the choice survives, the keyboard makes it, and a late or strange answer does no harm."""

from typing import Any

import pytest
from playwright.sync_api import Request, Route, expect

from awning_harness.testing import OpenedPage, Storefront

POINTS = "https://points.example.com/points.json"
CHOICE = "https://points.example.com/choice"
POINTS_OF_FOUR = [{"id": name, "name": f"Point {name}", "address": "Street 1"} for name in "abcd"]


@pytest.fixture
def visit(storefront: Storefront) -> OpenedPage:
    storefront.answer(POINTS, "points.json")
    storefront.answer(CHOICE, 204)
    return storefront.checkout("C1", language="en")


def test_choice_stays_while_updates_arrive_and_after_a_reload(visit: OpenedPage) -> None:
    visit.block.get_by_text("Cēsis, Stacijas laukums").click()
    visit.discount("SAVE10")
    visit.shipping("pickup")
    chosen = visit.block.get_by_role("radio", name="Cēsis, Stacijas laukums")
    expect(chosen).to_be_checked()
    visit.page.reload()
    expect(chosen).to_be_checked()


def test_arrow_keys_choose_a_point(visit: OpenedPage) -> None:
    visit.block.get_by_role("radio").first.focus()
    visit.page.keyboard.press("Space")
    visit.page.keyboard.press("ArrowDown")
    expect(visit.block.get_by_role("radio", name="Āgenskalna tirgus")).to_be_checked()
    expect(visit.block.get_by_role("radio", name="Āgenskalna tirgus")).to_be_focused()
    visit.page.keyboard.press("ArrowUp")
    visit.page.keyboard.press("ArrowUp")
    expect(visit.block.get_by_role("radio", name="Liepāja")).to_be_checked()


def test_only_the_shoppers_own_choice_is_sent(visit: OpenedPage) -> None:
    sent: list[Request] = []
    visit.page.on("request", lambda request: sent.append(request) if request.url == CHOICE else None)
    visit.block.get_by_text("Āgenskalna tirgus").click()
    visit.page.reload()
    expect(visit.block.get_by_role("radio", name="Āgenskalna tirgus")).to_be_checked()
    assert [request.post_data for request in sent] == ["riga-88"]


def test_many_updates_before_a_late_answer_ask_once(storefront: Storefront) -> None:
    waiting: list[Route] = []

    def wait(route: Route) -> None:
        waiting.append(route)

    storefront.page.route(POINTS, wait)
    visit = storefront.checkout("C1", language="en")
    visit.discount("SAVE10")
    visit.shipping("pickup")
    assert visit.text() == "Where do you want to pick it up? Loading…"
    waiting_height = visit.block.evaluate("(block) => block.offsetHeight")
    for route in waiting:
        route.fulfill(json={"points": POINTS_OF_FOUR})
    expect(visit.block.get_by_role("radio")).to_have_count(4)
    assert len(waiting) == 1
    assert visit.block.evaluate("(block) => block.offsetHeight") == pytest.approx(waiting_height, abs=20)


def test_server_that_never_answers_counts_as_a_failure(storefront: Storefront) -> None:
    storefront.page.add_init_script("""{
      const ending = new AbortController();
      AbortSignal.timeout = (ms) => ((AbortSignal.limit = ms), ending.signal);
      AbortSignal.end = () => ending.abort();
    }""")
    storefront.page.route(POINTS, lambda _route: None)
    visit = storefront.checkout("C1", language="en")
    assert visit.evaluate("() => AbortSignal.limit") == 10_000
    visit.evaluate("() => AbortSignal.end()")
    expect(visit.block.get_by_role("status")).to_contain_text("cannot be shown")


def test_next_update_asks_again_after_a_failure(storefront: Storefront) -> None:
    storefront.answer(POINTS, 503)
    visit = storefront.checkout("C1", language="en")
    expect(visit.block.get_by_role("status")).to_contain_text("cannot be shown")
    storefront.answer(POINTS, {"points": [{"id": "a", "name": "Again", "address": "Street 1"}]})
    visit.discount("SAVE10")
    expect(visit.block.get_by_role("radio", name="Again")).to_be_visible()


@pytest.mark.parametrize("answer", [{}, [], {"points": None}, {"points": [None]}, {"points": 7}])
def test_strange_answer_counts_as_a_failure(storefront: Storefront, answer: Any) -> None:
    storefront.answer(POINTS, answer)
    visit = storefront.checkout("C1", language="en")
    expect(visit.block.get_by_role("status")).to_contain_text("cannot be shown")


def test_connection_is_opened_early_on_the_checkout_alone(storefront: Storefront) -> None:
    storefront.answer(POINTS, "points.json")
    hint = "link[rel=preconnect][href^='https://points.example.com']"
    assert storefront.product("P1").page.locator(hint).count() == 0
    assert storefront.checkout("C1").page.locator(hint).count() == 1
