"""The laboratory: what one trial's page stores does not reach the next trial's page."""

import pytest

from awning_harness.conformance.laboratory import LaboratoryTab

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


@pytest.fixture(scope="module")
def tab(awning_shop, browser):
    tab = LaboratoryTab(browser=browser, shop=awning_shop)
    yield tab
    tab.close()


def errors_of(tab: LaboratoryTab, leak: str, *, is_loaded: bool, count: int) -> list[str]:
    """Open a page `count` times. Return the errors of all `count` pages."""
    look, leave = LEAKS[leak]
    html = PAGE.replace("LOOK", look).replace("LEAVE", leave)
    trial = {
        "url": "/shop/leak",
        "slot": "after-price",
        "event": "any",
        "moves": ["loaded"],
        "width": 360,
        "loads": is_loaded,
    }
    tab.evaluate("() => awningLaboratory.forgetPages()")
    context = tab._page.context
    context.route("**/leak", lambda route: route.fulfill(body=html, content_type="text/html"))
    results = tab.run([trial] * count, {}, tab.shop.workspace.root)
    context.unroute("**/leak")
    return [error for result in results for error in result["errors"]]


@pytest.mark.parametrize("is_loaded", [False, True], ids=["written", "loaded"])
@pytest.mark.parametrize("leak", LEAKS)
def test_what_a_page_stores_does_not_reach_the_next_page(tab, leak, is_loaded):
    assert errors_of(tab, leak, is_loaded=is_loaded, count=3) == []
    assert errors_of(tab, leak, is_loaded=is_loaded, count=1) == []
