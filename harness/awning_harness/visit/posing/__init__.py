"""A page that holds still, for what only the browser can say of it: its boxes, its accessibility tree, its picture.

The page has the bundled font instead of all fonts, no animation or transition, and no caret. This changes it, so no
other trial can use it afterwards.
"""

import base64
from collections.abc import Mapping
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any, cast

from playwright.sync_api import CDPSession, Locator, Page

from awning_harness.visit.pages.tabs import SCREENSHOT_MS

FAMILY = "Awning Snapshot"
FONTS = {
    "inter-latin-wght-normal.woff2": "U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, "
    "U+0308, U+0329, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD",
    "inter-latin-ext-wght-normal.woff2": "U+0100-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+0304, "
    "U+0308, U+0329, U+1D00-1DBF, U+1E00-1E9F, U+1EF2-1EFF, U+2020, U+20A0-20AB, U+20AD-20C0, U+2113, U+2C60-2C7F, "
    "U+A720-A7FF",
}
"""The files of the bundled font (Inter, weights 100 to 900) by name, and the characters that each has."""

ROOM = Path(__file__).parent

STATES = ("expanded", "pressed")
"""The states that an element without their attribute does not have, so that false differs from none."""
WITH_ROLE = ":is(button, a[href], input, select, [role])"
"""The elements to which such a state can belong."""


def measures() -> Mapping[str, Any]:
    """Return what the script of the laboratory needs to pose a page."""
    return {"capture": _capture(), "fonts": _fonts(), "family": FAMILY}


@cache
def _capture() -> str:
    return (ROOM / "capture.js").read_text(encoding="utf-8").strip()


@cache
def _fonts() -> list[tuple[str, str]]:
    return [
        (base64.b64encode((ROOM / "font" / name).read_bytes()).decode(), characters)
        for name, characters in FONTS.items()
    ]


def take_trees(blocks: Locator) -> list[dict[str, Any]]:
    """Return Playwright's aria snapshot of each block, open shadow roots included.

    With the snapshots of its elements that have one of STATES and for which it is false, by state.
    """
    return [_tree_of(blocks.nth(number)) for number in range(blocks.count())]


def _tree_of(block: Locator) -> dict[str, Any]:
    def snapshots(state: str) -> list[str]:
        elements = block.locator(f"css={_with_false(state)}")
        return [elements.nth(at).aria_snapshot(timeout=SCREENSHOT_MS) for at in range(elements.count())]

    has_false = block.locator(f"css={', '.join(map(_with_false, STATES))}").count()
    return {
        "tree": block.aria_snapshot(timeout=SCREENSHOT_MS),
        "false": {state: snapshots(state) for state in STATES} if has_false else {},
    }


def _with_false(state: str) -> str:
    return f'{WITH_ROLE}[aria-{state}="false"]'


def photograph(page: Page, devtools: CDPSession, area: Mapping[str, float]) -> str:
    """Return a picture (PNG in Base64) of an area of the posed page, extended to whole pixels."""
    left, top = corner(area)
    clip = {
        "x": left,
        "y": top,
        "width": ceil(area["x"] + area["width"]) - left,
        "height": ceil(area["y"] + area["height"]) - top,
        "scale": 1,
    }
    options = {"format": "png", "clip": clip, "captureBeyondViewport": True}
    page.evaluate(
        "() => awningLaboratory.show()"
    )  # as high as it is, because the browser draws only what fits
    return cast("str", devtools.send("Page.captureScreenshot", options)["data"])


def corner(area: Mapping[str, float]) -> tuple[int, int]:
    return int(area["x"]), int(area["y"])
