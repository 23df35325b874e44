"""Chooses an option of a product on a page of the simulated shop, as a shopper does."""

from playwright.sync_api import Page


def choose_option(page: Page, title: str) -> None:
    """Choose an option, such as a size, by its title in the page's language."""
    option = page.locator(f'option[value="{title}"]')
    page.locator("select[data-option]").filter(has=option).select_option(title)
