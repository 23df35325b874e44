"""Selectors that match nothing, because they name an element that is never inside the widget: `html`, `body`, `:root`.

At the start of a selector, `:root` and `:host` are the widget's own element (`scope`); in a shadow root, only `:host`
is. A selector with `&` may begin at the page: `body.dark & .note`.
"""

from collections.abc import Iterator

from awning.diagnostics import Diagnostic, Severity
from awning.pipeline.style.css import CONDITIONS, Rule, Token, joined, rules, split, style_diagnostic

_OF_THE_PAGE = ("html", "head", "body")
_OPENING, _CLOSING = "([", ")]"
_BEFORE_OTHER_NAMES = (".", ":", "|", "\\")
"""The signs before a name that is not an element's: a class, a pseudo-class."""


def selector_findings(path: str, css: str, *, shadow: bool) -> Iterator[Diagnostic]:
    """Yield a warning for each selector that can match nothing. With `shadow`, the style is that of a shadow root."""
    for selector in _selectors(rules(css)):
        outside = _outside_element(selector, begins_with_root=not shadow)
        if outside is None:
            continue
        name = outside.text if outside.text != ":" else ":root"
        yield style_diagnostic(
            path,
            css,
            outside,
            rule="style-selector",
            message=f'"{joined(selector).strip()}" matches nothing: {name} is outside of the widget',
            hint=_hint(name, shadow=shadow),
            severity=Severity.WARNING,
        )


def _hint(name: str, *, shadow: bool) -> str:
    if shadow:
        return f"leave out {name}; :host is the widget's own element"
    if name == ":root":
        return "leave it out; only at the start of a selector, :root is the widget's own element"
    own = f"leave out {name}; :root is the widget's own element"
    return f"{own}, and in {name}.dark & .note a class of the page decides"


def _selectors(statements: list[Rule]) -> Iterator[list[Token]]:
    """Yield each selector of the rules, without the comments, also of nested rules."""
    for rule in statements:
        if rule.block and (not rule.at or rule.at in CONDITIONS):
            if not rule.at:
                yield from _divided(rule.prelude)
            yield from _selectors(split(rule.inside))


def _divided(prelude: list[Token]) -> Iterator[list[Token]]:
    """Yield the parts of a selector list."""
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


def _outside_element(selector: list[Token], *, begins_with_root: bool) -> Token | None:
    """Return the token of the first element that is never inside a widget; of `:root`, the colon."""
    if any(token.text == "&" for token in selector):
        return None
    depth, before = 0, ""
    begins = begins_with_root
    for token, following in zip(selector, [*selector[1:], None], strict=True):
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
