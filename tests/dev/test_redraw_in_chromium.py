"""Redrawing in place, the overlay and the inspector, in a real browser."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect
from shop_choices import choose_option


@pytest.fixture
def product(served, workshop, tab: Page):
    """Open the shirt's page with the first build. Returns a list that gets an address each time a page is loaded."""
    workshop.session.apply(workshop.shows("one"))
    loads: list[str] = []
    tab.on("domcontentloaded", lambda page: loads.append(page.url))
    tab.goto(f"{served.url}/1/en/product/1")
    expect(block(tab)).to_have_text("one  101")
    connected(tab)
    return loads


def block(tab: Page):
    return tab.locator(".placeholder-after-price > div")


def connected(tab: Page) -> None:
    """Wait until the page is connected: the first message of the dev server sets the revision."""
    tab.locator("awning-inspector[data-revision]").wait_for(state="attached")


def test_patch_replaces_one_widget_in_its_own_block_and_keeps_the_page(served, workshop, tab, product):
    choose_option(tab, "M")
    tab.get_by_label("Quantity").locator("input").fill("3")
    block(tab).evaluate("block => { window.block = block }")
    for text in ("two", "three"):
        served.send(workshop.patched(text))
        expect(block(tab)).to_have_text(f"{text}  103")
    choose_option(tab, "L")
    expect(block(tab)).to_have_text("three  105")
    assert block(tab).evaluate("block => block === window.block")
    assert tab.get_by_label("Quantity").locator("input").input_value() == "3"
    assert len(product) == 1


def test_patch_of_a_style_changes_no_other_element(served, workshop, tab, product):
    tab.evaluate("""() => {
        window.changes = 0;
        new MutationObserver(() => { window.changes += 1 }).observe(
            document.querySelector("main"), { subtree: true, childList: true, attributes: true, characterData: true });
    }""")
    before = ".hello { color: teal }"
    for colour in ("rgb(1, 2, 3)", "rgb(4, 5, 6)"):
        after = f".hello {{ color: {colour} }}"
        served.send(workshop.patched(None, (before, after)))
        expect(tab.locator(".hello")).to_have_css("color", colour)
        before = after
    assert tab.evaluate("window.changes") == 0
    assert len(product) == 1


def test_patch_of_a_style_that_the_page_does_not_have_reloads_it(served, workshop, tab, product):
    with tab.expect_request(f"{served.url}/1/en/product/1"):
        served.send(workshop.patched(None, ("nothing like it", "p {}")))
    # A page that is loaded after a patch waits for the build, of which the page before it hears, too.
    with tab.expect_event("domcontentloaded"):
        served.send(workshop.shows("two"))
    expect(block(tab)).to_have_text("two  101")
    assert len(product) == 2


def test_after_a_redraw_only_the_new_snippet_gets_events(served, workshop, tab, product):
    for text in ("two", "three"):
        served.send(workshop.shows(text))
        expect(block(tab)).to_have_text(f"{text}  101")
    choose_option(tab, "L")
    expect(block(tab)).to_have_text("three  105")
    assert block(tab).count() == 1


def test_a_redraw_does_not_change_other_apps_or_the_order(served, workshop, tab, product):
    tab.goto(f"{served.url}/1/en/product/1?scenario=subscribed-twice")
    connected(tab)
    served.send(workshop.shows("two"))
    expect(block(tab)).to_have_text(["two  101", "Subscribed twice", "Subscribed twice"])


def test_snippet_that_becomes_empty_removes_its_content(served, workshop, tab, product):
    served.send(workshop.built({"body.html": "<!-- nothing -->"}))
    expect(block(tab)).to_have_count(0)
    served.send(workshop.shows("again"))
    expect(block(tab).filter(has_text="again")).to_have_text("again  101")


def test_page_under_a_policy_with_nonces_is_redrawn_in_place(served, workshop, tab, product):
    tab.goto(f"{served.url}/1/en/product/1?csp=nonce")
    connected(tab)
    served.send(workshop.shows("two"))
    expect(block(tab)).to_have_text("two  101")
    assert len(product) == 2


def test_the_overlay_is_closed_with_escape_and_is_back_after_a_reload(served, workshop, tab, product):
    served.send(workshop.broken())
    overlay = tab.get_by_role("alertdialog")
    expect(overlay).to_contain_text("write {% endif %}")
    tab.keyboard.press("Escape")
    expect(overlay).to_have_count(0)
    tab.reload()
    expect(overlay).to_be_visible()


def test_the_inspector_shows_broken_rules(served, tab, product):
    tab.goto(f"{served.url}/1/en/product/1?scenario=init-in-updated")
    tab.get_by_role("button", name="awning").click()
    broken = tab.locator("awning-inspector tr.is-broke")
    expect(broken).to_have_count(2)
    expect(broken.first).to_contain_text("updated-pair")
    expect(broken.first.locator(".from")).to_have_text("another app: init in updated")


def test_app_data_is_edited_and_redrawn(served, workshop, tab, product):
    tab.get_by_role("button", name="awning").click()
    tab.get_by_role("tab", name="App data").click()
    tab.get_by_label("Greeting").fill("Hello")
    tab.get_by_label("Greeting").press("Enter")
    expect(block(tab)).to_contain_text('"greeting":"Hello"')
    tab.get_by_label("Show it").uncheck()
    expect(block(tab)).to_contain_text('"enabled":false')
    assert workshop.session.data == {"hello": {"greeting": "Hello", "enabled": False}}
    assert len(product) == 1


def test_changes_of_app_data_are_stored_in_their_order(served, workshop, tab, product):
    """The server may get two requests of a page in any order, and stores what comes last."""
    held, answered = [], []
    tab.route("**/_awning/data", lambda route: route.fallback() if held else held.append(route))
    tab.on("response", lambda response: answered.append(response.url) if "/data" in response.url else None)
    tab.get_by_role("button", name="awning").click()
    tab.get_by_role("tab", name="App data").click()
    with tab.expect_request("**/_awning/data"):
        tab.get_by_label("Greeting").fill("Hello")
        tab.get_by_label("Greeting").press("Enter")
    tab.get_by_label("Show it").uncheck()
    expect(tab.get_by_label("Show it")).not_to_be_checked()
    held[0].fallback()
    while len(answered) < 2:
        tab.wait_for_event("response")
    assert workshop.session.data == {"hello": {"greeting": "Hello", "enabled": False}}
    expect(block(tab)).to_contain_text('"enabled":false')


def test_rows_of_app_data_are_edited_and_misfits_shown_beside_their_field(served, workshop, tab, product):
    tab.get_by_role("button", name="awning").click()
    tab.get_by_role("tab", name="App data").click()
    links = tab.get_by_role("group", name="Links", exact=True)
    links.get_by_role("button", name="Add").click()
    first = links.get_by_role("group", name="Row 1 of 1")
    first.get_by_label("Text").fill("Returns")
    first.get_by_label("Text").press("Enter")
    expect(first.locator(".problem")).to_have_text("This is missing, and must be one of 1, 2")
    assert workshop.session.data == {}
    first.get_by_label("Weight").select_option("Two")
    expect(block(tab)).to_contain_text('"links":[{"text":"Returns","weight":2}]')
    expect(links.locator(".problem")).to_have_count(0)
    links.get_by_role("button", name="Add").click()
    weight = links.get_by_role("group", name="Row 2 of 2").get_by_label("Weight")
    weight.select_option("One")
    expect(block(tab)).to_contain_text('{"weight":1}]')
    weight.press("Tab")  # to the buttons of the row
    expect(links.get_by_role("button", name="Move up: Row 2 of 2: One")).to_be_focused()
    tab.keyboard.press("Enter")
    expect(block(tab)).to_contain_text('"links":[{"weight":1},{"text":"Returns","weight":2}]')
    expect(links.get_by_role("button", name="Move down: Row 1 of 2: One")).to_be_focused()
    links.get_by_role("button", name="Remove: Row 2 of 2: Returns").press("Enter")
    expect(links.get_by_role("button", name="Remove: Row 1 of 1: One")).to_be_focused()
    tab.keyboard.press("Enter")
    expect(links.get_by_role("button", name="Add")).to_be_focused()
    expect(block(tab)).to_contain_text('"links":[]')


def test_page_with_app_data_of_its_address_is_edited_in_its_address_and_keeps_them(served, workshop, tab):
    workshop.session.apply(workshop.shows("one"))
    tab.goto(f"{served.url}/1/en/product/1?" + urlencode({"data": '{"hello":{"greeting":"Hi"}}'}))
    connected(tab)
    expect(block(tab)).to_contain_text('{"hello":{"greeting":"Hi"}}')
    tab.get_by_role("button", name="awning").click()
    tab.get_by_role("tab", name="App data").click()
    tab.get_by_label("Greeting").fill("Hello")
    tab.get_by_label("Greeting").press("Enter")
    expect(block(tab)).to_contain_text('"greeting":"Hello"')
    assert "Hello" in tab.url
    expect(tab.get_by_label("Greeting")).to_have_value("Hello")
    connected(tab)
    served.send(workshop.shows("two"))
    expect(block(tab)).to_contain_text('two {"hello":{"greeting":"Hello"')
    assert workshop.session.data == {}
    assert "data=" in (tab.get_by_role("link", name="Cart").first.get_attribute("href") or "")


def test_app_data_is_stored_while_another_field_does_not_fit(served, workshop, tab, product):
    tab.get_by_role("button", name="awning").click()
    tab.get_by_role("tab", name="App data").click()
    links = tab.get_by_role("group", name="Links", exact=True)
    links.get_by_role("button", name="Add").click()
    tab.get_by_label("Text").fill("Returns")
    tab.get_by_label("Text").press("Enter")
    problem = links.locator(".problem")
    expect(problem).to_have_text("This is missing, and must be one of 1, 2")
    with tab.expect_response("**/_awning/data"):
        tab.get_by_label("Show it").uncheck()
    expect(block(tab)).to_contain_text('"enabled":false')
    expect(problem).to_have_count(1)
    assert workshop.session.data == {"hello": {"enabled": False}}
    tab.get_by_label("Weight").select_option("Two")
    expect(block(tab)).to_contain_text('"links":[{"text":"Returns","weight":2}]')
    assert workshop.session.data["hello"]["enabled"] is False


def test_status_of_a_refused_change_and_of_a_redraw_replace_each_other(served, workshop, tab, product):
    errors = []
    tab.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    served.send(workshop.shows("two"))
    tab.get_by_role("button", name="awning").click()
    tab.get_by_role("tab", name="App data").click()
    statuses = tab.locator("awning-inspector").get_by_role("status")
    expect(statuses).to_have_text([re.compile("^Redrawn in"), ""])
    tab.get_by_role("group", name="Links", exact=True).get_by_role("button", name="Add").click()
    tab.get_by_label("Text").fill("Returns")
    tab.get_by_label("Text").press("Enter")
    expect(statuses).to_have_text(["", "Not saved"])
    served.send(workshop.shows("three"))
    expect(statuses).to_have_text([re.compile("^Redrawn in"), ""])
    assert errors == []


def test_the_page_tab_changes_language_and_cart(served, tab, product):
    tab.get_by_role("button", name="awning").click()
    tab.get_by_role("tab", name="Page").click()
    inspector = tab.locator("awning-inspector")
    inspector.get_by_role("combobox", name="Cart").first.select_option("P3x3")
    tab.wait_for_url("**/1/en/product/1?cart=P3x3")
    inspector.get_by_role("combobox", name="Language").first.select_option("lv")
    tab.wait_for_url("**/1/lv/product/1?cart=P3x3")


def test_the_inspector_chooses_theme_and_policy(served, tab, product):
    tab.get_by_role("button", name="awning").click()
    tab.get_by_role("tab", name="Page").click()
    inspector = tab.locator("awning-inspector")
    inspector.get_by_label("Theme").select_option("rtl")
    tab.wait_for_url("**/1/en/product/1?theme=rtl")
    assert inspector.evaluate("one => getComputedStyle(one).direction") == "ltr"
    inspector.get_by_label("Content Security Policy").select_option("nonce")
    tab.wait_for_url("**/1/en/product/1?theme=rtl&csp=nonce")
    expect(inspector.get_by_label("Theme")).to_have_value("rtl")


def test_a_page_without_a_snippet_is_not_redrawn(served, workshop, tab, product):
    tab.goto(f"{served.url}/1/en/nowhere")
    connected(tab)
    assert len(product) == 2


def test_a_hidden_page_closes_the_stream_and_catches_up_when_visible(served, workshop, tab, product):
    set_visibility(tab, "hidden")
    workshop.session.apply(workshop.shows("missed"))
    set_visibility(tab, "visible")
    expect(block(tab)).to_have_text("missed  101")
    assert len(product) == 2


def set_visibility(tab: Page, state: str) -> None:
    """Pretend that the tab is hidden or visible."""
    tab.evaluate(
        """state => {
          Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        state,
    )


PATCHING = """<script>(function () {
  svcPlugins.subscribeEvent("svc-content-after-price", function (event, init) {
    init().setContent('<p class="hello">%s</p>');
    document.querySelector(".hello").append(" patched");
  });
})();</script>"""


def test_taking_over_a_block_breaks_no_rule(served, workshop, tab, product):
    # The page first runs the script in place, and reloads because the script makes other blocks.
    with tab.expect_navigation():
        served.send(workshop.built({"body.html": PATCHING % "two"}))
    connected(tab)
    served.send(workshop.built({"body.html": PATCHING % "three"}))
    expect(tab.locator(".placeholder-after-price")).to_have_text("three patched")
    expect(block(tab)).to_have_count(1)
    tab.get_by_role("button", name="awning").click()
    expect(tab.locator("awning-inspector tbody tr").last).to_contain_text("changed its block")
    expect(tab.locator("awning-inspector tr.is-broke")).to_have_count(0)


LIKE_THE_SERVICE = """<script>(function () {
  window.seen = [];
  var name = "svc-content-after-price", inits = [];
  function same(event, init) { inits.push(init); seen.push(inits[0] === init); }
  function twice(event, init) { init(); }
  window.subscribe = function () {
    svcPlugins.subscribeEvent(name, function () { "use strict"; seen.push(this === null); });
    svcPlugins.subscribeEvent(name, function () { seen.push(this === window); });
    svcPlugins.subscribeEvent(name, same);
    svcPlugins.subscribeEvent(name, same);
    svcPlugins.subscribeEvent(name, twice);
    svcPlugins.subscribeEvent(name, twice);
  };
  subscribe();
  svcPlugins.subscribeEvent("svc-own", function (event, a, b) { seen.push([arguments.length, a, b]); });
})();</script>"""


@pytest.mark.parametrize("is_saved", [False, True], ids=["loaded", "saved"])
def test_subscribers_are_called_as_the_service_calls_them(served, workshop, tab, product, is_saved):
    body = {"body.html": LIKE_THE_SERVICE}
    if is_saved:
        # The page first runs the script in place, and reloads because the script makes other blocks.
        with tab.expect_navigation():
            served.send(workshop.built(body))
        tab.wait_for_function("window.seen && seen.length === 4")
    else:
        workshop.session.apply(workshop.built(body))
        tab.reload()
        connected(tab)
    assert tab.evaluate("seen.splice(0)") == [True, True, True, True]
    tab.evaluate("$(document).trigger('svc-own', [1])")
    tab.evaluate("$(document).trigger('svc-own')")
    assert tab.evaluate("seen.splice(0)") == [[2, 1, None], [1, None, None]]
    tab.evaluate("subscribe()")
    assert tab.evaluate("seen.splice(0)") == [True, True, True, True]
    assert tab.evaluate("awningEmulator.trace().some(({ detail }) => detail === 'init-once')")


THROWING = '<script>console.error("hello", new TypeError("%s"))</script>'


def test_a_new_snippet_resets_the_counts(served, workshop, tab, product):
    for text in ("boom", "bang"):
        served.send(workshop.built({"body.html": THROWING % text}))
        expect(tab.get_by_role("button", name="awning")).to_have_text("awning1 error")
    tab.get_by_role("button", name="1 error").click()
    expect(tab.locator("awning-inspector tr.is-threw")).to_contain_text("bang")
    tab.get_by_role("button", name="Close the inspector").click()
    served.send(workshop.shows("mended"))
    expect(block(tab).filter(has_text="mended")).to_have_text("mended  101")
    expect(tab.get_by_role("button", name="awning")).to_have_text(re.compile(r"^awning\d events?$"))
    expect(tab.locator("awning-inspector .has-violations")).to_have_count(0)


def test_closed_card_leaves_room_for_another_error(tab, product):
    cards = tab.locator("awning-inspector .card")

    def throw(text: str) -> None:
        tab.evaluate("text => console.error('hello', new TypeError(text))", text)

    for number in range(4):
        throw(f"boom {number}")
    expect(cards).to_have_count(3)
    for _ in range(3):
        cards.first.get_by_role("button", name="Close").click()
    throw("boom 0")
    throw("bang")
    expect(cards.locator(".finding-message")).to_have_text(["TypeError: bang"])


def test_a_widgets_error_is_printed_once_for_each_build(served, workshop, tab, product):
    workshop.session.apply(workshop.built({"body.html": THROWING % "view.html.j2:3 boom"}))
    for _ in range(2):
        with tab.expect_response("**/_awning/thrown") as response:
            tab.reload()
        assert response.value.status == 200
    assert served.printed == ["hello threw on a page: TypeError: view.html.j2:3 boom"]
    connected(tab)
    with tab.expect_response("**/_awning/thrown"):
        served.send(workshop.built({"body.html": THROWING % "bang"}))
    assert served.printed[1:] == ["hello threw on a page: TypeError: bang"]


def test_the_header_does_not_touch_the_edge_on_a_phone(served, tab):
    tab.set_viewport_size({"width": 390, "height": 700})
    tab.goto(f"{served.url}/_awning/gallery")
    assert tab.locator("header .brand").bounding_box()["y"] >= 8
