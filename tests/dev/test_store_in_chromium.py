"""A save of a store file in `awning dev`: the open page follows, an error is shown over it, the last store stays."""

import re

from playwright.sync_api import expect
from test_dev_command import started

SHOP = '[[product]]\nkey = "SHOE"\nid = "21"\ntitle = "Canvas shoe"\nprice = {price}\n'


def test_saved_store_is_on_the_open_page_and_a_broken_one_is_reported(workshop, tab):
    folder = workshop.root / "storefront"
    folder.mkdir()
    file = folder / "shop.toml"
    file.write_text(SHOP.format(price="49.90"), encoding="utf-8")
    with started(workshop.root) as dev:
        url = re.search(r"http://[\w.:]+", next(line for line in dev.stdout if "Shop" in line))[0]
        tab.goto(f"{url}/1/en/product/21")
        expect(tab.locator("[data-price]")).to_have_text("€49.90")
        file.write_text(SHOP.format(price="55"), encoding="utf-8")
        expect(tab.locator("[data-price]")).to_have_text("€55.00")
        file.write_text(SHOP.format(price='"free"'), encoding="utf-8")
        expect(tab.get_by_role("alertdialog")).to_contain_text("storefront/shop.toml:5:1")
        expect(tab.locator("[data-price]")).to_have_text("€55.00")
        tab.reload()
        expect(tab.locator("[data-price]")).to_have_text("€55.00")
        file.write_text(SHOP.format(price="60"), encoding="utf-8")
        expect(tab.locator("[data-price]")).to_have_text("€60.00")
