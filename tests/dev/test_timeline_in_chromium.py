"""The inspector's timeline and figures in a real browser: filter, copy, replay, edit and fire, size and time."""

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect
from shop_choices import choose_option

from awning.snippet.compose import named_html

OPEN = "awning-inspector .pill"
ROWS = "awning-inspector .list tbody tr"


@pytest.fixture
def timeline(served, workshop, tab: Page):
    """The rows of the shirt's page, in the open inspector."""
    workshop.session.apply(workshop.shows("shown"))
    rows = open_timeline(tab, f"{served.url}/1/en/product/1")
    expect(rows).to_have_count(8)
    return rows


def open_timeline(tab: Page, url: str) -> Locator:
    tab.goto(url)
    tab.locator("awning-inspector[data-revision]").wait_for(state="attached")
    tab.locator(OPEN).click()
    rows = tab.locator(ROWS)
    expect(rows.first).to_be_visible()
    return rows


def block(tab: Page) -> Locator:
    return tab.locator(".placeholder-after-price > div")


def details(tab: Page) -> Locator:
    return tab.get_by_role("region", name="Details")


def choose_variant(tab: Page, size: str, number: str) -> None:
    choose_option(tab, size)
    expect(block(tab)).to_have_text(f"shown  {number}")


def test_timeline_has_each_event_and_each_call_with_its_outcome(tab, timeline):
    texts = [row.split("\t")[1:4] for row in timeline.all_inner_texts()]
    assert texts == [
        ["after-price", "hello", "subscribed"],
        ["after-price-updated", "hello", "subscribed"],
        ["after-price", "the shop", "fired"],
        ["after-price", "hello", "changed its block"],
        ["after-price-updated", "the shop", "fired"],
        ["after-price-updated", "hello", "changed its block"],
        ["after-price-updated", "the shop", "fired"],
        ["after-price-updated", "hello", "changed its block"],
    ]


def test_timeline_names_the_verbatim_widget_of_a_script(tab, served, workshop):
    event = "svc-content-after-price"
    call = f'svcPlugins.subscribeEvent("{event}", function (e, i) {{{{ i().setContent("{{}}"); }}}});'
    subscribing = f"<script>{call}</script>"
    pieces = [named_html(name, f"<div>{subscribing.format(name)}</div>") for name in ("one", "two")]
    body = "\n".join([pieces[0], subscribing.format("no widget"), pieces[1]])
    workshop.session.apply(workshop.built({"body.html": body}))
    timeline = open_timeline(tab, f"{served.url}/1/en/product/1")
    texts = [row.split("\t")[2:4] for row in timeline.all_inner_texts()]
    names = ["one", "this app", "two"]
    assert [row for row in texts if row[1] != "fired"] == [
        *([name, "subscribed"] for name in names),
        *([name, "changed its block"] for name in names),
    ]


def test_timeline_is_filtered_by_event_widget_and_outcome(tab, timeline):
    inspector = tab.locator("awning-inspector")
    inspector.get_by_label("Filter by event").select_option("after-price")
    expect(timeline).to_have_count(3)
    inspector.get_by_label("Filter by widget or app").select_option("hello")
    expect(timeline).to_have_count(2)
    inspector.get_by_label("Filter by outcome").select_option(label="changed its block")
    expect(timeline).to_have_count(1)
    expect(inspector.locator(".count")).to_have_text("1 of 8")
    inspector.get_by_label("Filter by event").select_option("after-price-updated")
    expect(timeline).to_have_count(2)


def test_filter_stays_when_the_fields_for_an_earlier_opening_arrive(tab, served, workshop):
    workshop.session.apply(workshop.shows("shown"))
    requests = []

    def keep_waiting(route):
        requests.append(route)

    tab.route("**/_awning/payloads", keep_waiting)
    tab.goto(f"{served.url}/1/en/product/1")
    tab.locator("awning-inspector[data-revision]").wait_for(state="attached")
    with tab.expect_request("**/_awning/payloads"):
        tab.locator(OPEN).click()
    tab.get_by_role("button", name="Close the inspector").click()
    with tab.expect_request("**/_awning/payloads"):
        tab.locator(OPEN).click()
    earlier, later = requests
    later.continue_()
    chosen = tab.locator("awning-inspector").get_by_label("Filter by event")
    chosen.select_option("after-price")
    with tab.expect_response("**/_awning/payloads"):
        earlier.continue_()
    expect(chosen).to_have_value("after-price")
    expect(tab.locator(ROWS)).to_have_count(3)


def test_filtered_rows_are_copied_as_json_and_as_text(tab, timeline):
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.locator("awning-inspector").get_by_label("Filter by outcome").select_option(label="changed its block")
    tab.get_by_role("button", name="Copy JSON").click()
    expect(tab.locator("awning-inspector .status")).to_have_text("Copied 3 rows")
    copied = json.loads(tab.evaluate("navigator.clipboard.readText()"))
    assert [(row["event"], row["from"], row["own"]) for row in copied] == [
        ("svc-content-after-price", "hello", True),
        *[("svc-content-after-price-updated", "hello", True)] * 2,
    ]
    assert copied[0]["param"]["item"]["id"] == "1"
    assert copied[1]["updatedItem"]["selectedVariantId"] == "101"
    assert "shown" in copied[1]["contents"][0]
    tab.get_by_role("button", name="Copy text").click()
    tab.wait_for_function("async () => !(await navigator.clipboard.readText()).startsWith('[')")
    lines = tab.evaluate("navigator.clipboard.readText()").splitlines()
    assert len(lines) == 3
    assert re.fullmatch(r" *\d+\.\d ms  after-price {10}hello  changed its block  +\d+\.\d ms", lines[0]), (
        lines[0]
    )


def test_replayed_update_reaches_the_widget_again(tab, timeline):
    choose_variant(tab, "L", "105")
    expect(timeline).to_have_count(10)  # wait for the choice's event and its call, drawn after the block
    timeline.last.click()
    choose_variant(tab, "M", "103")
    details(tab).get_by_role("button", name="Replay").click()
    expect(block(tab)).to_have_text("shown  105")
    expect(timeline.filter(has_text="the inspector")).to_have_count(1)


def test_replayed_base_event_fills_the_slot_anew_and_a_save_keeps_one_block(served, workshop, tab, timeline):
    block(tab).evaluate("block => { window.block = block }")
    timeline.filter(has_text="fired").first.click()
    details(tab).get_by_role("button", name="Replay").click()
    expect(block(tab)).to_have_text("shown")
    assert not tab.evaluate("window.block.isConnected")
    served.send(workshop.shows("saved"))
    expect(block(tab).filter(has_text="saved")).to_have_count(1)
    expect(block(tab)).to_have_count(1)


def test_replay_ends_the_blocks_that_it_removes(served, workshop, tab):
    code = """<script>(function () {
      // widgets/hello/widget.ts
      svcPlugins.subscribeEvent("svc-content-after-price", function (event, init) {
        const handler = init();
        handler.setContent("<p class='hello'>hello</p>");
        document.querySelector(".hello").addEventListener("click", () => { window.clicks = (window.clicks ?? 0) + 1; });
        window.older ??= handler;
      });
    })();</script>"""
    workshop.session.apply(workshop.built({"body.html": code}))
    rows = open_timeline(tab, f"{served.url}/1/en/product/1")
    block(tab).evaluate("block => { window.block = block }")
    rows.filter(has_text="fired").first.click()
    details(tab).get_by_role("button", name="Replay").click()
    expect(rows.filter(has_text="the inspector")).to_have_count(1)
    after = tab.evaluate("""() => {
      window.older.setContent("<p>older</p>");
      window.block.firstElementChild.click();
      const ended = [window.clicks ?? 0, window.block.textContent];
      document.querySelector("main .hello").click();
      return [...ended, window.clicks];
    }""")
    assert after == [0, "hello", 1]


def test_patch_removes_the_rows_and_figures_of_the_older_code(served, workshop, tab, timeline):
    choose_variant(tab, "L", "105")
    expect(timeline).to_have_count(10)
    before = timeline.filter(has_text="the shop").count()
    served.send(workshop.patched("patched"))
    expect(block(tab)).to_have_text("patched  105")
    expect(timeline.filter(has_text="hello").filter(has_text="subscribed")).to_have_count(2)
    expect(timeline.filter(has_text="hello")).to_have_count(4)
    expect(timeline.filter(has_text="the shop")).to_have_count(before)
    tab.get_by_role("tab", name="Widgets").click()
    expect(tab.get_by_role("row", name=re.compile("^hello"))).to_contain_text("2")


@pytest.mark.parametrize("way", ["whole", "patch"])
def test_edited_payload_stays_after_a_save_and_is_fired_at_the_new_code(served, workshop, tab, timeline, way):
    timeline.last.click()
    details(tab).get_by_role("button", name="Edit and fire").click()
    editor = details(tab).get_by_role("textbox")
    edited = json.dumps(json.loads(editor.input_value()) | {"selectedVariantId": "777"})
    editor.fill(edited)
    served.send(workshop.shows("saved") if way == "whole" else workshop.patched("saved"))
    expect(block(tab)).to_have_text(re.compile("saved"))
    expect(editor).to_have_value(edited)
    details(tab).get_by_role("button", name="Fire").click()
    expect(block(tab)).to_have_text("saved  777")
    details(tab).get_by_role("button", name="Done").click()
    expect(details(tab)).to_contain_text("Choose a row")


def test_edited_payload_is_fired(tab, timeline):
    timeline.last.click()
    details(tab).get_by_role("button", name="Edit and fire").click()
    editor = tab.get_by_role("textbox", name="updatedItem of after-price-updated, as JSON")
    payload = json.loads(editor.input_value())
    editor.fill(json.dumps(payload | {"selectedVariantId": "777"}))
    tab.get_by_role("button", name="Fire").click()
    expect(block(tab)).to_have_text("shown  777")
    editor.press("Escape")
    expect(details(tab).get_by_role("button", name="Edit and fire")).to_be_focused()


FAULTS = {
    "a missing comma": (
        '{\n  "a": 1\n  "b": 2\n}',
        "Line 3, column 3: a comma or a closing brace is needed here",
    ),
    "a word": ('{"a": nul}', 'Line 1, column 7: "nul" is no JSON value: a text needs double quotes'),
    "a trailing comma": ('{"a": [1,]}', "Line 1, column 10: a value is needed here"),
    "single quotes": ("{'a': 1}", "Line 1, column 2: a key in double quotes is needed here"),
    "an open string": (
        '{\n"a": "b\n}',
        "Line 2, column 6: this string has no end on its line, or a wrong escape",
    ),
    "an early end": (
        '{"a": [1',
        "Line 1, column 9: the text ends, but a comma or a closing bracket is needed",
    ),
    "more after the end": ("{} {}", "Line 1, column 4: the text must end here"),
    "a repeated key": ('{"a": 1, "a": 2}', 'Line 1, column 10: the key "a" is repeated'),
    "a number with a leading zero": ('{"a": 01}', 'Line 1, column 7: "01" is no JSON number'),
    "no colon": ('{"a" 1}', "Line 1, column 6: a colon is needed here"),
}


def test_fault_of_an_edited_payload_is_shown_at_its_place_and_fires_nothing(tab, timeline):
    timeline.last.click()
    details(tab).get_by_role("button", name="Edit and fire").click()
    editor = details(tab).get_by_role("textbox")
    count = timeline.count()
    for text, message in FAULTS.values():
        editor.fill(text)
        expect(details(tab).get_by_role("alert")).to_contain_text(message)
        tab.get_by_role("button", name="Fire").click()
        expect(editor).to_be_focused()
        line, column = map(int, re.findall(r"\d+", message)[:2])
        before = editor.evaluate("area => area.value.slice(0, area.selectionStart)")
        assert (before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1) == (line, column)
    assert timeline.count() == count


def test_payload_that_the_service_does_not_send_is_noted_and_may_be_fired(tab, timeline):
    timeline.last.click()
    details(tab).get_by_role("button", name="Edit and fire").click()
    editor = details(tab).get_by_role("textbox")
    payload = json.loads(editor.input_value())
    payload["item"]["price"] = "free"
    payload["item"]["colour"] = "red"
    del payload["selectedVariant"]["sku"]
    payload["selectedVariantId"] = "888"
    editor.fill(json.dumps(payload, indent=1))
    notes = details(tab).get_by_role("list", name="What the service does not send").get_by_role("listitem")
    expect(notes).to_have_text(
        [
            re.compile(r"Line \d+: item.price is string, and the service sends number \(observed\)"),
            re.compile(r"Line \d+: item.colour is no known field"),
            re.compile(r"Line \d+: selectedVariant.sku is missing \(observed\)"),
        ]
    )
    tab.get_by_role("button", name="Fire").click()
    expect(block(tab)).to_have_text("shown  888")


def test_note_about_every_entry_of_a_list_is_shown_once(tab, timeline):
    timeline.last.click()
    details(tab).get_by_role("button", name="Edit and fire").click()
    editor = details(tab).get_by_role("textbox")
    payload = json.loads(editor.input_value())
    variants = payload["item"]["variants"]
    for variant in variants:
        variant["colour"] = "red"
    editor.fill(json.dumps(payload, indent=1))
    notes = details(tab).get_by_role("list", name="What the service does not send").get_by_role("listitem")
    more = f"and in {len(variants) - 1} more entries"
    expect(notes).to_have_text(
        [re.compile(rf"Line \d+: item.variants\[0\].colour is no known field, {more}$")]
    )


@pytest.mark.parametrize(
    ("path", "marks"),
    [
        ("product/1", {"selectedVariant": "documented", "price": "observed"}),
        ("cart", {"cartData": "documented", "total": "observed", "taxes": "assumed"}),
    ],
)
def test_each_field_of_a_payload_is_marked(served, workshop, tab, path, marks):
    workshop.session.apply(workshop.shows("shown"))
    rows = open_timeline(tab, f"{served.url}/1/en/{path}")
    rows.filter(has_text="fired").last.click()
    expect(details(tab).locator(".mark").first).to_be_visible()
    for name, mark in marks.items():
        expect(details(tab).locator(f".name:text-is('{name}') ~ .mark").first).to_have_text(mark)


def test_payload_that_json_cannot_hold_is_shown(tab, timeline):
    tab.evaluate("""() => {
        const updated = { selectedVariantId: "777", amount: 10n, list: [] };
        updated.list.push(updated);
        $(document).trigger("svc-content-after-price-updated", [null, {}, updated]);
    }""")
    expect(timeline).not_to_have_count(8)
    timeline.last.click()
    expect(details(tab).locator(".leaf", has_text="amount").locator(".value")).to_have_text("10n")
    details(tab).get_by_text("list", exact=True).click()
    expect(details(tab).locator(".leaf", has_text="[0]").locator(".value")).to_have_text("circular")
    expect(details(tab).get_by_role("button", name="Replay")).to_be_visible()
    expect(details(tab).get_by_role("button", name="Edit and fire")).to_have_count(0)


QUIET_CHANGES = """<script>(function () {
  // widgets/hello/widget.ts
  var name = "svc-content-after-price", place, handler;
  svcPlugins.subscribeEvent(name, function (event, init) {
    handler = init();
    place = document.createElement("div");
    handler.setContent(place);
    place.attachShadow({ mode: "open" });
  });
  svcPlugins.subscribeEvent(name + "-updated", function (event, init, params, updated) {
    var id = updated.selectedVariantId;
    if (id === "105") place.shadowRoot.append(id);
    if (id === "103") Promise.resolve().then(function () { place.append(id); });
  });
})();</script>"""


def test_change_without_set_content_is_the_call_s_outcome(served, workshop, tab):
    workshop.session.apply(workshop.built({"body.html": QUIET_CHANGES}))
    rows = open_timeline(tab, f"{served.url}/1/en/product/1")
    count = 8
    expect(rows).to_have_count(count)
    expect(rows.last).to_contain_text("changed nothing")
    for size in ("L", "M"):
        choose_option(tab, size)
        count += 2
        expect(rows).to_have_count(count)
        expect(rows.last).to_contain_text("changed its block")


def test_rule_that_another_app_breaks_is_not_counted_as_ours(served, workshop, tab):
    workshop.session.apply(workshop.shows("shown"))
    tab.goto(f"{served.url}/1/en/product/1?theme=crowded")
    expect(tab.locator(OPEN)).to_have_text("awning3 events")
    tab.locator(OPEN).click()
    expect(tab.locator(f"{ROWS}.is-threw .from")).to_have_text("another app: throws")


def test_widgets_tab_has_size_time_and_updates(served, workshop, tab, timeline):
    choose_variant(tab, "L", "105")
    tab.get_by_role("tab", name="Widgets").click()
    row = tab.locator("awning-inspector .figures tbody tr")
    expect(row).to_have_count(1)
    cells = dict(
        zip(
            tab.locator("awning-inspector .figures thead th").all_inner_texts(),
            row.locator("th, td").all_inner_texts(),
            strict=True,
        )
    )
    script = workshop.session.source.body("en")
    own = script[
        script.index("  // widgets/hello/widget.ts") : script.index("</script>", script.index("// widgets/"))
    ]
    assert cells["Widget"] == "hello"
    assert cells["In this page"] == f"{len(own.encode())} B"
    assert (cells["Renderings"], cells["Updates"], cells["Errors"]) == ("4", "3", "0")
    assert re.fullmatch(r"\d+\.\d ms", cells["Slowest"])
    choose_option(tab, "M")
    expect(row.locator("[data-label=Updates]")).to_have_text("4")


def test_call_of_older_code_is_no_row_and_no_rendering(served, workshop, tab, timeline):
    builds = {
        "two": workshop.patched("two"),
        "three": workshop.shows("three"),
        "shown": workshop.patched("shown"),
    }
    for text, turn in builds.items():
        served.send(turn)
        expect(block(tab)).to_have_text(f"{text}  101")
    choose_variant(tab, "L", "105")
    # The two subscriptions of the last code and their calls, then the choice's event and its call.
    expect(timeline).to_have_count(6)
    tab.get_by_role("tab", name="Widgets").click()
    row = tab.locator("awning-inspector .figures tbody tr")
    expect(row.locator("[data-label=Renderings]")).to_have_text("3")
    expect(row.locator("[data-label=Updates]")).to_have_text("2")


def test_size_of_a_widget_has_no_part_of_another_widget(served, workshop, tab):
    own, other = "/* widgets/hello/style.css */\n.a{}", "/* widgets/other/style.css */\n.b{color:red}"
    script = "  // widgets/hello/widget.ts\n  void 0;\n  // jsrc/runtime/run.ts\n  void 1;\n"
    body = f"<style>{own}{other}</style><script>(() => {{\n{script}}})()</script>"
    workshop.session.apply(workshop.built({"body.html": body}))
    open_timeline(tab, f"{served.url}/1/en/product/1")
    tab.get_by_role("tab", name="Widgets").click()
    size = len(own) + script.index("  // jsrc")
    expect(tab.locator("awning-inspector .figures [data-label='In this page']")).to_have_text(f"{size} B")


def test_currency_is_chosen_for_the_page_and_its_payloads(tab, timeline):
    tab.get_by_role("tab", name="Page").click()
    tab.locator("awning-inspector").get_by_label("Currency").select_option("JPY")
    tab.wait_for_url("**currency=JPY*")
    expect(tab.locator(".product-price").first).to_contain_text("¥")
    expect(tab.locator("awning-inspector").get_by_label("Cart").locator("option").first).to_contain_text("¥")
    tab.get_by_role("tab", name="Events").click()
    tab.locator(ROWS).filter(has_text="fired").first.click()
    expect(details(tab)).to_contain_text('currency"JPY"')


def test_inspector_is_used_with_the_keyboard(tab, timeline):
    tabs = tab.get_by_role("tablist", name="Inspector").get_by_role("tab")
    expect(tabs.first).to_be_focused()
    for key, name in (
        ("ArrowRight", "Widgets"),
        ("End", "Page"),
        ("ArrowRight", "Events"),
        ("ArrowLeft", "Page"),
    ):
        tab.keyboard.press(key)
        expect(tab.get_by_role("tab", name=name)).to_be_focused()
        expect(tab.get_by_role("tab", name=name, selected=True)).to_have_count(1)
        expect(tab.get_by_role("tabpanel", name=name)).to_be_visible()
    tab.keyboard.press("Home")
    timeline.first.get_by_role("button").focus()
    tab.keyboard.press("End")
    expect(timeline.last.get_by_role("button")).to_be_focused()
    tab.keyboard.press("Enter")
    expect(details(tab)).to_contain_text("updatedItem")
    tab.keyboard.press("ArrowUp")
    expect(timeline.nth(6).get_by_role("button")).to_be_focused()
    tab.keyboard.press("Escape")
    expect(tab.locator(OPEN)).to_be_focused()


def test_buttons_of_the_timeline_stay_in_one_line(tab, timeline):
    buttons = tab.get_by_role("group", name="Timeline").get_by_role("button")
    for width in (390, 768, 1000, 1200):
        tab.set_viewport_size({"width": width, "height": 800})
        assert len({button.bounding_box()["y"] for button in buttons.all()}) == 1, width


@pytest.mark.parametrize("width", [390, 1280])
def test_page_can_be_read_above_the_open_inspector(tab, timeline, width):
    tab.set_viewport_size({"width": width, "height": 800})
    tab.reload()
    expect(timeline.first).to_be_visible()
    sheet = tab.locator("awning-inspector .sheet").bounding_box()
    assert sheet is not None
    expect(tab.locator("body")).to_have_css("padding-bottom", f"{sheet['height']:g}px")
    tab.evaluate("scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })")
    footer = tab.locator("body > footer, body > main").last.bounding_box()
    assert footer is not None
    assert footer["y"] + footer["height"] <= sheet["y"] + 1
    assert sheet["width"] == width
    assert tab.evaluate("document.documentElement.scrollWidth") == width
