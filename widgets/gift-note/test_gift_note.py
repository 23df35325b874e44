"""Tests beyond the states: what is typed survives, what is saved or removed is sent, and what the shopper is told."""

import json
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Request, Route, expect

from awning_harness.testing import OpenedPage, Storefront

SERVER = "https://gifts.example.com/notes"


def write(visit: OpenedPage, text: str) -> Locator:
    """Open the note and type into it. Returns its field."""
    visit.block.get_by_text("Add a gift note").click()
    field = visit.block.get_by_label("Your note")
    field.fill(text)
    return field


def test_note_survives_a_reload_and_the_way_to_another_page(storefront: Storefront) -> None:
    visit = storefront.cart("C1", language="en")
    write(visit, "Daudz laimes!")
    for address in (visit.page.url, visit.page.url.replace("/en/cart", "/lv/cart"), visit.page.url):
        visit.page.goto(address)
        expect(visit.block.locator("textarea")).to_have_value("Daudz laimes!")
        expect(visit.block.locator("textarea")).to_be_visible()
    expect(visit.block).to_contain_text("187 characters left")


def test_note_survives_a_theme_that_fires_the_event_again(storefront: Storefront) -> None:
    visit = storefront.cart("C1", language="en")
    write(visit, "Hello")
    visit.evaluate("""() => {
      const container = document.querySelector(".placeholder-after-cart");
      container.replaceChildren();
      awningEmulator.host(container, "svc-content-after-cart", {
        cartData: { total: 1, total_no_discount: 1 }, currency: {}, page: { language: "en", page: "catalog" } });
    }""")
    expect(visit.block.locator("textarea")).to_have_value("Hello")


def test_another_website_on_the_same_host_has_another_note(storefront: Storefront) -> None:
    visit = storefront.cart("C1", language="en")
    write(visit, "Hello")
    website = urlsplit(visit.page.url).path.split("/")[1]
    assert visit.evaluate("() => Object.keys(sessionStorage)") == [
        f"awning:/{website}:{visit.block.locator('[data-aw]').get_attribute('class')}"
    ]


def test_saved_note_is_sent_to_the_apps_server(storefront: Storefront) -> None:
    sent: list[Request] = []
    storefront.answer(SERVER, {})
    visit = storefront.cart("C1", language="en")
    visit.page.on("request", lambda request: sent.append(request) if request.url == SERVER else None)
    write(visit, "Happy birthday")
    visit.block.get_by_label("From").fill("Anna")
    visit.page.keyboard.press("Enter")
    expect(visit.block.get_by_role("status")).to_have_text(
        "Saved. We write it on a card and put it into the parcel."
    )
    assert [json.loads(request.post_data or "") for request in sent] == [
        {"note": "Happy birthday", "from": "Anna"}
    ]


def test_shopper_is_told_when_the_server_fails(storefront: Storefront) -> None:
    storefront.answer(SERVER, 503)
    visit = storefront.cart("C1", language="en")
    field = write(visit, "Happy birthday")
    visit.block.get_by_role("button", name="Save the note").click()
    expect(visit.block.get_by_role("status")).to_have_text("The note could not be saved. Please try again.")
    field.fill("Happy birthday!")
    expect(visit.block.get_by_role("status")).to_be_empty()


def test_late_answer_for_an_earlier_text_is_not_told(storefront: Storefront) -> None:
    waiting: list[Route] = []

    def wait(route: Route) -> None:
        waiting.append(route)

    storefront.page.route(SERVER, wait)
    visit = storefront.cart("C1", language="en")
    field = write(visit, "Happy birthday")
    with visit.page.expect_request(SERVER):
        visit.block.get_by_role("button", name="Save the note").click()
    field.fill("Happy birthday, Anna")
    with visit.page.expect_response(SERVER):
        waiting[0].fulfill(json={}, headers={"access-control-allow-origin": "*"})
    visit.evaluate("() => new Promise(requestAnimationFrame)")
    expect(visit.block.get_by_role("status")).to_be_empty()


def test_removed_note_is_taken_back_from_the_server_and_forgotten(storefront: Storefront) -> None:
    storefront.answer(SERVER, {})
    visit = storefront.cart("C1", language="en")
    field = write(visit, "Hello")
    with visit.page.expect_request(SERVER) as sent:
        visit.block.get_by_role("button", name="Remove it").click()
    assert sent.value.post_data == "{}"
    expect(field).to_be_empty()
    visit.page.reload()
    expect(visit.block.locator("textarea")).to_be_empty()
    assert "left" not in visit.text()


def test_note_is_no_longer_than_the_shop_wants(storefront: Storefront) -> None:
    visit = storefront.cart("C1", language="en", data={"longest": 20})
    field = write(visit, "")
    field.press_sequentially("123456789012345678901234")
    expect(field).to_have_value("12345678901234567890")
    expect(visit.block).to_contain_text("0 characters left")
