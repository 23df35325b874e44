"""The HTML tokenizer as a transition table: one function per state, each eats a run of text (WHATWG HTML, 13.2.5).

A function gets the context, the text and an offset; it returns the next context, the offset it has read to, and what
to emit for the part read: the author's text, plus quotes where a value had none. It always eats something or changes
the state. Where browsers would mend malformed markup in a way that no author means, the construct is refused.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from awning.template.html.attribute_values import after_equals, in_value
from awning.template.html.context import NAMED, OTHER, Context, State
from awning.template.html.declarations import in_bogus_comment, in_comment, in_declaration, in_doctype
from awning.template.html.elements import fold
from awning.template.html.interpolation import HtmlFault
from awning.template.html.ordinary import skip, stride
from awning.template.html.raw import in_raw
from awning.template.html.tags import check_attribute, check_tag, leave_tag

Step = tuple[Context, int, str]

_SPACES = " \t\n\r\f"
_NAME_END = re.compile(r"[ \t\n\r\f/>=]")
_TAG_NAME_END = re.compile(r"[ \t\n\r\f/>]")
_SPACE_RUN = re.compile(r"[ \t\n\r\f]*")
_BAD_IN_NAME = re.compile("[\"'<`\0]")
_LONGEST_NAME = 1000


@dataclass(frozen=True, slots=True)
class Move:
    """One run of text and the contexts around it."""

    before: Context
    text: str
    emitted: str
    after: Context


def advance(context: Context, text: str) -> tuple[Context, str]:
    """Read the author's literal text (never a value): the context after it, and the text to emit for it.

    Emitted is the text itself, plus quotes around a value that had none. Raises HtmlFault on what is refused; its
    offset counts characters of `text`.
    """
    emitted, position = [], 0
    while position < len(text):
        end = skip(context, text, position)
        emitted.append(text[position:end])
        if end < len(text):
            context, end, more = _stride(context, text, end)
            emitted.append(more)
        position = end
    return context, "".join(emitted)


def moves(context: Context, text: str) -> Iterator[Move]:
    """The same run by run, without skipping what is ordinary."""
    position = 0
    while position < len(text):
        move = _move(context, text, position)
        yield move
        context, position = move.after, position + len(move.text)


def _stride(context: Context, text: str, start: int) -> Step:
    try:
        return stride(context, text, start) or TRANSITIONS[context.state](context, text, start)
    except HtmlFault as fault:
        raise fault.at(start + fault.offset) from None


def _move(context: Context, text: str, start: int) -> Move:
    try:
        after, end, emitted = TRANSITIONS[context.state](context, text, start)
    except HtmlFault as fault:
        raise fault.at(start + fault.offset) from None
    return Move(context, text[start:end], emitted, after)


def _in_text(context: Context, text: str, start: int) -> Step:
    end = text.find("<", start)
    if end < 0:
        return context, len(text), text[start:]
    return context._replace(state=State.TAG_OPEN), end + 1, text[start : end + 1]


def _tag_open(context: Context, text: str, start: int) -> Step:
    character = text[start]
    if character.isascii() and character.isalpha():
        return context._replace(state=State.TAG_NAME, element="", closing=False), start, ""
    if character == "/":
        return context._replace(state=State.END_TAG_OPEN), start + 1, character
    if character == "!":
        return context._replace(state=State.DECLARATION, pending=""), start + 1, character
    if character == "?":
        raise _malformed('"<?" begins a comment in HTML', "leave the processing instruction out")
    return context._replace(state=State.TEXT), start, ""


def _end_tag_open(context: Context, text: str, start: int) -> Step:
    character = text[start]
    if character.isascii() and character.isalpha():
        return context._replace(state=State.TAG_NAME, element="", closing=True), start, ""
    raise _malformed('"</" is followed by no name', "write &lt;/ where the text is meant")


def _tag_name(context: Context, text: str, start: int) -> Step:
    found = _TAG_NAME_END.search(text, start)
    end = found.start() if found else len(text)
    element = context.element + fold(text[start:end])
    if _is_bad_name(element):
        raise _malformed(f"<{element[:80]} is not a tag's name", "put a space after the name, or write &lt;")
    named = context._replace(element=element, state=State.BEFORE_ATTRIBUTE if found else State.TAG_NAME)
    if found:
        check_tag(named)
    return named, end, text[start:end]


def _before_attribute(context: Context, text: str, start: int) -> Step:
    end = _spaces(text, start)
    if end > start:
        return context, end, text[start:end]
    character = text[start]
    if character in "/>":
        return _slash_or_end(context, text, start)
    if character == "=":
        raise _malformed('"=" stands before no attribute name', "write name=value without anything between")
    return context._replace(state=State.ATTRIBUTE_NAME, attribute=""), start, ""


def _slash_or_end(context: Context, text: str, start: int) -> Step:
    if text[start] == "/":
        return context._replace(state=State.SELF_CLOSING, attribute=""), start + 1, "/"
    return leave_tag(context), start + 1, ">"


def _attribute_name(context: Context, text: str, start: int) -> Step:
    found = _NAME_END.search(text, start)
    end = found.start() if found else len(text)
    attribute = context.attribute + fold(text[start:end])
    if _is_bad_name(attribute):
        raise _malformed(
            f"{attribute[:80]} is not an attribute's name", "part attributes with spaces, close every quote"
        )
    state = State.AFTER_NAME if found else State.ATTRIBUTE_NAME
    named = context._replace(attribute=attribute, state=state)
    if found:
        check_attribute(named)
        if context.element == "script" and attribute == "type" and context.data in {"", NAMED}:
            named = named._replace(data=OTHER if context.data else NAMED)  # browsers take the first
    return named, end, text[start:end]


def _after_name(context: Context, text: str, start: int) -> Step:
    end = _spaces(text, start)
    if end > start:
        return context, end, text[start:end]
    if text[start] == "=":
        return context._replace(state=State.BEFORE_VALUE), start + 1, "="
    return context._replace(state=State.BEFORE_ATTRIBUTE, attribute=""), start, ""


def _before_value(context: Context, text: str, start: int) -> Step:
    end = _spaces(text, start)
    if end > start:
        return context, end, text[start:end]
    if text[start] == ">":
        return leave_tag(context), start + 1, '"">'
    quote = text[start] if text[start] in "\"'" else ""
    emitted = quote or '"'
    return after_equals(context, quote), start + len(quote), emitted


def _self_closing(context: Context, text: str, start: int) -> Step:
    if text[start] == ">":
        return leave_tag(context), start + 1, ">"
    return context._replace(state=State.BEFORE_ATTRIBUTE), start, ""


def _name_ended(context: Context, text: str, start: int) -> Step:
    """Only after a join: one arm ended in a name, the other did not, so nothing may extend the name."""
    if text[start] in _SPACES + "/>":
        return context._replace(state=State.BEFORE_ATTRIBUTE), start, ""
    raise HtmlFault(
        "template-branch-mismatch",
        "a name that only one branch has written would go on here",
        "put a space between the branch and what follows",
    )


def _is_bad_name(name: str) -> bool:
    return len(name) > _LONGEST_NAME or _BAD_IN_NAME.search(name) is not None


def _spaces(text: str, start: int) -> int:
    found = _SPACE_RUN.match(text, start)
    return found.end() if found else start


def _malformed(message: str, hint: str) -> HtmlFault:
    return HtmlFault("template-malformed-markup", message, hint)


TRANSITIONS: Mapping[State, Callable[[Context, str, int], Step]] = MappingProxyType(
    {
        State.TEXT: _in_text,
        State.RCDATA: in_raw,
        State.RAWTEXT: in_raw,
        State.STYLE: in_raw,
        State.SCRIPT: in_raw,
        State.TAG_OPEN: _tag_open,
        State.END_TAG_OPEN: _end_tag_open,
        State.TAG_NAME: _tag_name,
        State.BEFORE_ATTRIBUTE: _before_attribute,
        State.ATTRIBUTE_NAME: _attribute_name,
        State.AFTER_NAME: _after_name,
        State.BEFORE_VALUE: _before_value,
        State.VALUE: in_value,
        State.SELF_CLOSING: _self_closing,
        State.NAME_ENDED: _name_ended,
        State.DECLARATION: in_declaration,
        State.COMMENT: in_comment,
        State.BOGUS_COMMENT: in_bogus_comment,
        State.DOCTYPE: in_doctype,
    }
)
