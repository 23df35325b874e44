"""The inspector on a page: it names the app of each event, and covers nothing that a shopper uses."""

import shutil
from pathlib import Path

import pytest
from frames import ROOT
from playwright.sync_api import Page, expect

from awning.pipeline.incremental import build

RAW = """
interface Greeting { text: string }
const greeting: Greeting = { text: "raw" };
svcPlugins.subscribeEvent("svc-content-after-price", (_event, init) => {
  init().setContent(greeting.text);
});
"""

COVERED = """() => {
  const tab = document.querySelector("awning-inspector").shadowRoot.querySelector(".pill").getBoundingClientRect();
  const used = document.querySelectorAll("a, button, input, select, label, .price, dd, .line, .card, p, h1, h2");
  return [...used].filter((element) => {
    const at = element.getBoundingClientRect();
    return at.width && at.right > tab.left && at.bottom > tab.top && at.top < tab.bottom && at.left < tab.right;
  }).map((element) => `${element.outerHTML.slice(0, 80)} ${element.getBoundingClientRect().right} > ${tab.left}`);
}"""


def development_body(folder: Path, widgets: dict[str, str]) -> str:
    """The body snippet of a dev build of a workspace with the reference widgets or raw scripts."""
    folder = folder / "developed"
    folder.mkdir()
    for name in ("pyproject.toml", "manifest.toml"):
        shutil.copy(ROOT / name, folder / name)
    for name, script in widgets.items():
        widget = folder / "widgets" / name
        if script:
            widget.mkdir(parents=True)
            (widget / "widget.toml").write_text(f'title = "{name}"\nslot = "after-price"\n', encoding="utf-8")
            (widget / "widget.ts").write_text(script, encoding="utf-8")
        else:
            shutil.copytree(ROOT / "widgets" / name, widget)
    build(folder, out=folder / "out", dev=True)
    return (folder / "out" / "body.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "widgets",
    [
        {"delivery-estimate": "", "greeting": RAW, "free-shipping-bar": ""},
        {"delivery-estimate": ""},
        {"greeting": RAW},
    ],
    ids=["several", "one", "raw"],
)
def test_the_inspector_names_the_widget_of_each_subscriber(
    served, workshop, tab: Page, tmp_path: Path, widgets: dict[str, str]
) -> None:
    body = development_body(tmp_path, widgets)
    workshop.session.apply(workshop.built({"body.html": body}))
    tab.goto(f"{served.url}/1/en/product/1?scenario=late-neighbour")
    tab.get_by_role("button", name="awning").click()
    rows = tab.locator("awning-inspector tbody tr")
    expect(rows.first).to_be_visible()
    subscribed = rows.filter(has_text="subscribed").locator("td.from").all_inner_texts()
    own = [name for name in subscribed if not name.startswith("another app")]
    assert set(own) == set(widgets)
    assert len(subscribed) > len(own)


def test_the_inspector_still_names_widgets_after_a_redraw(
    served, workshop, tab: Page, tmp_path: Path
) -> None:
    workshop.session.apply(workshop.built({"body.html": "<!-- nothing yet -->"}))
    tab.goto(f"{served.url}/1/en/product/1")
    tab.locator("awning-inspector[data-revision]").wait_for(state="attached")
    served.send(workshop.built({"body.html": development_body(tmp_path, {"greeting": RAW})}))
    tab.get_by_role("button", name="awning").click()
    rows = tab.locator("awning-inspector tbody tr")
    expect(rows.filter(has_text="subscribed").locator("td.from")).to_have_text("greeting")


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("page", ["product/1", "cart", "checkout", ""])
def test_the_inspector_covers_nothing_at_any_scroll_position(
    served, workshop, tab: Page, width: int, page: str
) -> None:
    workshop.session.apply(workshop.shows("one"))
    tab.set_viewport_size({"width": width, "height": 700})
    tab.goto(f"{served.url}/1/en/{page}")
    tab.locator("awning-inspector .pill").wait_for()
    covered = []
    for y in range(0, tab.evaluate("document.documentElement.scrollHeight"), 150):
        tab.evaluate("y => scrollTo({ top: y, behavior: 'instant' })", y)
        covered += tab.evaluate(COVERED)
    assert covered == []


THROWING = {
    "a raw script's callback": (
        {
            "greeting": """
interface Greeting { text: string }
const shout = (greeting: Greeting | null): string => {
  return greeting!.text.toUpperCase();
};

svcPlugins.subscribeEvent("svc-content-after-price", () => void shout(null));
"""
        },
        "greeting",
        "widgets/greeting/widget.ts:4:20",
    ),
    "a raw script outside of callbacks": (
        {"greeting": RAW + "\n(null as unknown as string[]).join();\n"},
        "greeting",
        "widgets/greeting/widget.ts:8:31",
    ),
    "a render function": (
        {
            "hello": """import { afterPrice } from "awning";

export default afterPrice(({ item }) => {
  const first = item.variants[99] as unknown as { name: string };
  return first.name;
});
""",
            "greeting": RAW,
        },
        "hello",
        "widgets/hello/widget.ts:5:16",
    ),
}


@pytest.mark.parametrize(("widgets", "name", "place"), THROWING.values(), ids=THROWING)
def test_an_error_is_shown_with_file_and_line_on_the_page_and_in_the_terminal(
    served, workshop, tab: Page, widgets: dict[str, str], name: str, place: str
) -> None:
    shutil.rmtree(workshop.root / "widgets")
    body = development_body(workshop.root, widgets)
    workshop.session.root = workshop.root / "developed"
    workshop.session.apply(workshop.built({"body.html": body}))
    with tab.expect_response("**/_awning/thrown"):
        tab.goto(f"{served.url}/1/en/product/1")
    [text] = served.printed
    line, *source = text.splitlines()
    assert source
    assert line.startswith(f"{name} threw on a page: TypeError: ")
    assert line.endswith(f" ({place})")
    tab.locator("awning-inspector .pill").click()
    expect(tab.locator("awning-inspector tr.is-threw", has_text=place)).to_have_count(1)


def test_inspector_is_marked_as_english_on_a_page_in_another_language(served, workshop, tab: Page) -> None:
    workshop.session.apply(workshop.shows("hello"))
    tab.goto(f"{served.url}/1/lv/product/1")
    expect(tab.locator("html[lang=lv] awning-inspector[lang=en]")).to_be_attached()
