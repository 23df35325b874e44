"""Fixes that are certain: made, parsed again, checked again, and only then written."""

from awning.check.files import Checked, Edit, check_text
from awning.contract import Dialect


def fixed(path: str, text: str, dialect: Dialect) -> tuple[str, int]:
    """The text with every fix that holds, and how many there are."""
    count = 0
    checked = check_text(path, text, dialect)
    for edit in sorted(checked.edits, key=lambda one: -one.start):
        changed = _changed(text, edit)
        again = check_text(path, changed, dialect)
        if _better(checked, again, edit):
            text, checked, count = changed, again, count + 1
    return text, count


def _changed(text: str, edit: Edit) -> str:
    content = text.encode()
    return (content[: edit.start] + edit.text.encode() + content[edit.end :]).decode()


def _better(before: Checked, after: Checked, edit: Edit) -> bool:
    """One finding of the rule less, and none more of any other: a fix that breaks the script is seen here too."""
    rules = {one.rule for one in (*before.diagnostics, *after.diagnostics)}
    counts = {rule: _count(after, rule) - _count(before, rule) for rule in rules}
    return counts[edit.rule] < 0 and all(difference <= 0 for difference in counts.values())


def _count(checked: Checked, rule: str) -> int:
    return sum(one.rule == rule for one in checked.diagnostics)
