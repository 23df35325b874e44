"""A widget in one situation, as the checks of the laboratory look at it and as their failures name it."""

from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

import pytest

from awning.contract import SLOTS
from awning.workspace.model import Widget
from awning.workspace.offsets import KeyPath
from awning_harness.checks.situation import Situation
from awning_harness.checks.state_case import fail_at, key_of
from awning_harness.visit.laboratory import Laboratory
from awning_harness.visit.pages.address import NotInTheStore
from awning_harness.visit.pages.causes import Cause, CauseKind, layout_cause, lost_page_cause, problem_cause
from awning_harness.visit.pages.problems import PageProblem
from awning_harness.visit.pages.stacks import headline_of, stack_of
from awning_harness.visit.pages.tabs import Stuck
from awning_harness.visit.pages.visibility import one_line, quoted
from awning_harness.visit.steps.failures import PageLeft, StepFailed
from awning_harness.visit.trial import PHONE, BlockLook, Move, Observed, Trial

MOST_UPDATES = 4
"""How many different updates a check delivers at most. With four updates, 17 deliveries on one page cover all ordered
pairs, including those of an update with itself."""

ROUNDING = 1
"""The pixels by which rounding may make a block too wide although no element leaves its place."""


FIRST_STEP = 2
"""The index of the move of a state's first step. The page fires its events before."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Trials that a check waits for. `judge` runs the check, and gives it what is observed in them.

    With `is_alone`, no other trial may run at the same time.
    """

    trials: Sequence[Trial]
    is_alone: bool = False

    def __await__(self) -> Generator["Wanted", list[Observed], list[Observed]]:
        return (yield self)


Judgement = Coroutine[Wanted, list[Observed], None]
"""A check of one situation that has begun. It fails the test, or ends."""


def judge(judgement: Judgement, observe: Callable[..., list[Observed]]) -> None:
    """Run a check to its end. `observe` returns what is observed in the trials that the check waits for.

    PageLeft and Stuck, raised by `observe`, are raised where the check waits.
    """
    with suppress(StopIteration):
        wanted = judgement.send(None)  # type: ignore[arg-type]
        while True:
            try:
                observed = observe(*wanted.trials)
            except (PageLeft, Stuck) as lost:
                wanted = judgement.throw(lost)
            else:
                wanted = judgement.send(observed)


@dataclass(kw_only=True)
class Subject:
    """One widget in one situation.

    `show` opens the page of a trial for the report of a failure. Its second argument is the text of the block there, if
    the failure may be about it.
    """

    laboratory: Laboratory
    situation: Situation
    show: Callable[[Trial, str | None], object] = field(repr=False)
    request: pytest.FixtureRequest = field(repr=False)
    """The request of the test; while checks are run ahead, that of the widget's first test."""
    is_thorough: bool = False
    """Whether a check tries all of its inputs, instead of a share."""

    @property
    def widget(self) -> Widget:
        widgets = self.laboratory.shop.workspace.widgets
        return next(widget for widget in widgets if widget.name == self.laboratory.unit)

    def trial(self, *moves: Move, **options: Any) -> Trial:
        """Return a trial in this situation. Without moves, the page fires its own events."""
        state, language = self.situation.state, self.situation.language
        return Trial(state=state, language=language, moves=moves or ("page",), **options)

    def trial_of_steps(self, **options: Any) -> Trial:
        """Return the trial of the state's own page after its steps. The test fails if a step cannot occur."""
        try:
            return replace(self.laboratory.trial_of(self.situation.state, self.situation.language), **options)
        except (NotInTheStore, StepFailed) as error:
            self._cannot_occur(error)

    async def observe(self, *trials: Trial, is_alone: bool = False) -> list[Observed]:
        """Return what is observed in trials. A script that never ends or leaves the page fails the test.

        With `is_alone`, no other trial runs at the same time, because the trials measure times.
        """
        try:
            return await Wanted(trials, is_alone=is_alone)
        except (PageLeft, Stuck) as error:
            lost = trials[0] if len(trials) == 1 else None
            self.fail(str(error), lost_page_cause(str(error)), trial=lost)

    async def observe_one(self, trial: Trial) -> Observed:
        """Return what is observed in one trial, as `observe` does."""
        return (await self.observe(trial))[0]

    async def observe_if_it_stays(self, trial: Trial) -> Observed | None:
        """Return what is observed in a trial; None if its page goes to another one, which is no failure then."""
        try:
            return (await Wanted((trial,)))[0]
        except PageLeft:
            return None
        except Stuck as error:
            self.fail(str(error), lost_page_cause(str(error)), trial=trial)

    async def begin_effects(self) -> None:
        """Wait for the test itself: a check that is run ahead ends here. What follows may write files and the like."""
        await Wanted((), is_alone=True)

    def again(self, trial: Trial, number: int = 0) -> Trial:
        """Return an equal trial that is run once more. Another `number` is another one."""
        return replace(trial, repetition=number + 1)

    async def observe_state(self, **options: Any) -> Observed:
        """Return what is observed on the state's own page after its steps, as soon as it shows what the state says.

        It need not show that. `options` are those of the trial. A step that is not possible, and a payload that is not
        in the store, fail the test.
        """
        return (await self._observe_states([self], **options))[0]

    async def observe_state_in_all_languages(self, *, width: int) -> list[tuple["Subject", Observed]]:
        """Return what `observe_state` returns, in each language of the widget."""
        state = self.situation.state
        subjects = [
            replace(self, situation=Situation(state=state, language=language))
            for language in self.widget.languages
        ]
        return list(zip(subjects, await self._observe_states(subjects, width=width), strict=True))

    async def _observe_states(self, subjects: Sequence["Subject"], **options: Any) -> list[Observed]:
        try:
            trials = [each._trial_of_state(**options) for each in subjects]  # noqa: SLF001 - a subject, too
            observed = await Wanted(trials)
        except (NotInTheStore, StepFailed, Stuck) as error:
            self._cannot_occur(error)
        state = self.situation.state
        for own in observed:
            if own.refused:
                at = own.refused["index"] - FIRST_STEP
                self.show(own.trial, None)
                self._cannot_occur(
                    StepFailed(f'the step "{state.steps[at]}": {own.refused["why"]}', index=at)
                )
        return observed

    def _trial_of_state(self, *, then: Sequence[Move] = (), **options: Any) -> Trial:
        """Return the trial of `observe_state`, with the moves `then` at its end. Raises NotInTheStore, StepFailed."""
        state, language = self.situation.state, self.situation.language
        trial = self.laboratory.trial_of(state, language)
        looks = {
            "present": [*state.shows.get(language, ())],
            "absent": [*state.hides.get(language, ())],
            "isEmpty": state.empty,
        }
        return replace(trial, moves=(*trial.moves, {"shown": looks}, *then), **options)

    async def problems_of_page(self, observed: Observed) -> list[PageProblem]:
        """Return what went wrong on a page, with leaked globals and requests that no state answers."""
        without_app = await self.observe_one(self.laboratory.globals_trial(observed.trial))
        return observed.page_problems(
            leaked_globals=self.laboratory.leaked_globals(observed, without_app),
            missing_answers=self.laboratory.missing_answers(observed),
        )

    def _cannot_occur(self, error: NotInTheStore | StepFailed | Stuck) -> NoReturn:
        folder = self.laboratory.shop.folder_of(self.laboratory.unit)
        state, why = self.situation.state.name, str(error)
        try:
            raise error  # the failure's context, from which the replay knows what was not possible
        except (NotInTheStore, StepFailed, Stuck):
            fail_at(folder, state, "cannot occur", why, key=key_of(error), cause=lost_page_cause(why))

    async def usual(self) -> Observed:
        """Return what is observed on the page with its own events, in a wide window."""
        return await self.observe_one(self.trial())

    async def usual_on_a_phone(self) -> BlockLook:
        """Return the look of the page with its own events, in a phone's window."""
        return (await self.observe_one(self.on_a_phone(self.trial()))).last

    @property
    def has_updates(self) -> bool:
        return SLOTS[self.situation.state.slot].updates

    async def updates(self) -> Sequence[Mapping[str, Any]]:
        """Return different updates of this page; none where it has none."""
        if not self.has_updates:
            return ()
        payload = SLOTS[self.situation.state.slot].payload
        params = (await self.usual()).params
        if payload.chooses_variant:
            variants = (params.get("item") or {}).get("variants") or ()
            chosen = sorted(range(len(variants)), key=lambda at: _rank(variants, at))[:MOST_UPDATES]
            return [{"variant": at} for at in sorted(chosen)]
        value = params.get(payload.params[0]) or {}
        return [{"value": each} for each in (other_carts(value) if "total" in value else [value])]

    async def describe(self, update: Mapping[str, Any]) -> str:
        """Return an update as a failure names it: `L/Blue`, `a total of 57.42`."""
        if "value" in update:
            total = update["value"].get("total")
            return "another payload" if total is None else f"a total of {total}"
        variants = (await self.usual()).params["item"]["variants"]
        variant = variants[update["variant"] % len(variants)]
        titles = [str(option.get("title")) for option in variant.get("options") or ()]
        return "/".join(titles) or str(variant.get("id"))

    def fail(
        self,
        why: str,
        cause: Cause | None = None,
        *,
        at: BlockLook | None = None,
        trial: Trial | None = None,
        key: KeyPath = (),
    ) -> NoReturn:
        """Fail the test. The report shows the page of the look `at` or of `trial`, else the state's page as it is.

        Without a `cause`, the message is the cause. `key` is the key of the state whose line is shown.
        """
        if at and at.trial:
            self.show(at.trial, None if cause else at.text)
        else:
            self.show(trial or self.trial(), None)
        situation = self.situation
        others = [
            part
            for part in (situation.theme, situation.csp, situation.assumptions, situation.preference)
            if part
        ]
        how = f"({', '.join([situation.language, *others])})"
        folder = self.laboratory.shop.folder_of(self.laboratory.unit)
        fail_at(folder, situation.state.name, how, why, key=key, cause=cause)

    def require_no_problems(self, observed: Observed, when: str, *, may_report: bool = False) -> None:
        """Fail the test if the page has errors or broke a rule.

        With `may_report`, the runtime may report that the widget threw.
        """
        problems = observed.problems()
        if may_report:
            problems = [text for text in problems if not text.startswith(f"{self.laboratory.unit} ")]
        if problems:
            stack = next(filter(None, map(stack_of, observed.errors_of(problems))), "")
            sentence = f"{when}: {'; '.join(map(headline_of, problems[:3]))}"
            self.fail(
                f"{sentence}\n{stack}" if stack else sentence,
                problem_cause(observed.errors_of(problems)),
                at=observed.last,
            )

    async def require_fit(self, look: BlockLook, when: str) -> None:
        """Fail the test if the block is wider than its place, or a text is cut off.

        If the look is on a phone and the state's own page has the same defect there, the failure says so, and shows
        that page.
        """
        if look.trial and look.trial.width == PHONE and not _fits(look):
            usual = await self.usual_on_a_phone()
            if _overflows_alike(usual, look):
                look, when = usual, f"{when}, also without it,"
        wide = look.too_wide
        if wide is not None and (wide["selector"] or wide["by"] > ROUNDING):
            what = f": {wide['selector']} ({quoted(wide['text'])})" if wide["selector"] else ""
            self.fail(
                f"{when} the block is {wide['by']} px wider than its place of {wide['place']} px{what}",
                layout_cause(wide["selector"]),
                at=look,
            )
        if look.clipped:
            texts = "; ".join(one_line(text)[:80] for text in look.clipped)
            self.fail(f"{when} a text is cut off: {texts}", Cause(CauseKind.LAYOUT, "cut off"), at=look)

    def on_a_phone(self, trial: Trial) -> Trial:
        return replace(trial, width=PHONE)


def _fits(look: BlockLook) -> bool:
    return look.too_wide is None and not look.clipped


def _overflows_alike(usual: BlockLook, look: BlockLook) -> bool:
    """Return whether the same element is too wide in both looks, or one text is cut off in both."""
    if usual.too_wide and look.too_wide:
        selector, other = usual.too_wide["selector"], look.too_wide["selector"]
        return selector == other and bool(selector or usual.too_wide["by"] > ROUNDING)
    return (
        usual.too_wide is None and look.too_wide is None and not set(usual.clipped).isdisjoint(look.clipped)
    )


def _rank(variants: Sequence[Mapping[str, Any]], at: int) -> tuple[bool, int]:
    """Return the sort key of the variant with the index `at`.

    A variant that has the same price and stock as an earlier one is sorted last, because it may look the same.
    """
    seen = {(v.get("price"), v.get("stock")) for v in variants[:at]}
    return (variants[at].get("price"), variants[at].get("stock")) in seen, at


def other_carts(cart: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the cart without a discount, with a discount of a tenth, and with a discount of the whole total."""
    total = cart.get("total") or 0
    before = cart.get("total_no_discount") or total
    tenth = round(before / 10, 2)
    has_all = "items" in cart

    def changed(
        total: float, before: float, code: str, amount: float, shipping: float | None
    ) -> dict[str, Any]:
        own = (
            {"discount_code": code, "discount_amount": amount, "shipping_price": shipping} if has_all else {}
        )
        return {**cart, "total": round(total, 2), "total_no_discount": round(before, 2), **own}

    shipping = cart.get("shipping_price")
    return [
        changed(before, before, "", 0, shipping),
        changed(before - tenth, before, "SAVE10", tenth, shipping),
        changed(0, before, "FREE100", before, shipping),
    ]


def is_same(expected: BlockLook, actual: BlockLook) -> bool:
    """Return whether two looks are the same to a shopper. A block that takes no space is as good as none."""
    if not expected.is_seen and not actual.is_seen:
        return True
    return (expected.form, expected.blocks) == (actual.form, actual.blocks)


def difference(here: str, look: BlockLook, there: str, other: BlockLook) -> str:
    """Return how the block of one page differs from that of another: `late, the block shows 'A'; fresh, it shows 'B'`.

    `here` and `there` describe the pages. A check cannot know which of them is right.
    """
    if look.blocks != other.blocks:
        return f"{here}, the page has {_blocks(look.blocks)}; {there}, it has {_blocks(other.blocks)}"
    if look.text != other.text:
        return f"{here}, the block shows {_short(look.text)}; {there}, it shows {_short(other.text)}"
    own, others = (repr(part.replace("\n", "⏎")) for part in _first_difference(look.form, other.form))
    return f"{here}, the HTML of the block has {own}; {there}, it has {others}"


def _blocks(count: int) -> str:
    return {0: "no block", 1: "1 block"}.get(count, f"{count} blocks")


def _short(text: str) -> str:
    plain = one_line(text)
    return quoted(plain if len(plain) <= 120 else f"{plain[:117]}…")  # noqa: PLR2004 - fits a line


def _first_difference(first: str, second: str) -> tuple[str, str]:
    """Return the two texts around the first place where they differ."""
    pairs = enumerate(zip(first, second, strict=False))
    at = next((n for n, (a, b) in pairs if a != b), min(len(first), len(second)))
    around = slice(max(0, at - 40), at + 60)
    return first[around], second[around]
