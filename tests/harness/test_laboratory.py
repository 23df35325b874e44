"""The laboratory: what one trial's page stores does not reach the next trial's page; a page that leaves is noticed."""

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

MOVES = {
    "stays": ("0", False),
    "goes to a part of itself": ("location.hash = 'part'", False),
    "adds to its history": ("history.pushState({}, '', '?open')", False),
    "goes to another page": ("location.assign('/assets/none')", True),
    "goes to another page later": ("setTimeout(() => location.assign('/assets/none'), 20)", True),
    "goes to another site": ("location.assign('https://example.com/')", True),
    "becomes empty": ("location.replace('about:blank')", True),
    "loads itself again": ("sessionStorage.again ? 0 : (sessionStorage.again = 1, location.reload())", True),
}
"""By what a page does: its JavaScript, and whether the page is left."""


WAITED_FOR = {
    "a long timer": "setTimeout(show, 2000)",
    "a clock": "let ticks = 0; setInterval(() => ++ticks === 2 && show(), 1000)",
    "an interval of short periods": "let ticks = 0; setInterval(() => ++ticks === 20 && show(), 100)",
    "animation frames": "const draw = () => performance.now() > 2000 ? show() : requestAnimationFrame(draw); draw()",
    "a chain of short timers": "const wait = () => performance.now() > 2000 ? show() : setTimeout(wait, 50); wait()",
    "a worker": "new Worker('data:text/javascript,setTimeout(() => postMessage(0), 2000)').onmessage = show",
}
"""By what shows a block after two seconds: its JavaScript."""

IDLE = {
    "nothing": "0",
    "a timer that is due after the step": "setTimeout(show, 20000)",
    "a timer that is cleared": "clearTimeout(setTimeout(show, 2000))",
    "an interval that is cleared": "clearInterval(setInterval(show, 2000))",
}
"""By what never shows a block: its JavaScript."""


@pytest.fixture(scope="module")
def tab(awning_shop, browser):
    tab = LaboratoryTab(browser=browser, shop=awning_shop)
    yield tab
    tab.close()


def results_of(
    tab: LaboratoryTab, look: str, leave: str, *, is_loaded: bool, count: int
) -> list[dict[str, Any]]:
    """Open a page `count` times. Return the results of the trials."""
    html = PAGE.replace("LOOK", look).replace("LEAVE", leave)
    return trials_of(tab, html, ["loaded"], is_loaded=is_loaded, count=count)


def trials_of(
    tab: LaboratoryTab, html: str, moves: list[Any], *, is_loaded: bool, count: int = 1
) -> list[dict[str, Any]]:
    address = f"/shop/leak/{next(NUMBERS)}"  # a new one, because the laboratory keeps the texts of pages
    tab.evaluate("() => {}")  # opens the tab
    trial = {
        "url": address,
        "slot": "after-price",
        "event": "any",
        "moves": moves,
        "width": 360,
        "loads": is_loaded,
    }
    context = tab._page.context
    context.route(f"**{address}", lambda route: route.fulfill(body=html, content_type="text/html"))
    results = tab.run(Batch(trials=[trial] * count, answers={}, folder=tab.shop.workspace.root))
    context.unroute(f"**{address}")
    return results


def errors_of(tab: LaboratoryTab, leak: str, *, is_loaded: bool, count: int) -> list[str]:
    """Open a page `count` times. Return the errors of all `count` pages."""
    results = results_of(tab, *LEAKS[leak], is_loaded=is_loaded, count=count)
    return [error for result in results for error in result["errors"]]


@pytest.mark.parametrize("is_loaded", [False, True], ids=["written", "loaded"])
@pytest.mark.parametrize("leak", LEAKS)
def test_what_a_page_stores_does_not_reach_the_next_page(tab, leak, is_loaded):
    assert errors_of(tab, leak, is_loaded=is_loaded, count=3) == []
    assert errors_of(tab, leak, is_loaded=is_loaded, count=1) == []


@pytest.mark.parametrize("is_loaded", [False, True], ids=["written", "loaded"])
@pytest.mark.parametrize("move", MOVES)
def test_page_that_leaves_is_noticed(tab, move, is_loaded):
    script, is_left = MOVES[move]
    (result,) = results_of(tab, "0", script, is_loaded=is_loaded, count=1)
    assert (result["leftAt"] is not None) == is_left


def time_of_showing(tab: LaboratoryTab, script: str, *, is_loaded: bool) -> tuple[bool, float]:
    """Return whether the block was shown when the trial ended, and the milliseconds of the trial."""
    page = f"""<!doctype html>
<head><script>
globalThis.awningEmulator = {{ trace: () => [] }};
const show = () => {{
  document.body.insertAdjacentHTML("afterbegin", '<div class="placeholder-after-price"><p data-order="1">ready</p></div>');
}};
addEventListener("DOMContentLoaded", () => {{ {script} }});
</script></head><body><footer></footer></body>
"""
    shown = {"shown": {"present": ["ready"], "absent": [], "isEmpty": False}}
    (result,) = trials_of(tab, page, ["loaded", shown], is_loaded=is_loaded)
    assert result["errors"] == []
    return "ready" in result["looks"][-1]["text"], result["ms"]


@pytest.mark.parametrize("is_loaded", [False, True], ids=["written", "loaded"])
@pytest.mark.parametrize("name", WAITED_FOR)
def test_what_comes_late_is_waited_for(tab, name, is_loaded):
    is_shown, _ms = time_of_showing(tab, WAITED_FOR[name], is_loaded=is_loaded)
    assert is_shown


def test_page_on_which_nothing_is_under_way_is_not_waited_for(tab):
    _shown, longest = time_of_showing(tab, "setInterval(() => {}, 1000)", is_loaded=False)
    for name, script in IDLE.items():
        is_shown, ms = time_of_showing(tab, script, is_loaded=False)
        assert not is_shown
        assert ms < longest * 0.7, name
