"""The answers of other hosts that a widget names in widget.toml, on the shop's pages of the dev server."""

import pytest
from playwright.sync_api import Page, expect

from awning_harness.dev import app

HOST = "https://points.example.com"
FETCH = f"""
[fetch]
"{HOST}/points.json" = {{ name = "Main Street" }}
"{HOST}/own.svg" = "own.svg"
"{HOST}/down" = 0
"{HOST}/busy" = 503
"""
SCRIPT = """<script>(function () {
  svcPlugins.subscribeEvent("svc-content-after-price", function (event, init) {
    var handler = init();
    handler.setContent('<p class="hello">…</p><img class="markup" src="HOST/own.svg"><div class="host"></div>');
    var block = document.querySelector(".hello").parentElement, said = [];
    function say(text) { said.push(text); block.querySelector(".hello").textContent = said.sort().join(" "); }
    function ask(name, url, read) {
      var failed = function () { say(name + ":failed"); };
      fetch("HOST" + url).then(read).then(function (text) { say(name + ":" + text); }, failed);
    }
    ask("fetch", "/points.json?near=1", function (r) { return r.json().then(function (d) { return d.name; }); });
    ask("busy", "/busy", function (r) { return r.status; });
    ask("down", "/down", function () { return "answered"; });
    var asked = new XMLHttpRequest();
    asked.open("GET", "HOST/points.json");
    asked.onload = function () { say("xhr:" + JSON.parse(asked.responseText).name); };
    asked.onerror = function () { say("xhr:failed"); };
    asked.send();
    var picture = new Image();
    picture.className = "script";
    picture.src = "HOST/own.svg#icon";
    block.append(picture);
    var root = block.querySelector(".host").attachShadow({mode: "open"});
    root.innerHTML = '<img class="shadow" src="HOST/own.svg">';
    navigator.sendBeacon("HOST/points.json", "x");
  });
})();</script>""".replace("HOST", HOST)


@pytest.fixture
def shop(served, workshop):
    folder = workshop.root / "widgets/hello"
    (folder / "widget.toml").write_text((folder / "widget.toml").read_text() + FETCH)
    (folder / "own.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="7" height="5"/>')
    workshop.session.apply(workshop.built({"body.html": SCRIPT}))
    return served


def open_page(tab: Page, shop, query: str = "") -> None:
    tab.goto(f"{shop.url}/1/en/product/1{query}")


def widths(tab: Page) -> list[int]:
    pictures = [tab.locator(f"img.{name}") for name in ("markup", "script", "shadow")]
    for picture in pictures:
        expect(picture).to_have_js_property("complete", value=True)
    return [picture.evaluate("(picture) => picture.naturalWidth") for picture in pictures]


@pytest.mark.parametrize("query", ["", "?csp=nonce", "?answers=played"])
def test_page_of_the_shop_plays_the_answers(shop, tab: Page, query: str) -> None:
    faults = []
    tab.on(
        "console", lambda message: faults.append(message.text) if "policy" in message.text.lower() else None
    )
    open_page(tab, shop, query)
    expect(tab.locator(".hello")).to_have_text("busy:503 down:failed fetch:Main Street xhr:Main Street")
    assert widths(tab) == [7, 7, 7]
    assert faults == []


def test_failing_answers_reach_the_widget_as_failures(shop, tab: Page) -> None:
    open_page(tab, shop, "?answers=failing")
    expect(tab.locator(".hello")).to_have_text("busy:failed down:failed fetch:failed xhr:failed")
    assert widths(tab) == [0, 0, 0]


def test_late_answers_come_later(shop, tab: Page, monkeypatch) -> None:
    monkeypatch.setattr(app, "LATE_S", 0.2)
    open_page(tab, shop, "?answers=late")
    expect(tab.locator(".hello")).to_have_text("busy:503 down:failed fetch:Main Street xhr:Main Street")


def test_without_answers_the_real_hosts_are_asked(shop, tab: Page) -> None:
    asked = []
    tab.route(f"{HOST}/**", lambda route: (asked.append(route.request.url), route.abort()))
    open_page(tab, shop, "?answers=none")
    expect(tab.locator(".hello")).to_have_text("busy:failed down:failed fetch:failed xhr:failed")
    assert f"{HOST}/points.json?near=1" in asked


def test_inspector_lists_what_was_asked_and_changes_how_it_is_answered(shop, tab: Page) -> None:
    open_page(tab, shop)
    tab.locator("awning-inspector .pill").click()
    tab.get_by_role("tab", name="Page").click()
    rows = tab.locator("awning-inspector .hosts li")
    expect(rows.filter(has_text="points.json")).to_contain_text("answered, 3 times, as hello names it")
    tab.get_by_label("Answers of other hosts").first.select_option("failing")
    expect(tab.locator(".hello")).to_have_text("busy:failed down:failed fetch:failed xhr:failed")


def test_address_without_an_answer_is_listed(shop, tab: Page) -> None:
    open_page(tab, shop)
    tab.evaluate("fetch('https://other.example/x').catch(() => 0)")
    tab.locator("awning-inspector .pill").click()
    tab.get_by_role("tab", name="Page").click()
    row = tab.locator("awning-inspector .hosts li", has_text="other.example/x")
    expect(row).to_contain_text("no [fetch] in a widget.toml names an answer")


def test_dev_server_answers_only_what_a_widget_names(shop, workshop) -> None:
    assert shop.get(f"/_awning/answer?url={HOST}/points.json")[0] == 200
    assert shop.get(f"/_awning/answer?url={HOST}/points.json%23part")[0] == 200
    assert shop.get("/_awning/answer?url=https://other.example/")[0] == 404
    (workshop.root / "secret.txt").write_text("secret")
    toml = workshop.root / "widgets/hello/widget.toml"
    toml.write_text(toml.read_text().replace('"own.svg"\n', '"../../secret.txt"\n'))
    status, text = shop.get(f"/_awning/answer?url={HOST}/own.svg")
    assert (status, text) == (504, "")


def test_unknown_way_to_answer_is_refused(shop) -> None:
    status, text = shop.get("/1/en/product/1?answers=soon")
    assert status == 400
    assert "played, late, failing, none" in text
