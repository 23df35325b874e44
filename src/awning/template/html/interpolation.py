"""The values that the tokenizer works with: interpolations, uses of attributes, readers of values, refusals.

The tokenizer gets pieces of text, not files. The compiler turns an `HtmlRefusal` into a `Diagnostic`: it adds the
offset to the place where the piece begins. Rule ids are those of `awning.rules`.
"""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Protocol


class ContextKind(Enum):
    """The kind of place in the HTML where a value is printed. It decides how the value is escaped."""

    TEXT = "text"
    RCDATA = "rcdata"
    ATTRIBUTE = "attribute"
    URL = "url"
    SRCSET = "srcset"
    STYLE = "style"
    JSON = "json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpolation:
    """A place where a value is printed: its kind, and the escapers that make a value safe there.

    The escapers are names of exports of jsrc/runtime/escape/index.ts, each `(text: string) => string`. `before` and
    `after` are written around the value.
    """

    kind: ContextKind
    escaper: str
    markup: str | None
    """The escaper for the HTML of a Markup value (`|safe`), in RCDATA, plain attributes and JSON.

    In text it is None, because the HTML is printed as it is; elsewhere too, because HTML has no meaning there: the text
    that it stands for is escaped like any other.
    """
    encoded: str
    """The escaper for a value whose last filter is `urlencode`: it does not encode percent signs again."""
    before: str = ""
    after: str = ""

    def with_before(self, text: str) -> "Interpolation":
        return replace(self, before=text + self.before)


def escaped_by(
    kind: ContextKind, escaper: str, *, markup: str | None = None, encoded: str | None = None
) -> Interpolation:
    return Interpolation(kind=kind, escaper=escaper, markup=markup, encoded=encoded or escaper)


IN_TEXT = escaped_by(ContextKind.TEXT, "escapeText")
IN_RCDATA = escaped_by(ContextKind.RCDATA, "escapeText", markup="escapeMarkupInRcdata")
IN_ATTRIBUTE = {
    '"': escaped_by(ContextKind.ATTRIBUTE, "escapeText", markup="escapeMarkupInDoubleQuotes"),
    "'": escaped_by(ContextKind.ATTRIBUTE, "escapeText", markup="escapeMarkupInSingleQuotes"),
}


class AttributeUse(Enum):
    """How a browser uses an attribute."""

    PLAIN = "plain"
    URL = "url"
    """A link, or a resource without code, such as a video. A value at the beginning may only have a safe scheme."""
    IMAGE = "image"
    """A picture that is loaded. Inline raster images are allowed too."""
    FRAME = "frame"
    """A document that is loaded. A value may only follow a fixed https host, or a fixed path on the page's own host."""
    FRAGMENT = "fragment"
    """A part of a document with a fixed address. A value may only follow "#"."""
    SRCSET = "srcset"
    STYLE = "style"
    PAINT = "paint"
    """One CSS value, as in fill and stroke."""
    ANIMATED = "animated"
    """The name of the attribute that an SVG animation changes."""
    REFUSED = "refused"
    """The attribute takes no values, only the author's text."""


class ValueReader(Protocol):
    """Reads an attribute's value or an element's content by its own syntax, such as that of URLs, CSS or JSON.

    A reader does not change: its methods return a new one.
    """

    def feed(self, text: str) -> "ValueReader":
        """Read the author's text; in an attribute it is decoded. Raises HtmlRefusal when the text is refused."""

    def interpolate(self) -> "tuple[Interpolation, ValueReader]":
        """Read a printed value. Raises HtmlRefusal when none is allowed here."""

    def join(self, other: "ValueReader") -> "ValueReader | None":
        """Return the reader for the text after two branches that end in `self` and `other`; None if there is none."""

    def close(self) -> None:
        """End the value. Raises HtmlRefusal when it must not end here, or is refused as a whole."""


class HtmlRefusal(Exception):
    """Raised when the author's text or a printed value is refused.

    `offset` counts characters from the start of the piece of text that was read.
    """

    def __init__(self, rule: str, message: str, hint: str, offset: int = 0) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.hint = hint
        self.offset = offset

    def at(self, offset: int) -> "HtmlRefusal":
        """Return the same refusal with another offset."""
        return HtmlRefusal(self.rule, self.message, self.hint, offset)
