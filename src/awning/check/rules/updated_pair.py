"""Of a pair of events, initContentHandler only in the base event (Apps Integration API, Client-side events, rule 1)."""

from awning.check.rule import Rule, page_of, seen
from awning.diagnostics import Severity

RULE = Rule(
    id="updated-pair",
    title="initContentHandler is called in the callback of an -updated event",
    severity=Severity.ERROR,
    documentation=page_of("updated-pair"),
    hint="keep the contentHandler of the base event and call its setContent in the -updated callback",
    check=seen("updated-pair"),
)
