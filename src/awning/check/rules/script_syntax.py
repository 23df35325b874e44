"""A script that cannot be read: what comes after the mistake may not have been looked at."""

from collections.abc import Iterator

from awning.check.rule import Finding, Inspected, Rule, page_of
from awning.diagnostics import Severity


def _check(file: Inspected) -> Iterator[Finding]:
    if "script" in file.__dict__ and file.script.broken is not None:
        message = "not valid JavaScript or TypeScript here: rules may not see what follows"
        yield Finding(offset=file.script.broken, message=message)


RULE = Rule(
    id="script-syntax",
    title="A script cannot be read",
    severity=Severity.WARNING,
    documentation=page_of("script-syntax"),
    hint="the mistake is here or just before",
    check=_check,
)
