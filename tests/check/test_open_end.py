"""What the HTML of a verbatim widget leaves open. html5lib, which has no `<template>`, is the oracle for the rest."""

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from volumes import volume

from awning.markup import find_open_end

OPEN = {
    "<div>a": ("<div>", 0),
    "a<!-- b": ("a comment", 1),
    "<!-- a -- >": ("a comment", 0),
    "<!-- a ->": ("a comment", 0),
    "<p>a</p>\n<script>b": ("<script>", 9),
    "<script><!--<script></script>": ("<script>", 0),
    "<template><b></b>": ("<template>", 0),
    "<div><template></div></template>": ("<div>", 0),
    "a <div class='x": ("a tag", 2),
    "a <div ": ("a tag", 2),
    "<script>a</script": ("a tag", 9),
    "</": ("a tag", 0),
    "<!": ("a tag", 0),
    "<?php": ("a tag", 0),
    "<plaintext>a": ("<plaintext>", 0),
    "<svg><path/>": ("<svg>", 0),
    "<select><option>a": ("<select>", 0),
    "<textarea>a</div>": ("<textarea>", 0),
    "<style>a": ("<style>", 0),
    "<noscript><img>": ("<noscript>", 0),
    "<title>": ("<title>", 0),
    "<iframe src=a>": ("<iframe>", 0),
    "<div/>": ("<div>", 0),
    "<div><b></div>": ("<b>", 5),
    "<b><div></b>": ("<div>", 3),
}


@pytest.mark.parametrize("html", OPEN)
def test_what_is_open_at_the_end_is_found_with_its_place(html):
    opened = find_open_end(html)
    assert (opened.what, opened.start) == OPEN[html]


CLOSED = [
    "",
    "text",
    "a <",
    "&am",
    "<div>a</div>",
    "<p>a<li>b<br>",
    "<b><p></b></p>",
    "<svg><path/></svg>",
    "<svg/>",
    "<keygen><param><basefont><bgsound><frame>",
    "</div></div>",
    "<html><body onload=f()><p>a</body></html>",
    "<noscript><div></noscript>",
    "<template><div><b></template>",
    "<!-- a --!><!--><!-- -->",
    "<table><tr><td>a</table>",
    "<script>'<div>'</script><style>a > b {}</style>",
]


@pytest.mark.parametrize("html", CLOSED)
def test_html_that_is_closed_leaves_nothing_open(html):
    assert find_open_end(html) is None


TAGS = (
    "div",
    "b",
    "script",
    "style",
    "table",
    "svg",
    "a",
    "noscript",
    "textarea",
    "span",
    "object",
)
PIECES = st.sampled_from(
    [
        *(f"<{tag}>" for tag in TAGS),
        *(f"</{tag}>" for tag in TAGS),
        "<!--",
        "-->",
        "<img>",
        "a",
        "<",
        "'",
        '<a b="',
    ]
)


@settings(max_examples=volume("open-ends"))
@given(st.lists(PIECES, max_size=9).map("".join))
def test_what_follows_closed_html_is_put_beside_it(html):
    if find_open_end(html) is not None:
        return
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    tree = parser.parseFragment(f"{html}\n<aw-next></aw-next>", container="body", scripting=True)
    (follower,) = (child for child in tree if child.tag == "aw-next")
    assert follower.tail is None
