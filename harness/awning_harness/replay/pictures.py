"""Small pictures of a page: the slot and the widget's blocks with a margin, in few colours."""

import base64
import io
from collections.abc import Mapping, Sequence

from PIL import Image
from playwright.sync_api import CDPSession

MARGIN = 64
LEAST_WIDTH, LEAST_HEIGHT = 560, 280
MOST_WIDTH = 720
"""The width of a picture, in pixels. A wider area is drawn smaller."""
MOST_HEIGHT = 900
"""The height of an area, in CSS pixels. Of a higher one, the upper part is drawn."""
COLORS = 64


def draw_area(devtools: CDPSession, area: Mapping[str, float] | None, size: Sequence[float]) -> bytes:
    """Return a PNG of an area of the document, whose width and height are `size`; of its beginning without an area."""
    clip = clip_of(area or {"left": 0, "top": 0, "right": MOST_WIDTH, "bottom": MOST_HEIGHT / 2}, size)
    options = {"format": "png", "clip": clip, "captureBeyondViewport": True}
    answer = devtools.send("Page.captureScreenshot", options)
    return _compress(base64.b64decode(answer["data"]))


def clip_of(area: Mapping[str, float], size: Sequence[float]) -> dict[str, float]:
    """Return the rectangle to draw: the area with its margin, within the document, and its scale."""
    width, height = size
    wide = min(width, max(LEAST_WIDTH, area["right"] - area["left"] + 2 * MARGIN))
    high = min(height, max(LEAST_HEIGHT, area["bottom"] - area["top"] + 2 * MARGIN))
    left = (area["left"] + area["right"] - wide) / 2
    top = (area["top"] + area["bottom"] - high) / 2
    return {
        "x": round(max(0, min(left, width - wide))),
        "y": round(max(0, min(top, height - high))),
        "width": round(wide),
        "height": round(min(high, MOST_HEIGHT)),
        "scale": min(1, MOST_WIDTH / wide),
    }


def _compress(picture: bytes) -> bytes:
    with Image.open(io.BytesIO(picture)) as image:
        small = image.convert("RGB").quantize(COLORS)
    written = io.BytesIO()
    small.save(written, "PNG", optimize=True)
    return written.getvalue()
