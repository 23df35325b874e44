"""Checks of widgets that ask other hosts: answers in another order, and answers that are none."""

from collections.abc import Mapping
from typing import Any

from awning_harness.conformance.checks import looks_at
from awning_harness.conformance.checks.events import is_steady
from awning_harness.conformance.laboratory import Move, answers_of
from awning_harness.conformance.situation import asking
from awning_harness.conformance.subject import Subject, difference

SLOWER_FIRST_MS = (280, 240, 200, 160, 120, 80, 40, 0)
"""The earlier a request, the later its answer."""

NO_ANSWERS: Mapping[str, Any] = {
    "an error of the server": 500,
    "a page that is not there": 404,
    "no connection": 0,
    "no answer at all": None,
    "JSON of another shape": [],
    "a number": {"unexpected": 1},
}


@looks_at(asking)
def test_answer_order(subject: Subject) -> None:
    """An answer that arrives after a later one replaces it, so that the block shows an old selection."""
    if not subject.updates:
        return
    updates = (subject.updates[0], subject.updates[-1])
    moves: list[Move] = ["page", "loaded", *({"update": update} for update in updates), "look"]
    expected, actual = subject.observe(subject.trial(*moves), subject.trial(*moves, delays=SLOWER_FIRST_MS))
    subject.require_no_problems(actual, "when answers arrive in another order")
    if actual.last.form != expected.last.form and is_steady(subject):
        subject.fail(f"when answers arrive in another order, {difference(expected.last, actual.last)}")


@looks_at(asking)
def test_failing_hosts(subject: Subject) -> None:
    """A host that fails or answers something else breaks the page, or leaves a block that is wrong."""
    laboratory, state = subject.laboratory, subject.situation.state
    urls = answers_of(laboratory.shop, laboratory.unit, state)
    trials = [subject.trial(answers=dict.fromkeys(urls, answer)) for answer in NO_ANSWERS.values()]
    for name, observed in zip(NO_ANSWERS, subject.observe(*trials), strict=True):
        when = f"when the host answers with {name}"
        subject.require_no_problems(observed, when, may_report=True)
        subject.require_fit(observed.last, when)
        if observed.last.blocks > max(1, subject.usual.last.blocks):
            subject.fail(f"{when}, the page has {observed.last.blocks} blocks")
