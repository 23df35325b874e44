"""Reports, as a note, which part of a script was not checked, because the budget was spent or the file is too large."""

from collections.abc import Iterator

from awning.check.rule import Finding, Inspected, Rule, page_of
from awning.diagnostics import Severity
from awning.script.file import MOST_BYTES


def _check(file: Inspected) -> Iterator[Finding]:
    if file.source.is_too_large:
        yield Finding(
            offset=0, message=f"not checked: the scripts of a file of more than {MOST_BYTES:,} bytes"
        )
    left_out = file.explored.left_out
    if left_out:
        offset = max(left_out.values())
        yield Finding(offset=offset, message=f"not checked: {'; '.join(left_out)}")


RULE = Rule(
    id="script-budget",
    title="Part of a script was not checked",
    severity=Severity.NOTE,
    documentation=page_of("script-budget"),
    hint="that part may break an event rule: move the code that calls svcPlugins to a file of its own",
    check=_check,
)
