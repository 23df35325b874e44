"""What went wrong on a page, whatever a test asserts: broken rules, exceptions, errors of the console.

A request to another host without a response, and a rejected promise that nobody handles, are errors of the console.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

import pytest

EXAMPLE = '@pytest.mark.allow_problems("no luck", reason="the widget must survive it")'
HINT = f"where a test means it: {EXAMPLE}"


class ProblemKind(StrEnum):
    """The kinds of problems, the most telling first. An exception that leaves a callback is of the last three kinds."""

    STUCK = "the page cannot be looked at"
    RULE = "the widget breaks the rules of the service"
    EXCEPTION = "an exception left the widget"
    CONSOLE = "the console has errors"


@dataclass(frozen=True, slots=True)
class PageProblem:
    """One problem. `text` is the rule and its event, or the message."""

    kind: ProblemKind
    text: str


def describe_first(problems: Iterable[PageProblem]) -> str | None:
    """Return a sentence with the problems of the most telling kind; None without problems."""
    texts: dict[ProblemKind, list[str]] = {}
    for problem in problems:
        texts.setdefault(problem.kind, []).append(problem.text)
    return next((f"{kind}: {'; '.join(texts[kind])}" for kind in ProblemKind if kind in texts), None)


def require_none(problems: Iterable[PageProblem], test: pytest.Item) -> None:
    """Fail the test if it has problems that none of its markers allows."""
    allowed = tuple(_allowed_parts(test))
    remaining = [problem for problem in problems if not any(part in problem.text for part in allowed)]
    if sentence := describe_first(remaining):
        pytest.fail(f"{sentence}\nhint: {HINT}", pytrace=False)


def _allowed_parts(test: pytest.Item) -> Iterator[str]:
    """Yield the arguments of the test's markers `allow_problems`. One without a reason fails the test."""
    for marker in test.iter_markers("allow_problems"):
        if not marker.args or not str(marker.kwargs.get("reason", "")).strip():
            pytest.fail(f"allow_problems needs a part of the text and a reason: {EXAMPLE}", pytrace=False)
        yield from map(str, marker.args)
