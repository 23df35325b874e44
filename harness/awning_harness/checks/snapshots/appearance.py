"""Takes the appearance of an opened page: the structure of its blocks and, on request, their tree and their picture.

The page is made still first: it has the bundled font instead of all fonts, no animation or transition, and no caret.
This changes the page, so no other test can use it afterwards.
"""

import base64
import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import ceil
from pathlib import Path

from awning_harness.checks.snapshots.aria import AriaTree, take_aria_tree
from awning_harness.checks.snapshots.structure import Structure, nodes_of
from awning_harness.visit.frames.widget_visit import WidgetVisit
from awning_harness.visit.pages.visibility import OWN_BLOCKS

FROZEN_NOW = "2026-03-02T10:30:00"
"""The clock of a state without `now`, in UTC: a Monday morning."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """What a state looks like. `picture` is a PNG of the block; None if nothing can be seen or it was not requested.

    `browser` is the version of the browser, and its operating system, which also affects the pixels.
    """

    structure: Structure
    aria: AriaTree
    """The accessibility tree; empty if it was not requested."""
    area: Mapping[str, float] | None
    """The rectangle in the document that holds all visible elements; None when nothing can be seen."""
    origin: Mapping[str, float]
    """The position in the document of the first block, to which the structure's positions are relative."""
    picture: bytes | None
    browser: str

    @property
    def corner(self) -> tuple[int, int]:
        """The position of the picture's left upper corner, relative to the first block, as in the structure.

        It is negative where content sticks out of a block.
        """
        left, top = _corner(self.area) if self.area else (0, 0)
        return left - round(self.origin["x"]), top - round(self.origin["y"])


def take_appearance(visit: WidgetVisit, *, with_tree: bool, with_picture: bool) -> Appearance:
    """Make the page still, and return its appearance."""
    measured = visit.evaluate(_capture_script(f".placeholder-{visit.slot} {OWN_BLOCKS}"))
    appearance = Appearance(
        structure=nodes_of(measured["lines"]),
        aria=take_aria_tree(visit) if with_tree else (),
        area=measured["area"] or None,
        origin=measured["origin"],
        picture=None,
        browser=browser_name(visit),
    )
    return take_picture(visit, appearance) if with_picture else appearance


def take_picture(visit: WidgetVisit, appearance: Appearance) -> Appearance:
    """Return the appearance with a picture, if there is anything to see.

    The page must not have changed since the appearance was taken.
    """
    if appearance.area is None or appearance.picture is not None:
        return appearance
    return replace(appearance, picture=_photograph(visit, appearance.area))


def browser_name(visit: WidgetVisit) -> str:
    browser = visit.tab.page.context.browser
    version = browser.version if browser else "unknown"
    return f"Chromium {version}, {platform.system()} {platform.machine()}"


def _photograph(visit: WidgetVisit, area: Mapping[str, float]) -> bytes:
    """Return a picture of a part of the document, extended to whole pixels."""
    left, top = _corner(area)
    clip = {
        "x": left,
        "y": top,
        "width": ceil(area["x"] + area["width"]) - left,
        "height": ceil(area["y"] + area["height"]) - top,
        "scale": 1,
    }
    options = {"format": "png", "clip": clip, "captureBeyondViewport": True}
    with visit.tab.grown():
        answer = visit.tab.devtools.send("Page.captureScreenshot", options)
    return base64.b64decode(answer["data"])


def _corner(area: Mapping[str, float]) -> tuple[int, int]:
    return int(area["x"]), int(area["y"])


@cache
def _capture_script(selector: str) -> str:
    fonts = [
        [base64.b64encode((ROOM / "font" / name).read_bytes()).decode(), characters]
        for name, characters in FONTS.items()
    ]
    arguments = {"selector": selector, "fonts": fonts, "family": FAMILY}
    script = (ROOM / "capture.js").read_text(encoding="utf-8")
    return f"() => ({script.strip()})({json.dumps(arguments)})"
