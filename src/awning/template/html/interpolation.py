"""What the place of a value asks for: an escaper, text around the value, a reader of the place's language, a refusal.

The tokenizer sees pieces of text, not files: the compiler turns an `HtmlRefusal` into a `Diagnostic` by adding the
offset to the place where the piece began. Rule ids are the names of pages in docs/rules.
"""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Protocol


class ContextKind(Enum):
    """The language a printed value becomes part of."""

    TEXT = "text"
    RCDATA = "rcdata"
    ATTRIBUTE = "attribute"
    URL = "url"
    SRCSET = "srcset"
    STYLE = "style"
    JSON = "json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpolation:
    """A value's place. Names are exports of jsrc/runtime/escape/index.ts, each `(text: string) => string`."""

    kind: ContextKind
    escaper: str
    markup: str | None
    """For a Markup value (`|safe`): applied to its HTML; None prints the HTML as it is."""
    encoded: str
    """For a value whose last filter was `urlencode`: does not encode its percent signs again."""
    before: str = ""
    after: str = ""

    def with_before(self, text: str) -> "Interpolation":
        return replace(self, before=text + self.before)


def escaped_by(
    kind: ContextKind, escaper: str, *, markup: str | None = None, encoded: str | None = None
) -> Interpolation:
    """In a URL or a style HTML means nothing: Markup is escaped as the text it shows."""
    return Interpolation(
        kind=kind, escaper=escaper, markup=markup or f"{escaper}OfMarkup", encoded=encoded or escaper
    )


IN_TEXT = Interpolation(kind=ContextKind.TEXT, escaper="escapeText", markup=None, encoded="escapeText")
IN_RCDATA = escaped_by(ContextKind.RCDATA, "escapeText", markup="escapeMarkupInRcdata")
IN_ATTRIBUTE = {
    '"': escaped_by(ContextKind.ATTRIBUTE, "escapeText", markup="escapeMarkupInDoubleQuotes"),
    "'": escaped_by(ContextKind.ATTRIBUTE, "escapeText", markup="escapeMarkupInSingleQuotes"),
}


class AttributeUse(Enum):
    """What a browser does with an attribute."""

    PLAIN = "plain"
    URL = "url"
    """Followed when the visitor acts, or loaded as something inert: good schemes only."""
    IMAGE = "image"
    """Loaded as a picture: also inline raster images."""
    FRAME = "frame"
    """Loaded as a document: values only after a fixed https host or on the page's own host."""
    FRAGMENT = "fragment"
    """Refers into a document whose address the author fixed: values only after "#"."""
    SRCSET = "srcset"
    STYLE = "style"
    PAINT = "paint"
    """One CSS value, as in fill and stroke."""
    ANIMATED = "animated"
    """Names the attribute that an SVG animation changes."""
    REFUSED = "refused"
    """No values; the author's own text only."""


class ValueReader(Protocol):
    """A reader: every method returns a new one."""

    def feed(self, text: str) -> "ValueReader":
        """Read the author's text (decoded). Raises HtmlRefusal where the text itself is refused."""

    def interpolate(self) -> "tuple[Interpolation, ValueReader]":
        """A printed value stands here. Raises HtmlRefusal where none may."""

    def join(self, other: "ValueReader") -> "ValueReader | None":
        """What is known after either; None where that is too little to go on."""

    def close(self) -> None:
        """The value ends. Raises HtmlRefusal where it must not end here."""


class HtmlRefusal(Exception):
    """The author wrote what cannot be escaped or must not be written. `offset` counts into the piece fed."""

    def __init__(self, rule: str, message: str, hint: str, offset: int = 0) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.hint = hint
        self.offset = offset

    def at(self, offset: int) -> "HtmlRefusal":
        """The same fault further into the text."""
        return HtmlRefusal(self.rule, self.message, self.hint, offset)
