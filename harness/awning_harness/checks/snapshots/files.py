"""The files of snapshots: `widgets/<name>/snapshots/<state>.<language>.txt`, and `.png` beside it.

Pictures of blocks are compared by pixelmatch. The name of the browser that drew one is in the PNG itself, in a text
field, so that the two cannot be separated.
"""

import io
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageChops
from PIL.PngImagePlugin import PngInfo
from pixelmatch.contrib.PIL import pixelmatch

from awning_harness.checks.snapshots.appearance import (
    HEADING,
    Appearance,
    AriaTree,
    Structure,
    read_aria_tree,
    read_structure,
    write_structure,
)

FOLDER = "snapshots"


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotText:
    """The text of a stored snapshot. `aria` is None when it was stored without an accessibility tree."""

    structure: Structure
    aria: AriaTree | None


def read_snapshot(text: str) -> SnapshotText:
    """Return the snapshot that `write_snapshot` wrote. Raises Unreadable for any other text."""
    upper, heading, lower = text.partition(f"\n{HEADING}\n")
    structure = read_structure(upper)
    if not heading:
        return SnapshotText(structure=structure, aria=None)
    lines = lower.removesuffix("\n").split("\n") if lower.strip() else []
    return SnapshotText(structure=structure, aria=read_aria_tree(lines, first=upper.count("\n") + 3))


def write_snapshot(appearance: Appearance, *, state: str, language: str) -> str:
    """Return the text of a snapshot: the structure, and below it the accessibility tree."""
    structure = write_structure(appearance.structure, state=state, language=language)
    return structure + "\n".join([HEADING, *appearance.aria, ""])


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotFiles:
    """The files of one state in one language. `folder` is the widget's folder."""

    folder: Path
    state: str
    language: str

    @property
    def text(self) -> Path:
        return self.folder / FOLDER / f"{self.state}.{self.language}.txt"

    @property
    def picture(self) -> Path:
        return self.text.with_suffix(".png")

    def write(self, appearance: Appearance) -> bool:
        """Store the appearance. Returns whether a file changed.

        Without a picture, the picture file is deleted. A stored picture of the same browser with the same pixels is not
        written again.
        """
        self.text.parent.mkdir(exist_ok=True)
        text = write_snapshot(appearance, state=self.state, language=self.language)
        changed = _write(self.text, text.encode())
        if appearance.picture is None:
            return _delete(self.picture) or changed
        stored = self.picture.read_bytes() if self.picture.is_file() else None
        if stored and browser_of(stored) == appearance.browser and are_equal(stored, appearance.picture):
            return changed
        return _write(self.picture, sign_picture(appearance.picture, appearance.browser)) or changed


def delete_others(folder: Path, names: Collection[str]) -> tuple[str, ...]:
    """Delete the snapshots of a widget whose `<state>.<language>` is not in `names`.

    Returns the names of the deleted files.
    """
    stored = sorted((folder / FOLDER).glob("*.*"))
    gone = [file for file in stored if file.suffix in {".txt", ".png"} and file.stem not in names]
    return tuple(file.name for file in gone if _delete(file))


def _write(file: Path, content: bytes) -> bool:
    if file.is_file() and file.read_bytes() == content:
        return False
    file.write_bytes(content)
    return True


def _delete(file: Path) -> bool:
    """Delete a file. Returns False when it does not exist, because another process may have deleted it."""
    try:
        file.unlink()
    except FileNotFoundError:
        return False
    return True


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
