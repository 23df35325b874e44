"""Checks of widgets that send requests to other hosts: late, unexpected and hostile responses.

The docstring of a check says what is wrong when the check fails.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from awning.states.host_responses import read_host_response
from awning_harness.checks.families import looks_at
from awning_harness.checks.families.payloads import require_harmless, with_texts
from awning_harness.checks.hostile_texts import PLANTING
from awning_harness.checks.situation import each_succession, each_walk, if_asking
from awning_harness.checks.subject import Subject, difference
from awning_harness.visit.laboratory import answers_of
from awning_harness.visit.trial import Move, Trial

BACKWARDS = "when answers arrive in another order"
IN_ORDER = "when they arrive in the order of the requests"

NO_ANSWERS: Mapping[str, Any] = {
    "an error of the server": 500,
    "a page that is not there": 404,
    "no connection": 0,
    "no answer at all": None,
    "JSON of another shape": [],
    "a number": {"unexpected": 1},
}


@looks_at(if_asking(each_succession))
async def test_answer_order(subject: Subject) -> None:
    """The block shows the answer to an earlier request instead of that to the last one, because it arrives last."""
    if updates := await subject.updates():
        # The second one is mostly that of the page's own update, whose answer a widget may have kept.
        first: Move = {"update": updates[-1]}
        second: Move = {"update": updates[0]}
        in_order = subject.trial("page", "loaded", first, "look", second)
        backwards = subject.trial("page", "loaded", first, second, held="backwards")
        await _require_order(subject, in_order, backwards, "after two updates")
    state = subject.situation.state
    if len(state.steps) > 1 and state.fetch:
        in_order, backwards = (subject.trial_of_steps(held=held) for held in ("in-order", "backwards"))
        await _require_order(subject, in_order, backwards, "when no step waits for the answer to another")


async def _require_order(subject: Subject, in_order: Trial, backwards: Trial, when: str) -> None:
    """Fail the test when a block is another because answers arrive backwards. `when` describes the page in order."""
    expected, actual = await subject.observe(in_order, backwards)
    if expected.refused or actual.refused:
        return  # `shows-its-state` tells it
    subject.require_no_problems(expected, when)
    subject.require_no_problems(actual, BACKWARDS)
    # Answers that stand beside each other may stand there in the order in which they arrive.
    has_others = sorted(actual.last.text.split()) != sorted(expected.last.text.split())
    is_other = actual.last.form != expected.last.form
    if is_other and (has_others or actual.last.text == expected.last.text):
        (again,) = await subject.observe(subject.again(in_order))
        if again.last.form == expected.last.form:
            subject.fail(difference(BACKWARDS, actual.last, IN_ORDER, expected.last), at=actual.last)


@looks_at(if_asking(each_walk))
async def test_failing_hosts(subject: Subject) -> None:
    """When another host fails or sends an unexpected answer, the page has errors, or the block is wrong.

    A promise that is rejected is such an error, also one that awning reports: the block is then empty or out of date.
    """
    laboratory, state = subject.laboratory, subject.situation.state
    urls = answers_of(laboratory.shop, laboratory.unit, state)
    trials = [subject.trial(answers=dict.fromkeys(urls, answer)) for answer in NO_ANSWERS.values()]
    for name, observed in zip(NO_ANSWERS, await subject.observe(*trials), strict=True):
        when = f"when the host answers with {name}"
        subject.require_no_problems(observed, when)
        await subject.require_fit(observed.last, when)
        if observed.last.blocks > max(1, (await subject.usual()).last.blocks):
            subject.fail(f"{when}, the page has {observed.last.blocks} blocks", at=observed.last)
    if state.fetch and state.steps:
        # A step that needs the response to an earlier step cannot be taken. That is no failure.
        after = await subject.observe_one(subject.trial_of_steps(answers=dict.fromkeys(state.fetch, 0)))
        subject.require_no_problems(after, "after the steps, when there is no connection")


@looks_at(if_asking(each_walk))
async def test_hostile_answers(subject: Subject) -> None:
    """A text in the answer of another host runs as a script, or becomes an element or an attribute."""
    laboratory, state = subject.laboratory, subject.situation.state
    answers = answers_of(laboratory.shop, laboratory.unit, state)
    folder = laboratory.shop.folder_of(laboratory.unit)
    usual = {url: read_host_response(answer, folder) for url, answer in answers.items()}
    documents = {url: _document(response.body) for url, response in usual.items()}
    planted = [
        {url: replace(usual[url], body=json.dumps(document).encode()) for url, document in hostile.items()}
        for hostile in (with_texts(documents, PLANTING[at:] + PLANTING[:at]) for at in range(len(PLANTING)))
    ]
    opening = [subject.trial(answers=answers) for answers in planted]
    # A step that needs what the host said before cannot be taken. What was shown until then is judged.
    walks = [subject.trial_of_steps(answers=answers) for answers in planted] if state.steps else []
    for observed in await subject.observe(*opening, *walks):
        require_harmless(subject, observed, "with a hostile text in the answer of a host")


def _document(body: bytes) -> Any:
    """Return a response body as JSON; an empty object if it is not JSON."""
    try:
        return json.loads(body)
    except ValueError:
        return {}
