"""Divides the style of a widget with a shadow root: what the browser reads in the document alone, and the rest.

Chromium, Firefox and Safari ignore `@font-face` and `@property` in a shadow root, and so what refines a font: these
rules hold for the whole page, and are inserted there. What they name (a font, a custom property) works inside.
"""

from awning.pipeline.style.rules import Rule, joined, rules, split

_OF_THE_DOCUMENT = ("@font-face", "@property", "@font-feature-values", "@font-palette-values")
_CONDITIONS = ("@media", "@supports", "@layer")


def document_rules(css: str) -> str:
    """The rules that must stand in the document, conditions around them included. Lines stay where they are."""
    return "".join(_kept(rule, of_document=True) for rule in rules(css))


def shadow_rules(css: str) -> str:
    """All other rules."""
    return "".join(_kept(rule, of_document=False) for rule in rules(css))


def _kept(rule: Rule, *, of_document: bool) -> str:
    if rule.at in _CONDITIONS and rule.block and _holds_both(rule):
        inner = "".join(_kept(child, of_document=of_document) for child in split(rule.inside))
        if inner.strip():
            return f"{joined(rule.prelude)}{{{inner}}}"
    elif _is_of_document(rule) is of_document:
        return rule.text
    return "\n" * rule.text.count("\n")


def _holds_both(rule: Rule) -> bool:
    """Whether the condition has a rule of the document in it: else it stays in one piece."""
    return any(
        _is_of_document(child) or (child.at in _CONDITIONS and child.block and _holds_both(child))
        for child in split(rule.inside)
    )


def _is_of_document(rule: Rule) -> bool:
    return rule.at in _OF_THE_DOCUMENT
