"""Reads as much of CSS as is needed to decide whether a printed value is in the value of a property (CSS Syntax 3).

A style attribute is the inside of one rule, a style element is a list of rules, an SVG attribute such as `fill` is one
value. Values are allowed after a property's colon, plain or inside a string, and inside functions that cannot fetch.
They are never allowed as a selector, a property name or an at-rule. Inside url() a value is the address of a picture or
a part of one, or the part after "#", which names an element. Only tokens are checked, not the grammar.
"""

import re
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, reduce

from awning.template.html.elements import words
from awning.template.html.html_context import (
    AttributeUse,
    ContextKind,
    HtmlRefusal,
    Interpolation,
    ValueReader,
    escaped_by,
)
from awning.template.html.url import Url, UrlPart

URL_FUNCTIONS = frozenset({"url", "src", "url-prefix"})
"""Functions whose unquoted content is one token, in which quotes and semicolons have no meaning."""
IMAGE_PROPERTIES = words(
    """
    background background-image border-image border-image-source content cursor list-style list-style-image mask
    mask-border mask-border-source mask-image shape-outside -webkit-mask -webkit-mask-image
    """
)
"""Properties that load the address in url() as a picture."""
UNSAFE_PROPERTIES = frozenset({"behavior", "-ms-behavior", "-ms-filter", "-moz-binding", "src"})
_LOADING = re.compile("^--|src|url|image|expression")
"""Matches the names of functions that can take a value for an address, and of functions of the page."""

_VALUE = escaped_by(ContextKind.STYLE, "escapeCssValue")
_VALUE_IN_ELEMENT = escaped_by(ContextKind.STYLE, "escapeCssValueInElement")
_ARGUMENT = escaped_by(ContextKind.STYLE, "escapeCssArgument")
CSS_VALUES = frozenset(interpolation.escaper for interpolation in (_VALUE, _VALUE_IN_ELEMENT, _ARGUMENT))
_STRING = escaped_by(ContextKind.STYLE, "escapeCssString")
_CSS_ESCAPERS = {
    "escapeImageUrl": "escapeCssUrl",
    "escapeUrlEncoded": "escapeCssUrlEncoded",
    "escapeUrlPart": "escapeCssUrlPart",
    "escapeUrlPath": "escapeCssUrlPath",
    "escapeUrlRoot": "escapeCssUrlRoot",
    "escapeUrlRootEncoded": "escapeCssUrlRootEncoded",
}
"""For each escaper of an address: the escaper that is used inside url() instead."""
_DEEPEST = 100
_RUN = re.compile(r"[-\w\x80-\U0010ffff]+|[ \t\n]+|[^-\w\x80-\U0010ffff]", re.ASCII)
_LETTERS = re.compile(r"[-\w\x80-\U0010ffff]", re.ASCII)
_STRING_OR_COMMENT = r""""[^"\\\n]*+"|'[^'\\\n]*+'|/\*(?:[^*]|\*(?!/))*+\*/|/(?!\*)"""
_CALL = rf"""(?<!url)(?<!src)(?<!url-prefix)\((?:[^"'()\\/]++|{_STRING_OR_COMMENT}
    |(?<!url)(?<!src)(?<!url-prefix)\((?:[^"'()\\/]++|{_STRING_OR_COMMENT})*+\))*+\)"""
_ADDRESS = r"""(?<=[^-\w\x80-\U0010ffff]url)\(\s*+(?:"[^"\\\n]*+"\s*+|'[^'\\\n]*+'\s*+|[^"'()\\]*+)\)"""
_PART = rf"""[^{{}}()"'/\\;]++|{_STRING_OR_COMMENT}|{_CALL}|{_ADDRESS}"""
_ENDS = frozenset({"{", "}", ";"})
"""The pattern for whole rules is tried only at the start and after these characters, so that no text is read twice."""
_AFTER_VALUE = "\0"
"""The value of `word` after a printed value. A parenthesis there is refused: the value would name a function."""


@cache
def _whole_rules() -> re.Pattern[str]:
    """Return a pattern for whole declarations and rules, also nested ones, that contain nothing that could be refused.

    Such rules do not change the state, so skipping them only saves time. The pattern is compiled at its first use.
    """
    return re.compile(
        rf"(?:(?:{_PART})*+(?:;|\{{(?:{_PART}|;|\{{(?:{_PART}|;)*+\}})*+\}}))*+",
        re.IGNORECASE | re.ASCII | re.VERBOSE,
    )


class CssMode(Enum):
    PLAIN = "plain"
    STRING = "string"
    COMMENT = "comment"
    URL = "url"


class CssPlace(Enum):
    PRELUDE = "selector"
    AT_RULE = "at-rule"
    NAME = "property name"
    VALUE = "value"
    UNKNOWN = "one of several places"


@dataclass(frozen=True, slots=True, kw_only=True)
class Css:
    """The state after a part of a style was read."""

    place: CssPlace = CssPlace.NAME
    depth: int = 1
    """The number of open braces. A style attribute begins inside a rule and may not leave it."""
    floor: int = 1
    mode: CssMode = CssMode.PLAIN
    quote: str = ""
    word: str = ""
    """The identifier being read, or a character that may begin or end a comment; the first character in url()."""
    name: str = ""
    """The property whose name or value is being read."""
    functions: tuple[str, ...] = ()
    escape: bool = False
    address: Url | None = None
    """The state of the address inside url(), as far as it was read; None elsewhere, or if no value may follow."""
    filled: bool = False
    """Whether the address contains a printed value."""

    def feed(self, text: str) -> "Css":
        css, position, between = self, 0, True
        text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")
        while position < len(text):
            if between and css._is_fresh():
                match = _whole_rules().match(text, position)
                position = match.end() if match else position
            run = _RUN.match(text, position)
            if run is None:
                break
            plain = css.mode is CssMode.PLAIN and not css.escape
            css = reduce(Css._step, [run[0]] if plain else run[0], css)
            position = run.end()
            between = run[0] in _ENDS
        return css

    def interpolate(self) -> tuple[Interpolation, ValueReader]:
        if self.address is not None:
            return self._interpolate_address(self.address)
        self._allow_value()
        if self.mode is CssMode.STRING:
            return _STRING, self
        return self._value_interpolation(), replace(self, word=_AFTER_VALUE)

    def _value_interpolation(self) -> Interpolation:
        """Return the interpolation of a value outside of strings.

        The value may have strings where neither a function nor `var()` can take them for an address.
        """
        if self.functions or not self.name or self.name.startswith("--"):
            return _ARGUMENT
        return _VALUE if self.floor else _VALUE_IN_ELEMENT

    def join(self, other: ValueReader) -> ValueReader | None:
        if self == other:
            return self
        if isinstance(other, Css) and self.address is not None and other.address is not None:
            return self._join_addresses(other, self.address.join(other.address))
        if not isinstance(other, Css) or not self._joins(other):
            return None
        unsafe = [css.name for css in (self, other) if css.name in UNSAFE_PROPERTIES]
        name = unsafe[0] if unsafe else self.name if self.name == other.name else ""
        place = self.place if self.place is other.place else CssPlace.UNKNOWN
        word = self.word if self.word == other.word else _AFTER_VALUE
        return replace(self, place=place, name=name, word=word)

    def close(self) -> None:
        if self.mode in {CssMode.STRING, CssMode.COMMENT} or self.escape:
            raise _syntax_refusal(f"the style ends inside a {self.mode.value}")

    def _join_addresses(self, other: "Css", address: Url | None) -> ValueReader | None:
        """Return the join of two states inside one url(); None if they cannot be joined."""
        filled = self.filled or other.filled
        word = self.word if bool(self.word) == bool(other.word) else ""
        mine, others = (replace(css, address=address, filled=filled, word=word) for css in (self, other))
        same_start = self.mode is CssMode.STRING or bool(self.word) == bool(other.word)
        return mine if address is not None and same_start and mine == others else None

    def _interpolate_address(self, address: Url) -> tuple[Interpolation, ValueReader]:
        """Interpolate a value in url(): the address of a picture, or a part of one.

        Raises HtmlRefusal when no value is allowed here, as in a property that loads no picture.
        """
        named = self.name not in UNSAFE_PROPERTIES and "\\" not in self.name
        fixed = address.use is AttributeUse.FRAGMENT and address.part is not UrlPart.FRAGMENT
        if self.place is not CssPlace.VALUE or not named or fixed or self.escape:
            raise _no_value(
                'url() takes values after "#", and in properties that load a picture, such as background-image'
            )
        in_url, after = address.interpolate()
        escaper = _CSS_ESCAPERS.get(in_url.escaper)
        if escaper is None:
            raise _no_value("two values in url() have nothing between them")
        in_style = escaped_by(ContextKind.STYLE, escaper, encoded=_CSS_ESCAPERS.get(in_url.encoded))
        return in_style, replace(self, address=after, filled=True, word=_AFTER_VALUE)

    def _addressed(self, text: str) -> "Css":
        """Read the author's text inside url().

        Raises HtmlRefusal when the address has a printed value and the text makes it unsafe.
        """
        if self.address is None:
            return self
        try:
            return replace(self, address=self.address.feed(text))
        except HtmlRefusal:
            if self.filled:
                raise
            return replace(self, address=None)

    def _is_fresh(self) -> bool:
        """Return whether a rule or a declaration may begin here."""
        plain = self.mode is CssMode.PLAIN and not (self.escape or self.word or self.name or self.functions)
        return plain and self.place is (CssPlace.NAME if self.depth else CssPlace.PRELUDE)

    def _joins(self, other: "Css") -> bool:
        plain = self.mode is other.mode is CssMode.PLAIN and not self.escape and not other.escape
        return plain and self.functions == other.functions and self.depth == other.depth

    def _allow_value(self) -> None:
        if (
            self.place is not CssPlace.VALUE
            or self.mode not in {CssMode.PLAIN, CssMode.STRING}
            or self.escape
        ):
            where = self.mode if self.mode is not CssMode.PLAIN else self.place
            raise _no_value(f"a value cannot be printed as the {where.value} of a style")
        unsafe = [function for function in self.functions if _LOADING.search(function)]
        if unsafe:
            raise _no_value(f"a value cannot be printed inside {unsafe[0]}() of a style")
        if self.name in UNSAFE_PROPERTIES or "\\" in self.name:
            raise _no_value(f"a value cannot be printed into {self.name}: it loads the address in its value")

    def _step(self, character: str) -> "Css":
        if self.escape:
            return replace(self, escape=False, word=self.word + "\\")
        if character == "\\" and self.mode is not CssMode.COMMENT:
            if self.filled:
                raise _syntax_refusal("url() with a value in it contains a backslash")
            return replace(self, escape=True, address=None)
        match self.mode:
            case CssMode.STRING:
                return self._in_string(character)
            case CssMode.COMMENT:
                ended = character == "/" and self.word == "*"
                return replace(
                    self, word="" if ended else character, mode=CssMode.PLAIN if ended else self.mode
                )
            case CssMode.URL:
                return self._in_url(character)
            case CssMode.PLAIN:
                return self._read_plain(character)

    def _in_string(self, character: str) -> "Css":
        if character == "\n":
            raise _syntax_refusal("a string of a style ends at the line's end")
        if character == self.quote:
            return replace(self, mode=CssMode.PLAIN, quote="", word="", address=None, filled=False)
        return self._addressed(character)

    def _in_url(self, character: str) -> "Css":
        if character in "\"'" and not self.word:
            return replace(self, mode=CssMode.STRING, quote=character)
        if character == ")":
            return replace(
                self, mode=CssMode.PLAIN, functions=self.functions[:-1], word="", address=None, filled=False
            )
        if self.filled and self.address is None and not character.isspace():
            raise _syntax_refusal("something follows the address in url()")
        if self.word and (character.isspace() or character in "\"'("):
            if self.filled and not character.isspace():
                raise _syntax_refusal(f"url() with a value in it holds {character} outside of quotes")
            return replace(self, address=None)
        return replace(self._addressed(character), word=self.word or character.strip())

    def _read_plain(self, character: str) -> "Css":
        if _LETTERS.match(character):
            return self._letters(character)
        if character == "*" and self.word == "/":
            return replace(self, mode=CssMode.COMMENT, word="")
        if character in "\"'":
            return replace(self, mode=CssMode.STRING, quote=character, word="")
        if character in "()":
            return self._parenthesis(character)
        if character in "{};:@" and not self.functions:
            return self._structure(character)
        return replace(self, word=character if character == "/" else "")

    def _letters(self, letters: str) -> "Css":
        word = (self.word if self.word != "/" else "") + letters.lower()
        return replace(self, word=word, name=word if self.place is CssPlace.NAME else self.name)

    def _parenthesis(self, character: str) -> "Css":
        if character == ")":
            if not self.functions:
                raise _syntax_refusal("a closing parenthesis of a style has no opening one")
            return replace(self, functions=self.functions[:-1], word="")
        if _AFTER_VALUE in self.word:
            raise _no_value("a value of a style cannot be the name of a function")
        if "\\" in self.word:
            raise _syntax_refusal("a function's name in a style is written with a backslash")
        mode = CssMode.URL if self.word in URL_FUNCTIONS else CssMode.PLAIN
        if len(self.functions) >= _DEEPEST:
            raise _syntax_refusal(f"parentheses of a style are nested more than {_DEEPEST} deep")
        image = self.name in IMAGE_PROPERTIES or self.name.startswith("--")
        use = AttributeUse.IMAGE if image else AttributeUse.FRAGMENT
        address = Url(use) if self.word == "url" else None
        return replace(self, functions=(*self.functions, self.word), word="", mode=mode, address=address)

    def _structure(self, character: str) -> "Css":
        match character:
            case ":":
                place = CssPlace.VALUE if self.place is CssPlace.NAME else self.place
                return replace(self, place=place, word="")
            case "@":
                at_rule = self.place in {CssPlace.PRELUDE, CssPlace.NAME}
                return replace(self, place=CssPlace.AT_RULE if at_rule else self.place, word="")
            case "{":
                return replace(self, place=CssPlace.NAME, depth=self.depth + 1, name="", word="")
            case "}":
                return self._begin_rule(self.depth - 1)
            case _:
                return self._begin_rule(self.depth)

    def _begin_rule(self, depth: int) -> "Css":
        if depth < self.floor:
            raise _syntax_refusal("a closing brace of a style has no opening one")
        return replace(
            self, place=CssPlace.NAME if depth else CssPlace.PRELUDE, depth=depth, name="", word=""
        )


STYLE_ATTRIBUTE = Css()
PAINT_ATTRIBUTE = Css(place=CssPlace.VALUE)
STYLE_ELEMENT = Css(place=CssPlace.PRELUDE, depth=0, floor=0)


def _syntax_refusal(message: str) -> HtmlRefusal:
    return HtmlRefusal(
        "template-malformed-style", message, "browsers differ in how they read such a style: correct it"
    )


def _no_value(message: str) -> HtmlRefusal:
    return HtmlRefusal(
        "template-style-value",
        message,
        'print property values only, as in style="width: {{ width }}px; background-image: url({{ address }})"',
    )
