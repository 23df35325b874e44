"""`awning-ignore RULE: reason` in a comment: the finding on that line, or on the next, is wanted.

Works in any file that has comments. A reason is asked for, because the next reader will.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache

from awning.diagnostics import Diagnostic, Place, Severity

_WORD = "awning-ignore"
_COMMENT = re.compile(
    r"(?P<before>.*?)(?://|/\*|<!--|\{#|#)[\s*]*awning-ignore\s*"
    r"(?P<rules>[\w-]+(?:\s*,\s*[\w-]+)*)?\s*(?::\s*(?P<reason>.*?))?\s*(?:\*/|-->|#\}|$)"
)


def _comments(text: str) -> Iterator[tuple[int, re.Match[str]]]:
    if _WORD not in text:
        return
    for number, line in enumerate(text.split("\n"), 1):
        if _WORD in line and (match := _COMMENT.match(line)):
            yield number, match


def ignored_lines(text: str) -> dict[int, set[str]]:
    """Line -> the rules that are not to be reported on it. Without a reason nothing is ignored."""
    lines: dict[int, set[str]] = {}
    for number, match in _comments(text):
        if match["rules"] and match["reason"]:
            rules = {rule.strip() for rule in match["rules"].split(",")}
            for line in (number,) if match["before"].strip() else (number, number + 1):
                lines.setdefault(line, set()).update(rules)
    return lines


def without_ignored(found: Iterable[Diagnostic], read: Callable[[str], str]) -> list[Diagnostic]:
    """`read` gives the text of a finding's path."""
    lines_of = lru_cache(maxsize=None)(lambda path: ignored_lines(read(path)))
    return [
        one
        for one in found
        if one.place is None or one.rule not in lines_of(one.place.path).get(one.place.line, ())
    ]


def written_badly(path: str, text: str, _rules: Collection[str] = ()) -> list[Diagnostic]:
    """A comment that names no rule or gives no reason ignores nothing."""
    return [
        Diagnostic(
            rule="bad-suppression",
            message="awning-ignore needs a rule and a reason; this one ignores nothing",
            place=Place(path=path, line=number, column=len(match["before"]) + 1),
            hint="// awning-ignore init-once: why it is right here",
            severity=Severity.WARNING,
            excerpt=text.split("\n")[number - 1],
        )
        for number, match in _comments(text)
        if not (match["rules"] and match["reason"])
    ]
