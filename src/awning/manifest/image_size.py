"""Reads the size of a PNG, JPEG, GIF, WebP or SVG image from its first bytes.

It decodes no pixels, and no input makes it raise an exception. docs/decisions/0002 has the reason for not using a
library.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

_PNG = b"\x89PNG\r\n\x1a\n"
_COMMENTS = re.compile(rb"<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^\[>]*(?:\[.*?\])?\s*>", re.DOTALL | re.IGNORECASE)
_SVG = re.compile(rb"<(?:[\w-]+:)?svg((?:\s+[\w:.-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*/?>")
_ATTRIBUTE = re.compile(rb"\s([\w:.-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_LENGTH = re.compile(r"\s*\+?([0-9]*\.?[0-9]+(?:e[+-]?[0-9]+)?)([a-z]*)\s*", re.IGNORECASE)
_UNITS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4}
_UNITS |= {"q": 96 / 101.6, "em": 16.0, "rem": 16.0}
_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_ALONE = {0x01, *range(0xD0, 0xD9)}
_SVG_HEAD = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageSize:
    """Width and height in pixels.

    With `scales`, the image is an SVG without a size, and only the proportions of width and height count.
    """

    width: float
    height: float
    scales: bool = False

    def __str__(self) -> str:
        return f"{self.width:g} x {self.height:g}"


def image_size(data: bytes) -> ImageSize | None:
    """Return the size of an image; None for other formats, and when the size is missing or 0."""
    for reader in (_png, _gif, _jpeg, _webp, _svg):
        size = reader(data)
        if size is not None:
            return size if size.width > 0 and size.height > 0 else None
    return None


def _png(data: bytes) -> ImageSize | None:
    if not data.startswith(_PNG) or data[12:16] != b"IHDR" or len(data) < 24:  # noqa: PLR2004 - PNG, 11.2.2
        return None
    return ImageSize(width=_big(data[16:20]), height=_big(data[20:24]))


def _gif(data: bytes) -> ImageSize | None:
    if data[:6] not in {b"GIF87a", b"GIF89a"} or len(data) < 10:  # noqa: PLR2004 - logical screen descriptor
        return None
    return ImageSize(width=_little(data[6:8]), height=_little(data[8:10]))


def _jpeg(data: bytes) -> ImageSize | None:
    """Return the size in the first frame header, which follows other segments (ITU-T T.81, B.2.2); None without one."""
    at = 2 if data.startswith(b"\xff\xd8") else len(data)
    while at + 9 <= len(data):
        if data[at] != 0xFF:  # noqa: PLR2004 - every segment begins with it
            return None
        marker = data[at + 1]
        if marker == 0xFF or marker in _ALONE:  # noqa: PLR2004 - fill bytes
            at += 1 if marker == 0xFF else 2  # noqa: PLR2004
        elif marker in _FRAMES:
            return ImageSize(height=_big(data[at + 5 : at + 7]), width=_big(data[at + 7 : at + 9]))
        else:
            at += 2 + max(2, _big(data[at + 2 : at + 4]))
    return None


def _webp(data: bytes) -> ImageSize | None:
    """Return the size in one of the three forms of WebP: lossy, lossless, extended (RFC 9649); None for other data."""
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP" or len(data) < 30:  # noqa: PLR2004
        return None
    match data[12:16]:
        case b"VP8 ":
            return ImageSize(width=_little(data[26:28]) & 0x3FFF, height=_little(data[28:30]) & 0x3FFF)
        case b"VP8L":
            bits = _little(data[21:25])
            return ImageSize(width=(bits & 0x3FFF) + 1, height=(bits >> 14 & 0x3FFF) + 1)
        case b"VP8X":
            return ImageSize(width=_little(data[24:27]) + 1, height=_little(data[27:30]) + 1)
        case _:
            return None


def _svg(data: bytes) -> ImageSize | None:
    """Return width and height in CSS pixels; None when they are unknown.

    The proportions of viewBox replace a missing width or height (SVG 2, 8.2 and 8.6).
    """
    head = _COMMENTS.sub(b"", data[:_SVG_HEAD].removeprefix(b"\xef\xbb\xbf")).lstrip()
    match = _SVG.match(head)
    if match is None:
        return None
    attributes = {
        name.decode(): (double or single).decode("utf-8", "replace")
        for name, double, single in _ATTRIBUTE.findall(match[1])
    }
    width, height = _length(attributes.get("width", "")), _length(attributes.get("height", ""))
    if width and height:
        return ImageSize(width=width, height=height)
    box = [_length(part) for part in re.split(r"[\s,]+", attributes.get("viewBox", "").strip())][2:]
    if len(box) != 2 or not all(box):  # noqa: PLR2004 - width and height
        return None
    across, down = box[0] or 0.0, box[1] or 0.0
    if width or height:
        return ImageSize(
            width=width or (height or 0) * across / down, height=height or (width or 0) * down / across
        )
    return ImageSize(width=across, height=down, scales=True)


def _length(text: str) -> float | None:
    match = _LENGTH.fullmatch(text)
    unit = _UNITS.get(match[2].lower()) if match else None
    return float(match[1]) * unit if match and unit else None


_big: Callable[[bytes], int] = lambda part: int.from_bytes(part, "big")  # noqa: E731
_little: Callable[[bytes], int] = lambda part: int.from_bytes(part, "little")  # noqa: E731
