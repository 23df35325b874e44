"""document.write: after loading it replaces the whole page; before, it stops the parser."""

from collections.abc import Iterator

from awning.check.rule import Finding, Inspected, Rule, page_of, seen
from awning.check.rules.syntax import calls, merged
from awning.diagnostics import Severity

MESSAGE = "document.write replaces or blocks the page"


def _written(file: Inspected) -> Iterator[Finding]:
    for name, _, node in calls(file, rb"write"):
        if name in {"document.write", "document.writeln"}:
            yield Finding(offset=node.start, message=MESSAGE)


def _check(file: Inspected) -> Iterator[Finding]:
    return merged(iter(seen("document-write")(file)), _written(file))


RULE = Rule(
    id="document-write",
    title="document.write replaces or blocks the page",
    severity=Severity.ERROR,
    documentation=page_of("document-write"),
    hint="give the HTML to setContent, or make elements",
    check=_check,
)
