"""The laboratory: what a page stores does not reach the next one; pages that leave; what a page begins and ends."""

from itertools import count as count_from
from typing import Any

import pytest

from awning_harness.visit.tab import Batch, LaboratoryTab

NUMBERS = count_from()

PAGE = """<!doctype html>
<head><script>
globalThis.awningEmulator = { trace: () => [] };
const visit = async () => {
  if (await (LOOK)) console.error("left");
  await (LEAVE);
};
let isDone = false;
visit().catch((error) => console.error(String(error))).then(() => { isDone = true; });
const wait = () => isDone || setTimeout(wait, 1);
wait();
</script></head><body><footer></footer></body>
"""
"""A page that logs `left` if LOOK finds something, then does LEAVE. Its timers make the laboratory wait for both."""

LEAKS = {
    "local_storage": ("localStorage.leak", "localStorage.leak = 1"),
    "session_storage": ("sessionStorage.leak", "sessionStorage.leak = 1"),
    "cookie": ("document.cookie", "document.cookie = 'leak=1'"),
    "cookie_of_the_site": ("document.cookie", "document.cookie = 'leak=1; path=/'"),
    "cookie_of_a_leaving_page": (
        "document.cookie",
        "addEventListener('pagehide', () => { document.cookie = 'leak=1; path=/'; })",
    ),
    "cookie_of_another_path": ("document.cookie", "document.cookie = 'leak=1; path=/shop'"),
    "cookie_store": ("document.cookie", "cookieStore.set('leak', '1')"),
    "database": (
        "indexedDB.databases().then((all) => all.length)",
        "new Promise((done) => { indexedDB.open('leak').onsuccess = done; })",
    ),
    "cache": ("caches.keys().then((all) => all.length)", "caches.open('leak')"),
}
"""By name: JavaScript whose value is truthy where something is stored, and JavaScript that stores it."""

DOWNLOAD = "location.assign('data:application/octet-stream,')"

MOVES = {
    "stays": ("0", False),
    "goes to a part of itself": ("location.hash = 'part'", False),
    "adds to its history": ("history.pushState({}, '', '?open')", False),
    "goes to another page": ("location.assign('/assets/none')", True),
    "goes to another page later": ("setTimeout(() => location.assign('/assets/none'), 20)", True),
    "goes to another site": ("location.assign('https://example.com/')", True),
    "goes to a download later": (f"setTimeout(() => {DOWNLOAD}, 20)", False),
    "becomes empty": ("location.replace('about:blank')", True),
    "loads itself again": ("sessionStorage.again ? 0 : (sessionStorage.again = 1, location.reload())", True),
}
"""By what a page does: its JavaScript, and whether the page is left."""

OBSERVER = """(() => {
  const [body, head] = [document.body, document.head];
  const observer = new ResizeObserver(() => {});
  CALLS
})()"""
OBSERVING = {
    "": 0,
    "observer.observe(body)": 1,
    "observer.observe(body); observer.observe(head)": 1,
    "observer.observe(body); observer.disconnect()": 0,
    "observer.observe(body); observer.unobserve(body)": 0,
    "observer.observe(body); observer.observe(head); observer.unobserve(body)": 1,
    "observer.observe(body); observer.disconnect(); observer.observe(head)": 1,
}
"""By what a page does with an observer: how many observers then observe something."""


@pytest.fixture(scope="module")
def tab(awning_shop, browser):
    tab = LaboratoryTab(browser=browser, shop=awning_shop)
    yield tab
    tab.close()


POSE = {"pose": {"blocks": "footer", "tree": True, "picture": True}}
WAYS = {"written": (["loaded"], False), "loaded": (["loaded"], True), "posing": (["loaded", POSE], False)}
"""The moves of a trial, and whether its page is loaded from its address."""


def results_of(tab: LaboratoryTab, look: str, leave: str, *, way: str, count: int) -> list[dict[str, Any]]:
    """Open a page `count` times. Return the results of the trials."""
    html = PAGE.replace("LOOK", look).replace("LEAVE", leave)
    address = f"/shop/leak/{next(NUMBERS)}"  # a new one, because the laboratory keeps the texts of pages
    tab.evaluate("() => {}")  # opens the tab
    trial = {
        "url": address,
        "slot": "after-price",
        "event": "any",
        "moves": WAYS[way][0],
        "width": 360,
        "loads": WAYS[way][1],
    }
    context = tab._page.context
    context.route(f"**{address}", lambda route: route.fulfill(body=html, content_type="text/html"))
    results = tab.run(Batch(trials=[trial] * count, answers={}, folder=tab.shop.workspace.root))
    context.unroute(f"**{address}")
    return results


def errors_of(tab: LaboratoryTab, leak: str, *, way: str, count: int) -> list[str]:
    """Open a page `count` times. Return the errors of all `count` pages."""
    results = results_of(tab, *LEAKS[leak], way=way, count=count)
    return [error for result in results for error in result["errors"]]


@pytest.mark.parametrize(
    ("leak", "way"),
    [
        *((leak, "written") for leak in LEAKS),
        *(("cookie_of_a_leaving_page", way) for way in ("loaded", "posing")),
    ],
)
def test_what_a_page_stores_does_not_reach_the_next_page(tab, leak, way):
    assert errors_of(tab, leak, way=way, count=3) == []
    assert errors_of(tab, leak, way=way, count=1) == []


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("move", MOVES)
def test_page_that_leaves_is_noticed(tab, move, way):
    script, is_left = MOVES[move]
    (result,) = results_of(tab, "0", script, way=way, count=1)
    assert (result["leftAt"] is not None) == is_left


@pytest.mark.parametrize("way", WAYS)
def test_page_that_goes_to_a_download_before_it_is_loaded_is_left(tab, way):
    """The browser then stops loading the page, and fires no `load`."""
    (result,) = results_of(tab, DOWNLOAD, "0", way=way, count=1)
    assert result["leftAt"] == -1


@pytest.mark.parametrize("calls", OBSERVING)
def test_observers_count_while_they_observe(tab, calls):
    (result,) = results_of(tab, "0", OBSERVER.replace("CALLS", calls), way="written", count=1)
    assert result["looks"][-1]["counts"]["observers"] == OBSERVING[calls]


def test_interval_that_is_cleared_as_a_timer_has_ended(tab):
    (result,) = results_of(tab, "0", "clearTimeout(setInterval(() => {}, 1000))", way="written", count=1)
    assert result["looks"][-1]["counts"]["intervals"] == 0
