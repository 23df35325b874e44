"""Splits a hand-written snippet into its scripts, styles, links, data blocks, comments and other markup.

BeautifulSoup parses the HTML. It is imported inside the functions, because only one verb needs it.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from awning.errors import ConfigurationError

MOST_BYTES = 4_000_000
_CLASSIC = {"", "text/javascript", "application/javascript", "text/ecmascript", "application/x-javascript"}
_LEFT_OUT = {"importmap", "speculationrules"}


class PartKind(StrEnum):
    """The kind of one part of a snippet."""

    SCRIPT = "script"
    MODULE = "module"
    SOURCE = "source"
    """A script with `src`."""
    BLOCK = "block"
    """A script element that a browser does not run, such as data or a template."""
    STYLE = "style"
    LINK = "link"
    """A style sheet with a URL."""
    COMMENT = "comment"
    MARKUP = "markup"
    LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True, kw_only=True)
class SnippetPart:
    """One part of a snippet. `line` is its line in the file, from 1. `head` means that it is an element in `<head>`.

    `text` is the content of the part, the URL of a SOURCE or LINK, or the tag of an element that is LEFT_OUT.
    """

    kind: PartKind
    text: str
    line: int
    head: bool = False
    attributes: Mapping[str, str] = field(default_factory=dict)


def read_snippet(file: Path) -> str:
    """Return the snippet's HTML, with LF for CR LF. Raises ConfigurationError when it is too large or not UTF-8."""
    if file.stat().st_size > MOST_BYTES:
        raise ConfigurationError(
            f"{file} is larger than {MOST_BYTES // 1_000_000} MB", hint="is it a snippet?"
        )
    content = file.read_bytes()
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise ConfigurationError(f"{file}: not UTF-8 (byte 0x{byte:02x})", hint="save it as UTF-8") from None


def read_parts(html: str) -> tuple[SnippetPart, ...]:
    """Return the parts in the file's order. All markup of the body is one part, which comes last."""
    from bs4 import BeautifulSoup, Comment, Doctype  # noqa: PLC0415

    soup: Any = BeautifulSoup(html, "html.parser")
    parts = [_element(tag) for tag in soup.find_all(["script", "style", "link"])]
    parts += [
        SnippetPart(
            kind=PartKind.COMMENT,
            text=str(comment),
            line=html.count("\n", 0, max(html.find(str(comment)), 0)) + 1,
        )
        for comment in soup.find_all(string=lambda text: isinstance(text, Comment))
        if str(comment).strip()
    ]
    head = soup.find("head")
    for node in [
        *soup.find_all(["script", "style", "link"]),
        *soup.find_all(string=lambda text: isinstance(text, (Comment, Doctype))),
    ]:
        node.extract()
    if head is not None:
        parts += [
            SnippetPart(kind=PartKind.LEFT_OUT, text=f"<{tag.name}>", line=tag.sourceline or 1, head=True)
            for tag in head.find_all(["meta", "title", "base"])
        ]
        head.extract()
    body = soup.find("body") or soup.find("html") or soup
    markup = re.sub(r"\n\s*\n+", "\n", body.decode_contents(formatter=_formatter())).strip()
    if markup:
        first = body.find(True)
        line = first.sourceline if first is not None else 1
        parts.append(SnippetPart(kind=PartKind.MARKUP, text=markup + "\n", line=line))
    return tuple(sorted(parts, key=lambda part: (part.kind is PartKind.MARKUP, part.line)))


def element_names(texts: Iterable[str]) -> frozenset[str]:
    """Return the values of all attributes `id` and `name` in markup."""
    from bs4 import BeautifulSoup  # noqa: PLC0415

    return frozenset(
        str(tag[name])
        for text in texts
        for tag in BeautifulSoup(text, "html.parser").find_all(True)
        for name in ("id", "name")
        if tag.has_attr(name)
    )


def _formatter() -> Any:
    """Return a formatter that keeps the order of attributes, and keeps attributes with an empty value."""
    from bs4.formatter import HTMLFormatter  # noqa: PLC0415

    class AsWritten(HTMLFormatter):
        def attributes(self, tag: Any) -> Any:
            return tag.attrs.items() if tag.attrs else ()

    return AsWritten(
        entity_substitution=HTMLFormatter.REGISTRY["minimal"].entity_substitution,
        empty_attributes_are_booleans=False,
    )


def _element(tag: Any) -> SnippetPart:
    attributes = {
        name: " ".join(value) if isinstance(value, list) else value for name, value in tag.attrs.items()
    }
    kind, text = _kind(tag.name, attributes), tag.string or ""
    if kind is PartKind.SOURCE:
        text = attributes["src"]
    elif kind is PartKind.LINK:
        text = attributes.get("href", "")
    elif kind is PartKind.LEFT_OUT:
        text = f"<{tag.name}>"
    return SnippetPart(
        kind=kind,
        text=text,
        line=tag.sourceline or 1,
        head=tag.find_parent("head") is not None,
        attributes=attributes,
    )


def _kind(name: str, attributes: Mapping[str, str]) -> PartKind:
    if name == "style":
        return PartKind.STYLE
    if name == "link":
        sheet = "stylesheet" in attributes.get("rel", "").lower().split() and attributes.get("href")
        return PartKind.LINK if sheet else PartKind.LEFT_OUT
    of_type = attributes.get("type", "").strip().lower().partition(";")[0]
    if of_type in _LEFT_OUT:
        return PartKind.LEFT_OUT
    if of_type != "module" and of_type not in _CLASSIC:
        return PartKind.BLOCK
    if attributes.get("src"):
        return PartKind.SOURCE
    return PartKind.MODULE if of_type == "module" else PartKind.SCRIPT
