"""Applies fixes. Before a fix is written, the fixed script is parsed and checked again."""

from collections.abc import Iterator

from awning.check.files import Checked, Edit, check_text
from awning.contract import Dialect


def apply_fixes(path: str, text: str, dialect: Dialect) -> tuple[str, int]:
    """Return the text with all fixes that pass the second check, and their number."""
    count = 0
    checked = check_text(path, text, dialect)
    waits = True
    while waits:
        waits, begin = False, len(text.encode())
        for edit in sorted(checked.edits, key=lambda item: -item.start):
            if edit.end > begin:
                # It holds the text of one that is made. The next round has its new text.
                waits = True
                continue
            changed = edit.apply(text)
            again = check_text(path, changed, dialect)
            if _is_improvement(checked, again, edit):
                text, checked, count, begin = changed, again, count + 1, edit.start
    return text, count


def safe_fixes(path: str, text: str, dialect: Dialect) -> Iterator[Edit]:
    """Yield each fix that passes the second check by itself, for editors, whose users apply one at a time."""
    checked = check_text(path, text, dialect)
    for edit in checked.edits:
        if _is_improvement(checked, check_text(path, edit.apply(text), dialect), edit):
            yield edit


def _is_improvement(before: Checked, after: Checked, edit: Edit) -> bool:
    """Return whether a fix removes a diagnostic of its rule and adds none of any other rule.

    A fix that breaks the script adds a diagnostic.
    """
    rules = {diagnostic.rule for diagnostic in (*before.diagnostics, *after.diagnostics)}
    counts = {rule: _count(after, rule) - _count(before, rule) for rule in rules}
    return counts[edit.rule] < 0 and all(difference <= 0 for difference in counts.values())


def _count(checked: Checked, rule: str) -> int:
    return sum(diagnostic.rule == rule for diagnostic in checked.diagnostics)
