"""Shrinks a finding: removes parts of template and context as long as the two engines disagree."""

import json
import re
from collections.abc import Iterator
from typing import Any

from differential import Finding, Totals, compare, stricter
from parity import JavaScript

TOKENS = re.compile(r"\{%.*?%\}|\{\{|\}\}|\w+|\s+|.", re.DOTALL)
AT_ONCE = 24


def shrunk(javascript: JavaScript, finding: Finding) -> Finding:
    """Return a small finding of the same kind. Pieces of the template are removed, then pieces of the context."""
    size = len(TOKENS.findall(finding.template)) // 2
    while size:
        finding = without(javascript, finding, size)
        size //= 2
    while True:
        smaller = still(
            javascript, finding, [(finding.template, context) for context in contexts(finding.context)]
        )
        if smaller is None:
            return finding
        finding = smaller


def without(javascript: JavaScript, finding: Finding, size: int) -> Finding:
    at = 0
    while at < len(pieces := TOKENS.findall(finding.template)):
        cuts = range(at, min(at + AT_ONCE * max(1, size // 2), len(pieces)), max(1, size // 2))
        tried = [("".join(pieces[:cut] + pieces[cut + size :]), finding.context) for cut in cuts]
        smaller = still(javascript, finding, tried)
        if smaller is None:
            at = cuts[-1] + 1
        else:
            finding = smaller
    return finding


def still(javascript: JavaScript, finding: Finding, tried: list[tuple[str, Any]]) -> Finding | None:
    """Return the shortest of the candidates on which the engines disagree in the same way; None when there is none."""
    findings = compare(javascript, [(template, [context]) for template, context in tried], Totals())
    same = [candidate for candidate in findings if sort(candidate) == sort(finding)]
    return min(
        same, key=lambda candidate: len(candidate.template) + len(json.dumps(candidate.context)), default=None
    )


def sort(finding: Finding) -> tuple[bool, bool, bool]:
    return finding.actual.text is None, finding.expected.text is None, stricter(finding.actual) is not None


def contexts(context: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for name, value in context.items():
        yield {key: value for key, value in context.items() if key != name}
        if isinstance(value, list):
            yield from (replaced(context, name, value[:at] + value[at + 1 :]) for at in range(len(value)))
        elif isinstance(value, dict):
            yield from (
                replaced(context, name, {k: v for k, v in value.items() if k != key}) for key in value
            )
        elif isinstance(value, str) and len(value) > 1:
            yield from (replaced(context, name, part) for part in (value[1:], value[:-1]))


def replaced(context: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
    return {**context, name: value}
