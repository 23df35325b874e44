"""The reference widgets and those of a new workspace withstand every theme of the shop."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from frames import ROOT
from playwright.sync_api import Browser, Page
from shop_choices import choose_option

from awning.contract.shop import THEMES
from awning.pipeline.incremental import build
from awning.workspace.scaffolding import add_widget, make_workspace
from awning_harness.storefront import FixedSnippets
from awning_harness.visit.pages.visibility import TOO_WIDE

PAGES = {
    "product/2": "after-price",
    "product/4": "after-price",
    "cart": "after-cart",
    "cart?cart=P3x3": "after-cart",
    "checkout": "after-checkout",
}

CONTRAST = """(selector) => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const parents = (element) => element ? [...parents(element.parentElement), element] : [];
  const rgb = (layers) => {
    canvas.globalAlpha = 1;
    for (const [color, alpha] of layers) {
      canvas.globalAlpha = alpha;
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = (channels) => channels
    .map((channel) => channel / 255)
    .map((channel) => channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
    .reduce((sum, channel, i) => sum + channel * [0.2126, 0.7152, 0.0722][i], 0);
  const ratio = (element) => {
    const above = parents(element);
    const behind = [["#fff", 1], ...above.map((outer) => [getComputedStyle(outer).backgroundColor, 1])];
    const opacity = above.reduce((product, outer) => product * Number(getComputedStyle(outer).opacity), 1);
    const [light, dark] = [rgb(behind), rgb([...behind, [getComputedStyle(element).color, opacity]])]
      .map(luminance).sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  return [...document.querySelectorAll(`${selector} *`)]
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .map((element) => [element.textContent.trim(), ratio(element)])
    .filter(([, contrast]) => contrast < 4.5);
}"""

BIG_DRAWINGS = """(selector) => [...document.querySelectorAll(`${selector} svg`)]
  .filter((drawing) => drawing.getBoundingClientRect().width > 40).length"""

TEXT_AT_THE_BORDER = """(selector) => [...document.querySelectorAll(`${selector} [class]`)]
  .filter((element) => parseFloat(getComputedStyle(element).borderTopWidth))
  .filter((element) => {
    const box = element.getBoundingClientRect();
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), range = document.createRange();
    const rects = [];
    while (texts.nextNode()) {
      range.selectNodeContents(texts.currentNode);
      if (texts.currentNode.data.trim() && texts.currentNode.parentElement.checkVisibility()) {
        rects.push(...range.getClientRects());
      }
    }
    return rects.some((text) => text.left - box.left < 6 || box.right - text.right < 6 || text.top - box.top < 4);
  }).map((element) => element.className)"""


@pytest.fixture(scope="session")
def apps(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The body snippets of the reference widgets and of a new workspace with a widget in each slot."""
    reference = tmp_path_factory.mktemp("reference")
    for name in ("pyproject.toml", "manifest.toml"):
        shutil.copy(ROOT / name, reference / name)
    shutil.copytree(ROOT / "widgets", reference / "widgets")
    new = tmp_path_factory.mktemp("workspaces") / "new"
    make_workspace(new)
    for slot in ("after-cart", "after-checkout"):
        add_widget(new, f"note-{slot}", slot=slot, languages=("en", "lv"))
    return {"reference": _body(reference), "new": _body(new)}


def _body(workspace: Path) -> str:
    build(workspace, out=workspace / "out")
    return (workspace / "out" / "body.html").read_text("utf-8").replace("{{svc_app_data}}", "{}")


@pytest.fixture
def app_url(apps: dict[str, str], shop_with, request: pytest.FixtureRequest) -> str:
    """The address of a shop with the reference widgets, or with the app that a test names."""
    return shop_with(FixedSnippets(body=apps[getattr(request, "param", "reference")]))


@pytest.fixture
def window(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce")
    yield context.new_page()
    context.close()


def own(slot: str) -> str:
    return f".placeholder-{slot} [data-order]:not(:has(> [data-foreign]))"


THEMES_AND_WIDTHS = [*((theme, 390) for theme in THEMES), ("plain", 1280)]
"""Every theme on a phone, where things do not fit first, and one theme on a wide page."""

APPS_IN_THEMES = [
    *(("reference", theme, width) for theme, width in THEMES_AND_WIDTHS),
    *(("new", theme, 390) for theme in ("plain", "dark", "reset")),
]
"""The widgets of a new workspace come from one template, so its colours and margins are tried."""


@pytest.mark.parametrize(("app_url", "theme", "width"), APPS_IN_THEMES, indirect=["app_url"])
def test_widgets_withstand_every_theme(app_url, window, theme, width):
    window.set_viewport_size({"width": width, "height": 800})
    visible = 0
    for path, slot in PAGES.items():
        window.goto(f"{app_url}/en/{path}{'&' if '?' in path else '?'}theme={theme}&now=2026-03-02T10:30:00")
        if theme == "crowded":
            window.locator("[data-foreign=late]").wait_for()
        faults = {
            "leaves its place": window.evaluate(TOO_WIDE, f".placeholder-{slot}"),
            "is hard to read": window.evaluate(CONTRAST, own(slot)),
            "has huge drawings": window.evaluate(BIG_DRAWINGS, own(slot)),
            "touches its border": window.evaluate(TEXT_AT_THE_BORDER, own(slot)),
        }
        assert not any(faults.values()), (path, faults)
        visible += window.locator(own(slot)).count()
    assert visible >= 3


@pytest.mark.parametrize(("theme", "width"), THEMES_AND_WIDTHS)
def test_pages_of_the_shop_are_as_wide_as_the_window_in_every_theme(shop_url, window, theme, width):
    window.set_viewport_size({"width": width, "height": 800})
    for path in (
        "",
        "product/1",
        "product/6",
        "product/7",
        "cart",
        "cart?cart=empty",
        "checkout",
        "order",
        "nowhere",
    ):
        window.goto(f"{shop_url}/en/{path}{'&' if '?' in path else '?'}theme={theme}")
        assert window.evaluate("document.documentElement.scrollWidth") == width, path


@pytest.mark.parametrize("csp", ["", "&csp=nonce", "&csp=trusted-types"])
def test_a_crowd_does_not_keep_an_app_from_its_updates(app_url, window, csp):
    window.goto(f"{app_url}/en/product/1?theme=crowded{csp}")
    before = window.locator(own("after-price")).all_inner_texts()
    choose_option(window, "Blue")
    assert window.locator(own("after-price")).all_inner_texts() != before
    window.locator("[data-foreign=late]").wait_for()
    blocks = window.locator(".placeholder-after-price > *")
    assert blocks.evaluate_all("all => all.map((one) => one.firstChild.dataset.foreign ?? 'own')") == [
        "late",
        "same-class-names",
        *["own"] * window.locator(own("after-price")).count(),
    ]


def test_separator_of_breadcrumbs_ends_a_line_and_begins_none(shop_url, window):
    window.goto(f"{shop_url}/en/product/6")
    separators = window.locator(".crumbs li").evaluate_all(
        "(items) => items.map((item) => ['::before', '::after'].map((part) => getComputedStyle(item, part).content))"
    )
    assert separators == [["none", '"/"']] * (len(separators) - 1) + [["none", "none"]]
