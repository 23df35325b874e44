"""A fast path of the tokenizer: patterns that read ordinary text and whole tags in one step.

It only saves time. A pattern matches only text that the tokenizer would read to the same context with the same output;
a property test compares the two. A step contains no attribute that is refused, and no value that its reader could
refuse. It ends in text, or right after the opening quote of a value.
"""

import re
from collections.abc import Iterable
from functools import cache

from awning.template.html import elements
from awning.template.html.elements import ADDRESSES, OWN_LANGUAGE, fold
from awning.template.html.html_context import HtmlContext, TokenizerState
from awning.template.html.values import after_equals, closed

Step = tuple[HtmlContext, int, str]


def _any_name(names: Iterable[str]) -> str:
    """Return a pattern for any of these names, as whole words."""
    return f"(?:{'|'.join(sorted(map(re.escape, names)))})(?![\\w.:@-])"


_CONTENT = elements.RCDATA_ELEMENTS | elements.RAWTEXT_ELEMENTS | {"script"}
"""Elements that are matched together with their content. A style is not one of them: its content is read as CSS."""
_SPECIAL = (
    _CONTENT
    | elements.REFUSED_ELEMENTS.keys()
    | elements.FOREIGN_ROOTS
    | elements.TEXT_ONLY
    | elements.WITHOUT_FIRST_NEWLINE
    | {"style", "select", "meta"}
)
_STYLED = OWN_LANGUAGE.keys() - {"srcset"}
_JUDGED = {"attributename", "srcdoc", "http-equiv"}
_SPACE = r"[ \t\n]"

_STYLE = r"""[^"'&\\(){}/]++|/(?!\*)|'[^'"&\\\n\r\f]*+'|\([^"'&\\()/]*+\)|(?<=[^-\w]url)\([^"'&\\()]*+\)"""
_ADDRESS = r"(?:https?:/|mailto:|tel:|[/?\#])(?:[^{quote}&]++|&(?!\#?[0-9a-z]{{99}}))*+"
"""Matches an address with a safe scheme, or one that begins with /, ? or #, without overlong character references."""
_SIMPLE = r"(?:https?://)?[^{quote}&:\\(){{}}'@*]*+"
_QUOTED = "|".join(
    rf"={quote}(?:{value.format(quote=quote)}){quote}" for quote in "\"'" for value in (_ADDRESS, _SIMPLE)
)
_ATTRIBUTE = rf"""{_SPACE}++(?:
    (?!{_any_name(_JUDGED | _STYLED | ADDRESSES | {"srcset"})})[a-z@:_][\w.:@-]{{0,99}}+(?:="[^"]*+"|='[^']*+')?
    | {_any_name(_STYLED)}="(?:{_STYLE})*+"
    | {_any_name(ADDRESSES)}(?:{_QUOTED})
    | {_any_name(_STYLED | {"srcset"})}(?:="{_SIMPLE.format(quote='"')}"|='{_SIMPLE.format(quote="'")}')
    )(?=[ \t\n/>])"""
_END = rf"{_SPACE}*+/?>"
_REST = rf"(?:{_ATTRIBUTE})*+{_END}"
_UNQUOTED = r"""=[^ \t\n\r\f>"'<=`&:\\(){}@*]++(?=[ \t\n>])"""
_LOOSE = rf"(?:{_SPACE}++(?!{_any_name(_JUDGED)})[a-z@:_][\w.:@-]{{0,99}}+{_UNQUOTED}|{_ATTRIBUTE})*+{_END}"
"""Matches the rest of a tag after its name, with values that may lack quotes."""

_TO_VALUE = rf"(?:{_ATTRIBUTE})*+{_SPACE}++([a-z][\w.:-]{{0,99}}+)=([\"'])"
"""Matches the rest of a tag after its name, up to the opening quote of an attribute's value."""

_COMMENT = r"<!--(?![->])(?:[^-]++|-(?!-))*+-->"
_OTHER = rf"(?!(?:{'|'.join(sorted(_SPECIAL))})[ \t\n/>])[a-z][a-z0-9-]{{0,99}}+"
_OPTION = "(?:option|optgroup|hr)"
_SHAPE = f"(?:{'|'.join(sorted(elements.SVG_ELEMENTS - elements.TEXT_ONLY - elements.FOREIGN_ROOTS, reverse=True))})"
_OPTIONS = rf"(?:[^<]++|</?{_OPTION}{_REST}|{_COMMENT})*+"
_LABEL = rf"<title{_REST}[^<]*+</title{_SPACE}*+>|<desc{_REST}[^<]*+</desc{_SPACE}*+>"
_SHAPES = rf"(?:[^<]++|</?{_SHAPE}{_REST}|{_LABEL}|{_COMMENT})*+"
_RUNS = {"html": rf"(?:[^<]++|</?{_OTHER}{_REST}|{_COMMENT})*+", "select": _OPTIONS, "svg": _SHAPES}
_NAMES = {"html": _OTHER, "select": _OPTION, "svg": _SHAPE}
_WITH_CONTENT = re.compile(rf"<({'|'.join(sorted(_CONTENT))}|select|svg)(?=[ \t\n>])", re.IGNORECASE)
_WITHOUT_QUOTES = re.compile(r""">[^<]*+|"[^"]*+"|'[^']*+'|=([^ \t\n>"']++)""")
"""Matches, in tags and the text after them, either a value without quotes (group 1), or text that stays unchanged."""


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.ASCII | re.VERBOSE)


@cache
def _run_of(place: str) -> re.Pattern[str]:
    """Return the pattern of ordinary text and tags in `place`. It is large, so it is compiled at its first use."""
    return _compile(_RUNS[place])


@cache
def _whole_element(element: str) -> re.Pattern[str]:
    """Return the pattern of a whole element: its start tag, its content and its end tag."""
    content = {"select": _OPTIONS, "svg": _SHAPES}.get(
        element, rf"(?:[^<]++|<(?!!--|/{element}[ \t\n\r\f/>]))*+"
    )
    return _compile(rf"<{element}{_REST}{content}</{element}{_SPACE}*+>")


@cache
def _loose_tags(place: str) -> re.Pattern[str]:
    return _compile(f"(?:</?{_NAMES[place]}{_LOOSE}[^<]*+)++")


@cache
def _tag_to_value(place: str) -> re.Pattern[str]:
    return _compile(f"<({_NAMES[place]}){_TO_VALUE}")


@cache
def _rest_of_tag() -> re.Pattern[str]:
    return _compile(_REST)


@cache
def _rest_to_value() -> re.Pattern[str]:
    return _compile(_TO_VALUE)


def skip(context: HtmlContext, text: str, start: int) -> int:
    """Return the end of the ordinary text and tags at `start`, which are emitted unchanged and keep the context."""
    place = _place(context)
    if not place or context.state is not TokenizerState.TEXT:
        return start
    match = _run_of(place).match(text, start)
    return match.end() if match else start


def stride(context: HtmlContext, text: str, start: int) -> Step | None:
    """Read several steps of the tokenizer in one; None if no pattern matches.

    The patterns match whole elements with their content, tags with values without quotes, a tag up to the value of an
    attribute, and the rest of a tag after such a value.
    """
    place = _place(context)
    if not place:
        return None
    if context.state is TokenizerState.TEXT:
        return (
            _with_content(context, text, start, place)
            or _to_value(context, text, start, place)
            or _unquoted_tags(context, text, start, place)
        )
    if context.state is TokenizerState.VALUE and context.element not in _SPECIAL:
        ends = context.quote == text[start] if context.quote else text[start] in " \t\n>"
        return _after_value(context, text, start) or _to_next_value(context, text, start) if ends else None
    return None


def _place(context: HtmlContext) -> str:
    if context.foreign:
        return "svg" if context.foreign[-1] == "svg" and not context.select else ""
    return "select" if context.select else "html"


def _with_content(context: HtmlContext, text: str, start: int, place: str) -> Step | None:
    named = _WITH_CONTENT.match(text, start) if place == "html" else None
    match = _whole_element(fold(named[1])).match(text, start) if named else None
    return (context, match.end(), match[0]) if match else None


def _unquoted_tags(context: HtmlContext, text: str, start: int, place: str) -> Step | None:
    match = _loose_tags(place).match(text, start)
    if match is None:
        return None
    quoted = _WITHOUT_QUOTES.sub(lambda value: f'="{value[1]}"' if value[1] else value[0], match[0])
    return context, match.end(), quoted


def _to_value(context: HtmlContext, text: str, start: int, place: str) -> Step | None:
    match = _tag_to_value(place).match(text, start)
    if match is None or fold(match[2]) in _JUDGED:
        return None
    tag = context._replace(element=fold(match[1]), attribute=fold(match[2]), closing=False)
    return after_equals(tag, match[3]), match.end(), match[0]


def _to_next_value(context: HtmlContext, text: str, start: int) -> Step | None:
    match = _rest_to_value().match(text, start + len(context.quote))
    if match is None or fold(match[1]) in _JUDGED:
        return None
    tag = closed(context)._replace(attribute=fold(match[1]))
    return (
        after_equals(tag, match[2]),
        match.end(),
        ("" if context.quote else '"') + text[start : match.end()],
    )


def _after_value(context: HtmlContext, text: str, start: int) -> Step | None:
    match = _rest_of_tag().match(text, start + len(context.quote))
    if match is None:
        return None
    closed(context)
    return context.in_text(), match.end(), ("" if context.quote else '"') + text[start : match.end()]
