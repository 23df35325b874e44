"""Makes the pictures that README.md and the docs show, from this repository's own widgets:

    .venv/bin/python packaging/pictures.py

It starts `awning dev`, and opens its pages in the Chromium that the tests use.
"""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Page, sync_playwright

from awning.client import encode_app_data
from awning.contract import Dialect
from awning.host.form.shown import FormContents
from awning.host.form.view import view_of
from awning.host.host import ServedBuild, read_served_build
from awning.host.pages import Pages
from awning.host.previewing import choose, page_values, view_preview
from awning.live.recorder_script import write_recorder_widget
from awning.pipeline.build_session import build_session
from awning.pipeline.incremental import build
from awning.pipeline.live import LiveWorkspace
from awning_harness.browser import ensure_browser, launch_arguments
from awning_harness.dev.command import open_session
from awning_harness.live.page_gate import GateRules
from awning_harness.live.preview import open_preview
from awning_harness.live.window import PreviewWindow, follow_saves

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
SETTINGS_OF = "quantity-discounts"
SETTINGS_AT = "https://app.example/"
PRODUCT = "en/product/1?now=2026-03-02T10:30:00"
WIDGET_THEMES = ("plain", "dark")
WIDGET_WIDTH = 420
UNFOCUSED = """() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  element?.blur();
}"""
BOTTOM = "Math.max(...[...document.body.children].map((it) => it.getBoundingClientRect().bottom)) + 8"
_SHOP = re.compile(r"Shop\s+(http://\S+?/1/)")


@dataclass(frozen=True, slots=True, kw_only=True)
class WidgetPicture:
    """A picture in docs/images/widgets: one state of a widget, at least `height` CSS pixels high."""

    widget: str
    state: str
    height: int = 0


WIDGET_PICTURES = (
    WidgetPicture(widget="unit-price", state="larger-pack"),
    WidgetPicture(widget="quantity-discounts", state="default"),
    WidgetPicture(widget="size-guide", state="open", height=440),
    WidgetPicture(widget="reviews", state="opened"),
    WidgetPicture(widget="cross-sell", state="for-this-cart"),
    WidgetPicture(widget="gift-note", state="typed"),
    WidgetPicture(widget="savings-summary", state="code"),
    WidgetPicture(widget="pickup-point", state="several"),
)


def main() -> int:
    with _dev_server() as shop, sync_playwright() as playwright:
        chromium = ensure_browser(print)
        browser = playwright.chromium.launch(executable_path=str(chromium.path), args=launch_arguments())
        page = browser.new_page(viewport={"width": 1200, "height": 1160})
        page.goto(shop + PRODUCT)
        take_product(page)
        page = browser.new_page(device_scale_factor=1.5)
        for picture in WIDGET_PICTURES:
            take_widget(page, shop.removesuffix("1/"), picture)
        take_settings(browser.new_page())
        take_recorder(browser.new_page(viewport={"width": 1200, "height": 620}))
        browser.close()
    asyncio.run(take_preview())
    return 0


def take_product(page: Page) -> None:
    """Take the picture of a product with a chosen variant. The inspector beside it shows the event of that choice."""
    for dimension, option in enumerate(("L", "Blue")):
        page.locator("[data-buy] select").nth(dimension).select_option(option)
    page.get_by_role("button", name="awning").click()
    row = page.locator("awning-inspector .list tbody tr", has_text="delivery-estimate").last
    row.click()
    page.get_by_role("region", name="Details").locator(".mark").first.wait_for()
    page.mouse.move(0, 0)
    page.screenshot(path=IMAGES / "product.png", animations="disabled")


def take_widget(page: Page, server: str, picture: WidgetPicture) -> None:
    """Take the picture of a widget's state in several themes, side by side."""
    state = f"{server}_awning/state/{picture.widget}/{picture.state}/en"
    page.set_viewport_size({"width": WIDGET_WIDTH * len(WIDGET_THEMES), "height": 1000})
    style = f"width: {WIDGET_WIDTH}px; height: 100vh; border: 0; float: left"
    frames = (f'<iframe src="{state}?theme={theme}" style="{style}"></iframe>' for theme in WIDGET_THEMES)
    page.set_content(f'<body style="margin: 0">{"".join(frames)}', wait_until="networkidle")
    for frame in page.frames[1:]:
        frame.evaluate(UNFOCUSED)  # whether a focus that a script sets is visible depends on the browser
    heights = [picture.height, *(frame.evaluate(BOTTOM) for frame in page.frames[1:])]
    page.set_viewport_size({"width": WIDGET_WIDTH * len(WIDGET_THEMES), "height": round(max(heights))})
    page.mouse.move(0, 0)
    page.screenshot(path=IMAGES / "widgets" / f"{picture.widget}.png", animations="disabled")


def take_recorder(page: Page) -> None:
    """Take the picture of a page of the shop that the tests call live, in which the recorder has an event."""
    shop = _live_shop()
    with TemporaryDirectory() as folder, shop.live_shop() as running:
        widget = Path(folder) / "recorder"
        query = write_recorder_widget(widget, Dialect(), datetime.now(UTC) + timedelta(days=1))
        html = shop.product_page(body=(widget / "body.html").read_text("utf-8"))
        page.goto(f"{running.add('/product', html)}?{query}")
        page.wait_for_function("JSON.parse(sessionStorage.getItem('awning-record'))?.deliveries.length")
        page.mouse.move(0, 0)
        page.screenshot(path=IMAGES / "recorder.png", animations="disabled")


def _live_shop() -> Any:
    """Return the module of the shop that the tests call live."""
    if (folder := str(ROOT / "tests" / "profile")) not in sys.path:
        sys.path.append(folder)
    return import_module("live_shop")


async def take_preview() -> None:
    """Take the picture of a previewed page of the shop that the tests call live, with the inspector open."""
    shop = _live_shop()
    with shop.live_shop() as running, build_session(ROOT) as builds:
        live = LiveWorkspace(builds, environ=os.environ, types=False)
        session, rules = open_session(live), GateRules(allow_private=True)
        with closing(session.service), follow_saves(live, session) as saves:
            address, chromium = running.add("/product", shop.product_page()), ensure_browser(print)
            async with open_preview(address, saves.first(), rules, chromium, print, follows=True) as opened:
                PreviewWindow(opened=opened, saves=saves, say=print, show=print).connect()
                await opened.page.set_viewport_size({"width": 1200, "height": 1000})
                await opened.load()
                await opened.page.get_by_role("button", name="awning").click()
                await opened.page.locator("awning-inspector .list tbody tr").last.click()
                await opened.page.mouse.move(0, 0)
                await opened.page.screenshot(path=IMAGES / "preview.png", animations="disabled")


def take_settings(page: Page) -> None:
    """Take the picture of the settings form of a widget that has a list, with its first two rows and the preview."""
    with TemporaryDirectory() as folder:
        dist = Path(folder) / "dist"
        build(ROOT, out=dist, types=False)
        served = read_served_build(dist)
    answers = _settings_pages(
        served, {SETTINGS_OF: {"tiers": [{"from": 2, "percent": 5}, {"from": 3, "percent": 15}]}}
    )
    page.route(f"{SETTINGS_AT}**", lambda route: route.fulfill(**answers[urlsplit(route.request.url).path]))
    page.set_viewport_size({"width": 1280, "height": 400})
    page.goto(SETTINGS_AT)
    page.frame_locator("iframe").locator("[data-slot] table").wait_for()
    page.screenshot(path=IMAGES / "settings.png", full_page=True, animations="disabled")


def _settings_pages(served: ServedBuild, stored: Any) -> dict[str, dict[str, Any]]:
    """Return what the server answers, by path: the form, the preview, its script and the style sheet."""
    pages, preview = Pages(""), served.preview
    if preview is None:
        raise RuntimeError("the build has no preview")
    members = tuple(member for member in served.form.members if member.path == (SETTINGS_OF,))
    form = replace(served.form, members=members)
    chosen = {"preview-state": [f"{SETTINGS_OF}/default"]}
    values: dict[str, Any] = {
        "view": view_of(form, FormContents(languages=("en",), stored=stored)),
        "wrong": (),
        "preview": view_preview(preview, "en", chosen, unsaved=False),
        "locked": False,
        "send": "save",
        **dict.fromkeys(("notice", "alert", "replaced", "focus", "token", "base"), ""),
    }
    page = pages.page("settings.html", language="en", titles="Linen widgets", website="Linen & Co", **values)
    choice = choose(preview.record, "en", chosen)
    state = page_values(served, preview, choice, encode_app_data(stored), "/preview.js")
    frame = pages.page("preview.html", language="en", wrong=(), **state)
    return {
        "/": {"body": bytes(page.body), "content_type": "text/html"},
        "/preview": {"body": bytes(frame.body), "content_type": "text/html"},
        "/preview.js": {"body": preview.frame, "content_type": "text/javascript"},
        "/style.css": {"body": pages.style, "content_type": "text/css"},
    }


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
