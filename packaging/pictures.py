"""Makes the pictures that README.md and the docs show, from this repository's own widgets:

    .venv/bin/python packaging/pictures.py

It starts `awning dev`, and opens its pages in the Chromium that the tests use.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from awning_harness.browser import ensure_browser, launch_arguments

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
PRODUCT = "en/product/1?now=2026-03-02T10:30:00"
_SHOP = re.compile(r"Shop\s+(http://\S+?/1/)")


def main() -> int:
    with _dev_server() as shop, sync_playwright() as playwright:
        chromium = ensure_browser(print)
        browser = playwright.chromium.launch(executable_path=str(chromium.path), args=launch_arguments())
        page = browser.new_page(viewport={"width": 1200, "height": 1080})
        page.goto(shop + PRODUCT)
        take_product(page)
        browser.close()
    return 0


def take_product(page: Page) -> None:
    """Take the picture of a chosen variant, with the update that the choice fired in the inspector."""
    page.get_by_text("L", exact=True).click()
    page.get_by_text("Blue", exact=True).click()
    page.get_by_role("button", name="awning").click()
    row = page.locator("awning-inspector .list tbody tr", has_text="delivery-estimate").last
    row.click()
    page.get_by_role("region", name="Details").locator(".mark").first.wait_for()
    page.mouse.move(0, 0)
    page.screenshot(path=IMAGES / "product.png", animations="disabled")


@contextmanager
def _dev_server() -> Iterator[str]:
    """Run `awning dev`. Yields the address of the shop."""
    command = [sys.executable, "-c", "from awning.cli import main; main()", "dev", "--port", "0"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        try:
            yield _address(server)
        finally:
            server.terminate()


def _address(server: subprocess.Popen[str]) -> str:
    """Return the address of the shop, which the server prints. Raises RuntimeError when the server ends."""
    printed: list[str] = []
    for line in server.stdout or ():
        printed.append(line)
        if match := _SHOP.search(line):
            return match[1]
    raise RuntimeError("awning dev ended:\n" + "".join(printed))


if __name__ == "__main__":
    sys.exit(main())
