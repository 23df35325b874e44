"""The addresses of other hosts that a browser requests for a snippet.

A state has an answer for each, so they are written as the browser requests them: normalised, without a query.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote, urljoin, urlsplit

from awning.markup import Piece, read_markup
from awning.script.elements import script_kind
from awning.workspace.handwritten.snippet import HandwrittenSnippet

_OTHER_HOST = re.compile(r"(?:https?:)?//[^/?#\s]", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_IN_STYLE = re.compile(
    r"""(?:\burl\(|@import(?!\s*url\())\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'()]+))""",
    re.IGNORECASE,
)
_IN_SCRIPT = re.compile(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}(?::\d+)?(?:[/?#][^\s\\]*)?", re.IGNORECASE)
"""Matches a string literal of a script that is an address: a script may request it."""
_CANDIDATE = re.compile(r"([^\s,]\S*[^\s,])(?:\s+[\d.]+[wxh])*\s*(?:,|$)")
"""Matches an address of a `srcset` with its descriptors."""
_SOURCES = ("img", "iframe", "frame", "embed", "source", "track", "video", "audio", "input")
_REQUESTED = {
    **dict.fromkeys(_SOURCES, ("src",)),
    "video": ("src", "poster"),
    "object": ("data",),
    "image": ("href", "xlink:href"),
}
"""The attributes with an address that the browser requests, by element."""
_PLAIN = "!$%&'()*+,-./:;=@[]^_|~"
"""The punctuation that browsers do not encode in a path."""
_PORTS = {"http": 80, "https": 443}


class WrittenAddress(NamedTuple):
    """An address as the snippet has it, and the index in the HTML of its element or its string."""

    text: str
    at: int


def addresses_of_other_hosts(snippet: HandwrittenSnippet) -> Iterator[WrittenAddress]:
    """Yield the addresses of other hosts that the snippet requests or may request, in no order.

    What is in `<noscript>` and in a `<template>` requests nothing.
    """
    templates = 0
    opened: Piece | None = None
    for piece in read_markup(snippet.html):
        if piece.text == "template":
            templates += 1 if piece.kind == "start" else -1
        for address in () if templates > 0 else _addresses_in(piece, opened):
            if _OTHER_HOST.match(address.strip()):
                yield WrittenAddress(address, piece.start)
        opened = piece if piece.kind == "start" else None
    content = snippet.script.content
    for node in snippet.script.tree.root.walk():
        if node.type == "string" and _IN_SCRIPT.fullmatch(node.text[1:-1]):
            yield WrittenAddress(node.text[1:-1], len(content[: node.start].decode()))


def _addresses_in(piece: Piece, opened: Piece | None) -> list[str]:
    """Return the addresses that one piece requests. `opened` is the start tag just before it, if there is one."""
    if piece.kind == "raw":
        return _in_style(piece.text) if opened is not None and opened.text == "style" else []
    if piece.kind != "start":
        return []
    attributes = piece.attributes
    addresses = [attributes[name] for name in _REQUESTED.get(piece.text, ()) if name in attributes]
    if piece.text in {"img", "source"}:
        addresses += _CANDIDATE.findall(attributes.get("srcset", ""))
    if piece.text == "script" and script_kind(attributes) and "src" in attributes:
        addresses.append(attributes["src"])
    if piece.text == "link" and "stylesheet" in attributes.get("rel", "").lower().split():
        addresses.append(attributes.get("href", ""))
    return addresses + _in_style(attributes.get("style", ""))


def _in_style(css: str) -> list[str]:
    """Return the addresses of `url(...)` and `@import` outside of comments."""
    matches = _IN_STYLE.finditer(_COMMENT.sub(" ", css))
    return [match[1] or match[2] or match[3] or "" for match in matches]


def requested_address(written: str) -> str | None:
    """Return the address of another host as a browser requests it, without query; None if it is not valid.

    An address without a scheme gets `http`, the scheme of the simulated shop.
    """
    address = re.split(r"[?#]", written.strip())[0].replace("\\", "/")
    try:
        parts = urlsplit(f"http:{address}" if address.startswith("//") else address)
        host = (parts.hostname or "").encode("idna").decode()
        port = parts.port
    except ValueError:
        return None
    shown_port = "" if port in (None, _PORTS[parts.scheme]) else f":{port}"
    origin = f"{parts.scheme}://{host}{shown_port}/"
    path = quote(parts.path, safe=_PLAIN)
    return urljoin(origin, path) if path and not path.startswith("//") else origin + path[1:]
