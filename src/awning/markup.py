"""Splits the markup of a page or a snippet into pieces: tags, texts and comments. It takes linear time.

A page is foreign input. `html.parser` and html5lib take quadratic time for some texts, so a page of 4 MB could take
hours. This module reads each character a fixed number of times, whatever the page holds. Its rules are those of the
HTML standard (13.2.5, Tokenization) where JavaScript is enabled. It builds no tree, because its readers need only the
pieces in their order, and which element is left open at the end (`find_open_end`).
"""

import html
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from awning.html_elements import ANNOTATION, FOREIGN, HTML_INSIDE, OPTIONAL, VOID

RAW = frozenset(
    {
        *("script", "style", "textarea", "title", "iframe", "noembed", "noframes", "noscript", "xmp"),
        "plaintext",
    }
)
"""Elements whose content is text up to their end tag. `noscript` is one of them where JavaScript is enabled.

The rest of a page is the content of `<plaintext>`.
"""
_FOLLOWER = "awning-follower"
"""The name of the tag that stands for what follows a snippet."""
_NO_END = VOID | OPTIONAL | {_FOLLOWER}
"""Elements without an end tag, and those whose end tag may be left out."""
_FORMATTING = frozenset(
    {"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"}
)
_MARKERS = frozenset({"template", "object", "marquee", "applet"})
"""Elements whose end also ends the formatting elements in them."""
_BARRIERS = _MARKERS | FOREIGN | {"table"}
"""Elements around which no end tag in them closes an element (HTML standard, 13.2.4.2 and 13.2.4.3)."""
_SPECIAL = _BARRIERS | {
    *(
        "address",
        "article",
        "aside",
        "blockquote",
        "button",
        "center",
        "details",
        "dir",
        "div",
        "dl",
        "fieldset",
    ),
    *(
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hgroup",
        "listing",
    ),
    *("main", "menu", "nav", "ol", "pre", "search", "section", "select", "summary", "ul"),
}
"""Elements that only their own end tag, and that of such an element around them, closes (13.2.4.2)."""
_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
"""The values of `encoding` with which the content of `<annotation-xml>` is HTML."""
_OF_HTML = frozenset(
    {
        *("b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta"),
        *("nobr", "ol", "p", "pre", "ruby", "s", "small", "span", "strong", "strike", "sub", "sup"),
        *("table", "tt", "u", "ul", "var"),
    }
)
"""The elements that end SVG and MathML around them (13.2.6.5); also `<font>` with one of `_OF_FONT`."""
_OF_FONT = frozenset({"color", "face", "size"})
_SPACES = " \t\n\f\r"
_NAME = re.compile(rf"[^{_SPACES}/>]*")
_BETWEEN = re.compile(rf"[{_SPACES}/]*")
_ATTRIBUTE = re.compile(rf"=?[^{_SPACES}/>=]*")
_EQUALS = re.compile(rf"[{_SPACES}]*=[{_SPACES}]*")
_UNQUOTED = re.compile(rf"[^{_SPACES}>]*")
_LETTER = re.compile(r"[A-Za-z]")
_OPENING = re.compile(r"<(?=[A-Za-z/!?])")
_TAG = re.compile(r"<(?=[A-Za-z/?]|!(?!\[CDATA\[))")
_COMMENT_END = re.compile(r"--!?>")
_SCRIPT_MARKS = re.compile(rf"<!--(?!-*>)|-->|<(/?)script(?=[{_SPACES}/>])", re.IGNORECASE)
_RAW_END = {name: re.compile(rf"</{name}(?=[{_SPACES}/>])", re.IGNORECASE) for name in RAW}
_LONG_NUMBER = re.compile(r"&#[0-9]{1000,};?")
"""A character reference with a very long number. Python raises an error when it converts such a number."""

PieceKind = Literal["start", "end", "text", "raw", "comment"]


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a page: a start tag, an end tag, a text, a comment, or the raw content of an element in RAW.

    For a tag, `text` is its name in lower case. The piece is at the indexes `start` to `end` of the page. `foreign` is
    `svg` or `math` for a tag of SVG or MathML, and for the content of such an element; empty for HTML.
    """

    kind: PieceKind
    text: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    start: int = 0
    end: int = 0
    foreign: str = ""


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """What is left open at the end of a snippet: a comment, a tag, or an element, which begins at the index `start`.

    `what` is how it is named: `a comment`, `a tag`, `<div>`.
    """

    what: str
    start: int


def read_markup(text: str) -> Iterator[Piece]:
    """Yield the pieces of a page in their order.

    A doctype, and anything else in `<` and `>` that is neither a tag nor a comment, gives no piece.
    """
    at, foreign = 0, _ForeignContent()
    while at < len(text):
        opening = _OPENING.search(text, at)
        begin = opening.start() if opening else len(text)
        if begin > at:
            yield Piece("text", unescape(text[at:begin]), start=at, end=begin)
        if opening is None:
            return
        if section := _section(text, begin, foreign.around):
            yield section
            at = section.end
        elif not _LETTER.match(text, begin + 1 + text.startswith("</", begin)):
            at = _after(text, ">", begin)
        else:
            is_end = text[begin + 1] == "/"
            tag = _tag(text, begin + 1 + is_end)
            if tag is None:  # the page ends within the tag, so a browser drops the tag
                return
            name, attributes, at = tag
            is_empty = text[at - 2] == "/"
            own = foreign.end(name) if is_end else foreign.begin(name, attributes, is_empty=is_empty)
            yield Piece("end" if is_end else "start", name, {} if is_end else attributes, begin, at, own)
            if not is_end and name in RAW and not (own and is_empty):
                is_like_others = own and name != "script"
                end = _end_before_tags(text, name, at) if is_like_others else raw_end(text, name, at)
                if end is not None:
                    yield Piece("raw", text[at:end], {}, at, end, own)
                    at = end
                elif not is_like_others:
                    return  # a browser does not run a script without an end tag


@dataclass(slots=True)
class _ForeignContent:
    """The open elements of SVG and MathML that matter: those around them, and those in them whose content is HTML.

    The rules are those of the HTML standard (13.2.6.5, Foreign content). An element of HTML ends foreign content.
    """

    opened: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def around(self) -> str:
        """`svg` or `math` in such content; empty in HTML."""
        return self.opened[-1] if self.opened and self.opened[-1] in FOREIGN else ""

    def begin(self, name: str, attributes: Mapping[str, str], *, is_empty: bool) -> str:
        """Enter an element, and return what it is an element of."""
        if name in _OF_HTML or (name == "font" and not _OF_FONT.isdisjoint(attributes)):
            self._end_foreign()
        around = self.around
        encoding = attributes.get("encoding", "").lower() if name == ANNOTATION else ""
        is_root = name in FOREIGN and around in {"", name}
        if not is_empty and (is_root or name in HTML_INSIDE.get(around, ()) or encoding in _HTML_TYPES):
            self.opened.append(name)
            self.counts[name] += 1
        return around or (name if is_root else "")

    def end(self, name: str) -> str:
        """Leave an element, and return what it was an element of."""
        if name in {"br", "p"}:
            self._end_foreign()
        around = self.around
        while self.counts[name] and (last := self.opened.pop()):
            self.counts[last] -= 1
            if last == name:
                return last if last in FOREIGN else "svg" if name in HTML_INSIDE["svg"] else "math"
        return around

    def _end_foreign(self) -> None:
        while self.around:
            self.counts[self.opened.pop()] -= 1


def read_outermost(text: str) -> Iterator[Piece]:
    """Yield the pieces of a snippet that are in no element.

    The content and the end tag of an outermost element in RAW are among them.
    """
    opened = _OpenElements()
    for piece in read_markup(text):
        inside = opened.elements
        if not inside or (len(inside) == 1 and inside[0].text in RAW):
            yield piece
        if piece.kind == "start":
            opened.begin(piece, is_empty=text[piece.end - 2 : piece.end] == "/>")
        elif piece.kind == "end":
            opened.end(piece.text)


def find_open_end(text: str) -> OpenEnd | None:
    """Return what a snippet leaves open, so that a browser would put what follows the snippet into it. None if nothing.

    Elements whose end tag may be left out, such as `<p>`, are not followed.
    """
    opened = _OpenElements()
    last = Piece("text", "")
    for piece in read_markup(f"{text}\n<{_FOLLOWER}>"):
        last = piece
        if piece.kind == "start":
            opened.begin(piece, is_empty=text[piece.end - 2 : piece.end] == "/>")
        elif piece.kind == "end":
            opened.end(piece.text)
    if last.text == _FOLLOWER:
        first = next(iter(opened.elements), None)
        return OpenEnd(f"<{first.text}>", first.start) if first else None
    if last.kind == "comment":
        return OpenEnd("a comment", last.start)
    has_taken_it = last.end > len(text)  # as an attribute
    if last.kind in {"start", "end"} and has_taken_it:
        return OpenEnd("a tag", last.start)
    if last.kind == "raw" or (last.kind == "start" and last.text in RAW):
        content = last if last.kind == "start" else opened.elements[-1]
        return OpenEnd(f"<{content.text}>", content.start)
    return OpenEnd("a tag", text.find("<", last.end))


@dataclass(slots=True)
class _OpenElements:
    """The start tags of the elements that are open, without those of `_NO_END`. `counts` has their number by name."""

    elements: list[Piece] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def begin(self, tag: Piece, *, is_empty: bool) -> None:
        if tag.text not in _NO_END and not (is_empty and tag.foreign):
            self.elements.append(tag)
            self.counts[tag.text] += 1

    def end(self, name: str) -> None:
        """Close the innermost element of this name, and what is in it.

        A formatting element in it stays open: a browser repeats `<b>` after `<div><b></div>`. The end tag of a
        formatting element closes nothing in it. No end tag closes an element around a barrier, and that of an ordinary
        element, such as `</span>`, none around a special one.
        """
        if not self.counts[name]:
            return
        at = next((n for n in reversed(range(len(self.elements))) if self._ends_search(n, name)), None)
        if at is None or self.elements[at].text != name:
            return
        inside = self.elements[at + 1 :]
        if name not in _FORMATTING:
            inside = [element for element in inside if element.text in _FORMATTING and name not in _MARKERS]
        self.counts.subtract(element.text for element in self.elements[at:])
        self.counts.update(element.text for element in inside)
        self.elements[at:] = inside

    def _ends_search(self, index: int, name: str) -> bool:
        element = self.elements[index].text
        is_ordinary = name not in _FORMATTING and name not in _SPECIAL
        return element == name or element in (_SPECIAL if is_ordinary else _BARRIERS)


def unescape(text: str) -> str:
    """Return the text with its character references (such as `&amp;`) replaced."""
    return html.unescape(_LONG_NUMBER.sub("\N{REPLACEMENT CHARACTER}", text)) if "&" in text else text


def _section(text: str, at: int, around: str) -> Piece | None:
    """Return the comment at a position, or the CDATA section where `around` is SVG or MathML; None for neither."""
    if text.startswith("<!--", at):
        comment, end = _comment(text, at + 4)
        return Piece("comment", comment, start=at, end=end)
    if around and text.startswith("<![CDATA[", at):
        end = _after(text, "]]>", at)
        return Piece("text", text[at + 9 : end].removesuffix("]]>"), {}, at, end, around)
    return None


def _comment(text: str, at: int) -> tuple[str, int]:
    """Return the text of a comment, and the position after the comment."""
    for short in (">", "->"):
        if text.startswith(short, at):
            return "", at + len(short)
    end = _COMMENT_END.search(text, at)
    return (text[at:], len(text)) if end is None else (text[at : end.start()], end.end())


def _tag(text: str, at: int) -> tuple[str, Mapping[str, str], int] | None:
    """Return the name and the attributes of a tag, and the position after it; None when the tag has no end."""
    name, at = _run(_NAME, text, at)
    attributes: dict[str, str] = {}
    while True:
        _, at = _run(_BETWEEN, text, at)
        if at >= len(text):
            return None
        if text[at] == ">":
            return name.lower(), attributes, at + 1
        attribute, at = _run(_ATTRIBUTE, text, at)
        value = ""
        if equals := _EQUALS.match(text, at):
            at = equals.end()
            quote = text[at : at + 1]
            if quote in {'"', "'"}:
                end = text.find(quote, at + 1)
                if end < 0:
                    return None
                value, at = text[at + 1 : end], end + 1
            else:
                value, at = _run(_UNQUOTED, text, at)
        attributes.setdefault(attribute.lower(), unescape(value))


def _run(pattern: re.Pattern[str], text: str, at: int) -> tuple[str, int]:
    """Return the text that `pattern` matches at `at`, and the position after it.

    `pattern` must also match the empty text, so there is always a match.
    """
    match = pattern.match(text, at)
    return (match[0], match.end()) if match else ("", at)


def raw_end(text: str, name: str, at: int) -> int | None:
    """Return the position where the content of an element in RAW ends; None when it has no end."""
    if name in {"script", "plaintext"}:
        return _script_end(text, at) if name == "script" else len(text)
    end = _RAW_END[name].search(text, at)
    return None if end is None else end.start()


def _end_before_tags(text: str, name: str, at: int) -> int | None:
    """Return the position of the end tag; None if another tag comes first, or none."""
    following = _TAG.search(text, at)
    return following.start() if following and _RAW_END[name].match(text, following.start()) else None


def _script_end(text: str, at: int) -> int | None:
    """Return the position where the content of a `<script>` element ends; None when it has no end.

    A `</script>` after `<!-- <script>` does not end the element (HTML standard, 13.2.5.27).
    """
    in_comment = in_inner = False
    for mark in _SCRIPT_MARKS.finditer(text, at):
        if mark[1] is None:
            in_comment, in_inner = mark[0] == "<!--", in_inner and mark[0] == "<!--"
        elif mark[1] == "/":
            if not in_inner:
                return mark.start()
            in_inner = False
        else:
            in_inner = in_inner or in_comment
    return None


def _after(text: str, mark: str, at: int) -> int:
    end = text.find(mark, at)
    return len(text) if end < 0 else end + len(mark)
