"""The style of a widget with a shadow root, in two parts: rules for the document, and rules for the shadow root.

Chromium, Firefox and Safari ignore `@font-face`, `@property` and other at-rules for fonts in a shadow root. Those rules
go into the document, for the whole page. The names that they define (a font, a custom property) work inside.

The rules for the shadow root are a string in the script, so they are written without comments and needless blanks.
"""

import re
from collections.abc import Iterator

from awning.diagnostics import Diagnostic
from awning.pipeline.style.css import MOST_LEVELS, Rule, joined, rules, split, style_error, tokens

_OF_THE_DOCUMENT = ("@font-face", "@property", "@font-feature-values", "@font-palette-values")
_CONDITIONS = ("@media", "@supports", "@layer")
_TIGHT = "{};,"
_OF_ANOTHER_HOST = re.compile(r"""(?:url\(\s*)?["']?(?:(?:https?:)?//|data:)""", re.IGNORECASE)
"""Matches the address of an `@import` from another host or of a `data:` URL. The bundler leaves it in the style."""


def document_rules(css: str) -> str:
    """Return the rules for the document, with the `@media` around them. The rules keep their line numbers."""
    return "".join(_part(rule, of_document=True) for rule in rules(css))


def shadow_rules(css: str) -> str:
    """Return the rules for the shadow root: all rules except those for the document."""
    return "".join(_part(rule, of_document=False) for rule in rules(css))


def _part(rule: Rule, *, of_document: bool, level: int = 0) -> str:
    if rule.at in _CONDITIONS and rule.block and _holds_both(rule, level):
        inner = "".join(
            _part(child, of_document=of_document, level=level + 1) for child in split(rule.inside)
        )
        if inner.strip():
            return f"{joined(rule.prelude)}{{{inner}}}"
    elif _is_of_document(rule) is of_document:
        return rule.text
    return "\n" * rule.text.count("\n")


def _holds_both(rule: Rule, level: int) -> bool:
    """Return whether a rule such as `@media` contains a rule for the document. If not, it need not be split."""
    return level < MOST_LEVELS and any(
        _is_of_document(child) or (child.at in _CONDITIONS and child.block and _holds_both(child, level + 1))
        for child in split(rule.inside)
    )


def _is_of_document(rule: Rule) -> bool:
    return rule.at in _OF_THE_DOCUMENT


def import_findings(path: str, css: str) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each `@import` of a file, which would not be in the snippet.

    An import from another host stays in the snippet, and browsers follow it, as in a scoped style.
    """
    for rule in rules(css):
        if rule.at != "@import":
            continue
        at, *target = (token for token in rule.prelude if token.kind not in ("space", "comment"))
        if not _OF_ANOTHER_HOST.match(joined(target)):
            message = "the style of a shadow root cannot import a file"
            hint = 'copy its rules into this file, or remove isolation = "shadow" from widget.toml'
            yield style_error(path, css, at, message, hint)


def compact(css: str) -> str:
    """Return the same rules in fewer bytes. Blanks stay where they can have a meaning (`a :hover`, `1px + 2px`)."""
    out: list[str] = []
    for token in tokens(css):
        last = out[-1][-1:] if out else ""
        if token.kind in ("space", "comment"):
            if last and last not in _TIGHT + " ":
                out.append(" ")
        elif token.kind == "other" and token.text in _TIGHT:
            while out and out[-1] in (" ", ";") and (out[-1] == " " or token.text == "}"):
                out.pop()
            out.append(token.text)
        else:
            out.append(token.text)
    return "".join(out).strip()
