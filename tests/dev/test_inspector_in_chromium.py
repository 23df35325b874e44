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


def test_the_inspector_names_the_widget_of_each_subscriber(
    served, workshop, tab: Page, tmp_path: Path
) -> None:
    widgets = {"delivery-estimate": "", "greeting": RAW, "free-shipping-bar": ""}
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


@pytest.mark.parametrize(
    ("page", "width"), [("product/1", 390), ("product/1", 1280), ("cart", 390), ("checkout", 390), ("", 390)]
)
def test_the_inspector_covers_nothing_at_any_scroll_position(
    served, workshop, tab: Page, page: str, width: int
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


def test_inspector_is_marked_as_english_on_a_page_in_another_language(served, workshop, tab: Page) -> None:
    workshop.session.apply(workshop.shows("hello"))
    tab.goto(f"{served.url}/1/lv/product/1")
    expect(tab.locator("html[lang=lv] awning-inspector[lang=en]")).to_be_attached()
