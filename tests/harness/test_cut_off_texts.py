"""Which texts of a block are cut off: those of which a part is outside of a box that does not scroll."""

import re
from pathlib import Path

import pytest

from awning_harness.visit.pages.visibility import CLIPPED

REPOSITORY = Path(__file__).parents[2]
STILL = re.search('STILL = "(.*)"', (REPOSITORY / "jsrc/laboratory/frame.ts").read_text())[1]
"""The style of the pages of the laboratory."""
LONG = "We deliver this to you on Monday or, if the weather is bad, on Tuesday."

CUT = {
    "by its own box": f'<p style="block-size:1.5em; inline-size:12em; overflow:hidden">{LONG}</p>',
    "by the box around it": f'<div style="block-size:2.5em; inline-size:12em; overflow:hidden"><p>{LONG}</p></div>',
    "by a box far around it": (
        '<div style="block-size:1.5em; overflow:clip"><div>'
        f'<b style="display:block; inline-size:9em">{LONG}</b></div></div>'
    ),
    "at its side": (
        f'<div style="inline-size:9em; overflow:hidden"><p style="white-space:nowrap">{LONG}</p></div>'
    ),
    "although the box around its paragraph has an ellipsis": (
        '<div style="inline-size:9em; overflow:hidden; text-overflow:ellipsis; white-space:nowrap">'
        f"<p>{LONG}</p></div>"
    ),
    "by two pixels": f'<p style="line-height:20px; block-size:16px; overflow:hidden">{LONG}</p>',
    "in its last line, of another element": (
        '<p style="inline-size:9em; line-height:20px; block-size:20px; overflow:hidden">Soon<br><b>or later</b></p>'
    ),
    "in a shadow root": (
        '<div style="block-size:1.5em; inline-size:12em; overflow:hidden"><div>'
        f'<template shadowrootmode="open">{LONG}</template></div></div>'
    ),
    "in a slot of a shadow root": (
        '<div><template shadowrootmode="open"><div style="block-size:1.5em; inline-size:12em; overflow:hidden">'
        f"<slot></slot></div></template>{LONG}</div>"
    ),
    "although it appears, on a page that is held still": (
        f"<style>@keyframes appear {{ from {{ opacity:0 }} }}</style>{STILL}"
        '<div style="overflow:hidden; white-space:nowrap; inline-size:9em">'
        f'<p style="animation:appear 1s">{LONG}</p></div>'
    ),
    "in a positioned box": (
        '<div style="position:relative; block-size:40px; overflow:hidden">'
        f'<p style="position:absolute; inline-size:9em">{LONG}</p></div>'
    ),
}

WHOLE = {
    "fits": f'<div style="overflow:hidden"><p>{LONG}</p></div>',
    "is clamped after two lines": (
        '<p style="display:-webkit-box; -webkit-box-orient:vertical; -webkit-line-clamp:2; inline-size:9em;'
        f' overflow:hidden">{LONG}</p>'
    ),
    "is clamped in a card": (
        '<div style="overflow:hidden"><div style="display:-webkit-box; -webkit-box-orient:vertical;'
        f' -webkit-line-clamp:2; inline-size:9em; overflow:hidden"><p>{LONG}</p></div></div>'
    ),
    "ends with an ellipsis": (
        '<div style="inline-size:9em; overflow:hidden"><p style="overflow:hidden; text-overflow:ellipsis;'
        f' white-space:nowrap">Only <b>today</b>: {LONG}</p></div>'
    ),
    "is in a closed accordion": (
        f'<div style="max-block-size:0; overflow:hidden; visibility:hidden">{LONG}</div>'
    ),
    "is in an accordion that is closed by its height alone": (
        f'<div style="max-block-size:0; overflow:hidden"><p>{LONG}</p></div>'
    ),
    "is transparent": f'<div style="max-block-size:9px; overflow:hidden; opacity:0"><p>{LONG}</p></div>',
    "is in closed details": (
        f'<details style="block-size:1.5em; overflow:hidden"><summary>More</summary><p>{LONG}</p></details>'
    ),
    "is only for screen readers": (
        '<div style="position:relative; overflow:hidden"><span style="position:absolute; inline-size:1px;'
        f' block-size:1px; overflow:hidden; clip-path:inset(50%); white-space:nowrap">{LONG}</span></div>'
    ),
    "is only for screen readers, by a clip": (
        f'<span style="position:absolute; block-size:9px; overflow:hidden; clip:rect(0 0 0 0)">{LONG}</span>'
    ),
    "is replaced by a picture": (
        '<div style="inline-size:9em; overflow:hidden; white-space:nowrap; text-indent:-9999px">Tea</div>'
    ),
    "can be scrolled to": (
        '<div style="block-size:9em; overflow:hidden"><div style="block-size:4em; inline-size:9em; overflow:auto">'
        f'<p style="inline-size:40em">{LONG}</p><p>{LONG * 9}</p></div></div>'
    ),
    "is decorated beyond its box": (
        "<style>.tag::after{content:''; position:absolute; inset:-20px}</style>"
        '<p class="tag" style="position:relative; overflow:hidden">Only today</p>'
    ),
    "has tight lines": '<p style="font-size:40px; line-height:1; overflow:hidden">Ångström jig</p>',
    "waits on another slide": (
        '<div style="inline-size:9em; display:flex; overflow:hidden"><p style="flex:0 0 100%">Tea</p>'
        '<p style="flex:0 0 100%">Coffee</p></div>'
    ),
    "is moved on a track": (
        '<div style="inline-size:9em; overflow:hidden">'
        f'<p style="transform:translateX(-2em); white-space:nowrap">{LONG}</p></div>'
    ),
    "runs through the box on a page that is held still": (
        f"<style>@keyframes run {{ to {{ transform:translateX(-100%) }} }}</style>{STILL}"
        '<div style="overflow:hidden; white-space:nowrap; inline-size:9em">'
        f'<p style="display:inline-block; animation:run 9s infinite">{LONG}</p></div>'
    ),
    "fades out": (
        '<div style="block-size:2.5em; overflow:hidden; mask-image:linear-gradient(black, transparent)">'
        f'<p style="inline-size:9em">{LONG}</p></div>'
    ),
    "is unfolded by a button": (
        f'<div style="block-size:2.5em; overflow:hidden"><p style="inline-size:9em">{LONG}</p></div>'
        '<p><button aria-expanded="false">More</button></p>'
    ),
    "is unfolded by a button elsewhere": (
        '<p><button aria-expanded="false" aria-controls="words">More</button> about tea</p>'
        f'<div style="block-size:2.5em; overflow:hidden" id="words"><p style="inline-size:9em">{LONG}</p></div>'
    ),
    "is positioned out of the box": (
        '<div style="position:relative"><div style="block-size:1em; overflow:hidden">'
        f'<p style="position:absolute">{LONG}</p></div></div>'
    ),
    "is in a picture": (
        '<svg width="40" height="20" viewBox="0 0 40 20"><text x="0" y="20" font-size="20">100</text></svg>'
    ),
}


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page()
    yield page
    page.close()


def cut_off_texts(page, html):
    block = f'<div style="overflow:hidden; block-size:9px"><div id="block">{html}</div></div>'
    page.evaluate("(html) => document.body.setHTMLUnsafe(html)", block)
    return page.locator("#block").evaluate(CLIPPED)


@pytest.mark.parametrize("html", CUT.values(), ids=CUT)
def test_text_is_cut_off(page, html):
    assert len(cut_off_texts(page, html)) == 1


@pytest.mark.parametrize("html", WHOLE.values(), ids=WHOLE)
def test_text_is_not_cut_off(page, html):
    assert cut_off_texts(page, html) == []


def test_cut_off_text_is_quoted_as_it_is_seen(page):
    words = "Only <b hidden>and</b> <b>today</b>, not later"
    html = f'<p style="inline-size:9em; block-size:1em; overflow:hidden">{words}</p>'
    assert cut_off_texts(page, html) == ["Only today, not later"]
