"""An error is shown over the page with file, line and source until it is mended, and once in the terminal."""

from dataclasses import dataclass

import pytest
from dev_loop import DevLoop, running_loop
from playwright.sync_api import Page, expect
from project import Project

NOTE, OTHER = "widgets/note", "widgets/other"
SCRIPT = f"{NOTE}/widget.ts"
VIEW = f"{NOTE}/view.html.j2"
SCHEMA = '{"type": "object", "properties": {"days": {"type": "integer", "default": 3}}}\n'


@pytest.fixture(scope="module")
def loop(tmp_path_factory, dev_files):
    project = Project(tmp_path_factory.mktemp("app"))
    states = '[[state]]\nname = "shown"\ntitle = "Shown"\npayload = "P1"\n'
    states += '[[state]]\nname = "strict"\ntitle = "Strict"\npayload = "P1"\ncsp = "trusted-types"\n'
    project.add_widget("note", data_schema_json=SCHEMA, style_css="p { color: teal }\n")
    project.add_file(f"{NOTE}/states.toml", states)
    project.add_widget("other")
    project.add_file("storefront/shop.toml", '[[code]]\ncode = "HALF"\npercent = 50\n')
    with running_loop(project.root, dev_files) as loop:
        yield loop


@dataclass(frozen=True)
class Break:
    """A change that breaks the file at `path`: `text` replaces its text or, if `appended`, is added at its end.

    The error is at `place` and shows `excerpt`.
    """

    path: str
    text: str
    place: str
    excerpt: str
    appended: bool = False


BREAKS = {  # by what finds the error: the compiler, readers of the widgets, the shop and the workspace, the check
    "template": Break(VIEW, "<p>\n{% if %}</p>", f"{VIEW}:2", "{% if %}"),
    "states": Break(
        f"{NOTE}/states.toml", '\n[[state]]\nnam = "x"\n', f"{NOTE}/states.toml:", "nam", appended=True
    ),
    "storefront": Break(
        "storefront/shop.toml", "percent = \n", "storefront/shop.toml:", "percent =", appended=True
    ),
    "workspace": Break("pyproject.toml", "\n[tool.awning\n", "pyproject.toml:2", "[tool.awning"),
    "check": Break(SCRIPT, "\neval(location.hash);\n", f"{SCRIPT}:5", "eval(location.hash);", appended=True),
}


@pytest.mark.parametrize("kind", BREAKS)
def test_error_is_over_the_page_and_printed_once_until_it_is_mended(loop: DevLoop, tab: Page, kind: str):
    broken = BREAKS[kind]
    right = loop.read(broken.path)
    loop.open(tab)
    overlay = tab.get_by_role("alertdialog")
    expect(overlay).to_have_count(0)
    before = len(loop.printed)
    loop.save(broken.path, right + broken.text if broken.appended else broken.text)
    try:
        expect(overlay).to_contain_text(broken.place)
        expect(overlay.locator("pre").filter(has_text=broken.excerpt).first).to_be_visible()
        assert sum(broken.place in line for line in loop.printed[before:]) >= 1, loop.printed[before:]
        again = len(loop.printed)
        loop.save(f"{OTHER}/view.html.j2", loop.read(f"{OTHER}/view.html.j2") + "<b>x</b>\n")
        assert not any(broken.place in line for line in loop.printed[again:]), loop.printed[again:]
        assert any("as before" in line for line in loop.printed[again:]), loop.printed[again:]
        expect(overlay).to_contain_text(broken.place)
    finally:
        loop.save(broken.path, right)
    expect(overlay).to_have_count(0)
    loop.wait_until_shown(tab)
    expect(tab.locator(".placeholder-after-price .text").first).to_have_text("Hello en")


def test_warnings_and_notes_are_named_as_such_below_the_errors(loop: DevLoop, tab: Page):
    right = {path: loop.read(path) for path in (SCRIPT, f"{NOTE}/style.css")}
    not_run = "svcPlugins.subscribeEvent('svc-content-after-price', () => void new FormData());\n"
    loop.open(tab)
    loop.save(f"{NOTE}/style.css", "p { colour: teal }\n")
    loop.save(SCRIPT, f"{not_run}{right[SCRIPT]}\neval(location.hash);\n")
    try:
        overlay = tab.get_by_role("alertdialog", name="The check found an error")
        tags = overlay.locator(".tag")
        expect(tags).to_have_text(["no-eval", "warning: style-warning", "note: script-budget"])
        error, warning, note = tags.evaluate_all("(tags) => tags.map((tag) => getComputedStyle(tag).color)")
        assert len({error, warning, note}) == 3
        expect(overlay).to_contain_text("until the error is mended")
    finally:
        for path, text in right.items():
            loop.save(path, text)
    expect(overlay).to_have_count(0)


def test_column_of_an_error_is_marked_where_the_line_wraps(loop: DevLoop, tab: Page):
    right = loop.read(VIEW)
    tab.set_viewport_size({"width": 390, "height": 800})
    loop.open(tab)
    loop.save(VIEW, f"<p>{'🙂 long ' * 40}{{{{ product.name|nothing }}}}</p>")
    try:
        excerpt = tab.get_by_role("alertdialog").locator("pre", has_text="nothing").first
        expect(excerpt.locator("mark")).to_have_text("n")
        assert excerpt.evaluate("(pre) => pre.querySelector('mark').nextSibling.data") == "othing }}</p>"
        assert "^" not in excerpt.inner_text()
    finally:
        loop.save(VIEW, right)


THROWS = {
    "script": (
        SCRIPT,
        'import { afterPrice } from "awning";\nexport default afterPrice(({ item }) =>\n  item.nothing.more);\n',
        f"{SCRIPT}:3:16",
        "item.nothing.more",
    ),
    "promise": (
        SCRIPT,
        (
            'import { afterPrice } from "awning";\nexport default afterPrice(() => {\n'
            "  void Promise.resolve({} as { a: { b: 1 } }).then((value) => value.a.b);\n"
            '  return "shown";\n});\n'
        ),
        f"{SCRIPT}:3",
        "value.a.b",
    ),
    "template": (VIEW, "<p>\n{{ t('hello')|attr('x')|round }}</p>", f"{VIEW}:2", "round"),
    "raw script": (
        SCRIPT,
        'svcPlugins.subscribeEvent("svc-content-after-price", () => {\n  null.x;\n});\n',
        f"{SCRIPT}:2:8",
        "null.x",
    ),
}


@pytest.mark.parametrize("kind", THROWS)
def test_error_of_a_page_is_over_it_and_printed_once_until_it_is_mended(loop: DevLoop, tab: Page, kind: str):
    path, text, place, excerpt = THROWS[kind]
    right = loop.read(path)
    loop.open(tab)
    tab.locator("awning-inspector .pill").click()
    before = len(loop.printed)
    with tab.expect_response("**/_awning/thrown"):
        loop.save(path, text)
    card = tab.locator("awning-inspector .card")
    try:
        expect(card).to_contain_text(place)
        expect(card.locator("pre")).to_contain_text(excerpt)
        expect(tab.locator("awning-inspector tr.is-threw", has_text=place)).to_have_count(1)
        with tab.expect_response("**/_awning/thrown"):
            loop.save(path, f"{text}\n")
        expect(card).to_contain_text(place)
        loop.settle()
        said = [line for line in loop.printed[before:] if "threw on a page" in line]
        assert len(said) == 1, said
        assert place in said[0]
        assert excerpt in said[0]
    finally:
        loop.save(path, right)
    loop.wait_until_shown(tab)
    expect(card).to_have_count(0)


THREE_ERRORS = """import { afterPrice } from "awning";
setTimeout(() => { throw new Error("first, with a long message that fills several lines of a narrow page"); });
setTimeout(() => { throw new Error("second, with a long message that fills several lines of a narrow page"); });
setTimeout(() => { throw new Error("third, with a long message that fills several lines of a narrow page"); });
export default afterPrice(() => "shown");
"""
ROOM = """() => {
  const cards = document.querySelector("awning-inspector").shadowRoot.querySelector(".cards");
  return {
    scrolled: scrollTo(0, document.documentElement.scrollHeight),
    share: cards.getBoundingClientRect().height / innerHeight,
    room: cards.getBoundingClientRect().top - document.querySelector("footer").getBoundingClientRect().bottom,
  };
}"""


def test_narrow_page_can_be_scrolled_above_its_errors(loop: DevLoop, tab: Page):
    right = loop.read(SCRIPT)
    tab.set_viewport_size({"width": 390, "height": 664})
    loop.open(tab)
    loop.save(SCRIPT, THREE_ERRORS)
    try:
        expect(tab.locator("awning-inspector .card")).to_have_count(3)
        tab.wait_for_function(f"({ROOM})().room > -1")
        assert tab.evaluate(ROOM)["share"] < 0.5
    finally:
        loop.save(SCRIPT, right)
    expect(tab.locator("awning-inspector .card")).to_have_count(0)
    # The browser tells sizes before it draws.
    tab.wait_for_function("document.body.style.paddingBottom === ''")


def test_error_takes_no_focus_from_a_field_in_use(loop: DevLoop, tab: Page):
    right = loop.read(VIEW)
    loop.open(tab)
    field = tab.locator("[data-buy] [name=quantity]")
    field.fill("")
    loop.save(VIEW, "{% if %}")
    try:
        expect(tab.get_by_role("alertdialog")).to_be_visible()
        tab.keyboard.type("42")
        expect(field).to_have_value("42")
    finally:
        loop.save(VIEW, right)
    expect(tab.get_by_role("alertdialog")).to_have_count(0)
    expect(field).to_be_focused()


STATE_PAGE = "/_awning/state/note/shown/en"


def test_error_in_a_state_is_on_its_page_and_printed_with_the_name_of_the_state(loop: DevLoop, tab: Page):
    path, text, place, excerpt = THROWS["script"]
    right = loop.read(path)
    tab.goto(f"{loop.url}{STATE_PAGE}")
    before = len(loop.printed)
    card = tab.locator("awning-errors .card")
    try:
        loop.save(path, text)
        expect(card).to_contain_text(place)
        expect(card).to_contain_text('threw in the state "shown"')
        expect(card.locator("pre")).to_contain_text(excerpt)
        loop.settle()
        said = [line for line in loop.printed[before:] if 'note threw in the state "shown"' in line]
        assert len(said) == 1, loop.printed[before:]
        assert place in said[0]
        assert excerpt in said[0]
    finally:
        loop.save(path, right)
    expect(tab.locator(".placeholder-after-price .text").first).to_have_text("Hello en")
    expect(card).to_have_count(0)


def test_error_in_a_state_is_in_its_frame_of_the_gallery(loop: DevLoop, tab: Page):
    path, text, place, _excerpt = THROWS["script"]
    right = loop.read(path)
    loop.save(path, text)
    try:
        tab.goto(f"{loop.url}/_awning/gallery")
        shot = tab.locator("#state-note-shown .shot").first
        card = shot.frame_locator("iframe").locator(".card")
        expect(card).to_contain_text("Cannot read properties of undefined")
        expect(card).to_contain_text(place)
        expect(card).to_be_in_viewport()
        expect(shot).not_to_contain_class("is-empty")
    finally:
        loop.save(path, right)
    expect(card).to_have_count(0)


def test_problem_of_the_build_is_over_the_page_of_a_state(loop: DevLoop, tab: Page):
    right = loop.read(VIEW)
    tab.goto(f"{loop.url}{STATE_PAGE}")
    loop.save(VIEW, "{% if %}")
    try:
        expect(tab.get_by_role("alertdialog")).to_contain_text(f"{VIEW}:1")
    finally:
        loop.save(VIEW, right)
    expect(tab.get_by_role("alertdialog")).to_have_count(0)


@pytest.mark.parametrize("path", ["/1/en/product/1?csp=trusted-types", "/_awning/state/note/strict/en"])
def test_page_of_a_healthy_widget_under_trusted_types_has_no_error_in_the_console(
    loop: DevLoop, tab: Page, path
):
    complaints: list[str] = []
    tab.on("console", lambda message: complaints.append(message.text))
    tab.goto(f"{loop.url}{path}")
    expect(tab.locator(".placeholder-after-price .text").first).to_have_text("Hello en")
    assert complaints == []


def test_string_that_a_script_sets_under_trusted_types_is_an_error_with_its_place(loop: DevLoop, tab: Page):
    right = loop.read(SCRIPT)
    subscribe = 'svcPlugins.subscribeEvent("svc-content-after-price", (_, init) => {'
    loop.save(SCRIPT, f'{subscribe}\n  init().setContent("<b>x</b>");\n}});\n')
    try:
        with tab.expect_console_message(lambda message: message.type == "error") as said:
            tab.goto(f"{loop.url}/1/en/product/1?csp=trusted-types")
        assert "This document requires 'TrustedHTML' assignment" in said.value.text
        card = tab.locator("awning-inspector .card")
        expect(card).to_contain_text("This document requires 'TrustedHTML' assignment")
        expect(card).to_contain_text(f"{SCRIPT}:2")
    finally:
        loop.save(SCRIPT, right)
