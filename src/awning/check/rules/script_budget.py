"""Reports, as a note, which part of a script was not checked, because the budget was spent or the file is too large."""

from collections.abc import Iterator

from awning.check.rule import Finding, Inspected, ScriptRule
from awning.script.file import MOST_BYTES

OTHER_RULES = "that part may insert a value without escaping it: move a part of the code to a file of its own"
"""The hint in a file that does not name the service's global object, so that it can hardly break an event rule."""


def _check(file: Inspected) -> Iterator[Finding]:
    if file.source.is_too_large:
        yield Finding(
            offset=0, message=f"not checked: the scripts of a file of more than {MOST_BYTES:,} bytes"
        )
    left_out = file.behaviour.left_out
    if left_out:
        offset = max(left_out.values())
        calls_service = file.source.dialect.global_object in file.source.text
        message, hint = f"not checked: {'; '.join(left_out)}", None if calls_service else OTHER_RULES
        yield Finding(offset=offset, message=message, hint=hint)


SCRIPT_BUDGET = ScriptRule(
    id="script-budget",
    hint="that part may break an event rule: move the code that calls svcPlugins to a file of its own",
    check=_check,
)
