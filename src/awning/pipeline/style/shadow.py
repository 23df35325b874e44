"""The style of a widget with a shadow root, in two parts: rules for the document, and rules for the shadow root.

Chromium, Firefox and Safari ignore `@font-face`, `@property` and other at-rules for fonts in a shadow root. Those rules
go into the document, for the whole page. The names that they define (a font, a custom property) work inside.

The rules for the shadow root are a string in the script, so they are written without comments and needless blanks.
"""

import re
from collections.abc import Iterator

from awning.diagnostics import Diagnostic
from awning.pipeline.style.css import CONDITIONS, Components, Rule, joined, parse, rules, split, style_error

_OF_THE_DOCUMENT = ("@font-face", "@property", "@font-feature-values", "@font-palette-values")
_TIGHT = "{};,"
_JOINING = re.compile(r"[-+\w\\%#@./\x80-\U0010ffff][-\w\\%.(*\x80-\U0010ffff]")
"""Matches two characters between which a comment may part two tokens: `1px/**/2px`."""
_OF_ANOTHER_HOST = re.compile(r"(?:https?:)?//|data:", re.IGNORECASE)
"""Matches the address of an `@import` from another host or of a `data:` URL. The bundler leaves it in the style."""


def document_rules(css: str) -> str:
    """Return the rules for the document, with the `@media` around them. The rules keep their line numbers."""
    return "".join(_part(rule, of_document=True) for rule in rules(css))


def shadow_rules(css: str) -> str:
    """Return the rules for the shadow root: all rules except those for the document."""
    return "".join(_part(rule, of_document=False) for rule in rules(css))


def _part(rule: Rule, *, of_document: bool) -> str:
    if rule.at in CONDITIONS and rule.block and _holds_both(rule):
        inner = "".join(_part(child, of_document=of_document) for child in split(rule.block.inside))
        if inner.strip() or (rule.at == "@layer" and not of_document):
            return f"{joined(rule.prelude)}{{{inner}}}"
    elif _is_of_document(rule) is of_document:
        return rule.ended
    return rule.lines


def _holds_both(rule: Rule) -> bool:
    """Return whether a rule such as `@media` contains a rule for the document. If not, it need not be split."""
    return any(
        _is_of_document(child) or (child.at in CONDITIONS and child.block and _holds_both(child))
        for child in split(rule.block.inside if rule.block else ())
    )


def _is_of_document(rule: Rule) -> bool:
    return rule.at in _OF_THE_DOCUMENT


def import_findings(path: str, css: str) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each `@import` of a file, which would not be in the snippet.

    An import from another host stays in the snippet, and browsers follow it, as in a scoped style.
    """
    for rule in rules(css):
        if rule.at == "@import" and not _OF_ANOTHER_HOST.match(rule.imported):
            message = "the style of a shadow root cannot import a file"
            hint = 'copy its rules into this file, or remove isolation = "shadow" from widget.toml'
            yield style_error(path, rule.words[0], message, hint)


def compact(css: str) -> str:
    """Return the same rules in fewer bytes. Blanks stay where they can have a meaning (`a :hover`, `1px + 2px`)."""
    out: list[str] = []
    parted = False
    for text in _texts(parse(css)):
        last = out[-1][-1:] if out else ""
        if text.startswith("/*"):
            parted = True
            continue
        if parted and _JOINING.fullmatch(last + text[:1]):
            out.append("/**/")
        parted = False
        if not text:
            if last and last not in _TIGHT + " ":
                out.append(" ")
        elif text in _TIGHT:
            while out and out[-1] in (" ", ";") and (out[-1] == " " or text == "}"):
                out.pop()
            out.append(text)
        else:
            out.append(text)
    return "".join(out).strip()


def _texts(parts: Components) -> Iterator[str]:
    """Yield the texts of the tokens and comments; an empty text for white space."""
    for part in parts:
        if part.inside:
            yield part.opening
            yield from _texts(part.inside)
            yield part.closing
        elif part.is_block() and not part.is_too_deep:
            yield from part.text
        else:
            yield "" if part.kind == "whitespace" else part.text
