"""Looks for a snippet in a public page. It parses both and executes nothing.

A page rarely holds a snippet byte for byte. The service replaces placeholders, and a front end may add a nonce or other
attributes, change white space, or insert its own elements between those of the snippet. So this module splits the
snippet into parts (comments, scripts, styles, elements, texts) and looks for them in the page, in the same order. A
script or style must be equal, apart from placeholders, line ends, and white space at its ends.

A build's stamp is a comment (`<!--awning 0123456789ab-->`). Comments count only when the snippet has no other part. The
stamp also tells which build an unexpected snippet comes from.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from webencodings import UTF8, Encoding, decode, lookup

from awning.build_record import read_stamp
from awning.markup import read_markup

INERT = frozenset({"template", "noscript", "textarea", "iframe", "noembed", "noframes", "xmp", "title"})
"""Elements whose content does not count: a browser neither runs nor styles anything in them."""
STRUCTURE = frozenset({"html", "head", "body"})
LISTS = frozenset({"class", "rel"})
"""Attributes that are lists of words. The amount of white space between the words does not matter."""
DECLARED_WITHIN = 1024
"""The number of bytes at the beginning of a page in which it may declare its encoding (HTML standard, 4.2.5.4)."""
_DECLARED = re.compile(
    rb"""<(?:meta[^>]*?charset|\?xml[^>]*?encoding)\s*=\s*["']?\s*([a-z0-9._:-]+)""", re.IGNORECASE
)
_PLACEHOLDER = re.compile(r"\{\{\w+\}\}|\{%%%[^{}%]*%%%\}")
_SPACE = re.compile(r"\s+")

MarkupKind = Literal["comment", "script", "style", "element", "text"]


@dataclass(frozen=True, slots=True)
class MarkupPart:
    """One part of a page or a snippet. For an element, `text` is its name and `attributes` are sorted."""

    kind: MarkupKind
    text: str
    attributes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContent:
    """The parts of one page, and the build stamps in it."""

    parts: tuple[MarkupPart, ...]
    stamps: frozenset[str]

    def holds(self, snippet: str) -> bool:
        """Return whether the page has all parts of a snippet in the same order.

        False for a snippet without a part that a page must have, such as an empty one.
        """
        return self.has(wanted_parts(snippet))

    def has(self, wanted: Sequence[MarkupPart]) -> bool:
        """Return whether the page has these parts in the same order. False without parts."""
        parts = iter(self.parts)
        return bool(wanted) and all(any(_is_same(part, want) for part in parts) for want in wanted)


def read_page(body: bytes, charset: str | None) -> PageContent:
    """Parse a page, which `decode_page` decodes."""
    parts = tuple(_parts(decode_page(body, charset)))
    stamps = (read_stamp(part.text) for part in parts if part.kind == "comment")
    return PageContent(parts=parts, stamps=frozenset(filter(None, stamps)))


def decode_page(body: bytes, charset: str | None) -> str:
    """Return the text of a page, as a browser reads it (Encoding standard, 4.2; HTML standard, 13.2.3).

    Its encoding is that of its byte order mark, else `charset` (from the HTTP header), else the encoding that the page
    declares, else UTF-8. Unknown ones do not count. A page that declares UTF-16 is read as UTF-8.
    """
    declared = _DECLARED.search(body[:DECLARED_WITHIN])
    own = _encoding(declared[1].decode("ascii")) if declared else None
    if own and own.name.startswith("utf-16"):
        own = UTF8
    text: str = decode(body, _encoding(charset or "") or own or UTF8, "replace")[0]
    return text


def _encoding(label: str) -> Encoding | None:
    """Return the encoding of a label; None if it is unknown."""
    try:
        encoding = lookup(label)
        if encoding and encoding.name == "gbk":
            encoding = lookup("gb18030")  # whose decoder gbk has
    except LookupError:  # of an encoding that Python does not have
        encoding = None
    return encoding


def wanted_parts(snippet: str) -> Sequence[MarkupPart]:
    """Return the parts of a snippet that a page must have. Comments count only when there are no other parts.

    A part that consists of placeholders may be empty on the page, so it is left out.
    """
    parts = [
        part for part in _parts(snippet) if part.kind == "element" or _PLACEHOLDER.sub("", part.text).strip()
    ]
    return [part for part in parts if part.kind != "comment"] or parts


def _parts(html: str) -> Iterator[MarkupPart]:
    """Yield the parts of a page or a snippet, in their order."""
    raw = inert = ""  # `raw`: the last start tag's name; `inert`: the element whose content is skipped
    depth = 0
    for piece in read_markup(html):
        name = piece.text
        if inert:
            if piece.kind in {"start", "end"} and name == inert:
                depth += 1 if piece.kind == "start" else -1
                inert = inert if depth else ""
        elif piece.kind == "start":
            raw = name
            if name in INERT and not (piece.foreign and html[piece.end - 2] == "/"):
                inert, depth = name, 1
            elif name not in STRUCTURE | {"script", "style"}:
                yield MarkupPart("element", name, _attributes(piece.attributes))
        elif piece.kind == "comment":
            yield MarkupPart("comment", name.strip())
        elif piece.kind == "raw" and name.strip():
            yield MarkupPart("script" if raw == "script" else "style", _lines(name))
        elif piece.kind == "text" and name.strip():
            yield MarkupPart("text", _SPACE.sub(" ", name).strip())


def _attributes(attributes: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(
        sorted(
            (name, " ".join(value.split()) if name in LISTS else value) for name, value in attributes.items()
        )
    )


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _is_same(part: MarkupPart, wanted: MarkupPart) -> bool:
    """Return whether a part of a page matches a part of a snippet. Each placeholder stands for any text.

    An element on the page may have more attributes, and a text on the page may be longer.
    """
    if part.kind != wanted.kind:
        return False
    if part.kind == "element":
        own = dict(part.attributes)
        return part.text == wanted.text and all(
            name in own and _fits(own[name], value) for name, value in wanted.attributes
        )
    if part.kind == "text":
        return _fits(part.text, wanted.text, within=True)
    return _fits(part.text, wanted.text)


def _fits(text: str, wanted: str, *, within: bool = False) -> bool:
    """Return whether `text` equals `wanted`, or with `within` contains it. Each placeholder stands for any text."""
    fragments = _PLACEHOLDER.split(wanted)
    if len(fragments) == 1:
        return wanted in text if within else wanted == text
    first, *middle, last = fragments
    if not within and not (text.startswith(first) and text.endswith(last)):
        return False
    at = 0 if within else len(first)
    end = len(text) if within else len(text) - len(last)
    for fragment in fragments if within else middle:
        at = text.find(fragment, at, end)
        if at < 0:
            return False
        at += len(fragment)
    return at <= end
