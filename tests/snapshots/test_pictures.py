"""Pictures are compared as an eye would do it, and contain the name of the browser that drew them."""

import io

import pytest
from PIL import Image, ImageDraw

from awning_harness.checks.snapshots.appearance import read_structure
from awning_harness.checks.snapshots.check import describe_pixels
from awning_harness.checks.snapshots.files import are_equal, browser_of, compare_pictures, sign_picture

STRUCTURE = read_structure(
    """\
# Snapshot 1: any in en, written by awning test --update-snapshots
block  0,0 80x40; color #222222; font 16px/24px system-ui
  div  10,10 60x20
    svg.icon  5,5 12x12; drawing 12ab34cd
"""
)


def picture(*, size=(80, 40), square=None, color="#c00000") -> bytes:
    image = Image.new("RGB", size, "#ffffff")
    if square:
        ImageDraw.Draw(image).rectangle(square, fill=color)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def test_picture_carries_its_browser_and_keeps_its_pixels():
    signed = sign_picture(picture(square=(1, 1, 5, 5)), "Chromium 1, Linux")
    assert browser_of(signed) == "Chromium 1, Linux"
    assert are_equal(signed, picture(square=(1, 1, 5, 5)))
    assert not browser_of(picture())


def test_equal_pictures_do_not_differ():
    assert compare_pictures(picture(), picture()) is None


def test_other_pixels_are_not_equal():
    assert not are_equal(picture(), picture(square=(3, 3, 3, 3)))
    assert not are_equal(picture(), picture(size=(80, 41)))


def test_colour_that_no_eye_can_tell_does_not_differ():
    assert compare_pictures(picture(square=(1, 1, 9, 9), color="#ffffff"), picture(color="#fefefe")) is None
    assert compare_pictures(picture(), picture(square=(1, 1, 9, 9), color="#fefefe")) is None


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        (
            picture(),
            picture(square=(16, 16, 24, 25)),
            "90 pixels differ, within 9x10 px at 16,16 of the picture, in svg.icon",
        ),
        (
            picture(),
            picture(square=(0, 0, 0, 0)),
            "1 pixel differs, within 1x1 px at 0,0 of the picture, in block",
        ),
        (picture(), picture(size=(80, 44)), "the picture was 80x40 px, is 80x44 px"),
    ],
)
def test_difference_names_the_element(before, after, sentence):
    difference = compare_pictures(before, after)
    assert difference is not None
    assert describe_pixels(difference, STRUCTURE, corner=(0, 0)) == sentence
    assert Image.open(io.BytesIO(difference.picture)).size == difference.sizes[1]


BADGE = read_structure(
    """\
# Snapshot 1: any in en, written by awning test --update-snapshots
block  0,0 80x40; color #222222; font 16px/24px system-ui
  div  10,10 60x20
    b.badge  -30,-16 20x12
    svg.icon  5,5 12x12; drawing 12ab34cd
"""
)
"""The badge sticks out of the block. Its picture begins 20 px to the left of the block, and 6 px above it."""


@pytest.mark.parametrize(
    ("square", "name"),
    [((2, 2, 12, 8), "b.badge"), ((36, 22, 44, 31), "svg.icon"), ((22, 8, 24, 9), "block")],
)
def test_difference_names_the_element_when_content_sticks_out_of_the_block(square, name):
    difference = compare_pictures(picture(size=(100, 46)), picture(size=(100, 46), square=square))
    assert difference is not None
    assert describe_pixels(difference, BADGE, corner=(-20, -6)).endswith(f" of the picture, in {name}")
