"""Manipulating HTML before there is any (Apps Integration API, Code snippet)."""

from collections.abc import Iterator

from awning.check.rule import Finding, Inspected, Rule, page_of
from awning.diagnostics import Severity


def _check(file: Inspected) -> Iterator[Finding]:
    for one in file.explored.observations:
        if one.rule == "early-dom":
            severity = Severity.WARNING if one.doubtful else None
            yield Finding(offset=one.offset, message=one.message, severity=severity)


RULE = Rule(
    id="early-dom",
    title="A head script uses elements of the body before there is a body",
    severity=Severity.ERROR,
    documentation=page_of("early-dom"),
    hint='wait for the document: document.addEventListener("DOMContentLoaded", () => { ... })',
    check=_check,
)
