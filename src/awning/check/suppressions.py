"""Suppressions: a comment `awning-ignore RULE: reason` silences a rule on its line.

If nothing is before the comment on its line, the rule is silenced on the next line, too. In the first line, it also
silences a diagnostic about the whole file, which has no line. This works in any file with comments. A reason is
required, for later readers.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from awning.diagnostics import Diagnostic, Place, Severity, did_you_mean
from awning.rules import rule_ids

_WORD = "awning-ignore"
_COMMENT = re.compile(
    r"(?P<before>.*?)(?://|/\*|<!--|\{#|#)[\s*]*awning-ignore\s*"
    r"(?P<rules>[\w-]+(?:\s*,\s*[\w-]+)*)?\s*(?::\s*(?P<reason>.*?))?\s*(?:\*/|-->|#\}|$)"
)
_HINT = "// awning-ignore init-once: why it is right here"


@dataclass(frozen=True, slots=True)
class _Comment:
    """One suppression comment.

    `lines` are the lines that it covers; 0 stands for the whole file. A comment without rules or without a
    reason silences nothing.
    """

    line: int
    column: int
    rules: tuple[str, ...]
    lines: tuple[int, ...]
    excerpt: str


def _comments(text: str) -> Iterator[_Comment]:
    if _WORD not in text:
        return
    for number, line in enumerate(text.split("\n"), 1):
        if _WORD in line and (match := _COMMENT.match(line)):
            named = match["rules"].split(",") if match["rules"] and match["reason"] else ()
            before = match["before"]
            lines = (number,) if before.strip() else (number, number + 1)
            if number == 1:
                lines = (0, *lines)
            yield _Comment(number, len(before) + 1, tuple(name.strip() for name in named), lines, line)


def find_ignored_lines(text: str) -> dict[int, set[str]]:
    """Return the suppressed rules of each line that has any."""
    lines: dict[int, set[str]] = {}
    for comment in _comments(text):
        for line in comment.lines:
            lines.setdefault(line, set()).update(comment.rules)
    return lines


def remove_ignored(diagnostics: Iterable[Diagnostic], read: Callable[[str], str]) -> list[Diagnostic]:
    """Return the diagnostics that are not suppressed. `read` returns the text of a path."""
    lines_of = lru_cache(maxsize=None)(lambda path: find_ignored_lines(read(path)))
    return [
        diagnostic
        for diagnostic in diagnostics
        if diagnostic.place is None
        or diagnostic.rule not in lines_of(diagnostic.place.path).get(diagnostic.place.line, ())
    ]


def faulty_comments(
    path: str, text: str, diagnostics: Sequence[Diagnostic], looked_for: Collection[str]
) -> list[Diagnostic]:
    """Return a diagnostic for each rule that a comment names without effect.

    A comment that lacks a rule, a reason or both has one diagnostic. `diagnostics` are all diagnostics of the file by
    the rules in `looked_for`. Of a rule that is not in `looked_for`, only the name is checked.
    """
    return [
        Diagnostic(
            rule="bad-suppression",
            message=message,
            place=Place(path=path, line=comment.line, column=comment.column),
            hint=hint,
            severity=severity,
            excerpt=comment.excerpt,
        )
        for comment in _comments(text)
        for message, hint, severity in _faults(comment, diagnostics, looked_for)
    ]


def _faults(
    comment: _Comment, diagnostics: Sequence[Diagnostic], looked_for: Collection[str]
) -> Iterator[tuple[str, str, Severity]]:
    if not comment.rules:
        message = "awning-ignore needs a rule and a reason; this one ignores nothing"
        yield message, _HINT, Severity.WARNING
    for rule in comment.rules:
        if rule not in rule_ids():
            hint = did_you_mean(rule, sorted(rule_ids())) or "`awning explain` lists all rules"
            yield f'no rule is called "{rule}": nothing is ignored', hint, Severity.WARNING
        elif rule in looked_for and not any(
            diagnostic.rule == rule and diagnostic.place and diagnostic.place.line in comment.lines
            for diagnostic in diagnostics
        ):
            yield f"nothing breaks {rule} here: this comment has no effect", "remove it", Severity.NOTE
