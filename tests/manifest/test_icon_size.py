"""The size of an icon from its bytes: every format, and no exception for any input."""

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from manifests import png
from volumes import volume

from awning.manifest.icon import size_findings
from awning.manifest.image_size import image_size


def gif(width, height):
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\0\0\0;"


def jpeg(width, height):
    app0 = b"\xff\xe0" + struct.pack(">H", 16) + b"JFIF\0\1\1\0\0\1\0\1\0\0"
    exif = b"\xff\xe1" + struct.pack(">H", 8) + b"\xff\xc0Exif"  # data that looks like a marker
    frame = b"\xff\xc2" + struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\1\x11\0"
    return b"\xff\xd8" + app0 + exif + b"\xff" + frame + b"\xff\xd9"


def webp(kind, payload):
    body = b"WEBP" + kind + struct.pack("<I", len(payload)) + payload.ljust(16, b"\0")
    return b"RIFF" + struct.pack("<I", len(body)) + body


def lossy(width, height):
    return webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", width, height))


def lossless(width, height):
    return webp(b"VP8L", b"\x2f" + struct.pack("<I", (width - 1) | (height - 1) << 14))


def extended(width, height):
    return webp(b"VP8X", b"\0\0\0\0" + struct.pack("<I", width - 1)[:3] + struct.pack("<I", height - 1)[:3])


def svg(width, height):
    head = '<?xml version="1.0"?>\n<!-- <svg width="1" height="1"> -->\n'
    return (f'{head}<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height=\'{height}px\'/>').encode()


FORMATS = [png, gif, jpeg, lossy, lossless, extended, svg]


@pytest.mark.parametrize("make", FORMATS, ids=lambda make: make.__name__)
@pytest.mark.parametrize(("width", "height"), [(80, 80), (512, 300), (1, 4000)])
def test_size_is_read_from_every_format(make, width, height):
    size = image_size(make(width, height))
    assert (size.width, size.height, size.scales) == (width, height, False)


SVGS = {
    "proportions alone": ('<svg viewBox="0 0 24 24">', (24, 24, True)),
    "with commas": ('<svg viewBox="0,0,24,48">', (24, 48, True)),
    "percentages": ('<svg width="100%" height="100%" viewBox="0 0 10 10">', (10, 10, True)),
    "width and proportions": ('<svg width="120" viewBox="0 0 10 20">', (120, 240, False)),
    "inches": ('<svg width="1in" height="72pt">', (96, 96, False)),
    "a unit in capitals, and a sign": ('<svg width="+96PX" height="+1e2">', (96, 100, False)),
    "quarters of a millimetre": ('<svg width="1143Q" height="1143Q">', (1080, 1080, False)),
    "fonts, which are 16 px": ('<svg width="5em" height="6rem">', (80, 96, False)),
    "a unit apart": ('<svg width="80 px" height="96" viewBox="0 0 1 1">', (96, 96, False)),
    "a prefix": ('<s:svg xmlns:s="http://www.w3.org/2000/svg" width="90" height="90"/>', (90, 90, False)),
    "a document type": ('<!DOCTYPE svg PUBLIC "a" "b" [<!ENTITY x "y">]><svg width="9" height="9"/>', (9, 9, False)),
}  # fmt: skip


@pytest.mark.parametrize("case", SVGS)
def test_size_of_an_svg_is_read(case):
    text, expected = SVGS[case]
    size = image_size(text.encode())
    assert (size.width, size.height, size.scales) == expected


NONE = [
    b"",
    b"text",
    b"<html><svg width='80' height='80'></html>",
    png(0, 0),
    b"<svg>",
    b"\xff\xd8\xff\xd9",
    b"BM6",
]


@pytest.mark.parametrize("data", NONE)
def test_unknown_image_has_no_size(data):
    assert image_size(data) is None
    assert "PNG, JPEG, GIF, WebP or SVG" in next(size_findings(data)).message


@pytest.mark.parametrize("make", FORMATS, ids=lambda make: make.__name__)
def test_truncated_image_has_the_right_size_or_none(make):
    whole = make(100, 100)
    for length in range(len(whole)):
        size = image_size(whole[:length])
        assert size is None or (size.width, size.height) == (100, 100)


JUDGED = {
    "just right": (png(80, 80), []),
    "too small": (png(79, 79), ["must be at least 80 x 80 px, not 79 x 79"]),
    "not square": (png(80, 81), ["must be square, not 80 x 81"]),
    "neither": (
        png(79, 10),
        ["must be square, not 79 x 10", "must be at least 80 x 80 px, not 79 x 10"],
    ),
    "a drawing without a size": (b'<svg viewBox="0 0 24 24"/>', []),
    "a small drawing": (svg(24, 24), ["must be at least 80 x 80 px, not 24 x 24"]),
    "a drawing that is not square": (b'<svg viewBox="0 0 24 12"/>', ["must be square, not 24 x 12"]),
}


@pytest.mark.parametrize("case", JUDGED)
def test_icon_must_be_square_and_at_least_80_pixels(case):
    data, messages = JUDGED[case]
    assert [finding.message for finding in size_findings(data)] == messages


@settings(max_examples=volume("icon-bytes"))
@given(st.sampled_from([make(90, 90) for make in FORMATS]), st.binary(max_size=12), st.integers(0, 60))
def test_damaged_image_raises_nothing(image, noise, at):
    image_size(image[:at] + noise + image[at + len(noise) :])
    image_size(image[:12] + noise)
