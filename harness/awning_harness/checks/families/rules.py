"""The rules that hold for every widget. Most checks have one test for each state. `shows-its-state` has one for each
state and language. A test of `is-as-wide-as-its-place-on-a-phone` opens its state in all languages.

The docstring of a check says what is wrong when the check fails. The emulator checks the rules of the client-side API
and records violations in its trace. The rules in this module protect shoppers and other apps on the page.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from awning.client import encode_app_data
from awning.contract import SLOTS
from awning.contract.slots import FIRST_SLOT
from awning_harness.checks.families import looks_at
from awning_harness.checks.situation import (
    CheckedWidget,
    Situation,
    each_state_in_first_language,
    each_state_in_pseudo_language,
    every_language,
    ordinary_state,
)
from awning_harness.checks.subject import ROUNDING, Subject, Wanted
from awning_harness.visit.pages.causes import (
    NOT_EMPTY,
    Cause,
    CauseKind,
    fail_because,
    layout_cause,
    lost_page_cause,
    problem_cause,
)
from awning_harness.visit.pages.problems import ProblemKind, cause_of, describe_first
from awning_harness.visit.pages.stacks import headline_of, stack_of
from awning_harness.visit.pages.tabs import Stuck
from awning_harness.visit.pages.visibility import one_line, quoted, wrong_texts
from awning_harness.visit.steps.failures import PageLeft
from awning_harness.visit.trial import NULL, PHONE, BlockLook

PLACEHOLDER = "a-placeholder"
RAN = "app data was run as a script"
FOREIGN_DATA: dict[str, Any] = {
    "null": None,
    "nothing": "",
    "no-json": "not json",
    "null-as-text": "null",
    "empty-list": [],
    "another-apps": {"somebody": "else's"},
    "an-apostrophe": {"somebody": 'O\'Hara & "Söhne"'},
    "markup": encode_app_data({"</script><script>pwn()</script>": "<!--"}),
}
"""App data that a shop may have although the widget did not write them, each with a short description.

The service inserts data unescaped, so data that could end the data element are written with `encode_app_data`.
"""

BROKEN_DECLARATION = re.compile(r"\S+ declares \"\w+\" as \w+, and the script gives .+")
"""Matches the console message of a dev build about a broken declaration (jsrc/runtime/template/promises.ts)."""


@looks_at(every_language)
async def test_shows_its_state(subject: Subject) -> None:
    """The block of a state is missing, is there twice, shows a wrong text or none, breaks a rule or makes an error.

    Or a state that must be empty shows something.
    """
    state, observed = subject.situation.state, await subject.observe_state()
    problems = await subject.problems_of_page(observed)
    if problem := describe_first(problems):
        subject.fail(problem, cause_of(problems), at=observed.last)
    if state.empty:
        require_empty(subject, observed.last)
    else:
        require_one_block(subject, observed.last)
    require_texts(subject, observed.last)
    if not state.empty and not observed.last.text.strip():
        why = "the block exists, but shows no text"
        subject.fail(why, Cause(CauseKind.BLOCK, "no text"), at=observed.last)


@looks_at(each_state_in_first_language)
async def test_keeps_to_its_place(subject: Subject) -> None:
    """The widget leaves globals on the page that `widget.toml` does not allow. Other apps may change or need them."""
    observed = await subject.observe_state()
    problems = [each for each in await subject.problems_of_page(observed) if each.kind is ProblemKind.GLOBAL]
    if problem := describe_first(problems):
        subject.fail(problem, cause_of(problems), at=observed.last)


@looks_at(each_state_in_first_language)
async def test_is_as_wide_as_its_place_on_a_phone(subject: Subject) -> None:
    """In some language, the block is wider than its place on a phone."""
    for each, observed in await subject.observe_state_in_all_languages(width=PHONE):
        each.require_no_problems(observed, "on a phone")
        if sentence := too_wide_sentence(observed.last.too_wide, "the block"):
            cause = layout_cause((observed.last.too_wide or {})["selector"])
            each.fail(sentence, cause, at=observed.last)


@looks_at(each_state_in_pseudo_language)
async def test_has_room_for_longer_texts(subject: Subject) -> None:
    """Longer texts (the pseudo-language) do not fit into the page on a phone."""
    observed = await subject.observe_state(width=PHONE)
    problems = await subject.problems_of_page(observed)
    if problem := describe_first(problems):
        subject.fail(problem, cause_of(problems), at=observed.last)
    if sentence := too_wide_sentence(observed.last.too_wide, "with longer texts the block"):
        cause = layout_cause((observed.last.too_wide or {})["selector"])
        subject.fail(sentence, cause, at=observed.last)
    if observed.last.clipped:
        why = f"longer texts are cut off: {'; '.join(map(one_line, observed.last.clipped))}"
        subject.fail(why, Cause(CauseKind.LAYOUT, "cut off"), at=observed.last)


@looks_at(each_state_in_first_language)
async def test_keeps_its_declarations(subject: Subject) -> None:
    """The script passes values of other types than the templates declare. Only a dev build checks the types."""
    observed = await subject.observe_state(is_dev=True)
    if broken := broken_declarations(observed.errors):
        what = "the script passes values of other types than the template declares"
        subject.fail(f"{what}: {'; '.join(broken)}", at=observed.last)


def foreign_data(checked: CheckedWidget) -> list[Situation]:
    """Return one situation for each kind of app data that the widget did not write."""
    state, language = ordinary_state(FIRST_SLOT), checked.languages[0]
    return [Situation(state=state, language=language, name=kind) for kind in (*FOREIGN_DATA, PLACEHOLDER)]


@looks_at(foreign_data)
async def test_survives_app_data_that_is_not_its_own(subject: Subject) -> None:
    """App data of another shape or another app breaks the widget, or runs as a script."""
    kind = subject.situation.id
    data = FOREIGN_DATA.get(kind, subject.laboratory.shop.dialect.app_data_placeholder)
    own = subject.trial(data=NULL if data is None else data)
    for facts in SLOTS.values():
        trial = replace(own, state=ordinary_state(facts.name))
        where = f'widgets/{subject.widget.name}/widget.toml: on the {facts.page.name} page with the app data "{kind}"'
        try:
            (observed,) = await Wanted([trial])
        except (PageLeft, Stuck) as error:
            subject.show(trial, None)
            fail_because(f"{where}: {error}", lost_page_cause(str(error)))
        problems = [RAN] if "pwn" in observed.ran else observed.problems()
        if problems:
            subject.show(trial, None)
            stack = next(filter(None, map(stack_of, observed.errors_of(problems))), "")
            sentence = "; ".join(map(headline_of, problems[:3]))
            fail_because(
                f"{where}: {sentence}\n{stack}".rstrip(), problem_cause(observed.errors_of(problems))
            )


def require_one_block(subject: Subject, look: BlockLook) -> None:
    """Fail the test unless the page has exactly one block."""
    if not look.has_place:
        slot = subject.situation.state.slot
        subject.fail(f"the page has no place for {slot}: {SLOTS[slot].absent}", at=look, key=("payload",))
    if look.blocks != 1:
        count = look.blocks
        why = f"the page has {count} blocks of the widget" if count else "the page has no block of the widget"
        subject.fail(why, Cause(CauseKind.BLOCK, "blocks" if count else "no block"), at=look)


def require_texts(subject: Subject, look: BlockLook) -> None:
    """Fail the test unless the slot shows all texts of the state's `shows`, and none of its `hides`."""
    state, language = subject.situation.state, subject.situation.language
    if problems := wrong_texts(look.text, state.shows.get(language, ()), state.hides.get(language, ())):
        key = "shows" if any(problem.startswith("does not") for problem in problems) else "hides"
        why = f"the block {' and '.join(problems)}; it shows: {quoted(look.text)}"
        subject.fail(why, at=look, key=(key, language))


def require_empty(subject: Subject, look: BlockLook) -> None:
    """Fail the test if the page has a block. After steps, a block may exist that shows nothing and takes no space."""
    state = subject.situation.state
    if look.is_seen:
        text = look.text.strip()
        visible = f"it shows: {quoted(text)}" if text else "it has no text, but takes space"
        after = " after the steps" if state.steps else ""
        subject.fail(f"the block must be empty{after}; {visible}", NOT_EMPTY, at=look, key=("empty",))
    if not state.steps and look.blocks:
        subject.fail("the page has a block, though an empty one", at=look, key=("empty",))


def too_wide_sentence(wide: Mapping[str, Any] | None, what: str) -> str | None:
    """Return how a block is wider than its place on a phone, as TOO_WIDE found; None if it fits."""
    if wide is None or (not wide["selector"] and wide["by"] <= ROUNDING):
        return None
    sentence = f"{what} is {wide['by']} px wider than its place on a phone"
    if wide["selector"]:
        text = f' ("{wide["text"]}")' if wide["text"] else ""
        start = f" begins {wide['start']} px into its place and" if wide["start"] > 0 else ""
        size = f"{wide['width']} px wide, its place {wide['place']} px"
        sentence += f": {wide['selector']}{text}{start} is {size}"
    return sentence


def broken_declarations(errors: Iterable[str]) -> list[str]:
    """Return the console messages about broken declarations, each once."""
    matches = map(BROKEN_DECLARATION.search, errors)
    return list(dict.fromkeys(match[0] for match in matches if match))
