"""axe-core finds no violation on the pages of the shop and of the dev server, and in the inspector."""

from collections.abc import Iterable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from awning.contract.shop import THEMES

PHONE, WIDE = 390, 1280
PAGES = {
    "home": "1/en/",
    "product": "1/en/product/1",
    "cart": "1/en/cart",
    "empty cart": "1/en/cart?cart=empty",
    "checkout": "1/lv/checkout",
    "order": "1/en/order",
    "index": "",
    "gallery": "_awning/gallery",
    "state": "_awning/state/hello/red/en",
}
PAGES_AND_WIDTHS = [*((page, PHONE) for page in PAGES), ("product", WIDE), ("gallery", WIDE)]
"""Every page on a phone, and one of the shop and one of awning on a wide window."""


OWN_PAGE = {"exclude": [["[class^=placeholder-after-]"]]}
"""The part of a page that axe-core checks: all but the content of apps, which is not ours."""


def violations(tab: Page) -> list[str]:
    """The violations on the page, each with its elements. Iframes are left out: the gallery's hold whole pages."""
    options = {"resultTypes": ["violations"], "iframes": False}
    response = Axe().run(tab, context=OWN_PAGE, options=options).response
    return [f"{v['id']}: {_elements(v['nodes'])}" for v in response["violations"]]


def _elements(nodes: Iterable[dict[str, str]]) -> str:
    return "; ".join(f"{node['html'][:120]} ({node['failureSummary'][:200]})" for node in nodes)


@pytest.fixture
def shop(served, workshop) -> str:
    workshop.session.apply(workshop.shows("hi"))
    return f"{served.url}/"


@pytest.mark.parametrize(("page", "width"), PAGES_AND_WIDTHS)
def test_page_has_no_violation(shop, tab: Page, page, width):
    tab.set_viewport_size({"width": width, "height": 800})
    tab.goto(shop + PAGES[page])
    assert violations(tab) == []


@pytest.mark.parametrize("theme", [theme for theme in THEMES if theme != "plain"])
def test_theme_has_no_violation(shop, tab: Page, theme):
    tab.goto(f"{shop}1/en/product/1?theme={theme}")
    assert violations(tab) == []


def test_inspector_has_no_violation_in_any_tab(shop, tab: Page):
    tab.set_viewport_size({"width": PHONE, "height": 800})
    tab.goto(f"{shop}1/en/product/1?theme=crowded")
    tab.locator("awning-inspector .pill").click()
    for name in ("Widgets", "App data", "Page", "Events"):
        tab.get_by_role("tab", name=name).click()
        expect(tab.get_by_role("tabpanel", name=name).locator("*").first).to_be_visible()
        assert violations(tab) == [], name
    tab.locator("awning-inspector .list tbody tr").last.click()
    expect(tab.get_by_role("region", name="Details")).to_contain_text("updatedItem")
    assert violations(tab) == []
    tab.get_by_role("button", name="Edit and fire").click()
    for text in ('{"item": 1}', '{"item": '):
        tab.get_by_role("region", name="Details").get_by_role("textbox").fill(text)
        assert violations(tab) == [], text


def test_overlay_has_no_violation(served, workshop, shop, tab: Page):
    tab.set_viewport_size({"width": PHONE, "height": 800})
    tab.goto(f"{shop}1/en/product/1")
    tab.locator("awning-inspector[data-revision]").wait_for(state="attached")
    served.send(workshop.broken())
    expect(tab.get_by_role("alertdialog")).to_be_visible()
    assert violations(tab) == []


def test_picture_without_a_text_is_a_violation_on_a_page_and_in_the_inspector(shop, tab: Page):
    tab.goto(f"{shop}1/en/product/1")
    for place in ("document.querySelector('main')", "document.querySelector('awning-inspector').shadowRoot"):
        tab.evaluate(f"{place}.append(Object.assign(new Image(), {{ src: '/assets/x' }}))")
        assert [violation.partition(":")[0] for violation in violations(tab)] == ["image-alt"]
        tab.evaluate(f"{place}.lastElementChild.remove()")
