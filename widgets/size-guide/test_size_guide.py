"""Tests beyond the states: the dialog by mouse and keyboard, and the row of the chosen size."""

from playwright.sync_api import Page, expect

from awning_harness.testing import Storefront

FOCUSED = """() => {
  let element = document.activeElement;
  while (element?.shadowRoot) element = element.shadowRoot.activeElement;
  return element?.className;
}"""


def focused(page: Page) -> str:
    """Return the class of the focused element, also inside a shadow root."""
    name: str = page.evaluate(FOCUSED)
    return name


def test_the_dialog_works_by_keyboard(storefront: Storefront) -> None:
    visit = storefront.product("P1", language="en")
    dialog = visit.block.get_by_role("dialog", name="Size guide")
    visit.block.get_by_role("button", name="Size guide").focus()
    visit.page.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    assert focused(visit.page) == "close"
    visit.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert focused(visit.page) == "open"
    visit.page.keyboard.press("Enter")
    visit.page.keyboard.press("Enter")  # on the close button
    expect(dialog).to_be_hidden()
    assert focused(visit.page) == "open"


def test_a_click_beside_the_dialog_closes_it(storefront: Storefront) -> None:
    visit = storefront.product("P1", language="en")
    dialog = visit.block.get_by_role("dialog")
    visit.block.get_by_role("button", name="Size guide").click()
    dialog.get_by_text("Chest").click()
    dialog.click(position={"x": 8, "y": 100})  # on the padding
    expect(dialog).to_be_visible()
    visit.page.mouse.click(5, 5)
    expect(dialog).to_be_hidden()


def test_the_row_of_the_chosen_size_is_marked(storefront: Storefront) -> None:
    visit = storefront.product("P1", language="en")
    visit.select("L/Blue")
    visit.block.get_by_role("button", name="Size guide").click()
    expect(visit.block.get_by_role("row", name="your choice")).to_have_text("L your choice10472")


def test_the_reset_of_a_theme_stays_outside(storefront: Storefront) -> None:
    visit = storefront.product("P1", language="en", theme="reset")
    visit.block.get_by_role("button", name="Size guide").click()
    heading = visit.block.get_by_role("heading", name="Size guide")
    expect(heading).to_have_css("text-transform", "none")
    expect(heading).to_have_css("font-weight", "700")
