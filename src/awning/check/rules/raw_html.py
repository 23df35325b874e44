"""Payload in HTML without escaping: nothing is escaped on the way into the page (observed)."""

from awning.check.rule import Rule, page_of, seen
from awning.diagnostics import Severity

RULE = Rule(
    id="raw-html",
    title="A value of the payload is inserted as HTML without escaping",
    severity=Severity.ERROR,
    documentation=page_of("raw-html"),
    hint="escape &, <, >, \" and ' in it, or set it as textContent of an element",
    check=seen("raw-html"),
)
