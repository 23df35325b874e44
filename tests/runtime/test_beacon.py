"""A failing widget is reported once to the app's own address, if there is one, without data about the shopper."""

import json

import pytest
from frames import SmallPages
from playwright.sync_api import Browser, Request, Route
from shop_scripts import SHOP, Snippet

ADDRESS = "https://errors.test/awning?v=1"
SET = {"AWNING_APP": '"My app"', "AWNING_BEACON": json.dumps(ADDRESS)}
SENT = "navigator.sendBeacon = (...all) => { log(all); return true; };"
FAILS = "() => { throw new Error('broken'); }"
REJECTS = "() => Promise.reject(new Error('broken'))"
BODY = {"app": "My app", "widget": "sample", "message": "Error: broken"}


@pytest.mark.parametrize(("render", "insert"), [(FAILS, "replace"), (REJECTS, 'later("sample", replace)')])
def test_app_widget_and_message_are_reported_once(
    small_pages: SmallPages, snippet: Snippet, render: str, insert: str
) -> None:
    code = snippet(render, insert=insert, **SET)
    small = small_pages.load(SHOP + SENT + "product(); select('2'); select('3');", code)
    small.frame.wait_for_function("() => __log.length")
    ((address, text),) = small.log
    assert address == ADDRESS
    assert json.loads(text) == BODY
    assert len(small.console) == 1


def test_long_message_is_truncated(small_pages: SmallPages, snippet: Snippet) -> None:
    code = snippet("() => { throw new Error('x'.repeat(5000)); }", **SET)
    ((_, text),) = small_pages.load(SHOP + SENT + "product();", code).log
    assert len(json.loads(text)["message"]) == 200


def test_a_widget_that_does_not_fail_reports_nothing(small_pages: SmallPages, snippet: Snippet) -> None:
    assert small_pages.load(SHOP + SENT + "product();", snippet("() => 'x'", **SET)).log == []


def test_a_browser_without_beacons_gets_no_error(small_pages: SmallPages, snippet: Snippet) -> None:
    small = small_pages.load(SHOP + "navigator.sendBeacon = undefined; product();", snippet(FAILS, **SET))
    assert (small.errors, len(small.console)) == ([], 1)


def test_snippet_without_a_beacon_address_has_no_beacon_code(snippet: Snippet) -> None:
    assert "sendBeacon" not in snippet(FAILS)
    assert "sendBeacon" in snippet(FAILS, **SET)
    assert snippet(FAILS) == snippet(FAILS, AWNING_APP='"Another"', AWNING_BEACON='""')


def test_beacon_request_reaches_the_address(browser: Browser, snippet: Snippet) -> None:
    """Chromium sends a POST of plain text, which needs no preflight."""
    code = snippet(FAILS, **SET)
    stub = "var svcPlugins = { subscribeEvent: (n, c) => n.endsWith('price') && c({}, () => ({}), { item: {} }) };"
    page = browser.new_page()

    def answer(route: Route) -> None:
        route.fulfill(body=f"<!doctype html><script>{stub}{code}</script>", content_type="text/html")

    def take(route: Route) -> None:
        route.fulfill(status=204)

    page.route("https://shop.test/", answer)
    page.route("https://errors.test/**", take)
    with page.expect_request("https://errors.test/**") as request_info:
        page.goto("https://shop.test/")
    request: Request = request_info.value
    assert (request.method, request.url) == ("POST", ADDRESS)
    assert json.loads(request.post_data or "") == BODY
    page.close()


@pytest.mark.parametrize("thrown", ["Object.create(null)", "Symbol('a')"])
@pytest.mark.parametrize(
    ("start", "insert"), [("throw", "replace"), ("return Promise.reject", 'later("sample", replace)')]
)
def test_an_error_without_text_is_not_reported_and_not_thrown(
    small_pages: SmallPages, snippet: Snippet, thrown: str, start: str, insert: str
) -> None:
    code = snippet(f"() => {{ {start}({thrown}); }}", insert=insert, **SET)
    small = small_pages.load(SHOP + SENT + "product();", code)
    small.frame.wait_for_timeout(20)
    assert (small.log, small.errors, small.kinds("exception"), len(small.console)) == ([], [], [], 1)
