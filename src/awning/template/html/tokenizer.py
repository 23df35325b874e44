"""The HTML tokenizer as a transition table: one function per state (WHATWG HTML, 13.2.5).

A function gets the context, the text and an offset. It returns the next context, the offset up to which it has read,
and the text to emit: the author's text, plus quotes around unquoted values. Each call reads something or changes the
state. Markup that browsers repair in a surprising way is refused.

The end tag of an element like title or script may come in pieces, so `pending` holds its possible beginning. A value
right after such a beginning could complete it and is refused (values.py).
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from awning.template.html.elements import fold
from awning.template.html.fast_path import skip, stride
from awning.template.html.html_context import (
    META_KINDS,
    NAMED,
    OTHER,
    HtmlContext,
    HtmlRefusal,
    TokenizerState,
    after_first,
)
from awning.template.html.tags import check_attribute, check_tag, leave_tag
from awning.template.html.values import after_equals, in_value


def in_raw(context: HtmlContext, text: str, start: int) -> tuple[HtmlContext, int, str]:
    """Read raw content, up to the end tag of its element.

    Raises HtmlRefusal when a script contains "<!--", or the reader of a style refuses the content.
    """
    seen, begin = (context.pending + text[start:], 0) if context.pending else (text, start)
    match = _end_tag(context.element).search(seen, begin)
    content = seen[begin : match.start() if match else len(seen)]
    if context.state is TokenizerState.SCRIPT and "<!--" in content:
        raise HtmlRefusal(
            "template-malformed-markup",
            '"<!--" in a script changes where the script ends',
            'write "<\\!--" in a string, and // for a comment',
            max(0, content.index("<!--") - len(context.pending)),
        )
    if match:
        end = start + match.end() - begin - len(context.pending)
        read = _read(context, content, len(context.pending))
        if read.value is not None:
            read.value.close()
        return (
            read._replace(state=TokenizerState.TAG_NAME, closing=True, value=None, pending=""),
            end,
            text[start:end],
        )
    pending = _beginning(context, content)
    return _read(context._replace(pending=pending), content, len(context.pending)), len(text), text[start:]


def _read(context: HtmlContext, content: str, already: int) -> HtmlContext:
    if context.value is None:
        return context
    return context._replace(value=context.value.feed(content[already:]))


@cache
def _end_tag(element: str) -> re.Pattern[str]:
    return re.compile(rf"</{element}(?=[ \t\n\r\f/>])", re.IGNORECASE | re.ASCII)


def _beginning(context: HtmlContext, content: str) -> str:
    """Return the end of `content` if it may begin an end tag (in a script, also "<!--"); else ""."""
    at = content.rfind("<")
    if at < 0:
        return ""
    tail = fold(content[at:])
    may_begin = f"</{context.element}".startswith(tail)
    return (
        content[at:]
        if may_begin or (context.state is TokenizerState.SCRIPT and "<!--".startswith(tail))
        else ""
    )


_OPENING = "oo"
"""The value of `pending` for the two dashes of "<!--".

They may be part of "-->" (`<!-->` is a whole comment), but not of "--!>".
"""


def in_declaration(context: HtmlContext, text: str, start: int) -> tuple[HtmlContext, int, str]:
    """Read the characters after "<!" into `pending`, until it is clear whether a comment, a doctype or CDATA begins.

    Raises HtmlRefusal for a CDATA section.
    """
    character = text[start]
    seen = fold(context.pending + character)
    if seen == "--":
        return context._replace(state=TokenizerState.COMMENT, pending=_OPENING), start + 1, character
    if seen == "doctype":
        return context._replace(state=TokenizerState.DOCTYPE, pending=""), start + 1, character
    if seen == "[cdata[":
        raise HtmlRefusal(
            "template-malformed-markup",
            "a CDATA section is text inside svg and a comment elsewhere",
            "write the text with &lt; and &amp;",
        )
    if "doctype".startswith(seen) or "[cdata[".startswith(seen) or seen == "-":
        return context._replace(pending=seen), start + 1, character
    return context._replace(state=TokenizerState.BOGUS_COMMENT, pending=""), start, ""


def in_comment(context: HtmlContext, text: str, start: int) -> tuple[HtmlContext, int, str]:
    dashes = context.pending
    position = start
    while position < len(text):
        if not dashes:
            position = text.find("-", position)
            if position < 0:
                break
        character = text[position]
        position += 1
        if character == ">" and dashes in {"--", "oo", "o-", "--!"}:
            return context._replace(state=TokenizerState.TEXT, pending=""), position, text[start:position]
        dashes = _count(dashes, character)
    return context._replace(pending=dashes), len(text), text[start:]


def _count(dashes: str, character: str) -> str:
    """Return the possible beginning of a comment's end after one more character: up to two dashes, or `--!`."""
    if character == "-":
        return "-" if dashes == "--!" else (dashes + "-")[-2:]
    return "--!" if character == "!" and dashes == "--" else ""


def until_end(context: HtmlContext, text: str, start: int) -> tuple[HtmlContext, int, str]:
    """Read a doctype or a bogus comment, up to the next ">"."""
    end = text.find(">", start)
    if end < 0:
        return context, len(text), text[start:]
    return context._replace(state=TokenizerState.TEXT), end + 1, text[start : end + 1]


Step = tuple[HtmlContext, int, str]

_SPACES = " \t\n\r\f"
_NAME_END = re.compile(r"[ \t\n\r\f/>=]")
_TAG_NAME_END = re.compile(r"[ \t\n\r\f/>]")
_SPACE_RUN = re.compile(r"[ \t\n\r\f]*")
_BAD_IN_NAME = re.compile("[\"'<`\0]")
_LONGEST_NAME = 1000


@dataclass(frozen=True, slots=True)
class Move:
    """One piece of text, and the contexts before and after it."""

    before: HtmlContext
    text: str
    emitted: str
    after: HtmlContext


def advance(context: HtmlContext, text: str) -> tuple[HtmlContext, str]:
    """Read the author's text. Return the context after it, and the text to emit.

    The text to emit is the author's, plus quotes around unquoted values. Raises HtmlRefusal when the text is refused;
    the refusal's offset counts characters of `text`.
    """
    emitted, position = [], 0
    while position < len(text):
        context = after_first(context)
        end = skip(context, text, position)
        emitted.append(text[position:end])
        if end < len(text):
            try:
                step = stride(context, text, end) or TRANSITIONS[context.state](context, text, end)
            except HtmlRefusal as fault:
                raise fault.at(end + fault.offset) from None
            context, end, more = step
            emitted.append(more)
        position = end
    return context, "".join(emitted)


def moves(context: HtmlContext, text: str) -> Iterator[Move]:
    """Yield the tokenizer's steps through the author's text, without the fast path.

    Raises HtmlRefusal as `advance` does.
    """
    position = 0
    while position < len(text):
        context = after_first(context)
        try:
            after, end, emitted = TRANSITIONS[context.state](context, text, position)
        except HtmlRefusal as fault:
            raise fault.at(position + fault.offset) from None
        yield Move(context, text[position:end], emitted, after)
        context, position = after, end


def _in_text(context: HtmlContext, text: str, start: int) -> Step:
    end = text.find("<", start)
    if end < 0:
        return context, len(text), text[start:]
    return context._replace(state=TokenizerState.TAG_OPEN), end + 1, text[start : end + 1]


def _tag_open(context: HtmlContext, text: str, start: int) -> Step:
    character = text[start]
    if character.isascii() and character.isalpha():
        return context._replace(state=TokenizerState.TAG_NAME, element="", closing=False), start, ""
    if character == "/":
        return context._replace(state=TokenizerState.END_TAG_OPEN), start + 1, character
    if character == "!":
        return context._replace(state=TokenizerState.DECLARATION, pending=""), start + 1, character
    if character == "?":
        raise _syntax_refusal('"<?" begins a comment in HTML', "leave the processing instruction out")
    return context._replace(state=TokenizerState.TEXT), start, ""


def _end_tag_open(context: HtmlContext, text: str, start: int) -> Step:
    character = text[start]
    if character.isascii() and character.isalpha():
        return context._replace(state=TokenizerState.TAG_NAME, element="", closing=True), start, ""
    raise _syntax_refusal('"</" must be followed by a name', "write &lt;/ where the text is meant")


def _tag_name(context: HtmlContext, text: str, start: int) -> Step:
    match = _TAG_NAME_END.search(text, start)
    end = match.start() if match else len(text)
    element = context.element + fold(text[start:end])
    if _is_bad_name(element):
        raise _syntax_refusal(
            f"<{element[:80]} is not a tag's name", "put a space after the name, or write &lt;"
        )
    named = context._replace(
        element=element, state=TokenizerState.BEFORE_ATTRIBUTE if match else TokenizerState.TAG_NAME
    )
    if match:
        check_tag(named)
    return named, end, text[start:end]


def _before_attribute(context: HtmlContext, text: str, start: int) -> Step:
    end = _spaces(text, start)
    if end > start:
        return context, end, text[start:end]
    character = text[start]
    if character in "/>":
        if character == "/":
            return context._replace(state=TokenizerState.SELF_CLOSING, attribute=""), start + 1, "/"
        return leave_tag(context), start + 1, ">"
    if character == "=":
        raise _syntax_refusal(
            '"=" stands before no attribute name', "write name=value without anything between"
        )
    return context._replace(state=TokenizerState.ATTRIBUTE_NAME, attribute=""), start, ""


def _attribute_name(context: HtmlContext, text: str, start: int) -> Step:
    match = _NAME_END.search(text, start)
    end = match.start() if match else len(text)
    attribute = context.attribute + fold(text[start:end])
    if _is_bad_name(attribute):
        raise _syntax_refusal(
            f"{attribute[:80]} is not an attribute's name",
            f"close the tag <{context.element}> with > before it"
            if "<" in attribute
            else "close every quotation mark, also that of the attribute before it, and put a space between attributes",
        )
    state = TokenizerState.AFTER_NAME if match else TokenizerState.ATTRIBUTE_NAME
    named = context._replace(attribute=attribute, state=state)
    if match:
        check_attribute(named)
        if context.element == "script" and attribute == "type" and context.data in {"", NAMED}:
            named = named._replace(data=OTHER if context.data else NAMED)  # only the first `type` counts
        if context.element == "meta" and attribute in META_KINDS and not context.data:
            named = named._replace(data=META_KINDS[attribute])
    return named, end, text[start:end]


def _after_name(context: HtmlContext, text: str, start: int) -> Step:
    end = _spaces(text, start)
    if end > start:
        return context, end, text[start:end]
    if text[start] == "=":
        return context._replace(state=TokenizerState.BEFORE_VALUE), start + 1, "="
    return context._replace(state=TokenizerState.BEFORE_ATTRIBUTE, attribute=""), start, ""


def _before_value(context: HtmlContext, text: str, start: int) -> Step:
    end = _spaces(text, start)
    if end > start:
        return context, end, text[start:end]
    if text[start] == ">":
        return leave_tag(context), start + 1, '"">'
    quote = text[start] if text[start] in "\"'" else ""
    emitted = quote or '"'
    return after_equals(context, quote), start + len(quote), emitted


def _self_closing(context: HtmlContext, text: str, start: int) -> Step:
    if text[start] == ">":
        return leave_tag(context), start + 1, ">"
    return context._replace(state=TokenizerState.BEFORE_ATTRIBUTE), start, ""


def _name_ended(context: HtmlContext, text: str, start: int) -> Step:
    """Read the text after two branches, of which at least one ended in a name.

    Raises HtmlRefusal when the text extends the name.
    """
    if text[start] in _SPACES + "/>":
        return context._replace(state=TokenizerState.BEFORE_ATTRIBUTE), start, ""
    raise HtmlRefusal(
        "template-branch-mismatch",
        "a name that only one of two branches has written would continue here",
        "put a space between the branch and what follows",
    )


def _is_bad_name(name: str) -> bool:
    return len(name) > _LONGEST_NAME or _BAD_IN_NAME.search(name) is not None


def _spaces(text: str, start: int) -> int:
    match = _SPACE_RUN.match(text, start)
    return match.end() if match else start


def _syntax_refusal(message: str, hint: str) -> HtmlRefusal:
    return HtmlRefusal("template-malformed-markup", message, hint)


TRANSITIONS: Mapping[TokenizerState, Callable[[HtmlContext, str, int], Step]] = MappingProxyType(
    {
        TokenizerState.TEXT: _in_text,
        TokenizerState.RCDATA: in_raw,
        TokenizerState.RAWTEXT: in_raw,
        TokenizerState.STYLE: in_raw,
        TokenizerState.SCRIPT: in_raw,
        TokenizerState.TAG_OPEN: _tag_open,
        TokenizerState.END_TAG_OPEN: _end_tag_open,
        TokenizerState.TAG_NAME: _tag_name,
        TokenizerState.BEFORE_ATTRIBUTE: _before_attribute,
        TokenizerState.ATTRIBUTE_NAME: _attribute_name,
        TokenizerState.AFTER_NAME: _after_name,
        TokenizerState.BEFORE_VALUE: _before_value,
        TokenizerState.VALUE: in_value,
        TokenizerState.SELF_CLOSING: _self_closing,
        TokenizerState.NAME_ENDED: _name_ended,
        TokenizerState.DECLARATION: in_declaration,
        TokenizerState.COMMENT: in_comment,
        TokenizerState.BOGUS_COMMENT: until_end,
        TokenizerState.DOCTYPE: until_end,
    }
)
