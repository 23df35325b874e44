"""A built snippet is found in a page that contains it, and in no page that contains another snippet."""

import pytest
from html5lib._tokenizer import HTMLTokenizer
from html5lib.constants import tokenTypes
from hypothesis import given
from hypothesis import strategies as st

from awning.client import encode_app_data
from awning.contract import Dialect
from awning.contract.assumptions import ASSUMPTIONS
from awning.markup import read_markup
from awning.publish.verify.page_content import read_page
from awning.snippet.compose import Parts, compose
from awning_harness.service import Service

CODE = st.text(st.sampled_from("ab1 \n;{}()<>!-/\"'&=+āscriptyle"), max_size=40)
VALUES = st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=3)
AROUND = st.lists(
    st.sampled_from(
        [
            "<p>1</p>",
            "<b>",
            "</i>",
            "text",
            "<!-- x -->",
            "<script>1</script>",
            "<br>",
            "<td>",
            "&amp;",
            "<svg/>",
        ]
    ),
    max_size=6,
).map("".join)


def built(script, style="", fingerprint="a" * 64):
    return compose(Parts(app="shop", style=style, script=script, data=True), Dialect(), fingerprint)


def page_with(snippet, values, before="", after=""):
    """A page as the service makes it."""
    filled = snippet.replace("{{svc_language}}", "lv").replace("{{svc_app_data}}", encode_app_data(values))
    return read_page(f"<!doctype html><html><body>{before}{filled}{after}</body></html>".encode(), "utf-8")


@given(CODE, CODE, VALUES, AROUND, AROUND)
def test_built_snippet_is_seen_in_its_page(script, style, values, before, after):
    snippet = built(script, style)
    if snippet:
        assert page_with(snippet, values, before, after).holds(snippet)


@given(CODE, CODE, VALUES, AROUND)
def test_other_snippet_is_not_seen(script, style, values, after):
    other = built(f"{script};other()", style)
    assert not page_with(built(f"{script};own()", style), values, after=after).holds(other)


def test_stamps_of_a_page_are_read():
    assert page_with(built("1", fingerprint="0123456789abcdef"), {}).stamps == {"0123456789ab"}


PAGES = {
    b"": False,
    b"\xff\xfe\x00": False,
    b"<script>run(1)": False,  # a browser runs no script that is not closed
    b"<?xml version='1.0'?><html><script>run(1)</script>": True,
    b"index.html": False,
    b"<script>run(1)</script" + b"<b>" * 5000: False,
    b"<textarea><script>run(1)</script></textarea>": False,
    b"<noscript><script>run(1)</script></noscript>": False,
    b"<script src=x>run(1)</script>": True,
    b"<SCRIPT>\r\nrun(1)\r\n</SCRIPT>": True,
    b"<script>run(1);</script>": False,
}


@pytest.mark.parametrize("html", PAGES, ids=lambda html: html[:40].decode("latin-1"))
@pytest.mark.parametrize("charset", [None, "utf-8", "no such charset", "rot13"])
def test_page_of_any_form_is_read(html, charset):
    assert read_page(html, charset).holds("<script>run(1)</script>") == PAGES[html]


def test_empty_snippet_is_on_no_page():
    assert not read_page(b"<p>1</p>", None).holds(" ")


HOSTILE = [
    "<a ",
    "<a a=1 ",
    "<x y='",
    "<!--",
    "<!--->",
    "</",
    "<b>",
    "&#1",
    "<script><!--",
    "<meta charset",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_page_is_read_to_its_end(piece):
    """Quadratic time would take minutes here."""
    assert not read_page(piece.encode() * 100_000, None).holds("<script>run(1)</script>")


@pytest.mark.parametrize(
    ("body", "charset"),
    [
        (b"<b>\x80</b>", "iso-8859-1"),
        (b"<b>\x80</b>", "ASCII"),
        (b"<meta charset=latin1><b>\x80</b>", None),
        (b"<meta charset=latin1><b>\x80</b>", "no such charset"),
        (b"<b>\x80</b>", "windows-874"),
        (b"<b>\xa2\xe3</b>", "gb2312"),
        ("<meta charset=utf-16><b>€</b>".encode(), None),
        ("\ufeff<b>€</b>".encode(), "iso-8859-1"),
        ("\ufeff<b>€</b>".encode("utf-16-le"), "utf-8"),
        ("<b>€</b>".encode("utf-16-be"), "utf-16be"),
        ("<b>€</b>".encode(), "utf-7"),
    ],
)
def test_page_is_decoded_as_browsers_decode_it(body, charset):
    assert read_page(body, charset).holds("<b>€</b>")


@pytest.mark.parametrize("charset", ["punycode", "idna", "unicode_escape"])
def test_codec_that_is_no_charset_is_not_used(charset):
    assert read_page(b"<script>run(1)</script>-" + b"a" * 500_000, charset).holds("<script>run(1)</script>")


def test_number_too_long_for_python_is_text():
    assert read_page(b"<p>&#" + b"1" * 5000 + b";</p><script>run(1)</script>", None).holds(
        "<script>run(1)</script>"
    )


@pytest.mark.parametrize(
    ("content", "is_whole"),
    [
        ("<!-- <script> </script> -->", True),
        ("<!-- </script> -->", False),
        ("<!--> <script> </script>", False),
        ("'<script>'", True),
    ],
)
def test_script_ends_where_a_browser_ends_it(content, is_whole):
    page = read_page(f"<script>{content}</script>".encode(), None)
    assert (page.parts[0].text == content.strip()) == is_whole


@given(st.text(st.sampled_from("<>/!-ab =\"'&;\n"), max_size=30))
def test_pieces_are_those_of_html5lib(text):
    kinds = {"StartTag": "start", "EmptyTag": "start", "EndTag": "end", "Comment": "comment"}
    names = {number: kinds.get(name) for name, number in tokenTypes.items()}
    oracle = [
        (kind, token["name"] if kind != "comment" else token["data"])
        for token in HTMLTokenizer(text)
        if (kind := names[token["type"]])
    ]
    pieces = [(piece.kind, piece.text) for piece in read_markup(text) if piece.kind != "text"]
    own = iter(oracle)
    assert [piece for piece in pieces if piece not in own] == []  # html5lib also lists malformed declarations
    assert [piece for piece in oracle if piece[0] != "comment"] == [p for p in pieces if p[0] != "comment"]


ON_PAGE = {
    "with other white space": ("<b>\n lv ā\n</b>", True),
    "with an attribute of the front end": ('<b nonce="x">lv ā</b>', True),
    "among foreign elements": ("<i>1</i><b>lv ā</b><i>2</i>", True),
    "deeply nested": ("<div>" * 20_000 + "<b>lv ā</b>", True),
    "in a comment": ("<!-- <b>lv ā</b> -->", False),
    "in a template": ("<template><b>lv ā</b></template>", False),
    "in a script": ('<script>"<b>lv ā</b>"</script>', False),
    "as text": ("&lt;b&gt;lv ā&lt;/b&gt;", False),
    "nothing": ("", False),
}


@pytest.mark.parametrize(("body", "is_there"), ON_PAGE.values(), ids=ON_PAGE)
def test_snippet_is_on_a_page_whose_elements_are_its_own(body, is_there):
    page = read_page(f"<!doctype html><html><body><p>Hi</p>{body}</body></html>".encode(), "utf-8")
    assert page.holds("<b>lv ā</b>") is is_there


DATA = (
    '<script type="application/json" data-awning="x" lang="{{svc_language}}">{{svc_app_data}}</script>'
    "<script>run(1)</script>"
)
PLACEHOLDERS = [
    (name, value)
    for name in (
        "data-insertion",
        "unset-data-insertion",
        "placeholder-order",
        "unknown-placeholder",
        "version-placeholder",
        "snippet-storage",
    )
    for value in ASSUMPTIONS[name].alternatives
    if value != "truncated"
]
IN_PLACEHOLDERS = [
    *((question, answer, {"a": {"b": "<i>ā</i>"}}) for question, answer in PLACEHOLDERS),
    *((question, answer, None) for question, answer in PLACEHOLDERS if question == "unset-data-insertion"),
    *(
        (question, answer, "{{svc_language}}")
        for question, answer in PLACEHOLDERS
        if question in {"data-insertion", "placeholder-order"}
    ),
]
"""Each answer with app data, and with none and with text like a placeholder where that makes a difference."""


@pytest.fixture(scope="module")
def service():
    service = Service()
    yield service
    service.close()


@pytest.mark.parametrize(("question", "answer", "data"), IN_PLACEHOLDERS)
def test_snippet_is_seen_however_its_placeholders_are_replaced(question, answer, data, service):
    service.reset()
    service.assumptions.take_set("observed")
    service.assumptions.set(question, answer)
    app_id, _ = service.register_app({"app_title": "Test"})
    website = service.create_website(languages=("lv", "de"))
    code = service.install(app_id, website.id)
    if data is not None:
        service.set_data(code, data)
    snippet = f"<!--awning 0123456789ab-->{DATA}<p title='{{{{svc_language}}}}'>{{%%%version%%%}}</p>\r\n"
    service.set_snippet(code, snippet, language="lv")
    [shown] = service.page_snippets(website.id, "lv")
    page = read_page(f"<!doctype html><html><body>{shown.body}</body></html>".encode(), "utf-8")
    assert page.holds(snippet)
