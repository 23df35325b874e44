"""Selectors that match nothing, because they name an element that is never inside the widget: `html`, `body`, `:root`.

At the start of a selector, `:root` and `:host` are the widget's own element (`scope`); in a shadow root, only `:host`
is. In a nested rule, none is. In a scoped style, a selector with `&` may begin at the page: `body.dark & .note`.

A rule for `html, :host` matches by its second selector: compiled styles have such rules, and so they are not reported.
"""

from collections.abc import Iterator
from itertools import zip_longest

from awning.diagnostics import Diagnostic, Severity
from awning.pipeline.style.css import (
    CONDITIONS,
    MOST_LEVELS,
    Rule,
    Token,
    joined,
    rules,
    split,
    style_diagnostic,
)

_OF_THE_PAGE = ("html", "head", "body")
_OPENING, _CLOSING = "([", ")]"
_BEFORE_OTHER_NAMES = (".", ":", "|", "\\")
"""The signs before a name that is not an element's: a class, a pseudo-class."""
_MOST_CHARACTERS = 80
"""The maximum number of characters that a message quotes of a selector."""


def selector_findings(path: str, css: str, *, shadow: bool) -> Iterator[Diagnostic]:
    """Yield a warning for each selector that can match nothing. With `shadow`, the style is that of a shadow root."""
    for selector, outside in _outside_elements(rules(css), shadow=shadow):
        name = outside.text if outside.text != ":" else ":root"
        yield style_diagnostic(
            path,
            css,
            outside,
            rule="style-selector",
            message=f'"{_quoted(selector)}" matches nothing: {name} is outside of the widget',
            hint=_hint(name, shadow=shadow),
            severity=Severity.WARNING,
        )


def _hint(name: str, *, shadow: bool) -> str:
    if shadow:
        return f"leave out {name}; :host is the widget's own element"
    if name == ":root":
        return "leave it out; :root is the widget's own element only at the start of a selector that is not nested"
    own = f"leave out {name}; :root is the widget's own element"
    if name.lower() == "head":
        return own
    return f"{own}, and in {name}.dark & .note a class of the page decides"


def _quoted(selector: list[Token]) -> str:
    """Return a selector in one line."""
    text = " ".join(joined(selector).split())
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS].rstrip()}..."


def _outside_elements(
    statements: list[Rule], *, shadow: bool, nested: bool = False, level: int = 0
) -> Iterator[tuple[list[Token], Token]]:
    """Yield each selector of the rules that can match nothing, and the token of the element that is outside."""
    for rule in statements:
        if not rule.block or (rule.at and rule.at not in CONDITIONS):
            continue
        selectors = [] if rule.at else list(_divided(rule.prelude))
        own: tuple[str, ...] = () if nested else (":host",) if shadow else (":host", ":root")
        outsiders = [
            _outside_element(selector, begins_with_root=":root" in own, shadow=shadow)
            for selector in selectors
        ]
        is_matched = any(
            outside is None and joined(selector).strip().lower().startswith(own)
            for selector, outside in zip(selectors, outsiders, strict=True)
        )
        for selector, outside in zip(selectors, outsiders, strict=True):
            if outside and not is_matched:
                yield selector, outside
        if level < MOST_LEVELS:
            inside = split(rule.inside)
            yield from _outside_elements(inside, shadow=shadow, nested=nested or not rule.at, level=level + 1)


def _divided(prelude: list[Token]) -> Iterator[list[Token]]:
    """Yield the selectors of a list, without the comments."""
    part: list[Token] = []
    depth = 0
    for token in prelude:
        if token.kind == "other":
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
        if token.kind == "other" and token.text == "," and depth == 0:
            yield part
            part = []
        elif token.kind != "comment":
            part.append(token)
    yield part


def _outside_element(selector: list[Token], *, begins_with_root: bool, shadow: bool) -> Token | None:
    """Return the token of the first element that is never inside a widget; of `:root`, the colon."""
    if not shadow and any(token.text == "&" for token in selector):
        return None
    depth, before = 0, ""
    begins = begins_with_root
    for token, following in zip_longest(selector, selector[1:]):
        if token.kind == "space":
            before = " "
            continue
        if token.kind == "other":
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
        if depth == 0:
            name = token.text.lower()
            if token.kind == "name" and name in _OF_THE_PAGE and before not in _BEFORE_OTHER_NAMES:
                return token
            if name == ":" and following and following.text.lower() == "root" and not begins:
                return token
        begins = False
        before = token.text
    return None
