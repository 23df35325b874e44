"""The visit of a failed test: its page with its options, and what the test did there, as actions to do again."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Error

from awning.workspace.model import WidgetState
from awning.workspace.steps import Step
from awning_harness.testing import OpenedPage, PageAction, Storefront, answer_action
from awning_harness.visit.frames.widget import WidgetBench
from awning_harness.visit.frames.widget_visit import FrameAction, WidgetVisit
from awning_harness.visit.pages.address import PageAddress
from awning_harness.visit.pages.causes import CAUSE, Cause, CauseKind
from awning_harness.visit.pages.problems import TraceEntry
from awning_harness.visit.pages.tabs import VIEWPORT, Stuck
from awning_harness.visit.steps.failures import StepFailed

MEDIA = """() => {
  const has = (query) => matchMedia(`(${query})`).matches;
  return {
    color_scheme: has("prefers-color-scheme: dark") ? "dark" : "light",
    reduced_motion: has("prefers-reduced-motion: reduce") ? "reduce" : "no-preference",
    forced_colors: has("forced-colors: active") ? "active" : "none",
  };
}"""
"""JavaScript that returns the preferences of the shopper."""

WITHOUT_EARLIER = "without the pages that the test opened before, and what they stored"
BY_PLAYWRIGHT = "what the test did with Playwright's own objects is not done again"


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAtFailure:
    """What a page showed when its test failed: the text of the block, and how often an update was delivered."""

    text: str
    updates: int

    @classmethod
    def at(cls, visit: OpenedPage | WidgetVisit) -> "LookAtFailure":
        return cls(text=visit.text(), updates=update_count(visit.trace()))


def update_count(trace: Sequence[TraceEntry]) -> int:
    return sum(entry["kind"] == "deliver" and str(entry["event"]).endswith("-updated") for entry in trace)


@dataclass(frozen=True, slots=True, kw_only=True)
class FailingVisit:
    """The last page that a failed test opened. `seen` is what it showed; None if the page did not respond.

    With `has_own_scripts` it is a test of an author. In a check, the harness only looks at the page with `evaluate`.
    """

    opened: Storefront | WidgetBench
    address: PageAddress
    error: BaseException
    seen: LookAtFailure | None
    has_own_scripts: bool

    @property
    def problem(self) -> str | None:
        """The text of the problem because of which the test failed; None if it failed for another reason."""
        cause: Cause | None = getattr(self.error, CAUSE, None)
        return cause.text if cause and cause.kind is CauseKind.PROBLEM else None

    @property
    def lost(self) -> StepFailed | Stuck | None:
        """The exception of a step that was not possible, or of a page that does not respond; None without one."""
        error: BaseException | None = self.error
        while error is not None and not isinstance(error, StepFailed | Stuck):
            error = error.__cause__ or error.__context__
        return error

    @property
    def state(self) -> WidgetState | None:
        return self.opened.opened_state[0] if self.opened.opened_state else None

    @property
    def lacks(self) -> tuple[str, ...]:
        """What of a failed check a page that is opened again lacks. A check in a frame has opened no page for it."""
        only_there = self.opened.only_here if isinstance(self.opened, WidgetBench) else ()
        return (*self.opened.notes, *(f"without {each}" for each in only_there))

    @property
    def notes(self) -> tuple[str, ...]:
        """How a page that is opened again differs from that of the test."""
        own = self.has_own_scripts and self.opened.tab.is_lent
        earlier = (WITHOUT_EARLIER,) if self.opened.has_earlier_page else ()
        return (*self.lacks, *earlier, *((BY_PLAYWRIGHT,) if own else ()))

    @property
    def situation(self) -> Sequence[str]:
        """What a page that is opened again has of a failed check, and its page in `awning dev` has not."""
        return self.opened.only_here if isinstance(self.opened, Storefront) else ()

    @property
    def media(self) -> Mapping[str, str]:
        """The preferences of the shopper that the page has, as Playwright's `emulate_media` takes them."""
        if self.seen is None:
            return {}
        values: dict[str, str] = self.opened.tab.evaluate(MEDIA)
        return values

    @property
    def width(self) -> int:
        """The width of the page, in CSS pixels."""
        try:
            if isinstance(self.opened, Storefront):
                return int((self.opened.tab.page.viewport_size or VIEWPORT)["width"])
            width = self.opened.tab.page.locator("iframe").first.get_attribute("width", timeout=1000)
            return int(width or self.opened.width)
        except (Error, ValueError):  # the tab is closed
            return VIEWPORT["width"]

    @property
    def is_complete(self) -> bool:
        """Whether `actions` has the action at which the test failed, if the page was lost in one.

        Of a frame, it is not known if its test tried a step that the store does not have.
        """
        return not isinstance(self.opened.visit, WidgetVisit) or self._not_possible() is not None

    def actions(self) -> list[PageAction]:
        """Return what the test did on the page, and at the end what was not possible."""
        actions = self._recorded_actions()
        last = self._not_possible()
        return actions if last is None else [*actions, last]

    def _recorded_actions(self) -> list[PageAction]:
        visit = self.opened.visit
        if visit is None:
            return []
        actions = visit.actions if isinstance(visit, OpenedPage) else _actions_of_frame(visit)
        return [action for action in actions if self._is_replayed(action.words)]

    def _not_possible(self) -> PageAction | None:
        """Return the action in a frame that was not possible, which `actions` of a page has already."""
        visit = self.opened.visit
        if self.lost is None or not isinstance(visit, WidgetVisit):
            return None
        if visit.not_possible is not None:
            return _on_page(visit.not_possible)
        steps = self.state.steps[len(self._recorded_actions()) :] if self.state else ()
        return next(map(_step, steps), None)

    def _is_replayed(self, words: str) -> bool:
        return self.has_own_scripts or not words.startswith("evaluate ")


def _actions_of_frame(visit: WidgetVisit) -> Iterator[PageAction]:
    page_actions = map(_on_page, visit.actions)
    return (action for action in page_actions if action is not None)


def _on_page(action: FrameAction) -> PageAction | None:
    """Return what an action of a frame does on a page of its own; None for a mere look."""
    if action.answer is not None:
        return answer_action(*action.answer)
    if action.step is not None:
        return _page_step(action.step)
    if action.script is not None:
        return _script(action.script, action.argument)
    return None


def _step(words: str) -> PageAction:
    return PageAction(words=words, take=lambda page: page.step(words))


def _page_step(step: Mapping[str, Any]) -> PageAction:
    """Return a step on a page of its own. `step` is what `jsrc/visit` takes in a frame."""
    if "updated" in step:
        updated = step["updated"]
        words = f"update {json.dumps(updated, ensure_ascii=False)}"
        return PageAction(words=words, take=lambda page: page.update(updated), updates=[updated])
    if "arguments" in step:
        return _step(Step(step["verb"], tuple(step["arguments"])).words)
    if "ms" in step:
        return _step(f"wait {round(step['ms'] / 1000)} seconds")
    argument = step["argument"]
    if step["verb"] == "select":
        return PageAction(words=f"select {argument}", take=lambda page: page.select(argument))
    return _step(Step(step["verb"], () if argument is None else (argument,)).words)


def _script(script: str, argument: Any) -> PageAction:
    words = " ".join(f"evaluate {script}".split())
    return PageAction(words=words, take=lambda page: page.tab.evaluate(script, argument))
