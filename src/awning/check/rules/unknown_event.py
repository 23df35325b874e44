"""A subscription to an event that is not one of the five (Apps Integration API, Event kinds): it is never called."""

from collections.abc import Iterable
from dataclasses import replace

from awning.check.rule import Finding, Inspected, Rule, page_of, seen
from awning.contract import event_names
from awning.diagnostics import Severity, did_you_mean

LONGEST_NAME = 80
"""Characters of a name that is compared with the known ones."""


def _check(file: Inspected) -> Iterable[Finding]:
    known = event_names(file.source.dialect)
    for one in seen("unknown-event")(file):
        name = one.message.split('"')[1]
        yield replace(one, message=f"{one.message}: {_instead(name[:LONGEST_NAME], known)}")


def _instead(name: str, known: Iterable[str]) -> str:
    base = name.removesuffix("-updated")
    if base in known:
        return f"{base} has no updates"
    return did_you_mean(name, known) or f"there are {', '.join(known)}"


RULE = Rule(
    id="unknown-event",
    title="A subscription to an event that the storefront does not fire",
    severity=Severity.WARNING,
    documentation=page_of("unknown-event"),
    hint="the names are in the specification, Event kinds; a profile's dialect may change their beginning",
    check=_check,
)
