"""Most of a template is ordinary: text, and whole tags that mean nothing to later text. Patterns read it in strides.

Only speed: what a pattern takes, the machine would have read to the same context and emitted alike (a property test
holds the two together). So no pattern takes an attribute that is refused, or a value in which a reader could find
something to refuse; all that, and what is unfinished, is the machine's.
"""

import re
from collections.abc import Iterable
from functools import cache

from awning.template.html import elements
from awning.template.html.attribute_values import after_equals, closed
from awning.template.html.attributes import ADDRESSES, OWN_LANGUAGE
from awning.template.html.elements import fold
from awning.template.html.html_context import HtmlContext, TokenizerState

Step = tuple[HtmlContext, int, str]


def _any(names: Iterable[str]) -> str:
    """A group of any of these names, whole."""
    return f"(?:{'|'.join(sorted(map(re.escape, names)))})(?![\\w.:@-])"


_CONTENT = elements.RCDATA_ELEMENTS | elements.RAWTEXT_ELEMENTS | {"script"}
"""Elements whose content is passed over together with them; that of a style is read."""
_SPECIAL = (
    _CONTENT
    | elements.REFUSED_ELEMENTS.keys()
    | elements.FOREIGN_ROOTS
    | elements.TEXT_ONLY
    | {"style", "select"}
)
_STYLED = OWN_LANGUAGE.keys() - {"srcset"}
_JUDGED = {"attributename", "srcdoc", "http-equiv"}
_SPACE = r"[ \t\n]"

_STYLE = r"""[^"'&\\(){}/]++|/(?!\*)|'[^'"&\\\n\r\f]*+'|\([^"'&\\()/]*+\)|(?<=[^-\w]url)\([^"'&\\()]*+\)"""
_ADDRESS = r"(?:https?:/|mailto:|tel:|[/?\#])(?:[^{quote}&]++|&(?!\#?[0-9a-z]{{99}}))*+"
"""No scheme can follow. An endless character reference is refused."""
_SIMPLE = r"(?:https?://)?[^{quote}&:\\(){{}}'@*]*+"
_QUOTED = "|".join(
    rf"={quote}(?:{value.format(quote=quote)}){quote}" for quote in "\"'" for value in (_ADDRESS, _SIMPLE)
)
_ATTRIBUTE = rf"""{_SPACE}++(?:
    (?!{_any(_JUDGED | _STYLED | ADDRESSES | {"srcset"})})[a-z@:_][\w.:@-]{{0,99}}+(?:="[^"]*+"|='[^']*+')?
    | {_any(_STYLED)}="(?:{_STYLE})*+"
    | {_any(ADDRESSES)}(?:{_QUOTED})
    | {_any(_STYLED | {"srcset"})}(?:="{_SIMPLE.format(quote='"')}"|='{_SIMPLE.format(quote="'")}')
    )(?=[ \t\n/>])"""
_END = rf"{_SPACE}*+/?>"
_REST = rf"(?:{_ATTRIBUTE})*+{_END}"
_UNQUOTED = r"""=[^ \t\n\r\f>"'<=`&:\\(){}@*]++(?=[ \t\n>])"""
_LOOSE = rf"(?:{_SPACE}++(?!{_any(_JUDGED)})[a-z@:_][\w.:@-]{{0,99}}+{_UNQUOTED}|{_ATTRIBUTE})*+{_END}"
"""What follows a tag's name, where some of its values have no quotes."""

_TO_VALUE = rf"(?:{_ATTRIBUTE})*+{_SPACE}++([a-z][\w.:-]{{0,99}}+)=([\"'])"
"""What follows a tag's name, up to a value."""

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
"""In tags with the text behind them: a value without quotes, and what is passed over."""


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.ASCII | re.VERBOSE)


@cache
def _run(place: str) -> re.Pattern[str]:
    """Text and tags. These patterns are large: each is made when a template first needs it."""
    return _compiled(_RUNS[place])


@cache
def _whole(element: str) -> re.Pattern[str]:
    """An element with its content."""
    content = {"select": _OPTIONS, "svg": _SHAPES}.get(
        element, rf"(?:[^<]++|<(?!!--|/{element}[ \t\n\r\f/>]))*+"
    )
    return _compiled(rf"<{element}{_REST}{content}</{element}{_SPACE}*+>")


@cache
def _loose_tags(place: str) -> re.Pattern[str]:
    return _compiled(f"(?:</?{_NAMES[place]}{_LOOSE}[^<]*+)++")


@cache
def _tag_to_value(place: str) -> re.Pattern[str]:
    return _compiled(f"<({_NAMES[place]}){_TO_VALUE}")


@cache
def _rest_of_tag() -> re.Pattern[str]:
    return _compiled(_REST)


@cache
def _rest_to_value() -> re.Pattern[str]:
    return _compiled(_TO_VALUE)


def skip(context: HtmlContext, text: str, start: int) -> int:
    """How far the text is ordinary: the context there is the same, and the text is emitted as it is."""
    place = _place(context)
    if not place or context.state is not TokenizerState.TEXT:
        return start
    found = _run(place).match(text, start)
    return found.end() if found else start


def stride(context: HtmlContext, text: str, start: int) -> Step | None:
    """Several steps of the machine in one, where what stands here is ordinary; None where it is not.

    Tags whose values have no quotes; a tag up to a value, which may be printed; what follows such a value.
    """
    place = _place(context)
    if not place:
        return None
    if context.state is TokenizerState.TEXT:
        return (
            _with_content(context, text, start, place)
            or _to_value(context, text, start, place)
            or _loose(context, text, start, place)
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
    found = _whole(fold(named[1])).match(text, start) if named else None
    return (context, found.end(), found[0]) if found else None


def _loose(context: HtmlContext, text: str, start: int, place: str) -> Step | None:
    found = _loose_tags(place).match(text, start)
    if found is None:
        return None
    quoted = _WITHOUT_QUOTES.sub(lambda value: f'="{value[1]}"' if value[1] else value[0], found[0])
    return context, found.end(), quoted


def _to_value(context: HtmlContext, text: str, start: int, place: str) -> Step | None:
    found = _tag_to_value(place).match(text, start)
    if found is None or fold(found[2]) in _JUDGED:
        return None
    tag = context._replace(element=fold(found[1]), attribute=fold(found[2]), closing=False)
    return after_equals(tag, found[3]), found.end(), found[0]


def _to_next_value(context: HtmlContext, text: str, start: int) -> Step | None:
    found = _rest_to_value().match(text, start + len(context.quote))
    if found is None or fold(found[1]) in _JUDGED:
        return None
    tag = closed(context)._replace(attribute=fold(found[1]))
    return (
        after_equals(tag, found[2]),
        found.end(),
        ("" if context.quote else '"') + text[start : found.end()],
    )


def _after_value(context: HtmlContext, text: str, start: int) -> Step | None:
    found = _rest_of_tag().match(text, start + len(context.quote))
    if found is None:
        return None
    closed(context)
    return context.in_text(), found.end(), ("" if context.quote else '"') + text[start : found.end()]
