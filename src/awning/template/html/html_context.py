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

After `{% if %}` the compiler joins the ends of all arms; a missing arm ends in the context in which it begins. After a
loop it joins the start with the end of the body, and reads the body again from there until nothing changes. Equal
contexts join to themselves. A few differences do not matter. All others are refused.
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


_NAME_MAY_END = frozenset(
    {
        TokenizerState.TAG_NAME,
        TokenizerState.ATTRIBUTE_NAME,
        TokenizerState.AFTER_NAME,
        TokenizerState.BEFORE_ATTRIBUTE,
        TokenizerState.NAME_ENDED,
        TokenizerState.SELF_CLOSING,
    }
)
_QUOTE_HINT = 'quote the attribute around the branches: name="{% if ... %}...{% endif %}"'


def join(a: HtmlContext, b: HtmlContext) -> HtmlContext:
    """Return the context after branches that end in `a` and `b`. Raises HtmlRefusal when they cannot be joined."""
    if a.first is not b.first:
        a, b = after_first(a), after_first(b)
    if a == b:
        return a
    joined = _in_tag(a, b) if {a.state, b.state} <= _NAME_MAY_END else _in_value(a, b)
    if joined is None:
        valued = {TokenizerState.BEFORE_VALUE, TokenizerState.VALUE}
        unquoted = any(c.state in valued and not c.quote for c in (a, b))
        difference = ", but at different places in it" if describe(a) == describe(b) else ""
        raise HtmlRefusal(
            "template-branch-mismatch",
            f"one branch ends {describe(a)}, the other {describe(b)}{difference}",
            _QUOTE_HINT if unquoted else "let every branch open and close the same tags and quotes",
        )
    return joined


def finish(context: HtmlContext) -> None:
    """Check the end of a template.

    Raises HtmlRefusal when the end is inside a tag, a comment, svg, math, select, or an element with raw text such as
    script.
    """
    if context.state is not TokenizerState.TEXT:
        raise HtmlRefusal(
            "template-unfinished-markup",
            f"the template ends {describe(context)}",
            f"close the value with {context.quote}, the quotation mark that begins it"
            if context.state is TokenizerState.VALUE and context.quote
            else "close what is open before the template ends",
        )
    inside = context.foreign[-1] if context.foreign else "select" if context.select else ""
    if inside:
        raise HtmlRefusal(
            "template-unfinished-markup", f"the template ends inside <{inside}>", f"write </{inside}>"
        )


def describe(context: HtmlContext) -> str:
    """Return a context in words, for the end of a sentence such as "the branch ends ..."."""
    if context.state in RAW_STATES:
        return f"inside <{context.element}>"
    if context.state is TokenizerState.TEXT:
        if context.foreign:
            return f"in text inside <{context.foreign[-1]}>"
        return "in text inside <select>" if context.select else "in text"
    if context.state is TokenizerState.VALUE:
        return f"inside the {_quoted(context)} value of {context.attribute} of <{context.element}>"
    return _DESCRIPTIONS[context.state].format(element=context.element, attribute=context.attribute)


_DESCRIPTIONS = {
    TokenizerState.TAG_OPEN: 'right after "<"',
    TokenizerState.END_TAG_OPEN: 'right after "</"',
    TokenizerState.TAG_NAME: "in the tag name <{element}",
    TokenizerState.BEFORE_ATTRIBUTE: "inside the tag <{element}>",
    TokenizerState.ATTRIBUTE_NAME: "in the attribute name {attribute} of <{element}>",
    TokenizerState.AFTER_NAME: "after the attribute name {attribute} of <{element}>",
    TokenizerState.BEFORE_VALUE: 'after "{attribute}=" of <{element}>',
    TokenizerState.SELF_CLOSING: 'after "/" in the tag <{element}>',
    TokenizerState.NAME_ENDED: "inside the tag <{element}>",
    TokenizerState.DECLARATION: 'after "<!"',
    TokenizerState.COMMENT: "inside a comment",
    TokenizerState.BOGUS_COMMENT: "inside a declaration",
    TokenizerState.DOCTYPE: "inside a doctype",
}


def _quoted(context: HtmlContext) -> str:
    return {"": "unquoted", '"': "double-quoted", "'": "single-quoted"}[context.quote]


def _in_tag(a: HtmlContext, b: HtmlContext) -> HtmlContext | None:
    """Join two contexts inside a tag, as in `<option{% if on %} selected{% endif %}>`; None if that is not possible.

    If a branch ends in a name, the result is NAME_ENDED, so that later text cannot extend the name.
    """
    if _around_tag(a) != _around_tag(b) or (a.state is b.state is TokenizerState.TAG_NAME):
        return None
    slashed = TokenizerState.SELF_CLOSING in {a.state, b.state}
    if slashed and (a.foreign or a.element in {"svg", "math"}):
        return None
    names = {a.state, b.state} & {
        TokenizerState.TAG_NAME,
        TokenizerState.ATTRIBUTE_NAME,
        TokenizerState.NAME_ENDED,
    }
    state = TokenizerState.NAME_ENDED if names else TokenizerState.BEFORE_ATTRIBUTE
    typed = a.element == "script" and "type" in {a.attribute, b.attribute}
    data = OTHER if typed else a.data if a.data == b.data else MIXED
    return a._replace(state=state, attribute="", data=data)


def _around_tag(context: HtmlContext) -> tuple[object, ...]:
    data = "" if context.element == "meta" else context.data
    return (context.element, context.closing, context.foreign, context.select, data)


def _in_value(a: HtmlContext, b: HtmlContext) -> HtmlContext | None:
    """Join two contexts in one value, style or data script; None if the reader of the value cannot join them."""
    if a.value is None or b.value is None:
        return None
    value = a.value.join(b.value)
    return (
        a._replace(value=value)
        if value is not None and a._replace(value=value) == b._replace(value=value)
        else None
    )
