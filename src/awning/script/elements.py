"""The script elements of a page or a snippet that a browser runs, as classic scripts or as modules.

The rules are those of the HTML standard (4.12.1.1, Prepare the script element) in a browser that knows modules.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from awning.markup import Piece, read_markup

_LEGACY = ("javascript", "ecmascript", "jscript", "livescript", "x-javascript", "x-ecmascript")
_CLASSIC = frozenset(
    {
        *(f"text/{name}" for name in _LEGACY),
        *(f"text/javascript1.{minor}" for minor in range(6)),
        *(f"application/{name}" for name in _LEGACY if "ecma" in name or "java" in name),
    }
)
"""The JavaScript MIME types (MIME Sniffing, 4.6)."""
_ONLOAD = re.compile(r"onload(?:\(\))?", re.IGNORECASE)
_SPACES = " \t\n\f\r"
_MARKUP = re.compile("[&<]")
_LINKS = frozenset({"href", "xlink:href"})
"""The attributes with the address of a script in SVG."""
_SHADOW = frozenset({"open", "closed"})


@dataclass(frozen=True, slots=True)
class InlineScript:
    """The content of a script element that runs. It is at the indexes `start` to `end` of the page.

    `tag` is the index where its start tag begins.
    """

    tag: int
    start: int
    end: int
    is_module: bool


def inline_scripts(html: str) -> Iterator[InlineScript]:
    """Yield the inline scripts of a page that run, in the order of the text.

    Nothing runs in comments, in `<noscript>`, in MathML, and in a `<template>` that is not a shadow root. In SVG, a
    script with `&` or `<` is left out: there they are references and tags, and not code.
    """
    opened: Piece | None = None
    inert: list[bool] = []
    for piece in read_markup(html):
        if piece.kind == "raw" and opened is not None and opened.text == "script" and not any(inert):
            kind = script_kind(opened.attributes)
            if kind and _has_code(opened.attributes, piece.text, piece.foreign):
                yield InlineScript(opened.start, piece.start, piece.end, kind == "module")
        if piece.foreign:
            pass  # a <template> of SVG is an element like any other
        elif piece.text == "template" and piece.kind == "start":
            inert.append(piece.attributes.get("shadowrootmode", "").lower() not in _SHADOW)
        elif piece.text == "template" and piece.kind == "end" and inert:
            inert.pop()
        opened = piece if piece.kind == "start" else None


def _has_code(attributes: Mapping[str, str], content: str, foreign: str) -> bool:
    """Return whether a script of this content, of HTML or what is `foreign`, runs what it contains."""
    if foreign == "svg":
        return _MARKUP.search(content) is None and _LINKS.isdisjoint(attributes)
    return not foreign and "src" not in attributes


def script_kind(attributes: Mapping[str, str]) -> str | None:
    """Return `classic` or `module` for the attributes of a script element; None for one that does not run.

    A module script with `nomodule` runs.
    """
    type_, language = attributes.get("type"), attributes.get("language")
    if type_ == "" or (type_ is None and not language):
        name = "text/javascript"
    else:
        name = (f"text/{language}" if type_ is None else type_.strip(_SPACES)).lower()
    if name == "module":
        return "module"
    if name not in _CLASSIC or "nomodule" in attributes:
        return None
    if "for" in attributes and "event" in attributes:
        target, event = (attributes[key].strip(_SPACES) for key in ("for", "event"))
        return "classic" if target.lower() == "window" and _ONLOAD.fullmatch(event) else None
    return "classic"
