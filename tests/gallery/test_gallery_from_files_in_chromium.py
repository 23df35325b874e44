"""A written gallery, opened from its files without a network: every state shows what states.toml says."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from gallery_workspace import add_widgets
from playwright.sync_api import Browser, Page, expect

from awning.contract.shop import THEMES
from awning.pipeline.phases import build_workspace
from awning.workspace.model import Workspace
from awning.workspace.reader import read_workspace
from awning.workspace.scaffolding import add_widget
from awning_harness.gallery.writing import make_gallery

LANGUAGES = ("en", "lv")


THROWS = """
import { afterPrice } from "awning";

export default afterPrice(({ item }) => {
  throw new RangeError(`no size for ${item.id}`);
});
"""
THROWS_STATES = '[[state]]\nname = "thrown"\ntitle = "Throws"\npayload = "P2"\n'


@pytest.fixture(scope="module")
def workspace(tmp_path_factory) -> Workspace:
    project = add_widgets(tmp_path_factory.mktemp("shop"))
    project.add_widget("throws", widget_ts=THROWS, states_toml=THROWS_STATES)
    for name, slot in (
        ("stock-note", "after-price"),
        ("cart-note", "after-cart"),
        ("pay-note", "after-checkout"),
    ):
        add_widget(project.root, name, slot=slot, languages=LANGUAGES)
    return read_workspace(project.root)


@pytest.fixture(scope="module")
def gallery(workspace, tmp_path_factory) -> str:
    """The address of the gallery's folder."""
    folder = tmp_path_factory.mktemp("written")
    record = build_workspace(workspace, out=folder / "dist")
    make_gallery(workspace, record, folder / "dist").write(folder / "a gallery #1")
    return (folder / "a gallery #1").as_uri()


@pytest.fixture
def requested() -> list[str]:
    """The addresses outside of the gallery that its pages requested."""
    return []


@pytest.fixture
def tab(browser: Browser, requested: list[str]) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    context.on(
        "request",
        lambda request: None if request.url.startswith(("file:", "data:")) else requested.append(request.url),
    )
    yield context.new_page()
    context.close()


def test_every_state_shows_its_texts_in_every_language(gallery, workspace, requested, tab: Page):
    faults: list[str] = []
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.goto(f"{gallery}/index.html")
    looked_at = 0
    for widget in workspace.widgets:
        for state in widget.states:
            for language in widget.languages:
                shot = tab.locator(f"#state-{widget.name}-{state.name} .shot[data-language={language}]")
                shot.scroll_into_view_if_needed()
                expect(shot).to_contain_class("is-loaded")
                slot = shot.frame_locator("iframe").locator("[data-slot]")
                for text in state.shows.get(language, ()):
                    expect(slot).to_contain_text(text)
                    looked_at += 1
                if state.empty:
                    expect(shot).to_contain_class("is-empty")
                elif not widget.verbatim:
                    expect(shot).not_to_contain_class("is-empty")
    assert looked_at > 15
    assert faults == []
    assert requested == []


def test_page_of_a_state_has_a_header_that_leads_back(gallery, tab: Page):
    tab.goto(f"{gallery}/index.html?theme=dark")
    tab.locator("#state-note-shown figcaption a").first.click()
    tab.wait_for_url("**/states/note/shown/en.html?theme=dark")
    header = tab.locator("awning-state")
    expect(header).to_contain_text("widgets/note/states.toml:2")
    expect(header.get_by_role("heading")).to_contain_text("A <b>bold</b> </script>")
    header.get_by_role("link", name="In the gallery").click()
    tab.wait_for_url("**/index.html#state-note-shown")
    expect(tab.locator("#state-note-shown")).to_be_in_viewport()


@pytest.mark.parametrize("state", ["shown", "strict"])
def test_page_of_a_state_has_the_look_of_each_theme(gallery, requested, tab: Page, state):
    seen = {}
    for theme in THEMES:
        tab.goto(f"{gallery}/states/note/{state}/en.html?theme={theme}")
        expect(tab.locator(".text")).to_have_text("Hello en")
        seen[theme] = tab.evaluate(
            """[document.documentElement.dir, getComputedStyle(document.body).backgroundColor,
                getComputedStyle(document.documentElement).fontSize, document.querySelector("main").offsetWidth,
                getComputedStyle(document.body).lineHeight]"""
        )
    assert seen["rtl"] == ["rtl", *seen["plain"][1:]]
    assert seen["dark"][1] != seen["plain"][1]
    assert seen["tiny"][2] == "10px"
    assert seen["narrow"][3] == 300
    assert seen["reset"][4] != seen["plain"][4]
    expect(tab.locator("[data-foreign=same-class-names]")).to_be_visible()
    tab.goto(f"{gallery}/states/note/{state}/en.html?theme=__proto__")
    own = "dark" if state == "strict" else "plain"
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == seen[own][1]
    assert requested == []


@pytest.mark.parametrize("path", ["note/strict", "note/nonce", "note/shown"])
def test_page_of_a_healthy_widget_has_no_error_in_the_console(gallery, tab: Page, path):
    complaints: list[str] = []
    tab.on("console", lambda message: complaints.append(message.text))
    tab.goto(f"{gallery}/states/{path}/lv.html")
    expect(tab.locator(".text")).to_have_text("Hello lv")
    assert complaints == []


def test_responses_of_other_hosts_are_played_from_the_page(gallery, requested, tab: Page):
    tab.goto(f"{gallery}/states/asks/asked/en.html")
    expect(tab.locator(".text")).to_have_text("Hello en: 7; 410 ; Failed to fetch; Failed to fetch")
    star = tab.get_by_role("img", name="A star")
    expect(star).to_have_js_property("complete", value=True)
    assert star.evaluate("star => star.naturalWidth") > 0
    unnamed = "fetch('https://unnamed.example/y').catch((error) => error.message)"
    assert tab.evaluate(unnamed) == "Failed to fetch"
    assert requested == []


def test_error_of_a_widget_is_on_its_page_and_in_its_frame(gallery, requested, tab: Page):
    tab.goto(f"{gallery}/states/throws/thrown/en.html")
    expect(tab.locator("awning-errors")).to_contain_text("RangeError: no size for 2")
    tab.goto(f"{gallery}/index.html#throws")
    card = tab.frame_locator("#state-throws-thrown .shot[data-language=en] iframe").locator(".card")
    expect(card).to_contain_text("RangeError: no size for 2")
    assert requested == []


def test_index_shows_another_view(gallery, tab: Page):
    tab.goto(f"{gallery}/index.html")
    tab.get_by_role("link", name="Right to left").click()
    tab.get_by_role("link", name="768").click()
    tab.get_by_role("group", name="Language").get_by_role("link", name="lv").click()
    tab.wait_for_url("**/index.html?width=768&theme=rtl&language=lv")
    expect(tab.locator(".shot[data-language=en]:visible")).to_have_count(0)
    tab.locator("#state-note-shown .shot[data-language=lv]").scroll_into_view_if_needed()
    frame = tab.locator("#state-note-shown iframe")
    expect(frame).to_have_attribute("width", "768")
    expect(tab.frame_locator("#state-note-shown iframe").locator("html")).to_have_attribute("dir", "rtl")
    tab.get_by_role("searchbox", name="Widget").fill("pay")
    expect(tab.locator(".widget:visible")).to_have_id("pay-note")


def test_index_and_page_of_a_state_have_no_violation_on_a_phone(gallery, tab: Page):
    tab.set_viewport_size({"width": 390, "height": 800})
    for path in ("index.html", "states/note/shown/en.html"):
        tab.goto(f"{gallery}/{path}")
        tab.locator(".shot.is-loaded, awning-state").first.wait_for()
        options = {"resultTypes": ["violations"], "iframes": False}
        response = Axe().run(tab, context={"exclude": [["[data-slot]"]]}, options=options).response
        assert [violation["id"] for violation in response["violations"]] == []
        assert tab.evaluate("document.documentElement.scrollWidth") == 390
