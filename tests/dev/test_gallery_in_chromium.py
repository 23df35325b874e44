"""The gallery in a browser: frames are made as they come into view, and show the slot as on a page of the shop."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

STATE = """
[[state]]
name = "s{number}"
title = "State {number}"
payload = "P3"
now = "2026-03-02T10:{number:02}:00"
"""


@pytest.fixture
def many_states(workshop, served) -> str:
    """The address of a gallery with 40 states of a widget that says hello."""
    workshop.session.apply(workshop.shows("hi"))
    body = (workshop.root / "dist" / "body.html").read_text()
    workshop.session.unit = lambda name: {f"widgets/{name}/body.html": body}
    states = "".join(STATE.format(number=number) for number in range(40))
    (workshop.root / "widgets" / "hello" / "states.toml").write_text(states)
    return f"{served.url}/_awning/gallery"


def test_frames_are_made_when_they_come_into_view(many_states, tab: Page) -> None:
    tab.goto(many_states)
    expect(tab.frame_locator("iframe").first.locator(".hello")).to_contain_text("hi")
    assert tab.locator("iframe").count() < 20
    last = tab.locator("[data-frame]").last
    expect(last.locator("iframe")).to_have_count(0)
    last.scroll_into_view_if_needed()
    expect(last.frame_locator("iframe").locator(".hello")).to_contain_text("hi")


@pytest.mark.parametrize(
    ("theme", "width"),
    [("plain", 390), ("rtl", 768), ("narrow", 1280)],
)
def test_a_frame_is_as_wide_as_the_slot_in_the_shop(many_states, served, tab: Page, width, theme) -> None:
    tab.set_viewport_size({"width": width, "height": 800})
    tab.goto(f"{served.url}/1/lv/product/3?theme={theme}")
    slot = tab.locator(".placeholder-after-price").bounding_box()
    tab.set_viewport_size({"width": 1280, "height": 800})
    tab.goto(f"{many_states}?width={width}&theme={theme}&language=lv")
    shot = tab.locator(".shot[data-language=lv]").first
    expect(shot).to_contain_class("is-loaded")
    crop = shot.locator(".crop")
    assert crop.bounding_box()["width"] == pytest.approx(slot["width"], abs=1)
    block = shot.frame_locator("iframe").locator(".hello").bounding_box()
    assert block["x"] >= crop.bounding_box()["x"] - 1
    assert block["x"] + block["width"] <= crop.bounding_box()["x"] + crop.bounding_box()["width"] + 1


def test_frame_that_is_still_loading_is_loaded_again_after_a_build(many_states, served, workshop, tab: Page):
    held: list[Route] = []
    tab.route("**/s0/lv", lambda route: route.fallback() if held else held.append(route))
    tab.goto(many_states, wait_until="domcontentloaded")
    expect(tab.locator(".shot[data-language=en]").first).to_contain_class("is-loaded")
    with tab.expect_request("**/s0/lv"):
        served.send(workshop.shows("two"))
    expect(tab.frame_locator("iframe").first.locator(".hello")).to_be_visible()


def test_page_that_hears_of_builds_late_misses_none(many_states, workshop, tab: Page):
    """The browser connects a page to the server's messages at any time after the page."""
    held: list[Route] = []
    tab.route("**/_awning/stream*", lambda route: held.append(route))  # noqa: PLW0108 - not a builtin
    with tab.expect_request("**/_awning/stream*"):
        tab.goto(many_states)
    expect(tab.frame_locator("iframe").first.locator(".hello")).to_contain_text("hi")
    workshop.session.apply(workshop.shows("two"))
    with tab.expect_request("**/s0/lv"):
        held[0].continue_()


def switches(tab: Page) -> dict[str, str]:
    links = tab.locator(".switch a").all()
    return {link.text_content() or "": (link.get_attribute("href") or "") for link in links}


def test_the_address_of_the_gallery_has_width_theme_and_language(many_states, tab: Page) -> None:
    tab.goto(f"{many_states}?width=768&theme=dark&language=en")
    expect(tab.locator(".lead")).to_contain_text("768 px wide")
    expect(tab.locator(".switch [aria-current]")).to_have_text(["768", "Dark", "en"])
    frame = tab.locator(".shot:visible iframe").first
    expect(frame).to_have_attribute("src", "/_awning/state/hello/s0/en?theme=dark")
    expect(frame).to_have_attribute("width", "768")
    expect(tab.locator(".shot[data-language=lv]:visible")).to_have_count(0)
    alone = tab.locator("figcaption:visible a").first.get_attribute("href") or ""
    assert alone.endswith("/_awning/state/hello/s0/en?theme=dark")


def test_each_switch_of_the_gallery_keeps_the_other_choices(many_states, served, tab: Page) -> None:
    tab.goto(f"{many_states}?width=768&theme=dark&language=en")
    links = switches(tab)
    assert links["390"] == "/_awning/gallery?theme=dark&language=en"
    assert links["Crowded"] == "/_awning/gallery?width=768&theme=crowded&language=en"
    assert links["As stated"] == "/_awning/gallery?width=768&language=en"
    assert links["All"] == "/_awning/gallery?width=768&theme=dark"
    assert all(served.get(link)[0] == 200 for link in links.values())


def test_the_gallery_shows_the_widgets_that_a_text_names(many_states, workshop, tab: Page) -> None:
    folder = workshop.root / "widgets" / "second-one"
    folder.mkdir()
    for name, text in (("widget.toml", 'title = "Büro"\nslot = "after-price"\n'), ("widget.ts", "")):
        (folder / name).write_text(text)
    tab.goto(many_states)
    field, shown = tab.get_by_role("searchbox", name="Widget"), tab.locator(".widget:visible")
    expect(shown).to_have_count(2)
    field.fill("BÜRO one ")
    expect(shown).to_have_id("second-one")
    expect(tab.get_by_role("status")).to_have_text("1 of 2")
    tab.get_by_role("link", name="Dark").click()
    expect(field).to_have_value("BÜRO one")
    expect(shown).to_have_id("second-one")
    field.fill("")
    expect(shown).to_have_count(2)
    expect(tab.get_by_role("status")).to_be_empty()
    assert switches(tab)["As stated"] == "/_awning/gallery"


def test_a_widget_that_is_not_in_the_chosen_language_says_so(many_states, workshop, tab: Page) -> None:
    with (workshop.root / "widgets" / "hello" / "widget.toml").open("a") as file:
        file.write('languages = ["en"]\n')
    tab.goto(f"{many_states}?language=lv")
    note = tab.get_by_text("Not built in this language.").first
    expect(note).to_be_visible()
    tab.get_by_role("link", name="All", exact=True).click()
    expect(note).to_be_hidden()


def test_a_message_of_a_widget_does_not_break_the_gallery(many_states, workshop, tab: Page) -> None:
    post = "for (const shown of [null, 1, {}, {left: 'x'}]) parent.postMessage({'awning-shown': shown}, '*')"
    said = f"<script>{post}</script>"
    body = workshop.session.unit("hello")["widgets/hello/body.html"]
    workshop.session.unit = lambda name: {f"widgets/{name}/body.html": said + body}
    faults: list[str] = []
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.goto(many_states)
    expect(tab.frame_locator("iframe").first.locator(".hello")).to_be_visible()
    expect(tab.locator(".shot").first).to_contain_class("is-loaded")
    assert faults == []


def test_a_switch_leads_to_the_state_that_was_in_view(many_states, tab: Page) -> None:
    tab.set_viewport_size({"width": 1280, "height": 800})
    tab.goto(many_states)
    tab.locator("#state-hello-s20").scroll_into_view_if_needed()
    tab.get_by_role("link", name="Dark").click()
    tab.wait_for_url(re.compile(r"gallery\?theme=dark#state-hello-s\d+$"))
    assert 10 < int(tab.url.rpartition("-s")[2]) <= 20


def test_a_state_with_only_other_apps_is_empty(many_states, workshop, tab: Page) -> None:
    workshop.session.unit = lambda _name: {}
    tab.goto(f"{many_states}?theme=crowded")
    expect(tab.frame_locator("iframe").first.locator("[data-foreign=same-class-names]")).to_be_visible()
    expect(tab.locator(".shot").first).to_contain_class("is-empty")


def test_a_verbatim_widget_is_shown_outside_of_the_slot(workshop, served, tab: Page) -> None:
    html = '<a id="chat" style="position: fixed; bottom: 0; right: 0">Chat</a>'
    workshop.session.apply(workshop.built({"body.html": html}))
    workshop.session.unit = lambda name: {f"widgets/{name}/body.html": html}
    folder = workshop.root / "widgets" / "chat"
    folder.mkdir()
    (folder / "widget.toml").write_text('title = "Chat"\n')
    (folder / "body.html").write_text(html)
    (folder / "states.toml").write_text(
        '[[state]]\nname = "page"\ntitle = "Page"\npayload = "P1"\nempty = true\n'
    )
    tab.goto(f"{served.url}/_awning/gallery#chat")
    crop, card = tab.locator("#chat .crop").first, tab.locator("#chat .shot").first
    expect(card).to_contain_class("is-loaded")
    expect(card).not_to_contain_class("is-empty")
    chat = crop.frame_locator("iframe").locator("#chat").bounding_box()
    box = crop.bounding_box()
    assert box["y"] <= chat["y"]
    assert chat["y"] + chat["height"] <= box["y"] + box["height"] + 1


DIALOG = """<script>svcPlugins.subscribeEvent("svc-content-after-price", function (event, init) {
  init().setContent('<div class="host"></div>');
  var root = document.querySelector(".host").attachShadow({ mode: "open" });
  root.innerHTML = '<button class="open">Open</button><dialog><div class="list">S</div><button>Close</button></dialog>';
  root.querySelector(".list").style.height = "250px";
  var dialog = root.querySelector("dialog");
  root.querySelector(".open").onclick = function () { dialog.showModal(); };
  dialog.querySelector("button").onclick = function () { dialog.close(); };
});</script>"""


def test_a_dialog_over_the_page_is_shown_whole_while_it_is_open(workshop, served, tab: Page) -> None:
    workshop.session.apply(workshop.shows("hi"))
    workshop.session.unit = lambda name: {f"widgets/{name}/body.html": DIALOG}
    states = '[[state]]\nname = "open"\ntitle = "Open"\npayload = "P2"\nsteps = ["click \\".open\\""]\n'
    (workshop.root / "widgets" / "hello" / "states.toml").write_text(states)
    tab.set_viewport_size({"width": 1000, "height": 900})
    tab.goto(f"{served.url}/_awning/gallery?language=en")
    crop = tab.locator("[data-language=en] .crop")
    frame = crop.frame_locator("iframe")
    expect(crop).to_have_css("height", re.compile(r"^[34]\d\dpx$"))
    box, dialog = crop.bounding_box(), frame.locator("dialog").bounding_box()
    assert box["y"] <= dialog["y"]
    assert dialog["y"] + dialog["height"] <= box["y"] + box["height"]
    frame.get_by_role("button", name="Close").click()
    expect(crop).to_have_css("height", re.compile(r"^\d\dpx$"))


@pytest.mark.parametrize("width", [390, 1280])
def test_the_gallery_is_as_wide_as_the_window(many_states, tab: Page, width) -> None:
    tab.set_viewport_size({"width": width, "height": 800})
    tab.goto(f"{many_states}?width=1280")
    tab.locator(".shot.is-loaded").first.wait_for()
    assert tab.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize(("width", "scrolls"), [(390, True), (1280, False)])
def test_the_keyboard_reaches_a_frame_that_scrolls(many_states, tab: Page, width, scrolls) -> None:
    tab.set_viewport_size({"width": width, "height": 800})
    tab.goto(f"{many_states}?width=1280")
    expect(tab.locator(".shot").first).to_contain_class("is-loaded")
    assert tab.locator(".stand").first.evaluate("one => one.tabIndex === 0") is scrolls
