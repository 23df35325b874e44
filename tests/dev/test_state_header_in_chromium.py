"""The page of a state that is opened alone says what it shows; the same page in a frame is the slot alone."""

from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, expect

STATES = """
[[state]]
name = "first"
title = "The <first> one"
payload = "P2"

[[state]]
name = "second"
title = "The second one"
slot = "{slot}"
payload = {payload}
now = "2026-03-02T10:30:00"
theme = "{theme}"
"""

FAILS = "<script>console.error('hello', new Error('late'))</script>"


@pytest.fixture
def address(workshop, served):
    """`address(slot, payload, theme="plain")` writes states, and returns the address of the second one's page."""

    def write(slot: str, payload: str, theme: str = "plain") -> str:
        folder = workshop.root / "widgets/hello"
        (folder / "widget.toml").write_text(
            'title = "Hello"\nslots = ["after-price", "after-cart", "after-checkout"]\n'
        )
        (folder / "states.toml").write_text(STATES.format(slot=slot, payload=payload, theme=theme))
        return f"{served.url}/_awning/state/hello/second/en"

    return write


def test_header_has_the_state_its_line_and_links(address, served, tab: Page):
    tab.goto(address("after-price", '"P1"'))
    header = tab.locator("awning-state")
    expect(header.get_by_role("heading")).to_have_text("The second one")
    expect(header).to_contain_text("Hello · second · en")
    expect(header).to_contain_text("widgets/hello/states.toml:7")
    links = {link.text_content(): link.get_attribute("href") for link in header.get_by_role("link").all()}
    assert links["In the gallery"] == "/_awning/gallery#state-hello-second"
    assert all(served.get(link.partition("#")[0])[0] == 200 for link in links.values())


@pytest.mark.parametrize(
    ("slot", "payload", "title", "page", "options"),
    [
        ("after-price", '"P2"', "Product page", "/1/en/product/2", {}),
        ("after-cart", '"free"', "Cart page", "/1/en/cart", {"cart": ["free"]}),
        ("after-checkout", '"C1"', "Checkout page", "/1/en/checkout", {"cart": ["C1"]}),
        (
            "after-price",
            "{ item = { stock = 3 } }",
            "Product page",
            "/1/en/product/1",
            {"payload": ['{"item": {"stock": 3}}']},
        ),
    ],
)
def test_header_links_the_page_of_the_shop(address, served, tab: Page, slot, payload, title, page, options):
    tab.goto(address(slot, payload))
    link = tab.locator("awning-state").get_by_role("link", name=title).get_attribute("href") or ""
    path, _, query = link.partition("?")
    assert (path, parse_qs(query)) == (page, {**options, "now": ["2026-03-02T10:30:00"], "theme": ["plain"]})
    assert served.get(link)[0] == 200


def test_header_of_a_product_that_the_store_does_not_have_links_no_page_of_the_shop(address, tab: Page):
    tab.goto(address("after-price", '"P99"'))
    expect(tab.locator("awning-state").get_by_role("link", name="In the gallery")).to_be_visible()
    expect(tab.locator("awning-state").get_by_role("link", name="Product page")).to_have_count(0)


WIDE_AND_NARROW = [
    ("after-price", "plain", 390),
    ("after-price", "plain", 1280),
    ("after-cart", "rtl", 1280),
    ("after-checkout", "plain", 390),
    ("after-checkout", "narrow", 1280),
]


@pytest.mark.parametrize(("slot", "theme", "width"), WIDE_AND_NARROW)
def test_slot_is_at_the_start_of_the_page_as_wide_as_in_a_frame(address, tab: Page, slot, theme, width):
    page = address(slot, '"P1"' if slot == "after-price" else '"C1"', theme)
    tab.set_viewport_size({"width": width, "height": 800})
    tab.goto(page)
    tab.evaluate("document.body.append(document.createElement('iframe'))")
    tab.locator("iframe").evaluate(
        """(frame, src) => new Promise((done) => {
          Object.assign(frame, { src, width: innerWidth, height: 300, onload: done });
          frame.style.cssText = "position: absolute; left: 0; top: 900px; border: 0; max-width: none";
        })""",
        page,
    )
    frame = tab.frame_locator("iframe")
    expect(frame.locator("awning-state")).to_have_count(0)
    alone = tab.locator("[data-stage]").bounding_box()
    framed = frame.locator("[data-stage]").bounding_box()
    assert alone["width"] == pytest.approx(framed["width"])
    main = tab.locator("main").bounding_box()
    inset = 30 if slot == "after-checkout" else 1
    if theme == "rtl":
        assert alone["x"] + alone["width"] > main["x"] + main["width"] - inset
    else:
        assert alone["x"] < main["x"] + inset


def test_header_and_cards_are_marked_as_english_on_a_page_in_another_language(workshop, address, tab: Page):
    workshop.session.unit = lambda name: {f"widgets/{name}/body.html": FAILS}
    tab.goto(address("after-price", '"P1"').removesuffix("en") + "lv")
    expect(tab.locator("html[lang=lv] awning-state[lang=en]")).to_contain_text("In the gallery")
    expect(tab.locator("html[lang=lv] awning-errors[lang=en]")).to_contain_text("late")


def test_header_is_above_the_cards_with_errors(workshop, address, tab: Page):
    workshop.session.unit = lambda name: {f"widgets/{name}/body.html": FAILS}
    tab.goto(address("after-price", '"P1"'))
    expect(tab.locator("awning-errors")).to_contain_text("late")
    order = tab.evaluate("[...document.body.children].slice(0, 3).map((each) => each.localName)")
    assert order == ["awning-state", "awning-errors", "main"]
