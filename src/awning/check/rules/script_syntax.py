"""A script that cannot be read: no page runs any of it, and what comes after the mistake is not looked at."""

from collections.abc import Iterator

from awning.check.rule import Finding, Inspected, Rule, page_of
from awning.check.script.syntax import unread
from awning.diagnostics import Severity

VALID = "valid, but the rules cannot read it from here on: they may not see what follows"


def _check(file: Inspected) -> Iterator[Finding]:
    found = unread(file.source) if file.source.code.strip() else None
    if found is None:
        return
    if found.valid:
        yield Finding(offset=found.offset, message=VALID, severity=Severity.NOTE)
    else:
        yield Finding(offset=found.offset, message=found.message)


RULE = Rule(
    id="script-syntax",
    title="A script cannot be read",
    severity=Severity.ERROR,
    documentation=page_of("script-syntax"),
    hint="the mistake is here or just before",
    check=_check,
)
