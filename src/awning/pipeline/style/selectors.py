"""Selectors that match nothing, because they name an element that is never inside the widget: `html`, `body`, `:root`.

At the start of a selector, `:root`, `:scope` and `:host` are the widget's own element (`scope`), also in a list at the
start, such as `:where(:root)`; in a shadow root, only `:host` is. In a nested rule, none is. In a scoped style, a
selector with `&` may begin at the page: `body.dark & .note`.

A rule for `html, :host` matches by its second selector: compiled styles have such rules, and so they are not reported.
A list such as `:is(html, .a)` matches by its second selector, too; `:not(html)` matches every element of the widget.
In a scoped style, `.a:is(body.dark *)` may look at the page around the widget.
"""

import re
from collections.abc import Iterator

from awning.diagnostics import Diagnostic
from awning.pipeline.style.css import (
    CONDITIONS,
    Component,
    Components,
    Rule,
    divided,
    rules,
    split,
    style_diagnostic,
    walk,
)

_OF_THE_PAGE = ("html", "head", "body")
ALTERNATIVES = frozenset({"is", "where", "matches", "any", "-webkit-any", "-moz-any"})
"""The pseudo-classes that match an element if one of their selectors does."""
_NEEDING_ONE = ALTERNATIVES | {"has", "-webkit-any", "-moz-any"}
_BEFORE_OTHER_NAMES = frozenset({".", ":", "|"})
"""The signs before a name that is not an element's: a class, a pseudo-class."""
_MOST_CHARACTERS = 80
"""The maximum number of characters that a message quotes of a selector."""


OWN = ("root", "scope", "host")
"""The pseudo-classes that are the widget's own element at the start of a selector."""
_OF_THE_ROOT = ("dir", "lang")
"""The attributes that the page's `html` has. At the start of a selector, they mean it if the widget has none."""
_OF_A_TRANSITION = "view-transition"
"""How the pseudo-elements of a transition begin. Those of a page's transition are in its root element."""


def own_element_length(selector: Components, own: tuple[str, ...] = OWN) -> int:
    """Return how many parts at the start name the widget's own element: `:root`, `:host(.a)`, `:is(:root, .a)`."""
    if len(selector) < 2 or not selector[0].is_literal(":"):  # noqa: PLR2004 - the colon and the name
        return 0
    pseudo, name = selector[1], selector[1].value.lower()
    if pseudo.kind == "function" and name in ALTERNATIVES:
        is_own = any(own_element_length(trimmed(each), own) for each in divided(pseudo.inside))
    else:
        is_own = name in own and (pseudo.kind == "ident" or (pseudo.kind == "function" and name == "host"))
    return 2 * is_own


def trimmed(selector: Components) -> Components:
    """Return a selector without the white space and comments before it."""
    begin = next((index for index, part in enumerate(selector) if not part.is_blank), len(selector))
    return selector[begin:]


def selector_findings(path: str, css: str, *, shadow: bool, markup: str = "") -> Iterator[Diagnostic]:
    """Yield a warning for each selector that can match nothing. With `shadow`, the style is that of a shadow root.

    `markup` is where the widget's elements are made: its templates and scripts, and the shared ones.
    """
    for selector, outside in _outside_elements(rules(css), shadow=shadow):
        if outside.inside and re.search(rf"\b{_attribute(outside)}\b", markup):
            continue
        name = outside.text if outside.text != ":" else f":{_following_name(outside)}"
        yield style_diagnostic(
            path,
            outside,
            rule="style-selector",
            message=f'"{_quoted(selector)}" matches nothing: {name} is outside of the widget',
            hint=_hint(name, shadow=shadow),
        )


def _hint(name: str, *, shadow: bool) -> str:
    if name.startswith("::"):
        return (
            "name what takes part here (view-transition-name); a rule for the transition belongs to head.html"
        )
    if name.startswith("["):
        way = ":host(:dir(rtl)) .note or :host(:lang(ar)) .note" if shadow else f"{name} & .note"
        return f"{way} looks at the page around the widget"
    if shadow:
        return f"leave out {name}; :host is the widget's own element"
    if name in {":root", ":scope"}:
        return f"leave it out; {name} is the widget's own element only at the start of a selector that is not nested"
    own = f"leave out {name}; :root is the widget's own element"
    if name.lower() == "head":
        return own
    return f"{own}, and in {name}.dark & .note a class of the page decides"


def _quoted(selector: Components) -> str:
    """Return a selector in one line, without comments."""
    text = " ".join("".join(part.text for part in selector if part.kind != "comment").split())
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS].rstrip()}..."


def _outside_elements(
    statements: list[Rule], *, shadow: bool, nested: bool = False
) -> Iterator[tuple[Components, Component]]:
    """Yield each selector of the rules that can match nothing, and the part that names the element outside."""
    for rule in statements:
        if not rule.block or (rule.at and rule.at not in CONDITIONS):
            continue
        selectors = [] if rule.at else divided(rule.prelude)
        own = () if nested else ("host",) if shadow else OWN
        outsiders = [_outside_element(selector, own=own, shadow=shadow) for selector in selectors]
        is_matched = any(
            outside is None and own_element_length(trimmed(selector), own)
            for selector, outside in zip(selectors, outsiders, strict=True)
        )
        for selector, outside in zip(selectors, outsiders, strict=True):
            if outside and not is_matched:
                yield selector, outside
        inside = split(rule.block.inside)
        yield from _outside_elements(inside, shadow=shadow, nested=nested or not rule.at)


def _outside_element(selector: Components, *, own: tuple[str, ...], shadow: bool) -> Component | None:
    """Return the part that names the first element that is never inside a widget; of `:root`, the colon."""
    if not shadow and any(part.is_literal("&") for part in walk(selector)):
        return None
    parts = [part for part in trimmed(selector) if part.kind != "comment"]
    for index, part in enumerate(parts):
        before = parts[index - 1] if index else None
        is_first = before is None and own and part not in _subject(parts)
        if _is_element_of_page(parts, index) or (is_first and _attribute(part) in _OF_THE_ROOT):
            return part
        if part.is_literal(":") and (before is None or not before.is_literal(":")):
            if _is_of_page_transition(parts, index):
                return part
            outside = _outside_pseudo_class(parts, index, own=() if index else own, shadow=shadow)
            if outside:
                return outside
    return None


def _is_element_of_page(parts: Components, index: int) -> bool:
    before = parts[index - 1] if index else None
    if parts[index].kind != "ident" or parts[index].value.lower() not in _OF_THE_PAGE:
        return False
    if before is None or before.kind != "literal" or before.value not in _BEFORE_OTHER_NAMES:
        return True
    return before.value == "|" and (index == 1 or parts[index - 2].is_literal("*"))  # of any namespace


def _attribute(part: Component) -> str:
    """Return the name of the attribute in `[dir=rtl]`; empty for another part."""
    words = [inner for inner in part.inside if not inner.is_blank] if part.kind == "[] block" else []
    return words[0].value.lower() if words else ""


def _subject(selector: Components) -> Components:
    """Return what a selector says of the element itself, without those around it: in `:is(body *)`, `*`."""
    parts = [part for part in selector if part.kind != "comment"]
    while parts and parts[-1].is_blank:
        parts.pop()
    ends = [index for index, part in enumerate(parts) if part.is_blank or part.text in {">", "+", "~"}]
    return parts[ends[-1] + 1 :] if ends else parts


def _following_name(colon: Component) -> str:
    """Return the name behind a colon: `root`, or `:view-transition-old` with the second colon."""
    match = re.match(r":?[-\w]+", colon.source[colon.end :])
    return match[0] if match else ""


def _is_of_page_transition(parts: Components, index: int) -> bool:
    """Return whether `::view-transition-old(a)` and the like stand alone, or at the widget's own element."""
    name = parts[index + 2].value if len(parts) > index + 2 and parts[index + 1].is_literal(":") else ""
    is_alone = index == 0 or parts[index - 1].is_blank or index == own_element_length(parts)
    return name.lower().startswith(_OF_A_TRANSITION) and is_alone


def _outside_pseudo_class(
    parts: Components, index: int, *, own: tuple[str, ...], shadow: bool
) -> Component | None:
    following = parts[index + 1] if index + 1 < len(parts) else None
    if following is None:
        return None
    name = following.value.lower()
    if following.kind == "ident" and name in {"root", "scope"} and name not in own:
        return parts[index]
    if following.kind == "function" and name in _NEEDING_ONE:
        inner = own if name in ALTERNATIVES else ()
        selectors = divided(following.inside)
        if name in ALTERNATIVES and not shadow:
            selectors = [_subject(each) for each in selectors]
        outsiders = [_outside_element(each, own=inner, shadow=shadow) for each in selectors]
        return outsiders[0] if all(outsiders) else None
    return None
