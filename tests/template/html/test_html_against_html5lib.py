"""html5lib is the oracle: it finds the same tokens in each static text that the tokenizer accepts.

Random texts are built piece by piece. A piece that the tokenizer refuses is left out, so each text is accepted.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape

import pytest
from html5lib import HTMLParser
from html5lib._tokenizer import HTMLTokenizer
from html5lib.constants import tokenTypes
from html_ends import end_of, is_open
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st
from volumes import volume

from awning.template.html.css import STYLE_ATTRIBUTE, STYLE_ELEMENT, Css
from awning.template.html.html_context import START, HtmlContext, HtmlRefusal, TokenizerState, finish
from awning.template.html.tokenizer import advance, moves

Token = tuple[object, ...]

PIECES = [
    '<a href="/x" title="a:b" hidden>', '<p style="color">', '<iframe srcdoc="x">', '<path d="M0" fill="red"/>',
    "<p id='a' x='b'>", '<p style="{">', '<a href="java">', '<img src="data:x">', '<P Srcdoc="">',
    '<animate attributeName="href">', '<meta http-equiv="x">', "<", ">", "/", "=", "!", "-", "'", '"', " ", "\n",
    "\t", "a", "b", "A", "Z", "&", ";", "?", "<p>", "</p>", "<b ", "</B", "<br/>", "<i/>", "<a href=/x/>",
    "<a href='?a=1&amp;b=2'>", '<a title="<&lt;>">', "</a>", "<p class=a b=c", "<p class", " class='x'", " hidden",
    ' id=""', " style='color:red'", " srcset='a 1x, b 2x'", "=", "x", "<!--", "-->", "--!>", "--", "<!-->",
    "<!--->", "<!---->", "<!doctype html>", "<!x>", "<!d", "<textarea>", "</textarea>", "</textarea", "</text",
    "<title>", "</title>", "</TITLE >", "<title", "<style>", "</style>", "a{b:c}", "<script>", "</script>",
    "var a = '<p>';", "<iframe>", "</iframe>", "<xmp>", "</xmp>", "<noscript>", "</noscript>", "<svg>", "<svg/>",
    "</svg>", "<path d='M0 0'/>", "<g>", "</g>", "<SVG viewBox='0 0 1 1'>", "<math>", "</math>", "<mi>", "</mi>",
    "<select>", "</select>", "<option selected>", "<table>", "<tr>", "<td>", "</table>", "<template>",
    "</template>", "<ul><li>", "é", "&amp;", "&#39;", "&lt;b&gt;", "<1", "< b>", "</ul>", "<input value=a>",
    "<image src=x>", "<svg><title>t</title></svg>", '<p data-x="', ' onclick="go(1)">', "<!-- a-b -->",
    "<textarea a='1'>x<p></textarea >", '<script type="module">1 < 2</script>', "<select><option value=1>a</select>",
    '<svg a=""><text x="1">t</text></svg>', '<p style="a: url(b/c); d: e(1, 2)">', "<p style=\"a: 'b'\">",
    '<p style="a)">', '<a href="https://a/b?c=d&amp;e">', '<a href="', "javascript:", '<img src="/a" alt=x/>',
    "<td colspan=2 class=a>", "<title/>", "</title >", "<desc>d</desc>", "<script><!--", "<use href=#a />",
    '<path style="fill: red"',
]  # fmt: skip


def completed(text: str) -> str:
    """The text, followed by the ends of everything that it leaves open."""
    try:
        context, _emitted = advance(START, text)
        while is_open(context):
            text += end_of(context)
            context, _emitted = advance(START, text)
    except HtmlRefusal:
        reject()
    return text


@st.composite
def soups(draw: st.DrawFn) -> str:
    text = ""
    for piece in draw(st.lists(st.sampled_from(PIECES), max_size=25)):
        try:
            advance(START, text + piece)
        except HtmlRefusal:
            continue
        text += piece
    return completed(text)


class RecordingTokenizer(HTMLTokenizer):
    seen: list[Token]

    def __iter__(self) -> Iterator[dict[str, object]]:
        self.seen = []
        for token in super().__iter__():
            self.seen.append(simple(token))
            yield token


def simple(token: dict[str, object]) -> Token:
    kinds = {number: name for name, number in tokenTypes.items()}
    match kinds[token["type"]]:
        case "Characters" | "SpaceCharacters":
            return ("text", token["data"])
        case "StartTag" | "EmptyTag":
            return ("start", token["name"], tuple(sorted(token["data"].items())))
        case "EndTag":
            return ("end", token["name"])
        case "Comment":
            return ("comment",)
        case "Doctype":
            return ("doctype",)
        case _:
            return ("error",)


class RecordingParser(HTMLParser):
    def mainLoop(self) -> None:  # noqa: N802 - html5lib's name
        self.tokenizer.__class__ = RecordingTokenizer
        super().mainLoop()


def tokens_by_html5lib(text: str) -> list[Token]:
    parser = RecordingParser()
    parser.parseFragment(text, scripting=True)
    return merged(token for token in parser.tokenizer.seen if token[0] != "error")


def merged(tokens: Iterator[Token]) -> list[Token]:
    out: list[Token] = []
    for token in tokens:
        if token[0] == "text" and out and out[-1][0] == "text":
            out[-1] = ("text", out[-1][1] + token[1])
        elif token != ("text", ""):
            out.append(token)
    return out


@dataclass
class Tokens:
    """The tokenizer's moves as tokens."""

    tokens: list[Token] = field(default_factory=list)
    text: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    value: str = ""

    def read(self, text: str) -> list[Token]:
        for move in moves(START, text):
            self.move(move.before, move.text, move.after)
        self.flush()
        return merged(iter(self.tokens))

    def flush(self, *, raw: bool = False, cut: int = 0) -> None:
        text = self.text[: len(self.text) - cut]
        self.tokens.append(("text", text if raw else unescape(text)))
        self.text = ""

    def move(self, before, text: str, after) -> None:
        match before.state:
            case (
                TokenizerState.TEXT
                | TokenizerState.TAG_OPEN
                | TokenizerState.END_TAG_OPEN
                | TokenizerState.DECLARATION
            ):
                self.opening(before, text, after)
            case (
                TokenizerState.RCDATA | TokenizerState.RAWTEXT | TokenizerState.STYLE | TokenizerState.SCRIPT
            ):
                self.text += text
                if after.state is TokenizerState.TAG_NAME:
                    self.flush(raw=before.state is not TokenizerState.RCDATA, cut=len(before.element) + 2)
            case TokenizerState.ATTRIBUTE_NAME if after.state is TokenizerState.AFTER_NAME:
                self.name = after.attribute
                self.fresh = self.name not in self.attributes
                self.attributes.setdefault(self.name, "")
            case TokenizerState.VALUE if after.state is TokenizerState.VALUE:
                self.value += text
            case TokenizerState.VALUE:
                self.close_value()
        if before.state in IN_TAGS and after.state not in IN_TAGS:
            self.close_tag(before)

    def opening(self, before, text: str, after) -> None:
        self.text += text
        if after.state is TokenizerState.TAG_NAME:
            self.flush(cut=2 if after.closing else 1)
        elif after.state in {TokenizerState.COMMENT, TokenizerState.DOCTYPE, TokenizerState.BOGUS_COMMENT}:
            self.text = self.text[: self.text.rindex("<!")]
            self.flush()
            self.tokens.append(("doctype" if after.state is TokenizerState.DOCTYPE else "comment",))

    def close_value(self) -> None:
        if self.fresh:
            self.attributes[self.name] = unescape(self.value)
        self.fresh, self.value = False, ""

    def close_tag(self, before) -> None:
        attributes = tuple(sorted(self.attributes.items()))
        self.tokens.append(
            ("end", before.element) if before.closing else ("start", before.element, attributes)
        )
        self.attributes = {}


IN_TAGS = {
    TokenizerState.TAG_NAME,
    TokenizerState.BEFORE_ATTRIBUTE,
    TokenizerState.ATTRIBUTE_NAME,
    TokenizerState.AFTER_NAME,
    TokenizerState.BEFORE_VALUE,
    TokenizerState.VALUE,
    TokenizerState.SELF_CLOSING,
}


@settings(max_examples=volume("html-soup"))
@given(soups())
@example("<textarea>a</text</textarea >b")
@example("<!--!>-->x")
@example("<p a=1 A=2>")
@example("<p class class=x>")
def test_static_html_has_the_tokens_of_html5lib(text: str) -> None:
    assert Tokens().read(text) == tokens_by_html5lib(text)


@settings(max_examples=volume("html-soup"))
@given(soups())
def test_quotes_around_values_do_not_change_tokens(text: str) -> None:
    context, emitted = advance(START, text)
    finish(context)
    assert tokens_by_html5lib(emitted) == tokens_by_html5lib(text)
    assert re.sub('"', "", emitted) == re.sub('"', "", text)


def step_by_step(context: HtmlContext, text: str) -> tuple[object, ...]:
    emitted = ""
    try:
        for move in moves(context, text):
            context, emitted = move.after, emitted + move.emitted
    except HtmlRefusal as fault:
        return (fault.rule, fault.offset, fault.message)
    return (context, emitted)


def in_strides(context: HtmlContext, text: str) -> tuple[object, ...]:
    try:
        return advance(context, text)
    except HtmlRefusal as fault:
        return (fault.rule, fault.offset, fault.message)


@settings(max_examples=volume("html-soup"))
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join), st.integers(0, 60))
@example('<p style="a: url(/*) b">', 0)
@example('<a href="https://a/b">c</a><a href="/">', 10)
@example('<p title="a" hidden><td colspan=2>', 11)
def test_reading_html_in_runs_equals_reading_by_character(text: str, cut: int) -> None:
    assert in_strides(START, text) == step_by_step(START, text)
    before = step_by_step(START, text[:cut])[0]
    if isinstance(before, HtmlContext):
        assert in_strides(before, text[cut:]) == step_by_step(before, text[cut:])


CSS_PIECES = [
    "a", "b:c;", "b: c", ";", "{", "}", "a{b:c}", "/*", "*/", "/* x */", "/", "*", "'", '"', "'x'", '"y"',
    "(", ")", "\\", "url(", "url(a/b)", 'url("x")', "url('x' )", "a(1)", "a(b(2))", "src(", "xurl(/*)", ":",
    "@media x{", "@import 'a';",
    " ", "\n", "\r\n", "-url(x)", "URL( x )", ":not(.a)", "é", "{b:c;}", "url(a b)", "url(a(b)", "12px/1.5", "//*", ",",
]  # fmt: skip


def css_step_by_step(css: Css, text: str) -> object:
    """Reads one word or punctuation character at a time, so that no piece holds a whole rule of the style sheet."""
    try:
        for piece in re.findall(r"[-\w\x80-\U0010ffff]+|\r\n|.", text, re.ASCII | re.DOTALL):
            css = css.feed(piece)
        css.close()
    except HtmlRefusal as fault:
        return (fault.rule, fault.message)
    return css


def css_in_strides(css: Css, text: str) -> object:
    try:
        css = css.feed(text)
        css.close()
    except HtmlRefusal as fault:
        return (fault.rule, fault.message)
    return css


@settings(max_examples=volume("html-soup"))
@given(
    st.lists(st.sampled_from(CSS_PIECES), max_size=20).map("".join),
    st.sampled_from([STYLE_ATTRIBUTE, STYLE_ELEMENT]),
)
@example("a{b:xurl(/*)}*/)}", STYLE_ELEMENT)
@example("a{b:url(/*)}c{}", STYLE_ELEMENT)
def test_reading_css_in_runs_equals_reading_by_character(text: str, start: Css) -> None:
    assert css_in_strides(start, text) == css_step_by_step(start, text)


@settings(max_examples=volume("html-soup"))
@given(soups(), st.data())
def test_result_does_not_depend_on_how_text_is_split(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    context, emitted = START, ""
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        context, more = advance(context, text[start:end])
        emitted += more
    assert (context, emitted) == advance(START, text)


@settings(max_examples=volume("html-soup"))
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_refusal_does_not_depend_on_how_text_is_split(text: str) -> None:
    whole = rule_of([text])
    assert rule_of(list(text)) == whole


def rule_of(pieces: list[str]) -> str | None:
    context = START
    try:
        for piece in pieces:
            context, _emitted = advance(context, piece)
    except HtmlRefusal as fault:
        return fault.rule
    return None


def test_html5lib_oracle_detects_different_tokens() -> None:
    assert tokens_by_html5lib("<p a=1>x</p>") == [("start", "p", (("a", "1"),)), ("text", "x"), ("end", "p")]
    with pytest.raises(AssertionError):
        assert Tokens().read("<p>") == tokens_by_html5lib("<b>")
