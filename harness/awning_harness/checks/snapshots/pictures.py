"""Pictures of blocks: stored as PNG with the browser that drew them, and compared by pixelmatch.

The name of the browser is in the PNG itself, in a text field, so that the two cannot be separated.
"""

import io
from dataclasses import dataclass

from PIL import Image, ImageChops
from PIL.PngImagePlugin import PngInfo
from pixelmatch.contrib.PIL import pixelmatch

BROWSER_FIELD = "awning-browser"
THRESHOLD = 0.1
"""How far two colours may differ, from 0 to 1: pixelmatch's own default, below what an eye sees."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureDifference:
    """How two pictures differ. `box` is the rectangle of all differing pixels: left, top, right, bottom.

    `picture` shows the first picture, pale, with the differing pixels in red, and those of anti-aliasing in yellow.
    """

    count: int
    box: tuple[int, int, int, int]
    picture: bytes
    sizes: tuple[tuple[int, int], tuple[int, int]]


def sign_picture(picture: bytes, browser: str) -> bytes:
    """Return the PNG, compressed well, with the name of the browser that drew it."""
    info = PngInfo()
    info.add_text(BROWSER_FIELD, browser)
    return _png(_open(picture), info)


def browser_of(picture: bytes) -> str:
    """Return the name of the browser that drew a stored picture; empty when the picture does not contain it."""
    with Image.open(io.BytesIO(picture)) as image:
        image.load()
        return str(image.info.get(BROWSER_FIELD, ""))


def are_equal(before: bytes, after: bytes) -> bool:
    """Return whether every pixel is the same."""
    return _has_same_pixels(_open(before), _open(after))


def compare_pictures(before: bytes, after: bytes) -> PictureDifference | None:
    """Return how two pictures differ; None when no pixel differs by more than THRESHOLD, apart from anti-aliasing."""
    old, new = _open(before), _open(after)
    sizes = old.size, new.size
    if _has_same_pixels(old, new):
        return None
    size = max(old.width, new.width), max(old.height, new.height)
    old, new = _on_canvas(old, size), _on_canvas(new, size)
    output = Image.new("RGBA", size)
    count = pixelmatch(old, new, output, threshold=THRESHOLD)
    if not count:
        return None
    mask = Image.new("RGBA", size)
    pixelmatch(old, new, mask, threshold=THRESHOLD, diff_mask=True)
    return PictureDifference(
        count=count, box=mask.getbbox() or (0, 0, *size), picture=_png(output), sizes=sizes
    )


def _has_same_pixels(old: Image.Image, new: Image.Image) -> bool:
    return old.size == new.size and not ImageChops.difference(old, new).getbbox(alpha_only=False)


def _open(picture: bytes) -> Image.Image:
    with Image.open(io.BytesIO(picture)) as image:
        return image.convert("RGBA").convert("RGB").convert("RGBA")


def _on_canvas(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    """Return the image at the top left of a magenta canvas of this size, so that the area beyond the image differs."""
    if image.size == size:
        return image
    canvas = Image.new("RGBA", size, "#ff00ff")
    canvas.paste(image)
    return canvas


def _png(image: Image.Image, info: PngInfo | None = None) -> bytes:
    file = io.BytesIO()
    image.convert("RGB").save(file, "PNG", optimize=True, pnginfo=info)
    return file.getvalue()
