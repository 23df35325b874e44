"""Groups the failures of a run by their causes, because one defect of a widget fails many checks.

No failure is dropped: each is the first of a group, or one of its others.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace

from awning.contract.checks import simplicity
from awning_harness.run_report.failures import PLAIN_PAGE, FailedTest
from awning_harness.visit.pages.causes import CauseKind

KINDS = (CauseKind.PROBLEM, CauseKind.BLOCK, CauseKind.LAYOUT, CauseKind.VALUE, CauseKind.OTHER, None)
"""The kinds of causes, of which an earlier one may explain a failure with a later one. None is without a cause.

The groups themselves are in the order of the simplest page on which each fails; comparisons with snapshots are last.
"""
MOST_SITUATIONS = 4
"""The most situations in the line of a check. The short summary names every test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureGroup:
    """The failures of one widget that have one cause."""

    first: FailedTest
    """Of the check with the simplest page, the failure in the first situation."""
    same: tuple[FailedTest, ...] = ()
    """Failures with an equal cause. For VALUE and OTHER, texts and numbers of the messages may differ."""
    after: tuple[FailedTest, ...] = ()
    """Failures with another cause, which this group's cause may also explain (`_explains`)."""

    @property
    def has_several_messages(self) -> bool:
        """Whether the messages differ in a text or a number, so that the defects may differ too."""
        cause = self.first.cause
        may_differ = cause is not None and cause.kind in (CauseKind.VALUE, CauseKind.OTHER)
        return may_differ and any(failure.sentence != self.first.sentence for failure in self.same)

    def replayed(self, tests: Container[str]) -> FailedTest | None:
        """Return the first failure with this cause whose visit was played again. `tests` are all such tests.

        A process plays only one of those with the same cause again.
        """
        return next((failure for failure in (self.first, *self.same) if failure.test in tests), None)

    def lines(self) -> list[str]:
        """Return the lines about the other failures, below the first one. Empty without others."""
        same = _lines_of(self.same, say_why=self.has_several_messages)
        lines = [f"and {self.same_heading()}:", *same] if self.same else []
        return lines + (
            [f"and {self.after_heading()}:", *_lines_of(self.after, say_why=True)] if self.after else []
        )

    def same_heading(self) -> str:
        reason = "with a message of the same kind" if self.has_several_messages else "for the same reason"
        return f"{_tests(self.same)} {reason}"

    def after_heading(self) -> str:
        return f"{_tests(self.after)} on a page with this fault, so perhaps because of it"


def group_failures(failures: Iterable[FailedTest]) -> list[FailureGroup]:
    """Return the failures in groups: widget by widget, and within a widget the simplest page first."""
    homes: dict[str, list[FailedTest]] = {}
    for failure in sorted(failures, key=lambda failure: failure.place):
        homes.setdefault(failure.home, []).append(failure)
    return [group for own in homes.values() for group in _groups_of_a_widget(own)]


def _groups_of_a_widget(failures: Sequence[FailedTest]) -> list[FailureGroup]:
    by_reason: dict[tuple[str, ...], list[FailedTest]] = {}
    for failure in sorted((_with_company(failure, failures) for failure in failures), key=_rank):
        by_reason.setdefault(_reason(failure), []).append(failure)
    groups: list[FailureGroup] = []
    after: dict[int, list[FailedTest]] = {}
    for own in by_reason.values():
        remaining: list[FailedTest] = []
        for failure in own:
            number = next((n for n, group in enumerate(groups) if _explains(group, failure)), None)
            (remaining if number is None else after.setdefault(number, [])).append(failure)
        if remaining:
            groups.append(FailureGroup(first=remaining[0], same=tuple(remaining[1:])))
    complete = [
        FailureGroup(first=group.first, same=group.same, after=tuple(after.get(number, ())))
        for number, group in enumerate(groups)
    ]
    return sorted(complete, key=_order)


def _order(group: FailureGroup) -> tuple[bool, tuple[bool, int]]:
    return group.first.is_comparison, simplicity(group.first.check)


def _with_company(failure: FailedTest, failures: Iterable[FailedTest]) -> FailedTest:
    """Return a failure with its `has_company`. `failures` are those of its widget."""
    if not failure.is_comparison:
        return failure
    state = failure.properties.get("state")
    others = (other for other in failures if other.check and not other.is_comparison)
    return replace(failure, has_company=any(other.properties.get("state") == state for other in others))


def _rank(failure: FailedTest) -> tuple[int, tuple[bool, int], int]:
    kind = len(KINDS) if failure.is_comparison else KINDS.index(failure.cause.kind if failure.cause else None)
    return kind, simplicity(failure.check), failure.place


def _reason(failure: FailedTest) -> tuple[str, ...]:
    """Return the key of a failure's group. It is equal for failures of a widget that have the same cause."""
    if failure.cause is None:
        return (failure.test,)
    if failure.cause.kind is CauseKind.OTHER:
        return (failure.name, failure.cause.text)
    return (failure.cause.kind, failure.cause.text)


def _explains(group: FailureGroup, failure: FailedTest) -> bool:
    """Return whether the cause of a group may also explain this failure.

    It may if the failure's page has the same error, or if the check `shows-its-state` failed in this group for the same
    state and language. Only causes of the kinds PROBLEM and BLOCK explain other failures.
    """
    cause = group.first.cause
    if cause is None or cause.kind not in (CauseKind.PROBLEM, CauseKind.BLOCK):
        return False
    if cause.kind is CauseKind.PROBLEM and cause.text in failure.errors:
        return True
    return any(_is_on_the_page_of(failure, plain) for plain in (group.first, *group.same))


def _is_on_the_page_of(failure: FailedTest, plain: FailedTest) -> bool:
    if plain.check != PLAIN_PAGE or failure.check is None:
        return False
    ours, theirs = failure.properties, plain.properties
    return ours.get("state") == theirs.get("state") and ours.get("language") in (None, theirs.get("language"))


def _tests(failures: Sequence[FailedTest]) -> str:
    return "1 more test fails" if len(failures) == 1 else f"{len(failures)} more tests fail"


def _lines_of(failures: Sequence[FailedTest], *, say_why: bool = False) -> list[str]:
    """Return a line for each check, with its first situations; with `say_why`, a line for each message of a check."""
    checks: dict[tuple[str, str], list[str]] = {}
    for failure in sorted(failures, key=_rank):
        key = (failure.name, failure.sentence if say_why else "")
        checks.setdefault(key, []).extend(filter(None, [failure.situation.replace(", ", " ")]))
    return [
        ": ".join(filter(None, [f"  {name}", why, _listed(situations)]))
        for (name, why), situations in checks.items()
    ]


def _listed(situations: Sequence[str]) -> str:
    more = len(situations) - MOST_SITUATIONS
    return ", ".join(situations[:MOST_SITUATIONS]) + (f" and {more} more" if more > 0 else "")
