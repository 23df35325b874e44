"""initContentHandler early, before the callback returns (Apps Integration API, Client-side events, rules 1 and 2)."""

from awning.check.rule import Rule, page_of, seen
from awning.diagnostics import Severity

RULE = Rule(
    id="init-early",
    title="initContentHandler is called after the callback has returned",
    severity=Severity.ERROR,
    documentation=page_of("init-early"),
    hint="call it first, before anything is awaited; setContent may come later",
    check=seen("init-early"),
)
