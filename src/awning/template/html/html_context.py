"""The HTML context: one frozen value, the whole state of the tokenizer.

Contexts can be compared and hashed. The compiler saves one before a branch, runs each arm from it, and joins the ends.
The states and the text that leads from one to another (a value may be printed in the states marked *, and in SCRIPT if
the script is data):

    TEXT* ──<──> TAG_OPEN ──a──> TAG_NAME ──space──> BEFORE_ATTRIBUTE ──h──> ATTRIBUTE_NAME ──space──> AFTER_NAME
      ^             │ └─/─> END_TAG_OPEN ─> TAG_NAME     ^                        └──────=──────┬───────────┘
      │             └─!─> DECLARATION ─> COMMENT,        │                                 BEFORE_VALUE*
      │                     DOCTYPE, BOGUS_COMMENT       └──────── quote, space ─────────── VALUE* <┘
      └── > ── any state inside a tag; the element then decides: RCDATA*, RAWTEXT, STYLE*, SCRIPT or TEXT

SELF_CLOSING follows a "/" in a tag. NAME_ENDED exists only after a join of branches of which at least one ends in the
name of a tag or an attribute. Later text must not extend this name.

The other values of the tokenizer are here, too: interpolations, uses of attributes, readers of values, refusals. The
tokenizer gets pieces of text, not files. The compiler turns an `HtmlRefusal` into a `Diagnostic`: it adds the offset to
the place where the piece begins. Rule ids are those of `awning.rules`.
"""

from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple, Protocol


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


class TokenizerState(Enum):
    TEXT = "text"
    RCDATA = "rcdata"
    RAWTEXT = "rawtext"
    STYLE = "style"
    SCRIPT = "script"
    TAG_OPEN = "tag open"
    END_TAG_OPEN = "end tag open"
    TAG_NAME = "tag name"
    BEFORE_ATTRIBUTE = "before attribute"
    ATTRIBUTE_NAME = "attribute name"
    AFTER_NAME = "after attribute name"
    BEFORE_VALUE = "before value"
    VALUE = "value"
    SELF_CLOSING = "self-closing"
    NAME_ENDED = "name ended"
    DECLARATION = "declaration"
    COMMENT = "comment"
    BOGUS_COMMENT = "bogus comment"
    DOCTYPE = "doctype"


RAW_STATES = frozenset(
    {TokenizerState.RCDATA, TokenizerState.RAWTEXT, TokenizerState.STYLE, TokenizerState.SCRIPT}
)
"""Element content in which only the element's own end tag is markup."""


class HtmlContext(NamedTuple):
    """The state of the tokenizer after a part of the text.

    It is a tuple, which is fast to make: the tokenizer makes one at each step.
    """

    state: TokenizerState = TokenizerState.TEXT
    element: str = ""
    """The tag that is being written, or the element around raw content, in lower case."""
    closing: bool = False
    """Whether the tag that is being written is an end tag."""
    attribute: str = ""
    """The attribute that is being written, in lower case."""
    quote: str = ""
    """The character that ends the attribute's value; empty for a value without quotes (the output gets quotes)."""
    value: ValueReader | None = None
    """The reader of the attribute's value, or of the content of a style or a data script; None for plain text."""
    pending: str = ""
    """The beginning of something that later characters may complete: an end tag, a character reference, a declaration,
    the dashes of a comment.
    """
    foreign: tuple[str, ...] = ()
    """The open svg and math elements and their text-only children. Inside them title and style have another meaning."""
    data: str = ""
    """The kind of a script by its first attribute `type`; "" as long as it has none.

    NAMED after the attribute's name. After its value, DATA if the type is `application/json` or `application/ld+json`,
    else OTHER. Of a <meta>: ITEM after `itemprop`, OTHER after `name`, MIXED after branches that differ.
    """
    select: bool = False
    """Whether the text is inside a select, where browsers drop most tags."""
    first: bool = False
    """Whether the next character is the first one in a textarea or pre, where browsers drop a newline."""

    def in_text(self) -> "HtmlContext":
        """Return the context of text in the same elements, without the state of a tag."""
        return HtmlContext(foreign=self.foreign, select=self.select)


NAMED, DATA, OTHER = "named", "data", "other"
ITEM, MIXED = "item", "mixed"
META_KINDS = {"itemprop": ITEM, "name": OTHER}
START = HtmlContext()


def after_first(context: HtmlContext) -> HtmlContext:
    """Return the context after more content: the next character is not the first one of its element."""
    return context._replace(first=False) if context.first else context
