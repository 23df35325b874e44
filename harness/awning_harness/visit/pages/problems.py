"""What went wrong on a page, whatever a test asserts: broken rules, exceptions, errors of the console.

A request to another host without a response, and a rejected promise that nobody handles, are errors of the console.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import Any, TypedDict

import pytest

from awning_harness.storefront.scenarios import NEIGHBOUR_FAILURE
from awning_harness.visit.pages.causes import LEAKED, UNCAUGHT, Cause, fail_because, problem_cause
from awning_harness.visit.pages.stacks import headline_of, stack_of

EXAMPLE = '@pytest.mark.allow_problems("a part of the text", reason="why the widget must stay")'
HINT = f"where a test of yours means it: {EXAMPLE}"


class TraceEntry(TypedDict):
    """One entry of `awningEmulator.trace()`."""

    t: float
    kind: str
    event: str
    subscriber: int | None
    position: int | None
    detail: Any
    variant: str | None


class ProblemKind(StrEnum):
    """The kinds of problems, the most telling first.

    An exception that leaves a callback is reported three times: as RULE, EXCEPTION and CONSOLE.
    """

    STUCK = "the page cannot be looked at"
    RULE = "the widget breaks the rules of the service"
    EXCEPTION = "an exception left the widget"
    CONSOLE = "the console has errors"
    GLOBAL = "the widget leaves globals on the page"


@dataclass(frozen=True, slots=True)
class PageProblem:
    """One problem. `text` is the rule and its event, the message with the stack, or the names of leaked globals."""

    kind: ProblemKind
    text: str

    @property
    def headline(self) -> str:
        """The text without the stack."""
        return headline_of(self.text)

    @property
    def stack(self) -> str:
        return stack_of(self.text)

    @property
    def cause(self) -> str:
        """The text of the problem's cause. It is equal for a leaked global and for the rule that it breaks.

        No names are known of a global that is deleted before the page is looked at.
        """
        if self.kind is ProblemKind.GLOBAL:
            return f"{LEAKED} {self.text}"
        rule, _, names = self.text.partition("): ")
        is_leak = self.kind is ProblemKind.RULE and rule.startswith(LEAKED)
        return f"{LEAKED} {names}".rstrip() if is_leak else self.text


def own_entries(trace: Sequence[TraceEntry], kind: str) -> list[TraceEntry]:
    """Return the entries of a kind, without those of the app that throws in the theme `crowded`."""
    throwing = {entry["subscriber"] for entry in trace if NEIGHBOUR_FAILURE in str(entry["detail"])}
    return [entry for entry in trace if entry["kind"] == kind and entry["subscriber"] not in throwing]


def page_problems(
    trace: Sequence[TraceEntry], errors: Iterable[str], leaked_globals: Sequence[str]
) -> list[PageProblem]:
    """Return the broken rules and the exceptions of a trace, the errors of the console, and the leaked globals."""
    violations, exceptions = (own_entries(trace, kind) for kind in ("violation", "exception"))
    return problems_of(
        violations=[f"{entry['detail']} ({entry['event']})" for entry in violations],
        exceptions=[str(entry["detail"]) for entry in exceptions],
        errors=errors,
        leaked_globals=leaked_globals,
    )


def problems_of(
    *,
    violations: Iterable[str],
    exceptions: Iterable[str],
    errors: Iterable[str],
    leaked_globals: Sequence[str],
) -> list[PageProblem]:
    """Return problems of all kinds but STUCK. A violation is the rule with its event: `init-once (svc-…)`.

    `leaked_globals` are their names, each perhaps with a place in the author's files.
    The text of an exception has the stack of the same error of the console, if there is one.
    """
    stacks = stacks_by_error(errors := tuple(errors))
    names = f": {', '.join(leaked_globals)}" if leaked_globals else ""

    def with_names(violation: str) -> str:
        return violation + names if violation.startswith(f"{LEAKED} ") else violation

    return [
        *(PageProblem(ProblemKind.RULE, with_names(violation)) for violation in violations),
        *(PageProblem(ProblemKind.EXCEPTION, with_known_stack(text, stacks)) for text in exceptions),
        *(PageProblem(ProblemKind.CONSOLE, text) for text in errors),
        *([PageProblem(ProblemKind.GLOBAL, ", ".join(leaked_globals))] if leaked_globals else ()),
    ]


def describe_first(problems: Iterable[PageProblem]) -> str | None:
    """Return a sentence with the problems of the most telling kind; None without problems.

    Below it is the stack of the first problem that has one, exceptions before the others.
    """
    by_kind: dict[ProblemKind, list[PageProblem]] = {}
    for problem in problems:
        by_kind.setdefault(problem.kind, []).append(problem)
    kind = next((kind for kind in ProblemKind if kind in by_kind), None)
    if kind is None:
        return None
    sentence = f"{kind}: {'; '.join(problem.headline for problem in by_kind[kind])}"
    in_order = sorted(chain.from_iterable(by_kind.values()), key=_cause_rank)
    cause = next((problem for problem in in_order if problem.stack), None)
    if cause is None:
        return sentence
    headline = () if cause.headline in sentence else (f"  {cause.headline}",)
    return "\n".join([sentence, *headline, cause.stack])


def stacks_by_error(errors: Iterable[str]) -> dict[str, str]:
    """Return the stacks of errors of the console, by the text of the exception."""
    return {UNCAUGHT.sub("", headline_of(text)): stack for text in errors if (stack := stack_of(text))}


def with_known_stack(text: str, stacks: Mapping[str, str]) -> str:
    """Return an exception's text with its stack, if there is one."""
    stack = stacks.get(headline_of(text)) if not stack_of(text) else None
    return f"{text}\n{stack}" if stack else text


def _cause_rank(problem: PageProblem) -> int:
    return [ProblemKind.STUCK, ProblemKind.EXCEPTION, *ProblemKind].index(problem.kind)


def cause_of(problems: Iterable[PageProblem]) -> Cause:
    """Return the cause of a test that fails because of these problems. An exception tells more than the broken rule."""
    return problem_cause(problem.cause for problem in sorted(problems, key=_cause_rank))


def require_none(problems: Iterable[PageProblem], test: pytest.Item) -> None:
    """Fail the test if it has problems that none of its markers allows."""
    allowed = tuple(_allowed_parts(test))
    remaining = [problem for problem in problems if not any(part in problem.text for part in allowed)]
    if sentence := describe_first(remaining):
        is_own = test.path.suffix == ".py"  # the source of a generated check cannot get a marker
        fail_because(f"{sentence}\nhint: {HINT}" if is_own else sentence, cause_of(remaining))


def _allowed_parts(test: pytest.Item) -> Iterator[str]:
    """Yield the arguments of the test's markers `allow_problems`. A marker without a reason fails the test."""
    for marker in test.iter_markers("allow_problems"):
        if not marker.args or not str(marker.kwargs.get("reason", "")).strip():
            pytest.fail(f"allow_problems needs a part of the text and a reason: {EXAMPLE}", pytrace=False)
        yield from map(str, marker.args)
