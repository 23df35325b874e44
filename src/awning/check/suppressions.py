"""`awning-ignore RULE: reason` in a comment: the finding on that line, or on the next, is wanted.

Works in any file that has comments. A reason is asked for, because the next reader will.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from awning.diagnostics import Diagnostic, Place, Severity, did_you_mean
from awning.rule_pages import rule_ids

_WORD = "awning-ignore"
_COMMENT = re.compile(
    r"(?P<before>.*?)(?://|/\*|<!--|\{#|#)[\s*]*awning-ignore\s*"
    r"(?P<rules>[\w-]+(?:\s*,\s*[\w-]+)*)?\s*(?::\s*(?P<reason>.*?))?\s*(?:\*/|-->|#\}|$)"
)
_HINT = "// awning-ignore init-once: why it is right here"


@dataclass(frozen=True, slots=True)
class _Comment:
    """`lines` are those it speaks of. Without rules and a reason it silences nothing."""

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
            yield _Comment(number, len(before) + 1, tuple(one.strip() for one in named), lines, line)


def ignored_lines(text: str) -> dict[int, set[str]]:
    """Line -> the rules that are not to be reported on it. Without a reason nothing is ignored."""
    lines: dict[int, set[str]] = {}
    for comment in _comments(text):
        for line in comment.lines:
            lines.setdefault(line, set()).update(comment.rules)
    return lines


def without_ignored(found: Iterable[Diagnostic], read: Callable[[str], str]) -> list[Diagnostic]:
    """`read` gives the text of a finding's path."""
    lines_of = lru_cache(maxsize=None)(lambda path: ignored_lines(read(path)))
    return [
        one
        for one in found
        if one.place is None or one.rule not in lines_of(one.place.path).get(one.place.line, ())
    ]


def written_badly(
    path: str, text: str, found: Sequence[Diagnostic], looked_for: Collection[str]
) -> list[Diagnostic]:
    """Comments that silence nothing. `found` is what is wrong in the file by the rules `looked_for`."""
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
        for message, hint, severity in _faults(comment, found, looked_for)
    ]


def _faults(
    comment: _Comment, found: Sequence[Diagnostic], looked_for: Collection[str]
) -> Iterator[tuple[str, str, Severity]]:
    if not comment.rules:
        message = "awning-ignore needs a rule and a reason; this one ignores nothing"
        yield message, _HINT, Severity.WARNING
    for rule in comment.rules:
        if rule not in rule_ids():
            hint = did_you_mean(rule, sorted(rule_ids())) or "`awning explain` lists all rules"
            yield f'no rule is called "{rule}": nothing is ignored', hint, Severity.WARNING
        elif rule in looked_for and not any(
            one.rule == rule and one.place and one.place.line in comment.lines for one in found
        ):
            yield f"nothing breaks {rule} here: this ignores nothing", "take it out", Severity.NOTE
