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
"""

from enum import Enum
from typing import NamedTuple

from awning.template.html.interpolation import ValueReader


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
