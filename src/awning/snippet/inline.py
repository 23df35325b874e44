"""The inline scripts and styles of a snippet, with the hashes that a Content Security Policy allows them by.

They are elements, and attributes: `style`, and handlers such as `onclick`. A policy allows an attribute only with
'unsafe-hashes' beside its hash (CSP Level 3, 8.3). HTML that a script inserts later has no entry.

A browser hashes the text of the element as it has parsed it: line ends are LF, NUL is U+FFFD, the encoding is UTF-8
(CSP Level 3, 6.7.3.3; HTML, 13.2.3.5). An element with a placeholder has no fixed hash: the service replaces it.
Elements that no policy looks at have no entry: data (a script whose type is none of JavaScript's) and files (`src`).
"""

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterator

from awning.build_record import InlineElement
from awning.contract import Dialect
from awning.markup import Piece, read_markup, unescape
from awning.snippet.placeholders import spells_placeholder

PLACEHOLDER = "it has a placeholder, which the service replaces"
OTHER_TAG = "it is in SVG or MathML and has another tag in it"
SCRIPT_TYPES = frozenset(
    {
        *("", "module", "importmap", "speculationrules"),
        *("application/ecmascript", "application/javascript", "application/x-ecmascript"),
        *(
            "application/x-javascript",
            "text/ecmascript",
            "text/javascript",
            "text/jscript",
            "text/livescript",
        ),
        *("text/x-ecmascript", "text/x-javascript"),
        *(f"text/javascript1.{minor}" for minor in range(6)),
    }
)
"""The types of scripts that a browser runs or obeys (HTML, 4.12.1.1; MIME Sniffing, JavaScript MIME types)."""
_HANDLER = re.compile(r"on[a-z]{3,}")
_SECTION = re.compile(r"<!\[CDATA\[(.*?)(?:\]\]>|\Z)", re.DOTALL)
_FRONT_END_VERSION = re.compile(r"\{%%%.*?%%%\}", re.DOTALL)
"""A placeholder that is seen in some snippets, and is replaced (observed)."""


def inline_elements(html: str, dialect: Dialect) -> tuple[InlineElement, ...]:
    """Return the inline scripts and styles of a snippet in their order."""
    return tuple(_hashed(element, text, dialect) for element, text in _inline_texts(html))


def _inline_texts(html: str) -> Iterator[tuple[str, str | None]]:
    """Yield the kind and the text of each; None for a text with another tag in it."""
    element, parts = "", list[str]()
    for piece in read_markup(html):
        if element and piece.kind == "raw" and not piece.foreign:
            yield element, piece.text
            element = ""
        elif element and piece.kind == "raw":
            parts += _foreign_text(piece.text)
        elif element and piece.kind == "text":
            parts.append(piece.text)
        elif element and piece.kind != "comment":
            yield element, "".join(parts) if _ends(piece, element) else None
            element = ""
        if piece.kind != "start":
            continue
        for name, value in piece.attributes.items():
            if value.strip() and (name == "style" or _HANDLER.fullmatch(name)):
                yield "style-attr" if name == "style" else "script-attr", value
        kind = piece.attributes.get("type", "").strip().lower()
        is_script = piece.text == "script" and "src" not in piece.attributes and kind in SCRIPT_TYPES
        is_empty = piece.foreign and html[piece.end - 2] == "/"
        if not is_empty and (is_script or (piece.text == "style" and kind in {"", "text/css"})):
            element, parts = piece.text, []


def _ends(piece: Piece, element: str) -> bool:
    """Return whether a tag ends an element of SVG or MathML: its own, that of what is around it, or a tag of HTML."""
    return not piece.foreign or (piece.kind == "end" and piece.text in {element, piece.foreign})


def _foreign_text(code: str) -> Iterator[str]:
    """Yield the parts of a text in SVG or MathML, which has references outside of CDATA."""
    for index, part in enumerate(_SECTION.split(code)):
        yield part if index % 2 else unescape(part)


def _hashed(element: str, text: str | None, dialect: Dialect) -> InlineElement:
    if text is None:
        return InlineElement(element=element, csp_hash=None, reason=OTHER_TAG)
    if spells_placeholder(text, dialect) or _FRONT_END_VERSION.search(text):
        return InlineElement(element=element, csp_hash=None, reason=PLACEHOLDER)
    return InlineElement(element=element, csp_hash=csp_hash(text))


def csp_hash(text: str) -> str:
    """Return the hash of the text of an element or attribute, as a Content Security Policy names it."""
    parsed = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\N{REPLACEMENT CHARACTER}")
    return f"sha256-{b64encode(hashlib.sha256(parsed.encode()).digest()).decode()}"
