"""The app's snippets in the HTML of a page: found by their stamp, cut out, replaced."""

from base64 import b64encode
from hashlib import sha256

import pytest

from awning.live.deployed import (
    OwnMarks,
    deployed_snippets,
    end_of,
    inline_hashes,
    language_of,
    nonce_of,
    put_snippets,
)

MARKS = OwnMarks(title="Shop & more", classes=frozenset({"aw-123abc"}), fingerprint="ffffffffffff")
HEAD = "<!--awning 0123456789ab--><style>.aw-123abc{color:red}</style><script>head()</script>"
DATA = '<script type="application/json" data-awning="Shop &amp; more" lang="lv">{"a": "<b>"}</script>'
BODY = f'<!--awning 0123456789ab--><style>x{{}}</style>{DATA}<script>run("note","aw-123abc")</script>'
OTHER = '<!--awning 0123abcdef00--><script type="application/json" data-awning="Other"></script><script>o()</script>'
ANONYMOUS = "<!--awning 0123456789ab--><script>raw()</script>"
PAGE = "<!DOCTYPE html><html lang=lv><head><title></head></title>{head}</head><body><p>shop</p>{body}</body></html>"


def replaced(html, nonce=None):
    own = MARKS.own(deployed_snippets(html))
    new = put_snippets(html, own, {"head": "<style>NEW</style>", "body": "<script>NEW</script>"}, nonce)
    return [snippet.place for snippet in own], new


@pytest.mark.parametrize(
    "body",
    [
        BODY,
        BODY.replace("><", ">\r\n <"),
        BODY.replace("<script>", '<script nonce="n" data-x>'),
        BODY.replace("<style>", "<!-- front end --><link rel=x><style>"),
        BODY.replace(DATA, ""),
        BODY.replace("x{}", ""),
    ],
)
def test_deployed_snippets_are_replaced(body):
    places, html = replaced(PAGE.format(head=HEAD, body=f"<i>a</i>{body}<i>z</i>"))
    assert places == ["head", "body"]
    assert "awning 0123456789ab" not in html
    assert "aw-123abc" not in html
    assert html.startswith("<!DOCTYPE html><html lang=lv><head><title></head></title><style>NEW</style>")
    assert "<i>a</i><script>NEW</script>" in html
    assert html.endswith("<i>z</i></body></html>")


def test_deployed_snippet_has_its_data_and_language():
    [snippet] = deployed_snippets(PAGE.format(head="", body=BODY))
    assert (snippet.app, snippet.language, snippet.data) == ("Shop & more", "lv", '{"a": "<b>"}')


def test_snippets_of_other_apps_stay():
    page = PAGE.format(head=OTHER, body=f"{OTHER}{BODY}{OTHER}<script>shop()</script>")
    places, html = replaced(page)
    assert places == ["body"]
    assert html.count(OTHER) == 3
    assert "shop()" in html


@pytest.mark.parametrize(
    ("body", "count"),
    [
        (ANONYMOUS, 0),
        (ANONYMOUS + BODY, 2),
        (ANONYMOUS.replace("0123456789ab", "f" * 12), 1),
        (BODY * 2, 2),
        (f"<template>{OTHER}</template>", 0),
        (f"<textarea>{BODY}</textarea>", 0),
    ],
)
def test_snippet_without_a_name_is_own_by_its_build(body, count):
    places, _ = replaced(PAGE.format(head="", body=body))
    assert len(places) == count


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<head>a", "<head><style>NEW</style>a<script>NEW</script>"),
        ("", "<style>NEW</style><script>NEW</script>"),
        ("<p>x", "<style>NEW</style><p>x<script>NEW</script>"),
        (
            "<title>t</title><body>x</body></html>",
            "<title>t</title><style>NEW</style><body>x<script>NEW</script></body></html>",
        ),
        (
            "<!-- </body> --><p></p><script>'</body>'",
            "<!-- </body> --><style>NEW</style><p></p><script>'</body>'<script>NEW</script>",
        ),
    ],
)
def test_snippets_are_added_to_broken_markup(html, expected):
    assert replaced(html) == ([], expected)


def test_snippets_get_the_nonce_outside_of_scripts():
    _, html = replaced("<p>", "abc")
    assert html == '<style nonce="abc">NEW</style><p><script nonce="abc">NEW</script>'


def test_hashes_of_a_policy_are_those_of_the_text_that_browsers_read():
    texts = ("a()\n", "b{}")
    expected = {f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}" for text in texts}
    assert inline_hashes("<script nonce=n>a()\r\n</script><style>b{}</style>") == expected


@pytest.mark.parametrize(
    ("policies", "html", "nonce"),
    [
        ([], "<p>", None),
        (["default-src 'self'"], "<p>", None),
        (["default-src 'self'", "script-src 'self' 'nonce-a+/=' x"], "<p>", "a+/="),
        ([], '<script>x</script><script nonce="b">', "b"),
        ([], "<script nonce='\"><script>'>", None),
    ],
)
def test_nonce_of_a_page(policies, html, nonce):
    assert nonce_of(policies, html) == nonce


@pytest.mark.parametrize(
    ("html", "language"),
    [('<!--x--><html lang="de-AT">', "de-AT"), ("<html>", None), ("<p lang=en>", None), ("", None)],
)
def test_language_of_a_page(html, language):
    assert language_of(html) == language


@pytest.mark.parametrize("repeated", ["<p>x</p>", "<svg><xmp>"])
def test_large_page_takes_linear_time(repeated):
    page = PAGE.format(head="", body=BODY + repeated * 100_000)
    assert end_of(page, "body") == len(page) - len("</body></html>")
    assert len(deployed_snippets(page)) == 1
