"""A merchant sets thresholds with pictures and an end date: by keyboard, in three languages, at two widths."""

import json
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from awning.data_schema import app_misfits, read_app_schema

STEP = {
    "type": "object",
    "title": {"en": "Threshold", "de": "Schwelle", "lv": "Slieksnis"},
    "properties": {
        "from": {
            "type": "number",
            "exclusiveMinimum": 0,
            "title": {"en": "From this total", "de": "Ab dieser Summe", "lv": "No šīs summas"},
        },
        "gift": {
            "type": "string",
            "maxLength": 40,
            "title": {"en": "Gift", "de": "Geschenk", "lv": "Dāvana"},
        },
        "picture": {
            "type": "string",
            "format": "picture",
            "title": {"en": "Picture", "de": "Bild", "lv": "Attēls"},
        },
    },
    "required": ["from"],
}
PROPERTIES = {
    "steps": {
        "type": "array",
        "title": {"en": "Thresholds", "de": "Schwellen", "lv": "Sliekšņi"},
        "description": {
            "en": "A gift from each total on.",
            "de": "Ab jeder Summe ein Geschenk.",
            "lv": "Dāvana no katras summas.",
        },
        "minItems": 1,
        "maxItems": 4,
        "items": STEP,
    },
    "until": {
        "type": "string",
        "format": "date",
        "title": {"en": "Last day", "de": "Letzter Tag", "lv": "Pēdējā diena"},
    },
    "starts": {
        "type": "string",
        "format": "date-time",
        "title": {"en": "Starts", "de": "Beginnt", "lv": "Sākas"},
    },
    "opens": {"type": "string", "format": "time", "title": {"en": "Opens", "de": "Öffnet", "lv": "Atver"}},
    "colour": {
        "type": "string",
        "format": "color",
        "default": "#1f5f4b",
        "title": {"en": "Colour", "de": "Farbe", "lv": "Krāsa"},
    },
    "terms": {
        "type": "string",
        "format": "uri",
        "title": {"en": "Terms", "de": "Bedingungen", "lv": "Noteikumi"},
    },
    "mail": {"type": "string", "format": "email", "title": {"en": "E-mail", "de": "E-Mail", "lv": "E-pasts"}},
}
TITLE = {"en": "Gift bar", "de": "Geschenkleiste", "lv": "Dāvanu josla"}
SCHEMA = {"properties": {"bar": {"type": "object", "title": TITLE, "properties": PROPERTIES}}}
STORED = {
    "bar": {
        "steps": [
            {"from": 50, "gift": "A linen bag", "picture": "https://cdn.example/bag.svg"},
            {"from": 90, "gift": "A mug"},
        ],
        "until": "2026-12-24",
        "starts": "2026-12-01T08:00:00+02:00",
    }
}
BAG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="240" height="120"><rect width="240" height="120" '
    'fill="#cfe3d9"/><path d="M90 50h60l8 55H82z M102 50c0-34 36-34 36 0" fill="#1f5f4b"/></svg>'
)


@pytest.fixture
def shop(world, build, opened, browser):
    """`shop(language)` opens the settings page in Chromium; its requests reach the server without a socket."""
    build(world.dist, schema=SCHEMA)
    context = browser.new_context(locale="en-GB")
    page = context.new_page()

    def open_in(language):
        visitor, url, code = opened(language=language)
        world.service.set_data(code, json.dumps(STORED))

        def answer(route):
            address, request = urlsplit(route.request.url), route.request
            headers = {"content_type": request.headers.get("content-type", "")}
            body = request.post_data_buffer or b""
            seen = visitor.send(request.method, f"{address.path}?{address.query}", body, headers)
            if seen.status == 303:
                seen = visitor.follow(seen)
            route.fulfill(status=seen.status, headers=dict(seen.headers), body=seen.text)

        page.route("https://app.example/**", answer)
        page.route(
            "https://cdn.example/**", lambda route: route.fulfill(body=BAG, content_type="image/svg+xml")
        )
        page.goto(f"https://app.example{url}")
        return page, code

    yield open_in
    context.close()


def violations(page):
    return [
        f"{found['id']}: {[node['html'][:160] for node in found['nodes']]}"
        for found in Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    ]


@pytest.mark.parametrize("language", ["en", "de", "lv"])
def test_form_has_no_violation_and_fits_a_phone_in_each_language(shop, language):
    page, _ = shop(language)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        assert language != "en" or violations(page) == []  # no rule depends on the words
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("html").get_attribute("lang") == language
    names = page.get_by_role("group", name="A linen bag").or_(page.locator(".row").first)
    expect(names.first).to_be_visible()
    assert page.evaluate("document.querySelector('.picture').naturalWidth") > 0


def test_merchant_sets_thresholds_with_pictures_and_an_end_date_by_keyboard(shop, world):
    page, code = shop("en")
    page.set_viewport_size({"width": 390, "height": 800})
    go_to(page, page.get_by_role("button", name="Add a row: Thresholds"))
    page.keyboard.press("Enter")
    third = page.get_by_role("group", name="Row 3 of 3")
    expect(third.get_by_label("From this total")).to_be_focused()
    page.keyboard.type("20")
    page.keyboard.press("Tab")
    page.keyboard.type("A card")
    page.keyboard.press("Tab")
    page.keyboard.type("https://cdn.example/card.svg")
    go_to(page, page.get_by_role("button", name="Show picture: Picture").last)
    page.keyboard.press("Space")
    expect(page.get_by_role("img")).to_have_count(2)
    for place in (3, 2):
        go_to(page, page.get_by_role("button", name=f"Move up: Row {place} of 3"))
        page.keyboard.press("Enter")
        expect(page.get_by_role("group", name=f"Row {place - 1} of 3: 20")).to_be_visible()
    expect(page.get_by_role("button", name="Move down: Row 1 of 3: 20")).to_be_focused()
    go_to(page, page.get_by_role("button", name="Remove: Row 3 of 3: 90"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Remove: Row 2 of 2: 50")).to_be_focused()
    assert violations(page) == []
    page.get_by_label("Last day").fill("2027-01-06")
    page.get_by_label("Starts", exact=True).fill("2026-12-02T09:30")
    page.get_by_label("Starts: Offset from UTC").select_option("UTC+03:00")
    page.get_by_label("Opens").fill("10:00")
    page.get_by_label("E-mail").fill("name@example.com")
    page.get_by_label("E-mail").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Saved.")
    card = {"from": 20, "gift": "A card", "picture": "https://cdn.example/card.svg"}
    assert world.data(code) == {
        "bar": {
            "steps": [card, STORED["bar"]["steps"][0]],
            "until": "2027-01-06",
            "starts": "2026-12-02T09:30:00+03:00",
            "opens": "10:00",
            "colour": "#1f5f4b",
            "mail": "name@example.com",
        }
    }
    assert list(app_misfits(world.data(code), read_app_schema(SCHEMA))) == []


def test_error_is_mended_and_the_app_can_be_uninstalled_by_keyboard(shop):
    page, _ = shop("en")
    total = page.get_by_label("From this total").first
    go_to(page, total)
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("much")
    page.keyboard.press("Enter")
    summary = page.get_by_role("alert")
    expect(summary).to_be_focused()
    page.keyboard.press("Tab")
    expect(summary.get_by_role("link")).to_be_focused()
    page.keyboard.press("Enter")
    go_to(page, total)
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("50")
    go_to(page, page.get_by_role("button", name="Save"))
    page.keyboard.press("Space")
    expect(page.get_by_role("status")).to_contain_text("Saved.")
    assert "#" not in page.url, "or the browser would scroll past the notice to the field mended last"
    go_to(page, page.locator("summary"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Uninstall from Linen & Co")).to_be_visible()


SHOWS_FOCUS = """document.activeElement === document.body ||
  parseFloat(getComputedStyle(document.activeElement).outlineWidth) >= 2"""


def go_to(page, wanted):
    """Press Tab until `wanted` has the focus. Each element on the way shows that it has it."""
    for _ in range(100):
        if wanted.evaluate("it => it === document.activeElement"):
            return
        page.keyboard.press("Tab")
        assert page.evaluate(SHOWS_FOCUS)
    raise AssertionError("it cannot be reached")
