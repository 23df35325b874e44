"""Where in the HTML we are: one frozen value that says all the machine remembers.

Contexts are compared and hashed, so a compiler can save one before a branch, run each arm from it and join the ends.
The states and how text moves between them (an interpolation is allowed in the states marked *):

    TEXT* ──<──> TAG_OPEN ──a──> TAG_NAME ──space──> BEFORE_ATTRIBUTE ──h──> ATTRIBUTE_NAME ──space──> AFTER_NAME
      ^             │ └─/─> END_TAG_OPEN ─> TAG_NAME     ^                        └──────=──────┬───────────┘
      │             └─!─> DECLARATION ─> COMMENT,        │                                 BEFORE_VALUE*
      │                     DOCTYPE, BOGUS_COMMENT       └──────── quote, space ─────────── VALUE* <┘
      └── > ── any state inside a tag; the element then decides: RCDATA*, RAWTEXT, STYLE*, SCRIPT or TEXT

SELF_CLOSING follows a "/" in a tag. NAME_ENDED exists only after a join: a name may or may not have just ended.
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
    """All that earlier text means for later text. A tuple, because the tokenizer makes a new one at each step."""

    state: TokenizerState = TokenizerState.TEXT
    element: str = ""
    """The tag being written, or the element whose raw content we are in; lower case."""
    closing: bool = False
    """The tag being written is an end tag."""
    attribute: str = ""
    """The attribute being written; lower case."""
    quote: str = ""
    """What ends the attribute's value; empty for a value the author left unquoted (we quote it)."""
    value: ValueReader | None = None
    """How far the value's own language (URL, CSS) has been read; also of a style element."""
    pending: str = ""
    """Characters seen that later ones may complete: an end tag, a character reference, a comment's dashes."""
    foreign: tuple[str, ...] = ()
    """Open svg and math elements and their text-only children: there title and style mean something else."""
    data: str = ""
    """Of a script: NAMED when its first `type` was named, DATA when that holds data, else OTHER."""
    select: bool = False
    """Inside a select, where browsers drop most tags before the tokenizer hears of them."""

    def in_text(self) -> "HtmlContext":
        """Text in the same elements: everything about the tag is forgotten."""
        return HtmlContext(foreign=self.foreign, select=self.select)


NAMED, DATA, OTHER = "named", "data", "other"
START = HtmlContext()
