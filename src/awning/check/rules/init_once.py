"""initContentHandler at most once for one event (Apps Integration API, Client-side events, rule 1)."""

from awning.check.rule import Rule, page_of, seen
from awning.diagnostics import Severity

RULE = Rule(
    id="init-once",
    title="initContentHandler is called more than once for one event",
    severity=Severity.ERROR,
    documentation=page_of("init-once"),
    hint="call it once, keep what it returns, and call setContent on that as often as you like",
    check=seen("init-once"),
)
