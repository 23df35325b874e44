"""The state machine of an explored page: the actions that may happen on it, and what must hold after each of them.

    shopper      chooses variants, codes and ways of shipping; presses and types in the block
    other apps   subscribe late, fail in an update, are around from the beginning (theme `crowded`)
    page         any product with a price or any cart, any app data of the states or none, any language; time passes
    other hosts  respond as the states describe, or all with status 503

The page does not leave for another one unless the shopper acts in the block. After each action, it has no problem and
at most one block. At the end, the block has the same text as on a fresh
page with the same last payload, and again ten minutes later. This is not compared after the shopper acted in the block.
The HTML is never compared, because that of a live widget contains a random mark.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NoReturn

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from playwright.sync_api import Error

from awning.contract import SLOTS
from awning.contract.shop import THEMES
from awning.states.json_values import thaw
from awning.workspace.model import Widget
from awning.workspace.steps import PAGE_STEPS, PageStep
from awning.workspace.store.store import CHOICES, Store
from awning_harness.explore.schedule import Call, ExploredFailure, LostPage, Schedule
from awning_harness.storefront.scenarios import NEIGHBOUR_FAILURE
from awning_harness.visit.frames.widget import WidgetBench
from awning_harness.visit.frames.widget_visit import WidgetVisit
from awning_harness.visit.pages.address import page_names
from awning_harness.visit.pages.tabs import Stuck
from awning_harness.visit.pages.visibility import OWN_BLOCKS, quoted
from awning_harness.visit.steps.failures import PageLeft, StepFailed

NOW = "2026-03-02T10:30:00"
"""The clock of every explored page, so that two pages show the same."""

CROWDED = tuple(name for name, theme in THEMES.items() if theme.crowded)

SETTLE = Call(name="settle")

MOST_CHOICES = 12
"""The number of choices of a step that are tried: as many as a product with two dimensions usually has."""

LATER = Call(name="wait", options={"minutes": 10})
"""The wait at the end of each schedule. Timers that an update should have ended run in it.

There is none between two choices: a fresh page may begin with the last choice made, and so show an earlier time.
"""

CONTROLS = """(selector) => {
  const blocks = [...document.querySelectorAll(selector)];
  const inside = (root) =>
    [...root.querySelectorAll("*")].flatMap((e) => [e, ...(e.shadowRoot ? inside(e.shadowRoot) : [])]);
  const path = (element) => {
    const parent = element.parentNode;
    const own = `${element.localName}:nth-child(${[...parent.children].indexOf(element) + 1})`;
    const isTop = parent === element.getRootNode() || parent.matches("[data-order]");
    return isTop ? own : `${path(parent)} > ${own}`;
  };
  const isPressed = (e) =>
    e.matches("summary, button, input:is([type=checkbox], [type=radio])") && !(e.form && e.type === "submit");
  const isText = (e) => e.matches("textarea, input:is(:not([type]), [type=text], [type=search])");
  const isUsable = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.matches(":disabled");
  const elements = blocks.flatMap(inside).filter(isUsable);
  return [elements.filter(isPressed).map(path), elements.filter(isText).map(path)];
}"""
"""JavaScript that returns the selectors of the elements that a shopper can press, and of those to type into.

Elements that lead to another page are left out.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The possible pages of a slot: `names` of products or carts, languages, app data, and responses of other hosts."""

    slot: str
    names: tuple[str, ...]
    languages: tuple[str, ...]
    data: tuple[Mapping[str, Any] | None, ...]
    answers: Mapping[str, Any]

    @classmethod
    def of(cls, widget: Widget, slot: str, store: Store) -> "World":
        states = [state for state in widget.states if state.slot == slot]
        data = {json.dumps(thaw(state.data), sort_keys=True): thaw(state.data) for state in states}
        return cls(
            slot=slot,
            names=page_names(store, slot),
            languages=widget.languages,
            data=(None, *(value for value in data.values() if value)),
            answers={url: answer for state in states for url, answer in state.fetch.items()},
        )


def _rule_of(step: PageStep) -> Any:
    """Return the rule of a step on the shop's page. The shopper takes it with one of the choices of the page."""

    def take(machine: "ExploredPage", choice: int) -> None:
        names = machine.names_for(step)
        machine.take_step(step, names[choice % len(names)])

    take.__name__ = take.__qualname__ = step.verb.replace("-", "_")
    possible = precondition(lambda machine: machine.names_for(step))
    return possible(rule(choice=st.integers(0, MOST_CHOICES - 1))(take))


class ExploredPage(RuleBasedStateMachine):
    """A page that `bench`, the value of the fixture `widget`, opens. `machine_of` sets the class variables."""

    bench: ClassVar[WidgetBench]
    world: ClassVar[World]
    fresh_pages: ClassVar[dict[str, Sequence[tuple[Schedule, str]]]]
    """The schedules and the block's texts of each fresh page, without and with LATER, by the choices that led to it."""

    earlier: ClassVar[Schedule | None]
    """The previous schedule, whose page is still open; None if there is no such page."""

    failure: ClassVar[ExploredFailure | None]
    """The last failure; None before the first one."""

    visit: WidgetVisit
    schedule: Schedule
    page_name: str
    """The product or the cart of the page."""

    def __init__(self) -> None:
        super().__init__()
        self.bench.earlier_problems = []
        self.calls: list[Call] = []
        self.last: dict[str, Call] = {}
        """The last choice of each kind. These choices determine the last payload."""
        self.controls: tuple[Sequence[str], Sequence[str]] | None = None
        self.is_touched = self.has_failed = self.has_left = False
        if self.earlier is not None:
            self._leave(self.earlier)

    @initialize(draw=st.data())
    def show(self, draw: st.DataObject) -> None:
        world = self.world
        name = draw.draw(st.sampled_from(world.names))
        status = draw.draw(st.sampled_from((None, 503)) if world.answers else st.none())
        data = draw.draw(st.sampled_from(world.data))
        chosen: dict[str, Any] = {"language": draw.draw(st.sampled_from(world.languages)), "data": data}
        chosen["theme"] = draw.draw(st.sampled_from((None, *CROWDED)))
        options = {"slot": world.slot, "now": NOW} | {key: value for key, value in chosen.items() if value}
        before = [Call(name="answer", arguments=(url, status or a)) for url, a in world.answers.items()]
        for call in before:
            call.perform(self.bench)
        if data is None:
            self.bench.shop.set_data(self.bench.installed_app, self.bench.unit, {})
        show = Call(name="show", arguments=(name,), options=options)
        self.schedule = Schedule(before=tuple(before), show=show, calls=self.calls)
        self.page_name = name
        type(self).earlier = self.schedule
        with self._watching(self.schedule), self._staying(self.schedule):
            self.visit = show.perform(self.bench)

    def names_for(self, step: PageStep) -> tuple[str | None, ...]:
        """Return the arguments with which the shopper can take a step on this page; none if it is not possible."""
        if SLOTS[self.world.slot].page.name not in step.pages:
            return ()
        if step.choice is None:
            return (None,)
        names = CHOICES[step.choice].names(self.bench.shop.workspace.store, self.page_name)
        return (None, *names) if step.optional else names

    def take_step(self, step: PageStep, name: str | None) -> None:
        """Take a step on the shop's page, by the visit's method of this name if it has one."""
        if hasattr(WidgetVisit, step.verb):
            self._do(step.verb, name, replaces=step.verb)
        else:
            self._do("step", f"{step.verb} {name or ''}".strip(), replaces=step.verb)

    @rule()
    def time_passes(self) -> None:
        self._do("frame.wait_for_timeout", 30)
        self._do("settle")

    @rule(is_late=st.booleans())
    def another_app_subscribes(self, is_late: bool) -> None:
        content = f"setTimeout(() => handler.setContent(note), {20 if is_late else 0})"
        note = 'const note = Object.assign(document.createElement("p"), { textContent: "Another app" });'
        script = f'{note} note.dataset.foreign = "explored"; const handler = init(); {content}'
        self._subscribe(self.visit.event, script)

    @rule()
    def another_app_fails_in_an_update(self) -> None:
        self._subscribe(f"{self.visit.event}-updated", f'throw new Error("{NEIGHBOUR_FAILURE}")')

    @precondition(lambda self: self._controls()[0])
    @rule(choice=st.integers(0, 11))
    def press(self, choice: int) -> None:
        self._act("click", self._controls()[0], choice)

    @precondition(lambda self: self._controls()[1])
    @rule(choice=st.integers(0, 11))
    def type_text(self, choice: int) -> None:
        self._act("type", self._controls()[1], choice, ' "Söhne & <b>"')

    @invariant()
    def has_no_problem_and_at_most_one_block(self) -> None:
        if problems := self.visit.problems():
            stack = next(filter(None, (problem.stack for problem in problems)), "")
            why = "; ".join(dict.fromkeys(problem.headline for problem in problems))
            self._fail(f"{why}\n{stack}" if stack else why, ["assert visit.problems() == []"])
        if self.visit.block_count > 1:
            why = f"the page has {self.visit.block_count} blocks of the widget"
            self._fail(why, ["assert visit.block_count <= 1"])

    def teardown(self) -> None:
        """Compare the block with that of a fresh page, and again after LATER.

        The blocks are not compared after a failure, when the page was left, or after an action of the shopper in the
        block. The page stays open until the next schedule, for the report of the test.
        """
        if not hasattr(self, "visit"):
            return
        type(self).earlier = self.schedule
        if not (self.has_failed or self.has_left):
            looks = []
            with suppress(StepFailed):  # the page's timers take too long, or the shopper has left the page
                self._perform(SETTLE)
                looks.append((replace(self.schedule, calls=[*self.calls]), self.visit.text()))
                self._perform(LATER)
                self.has_no_problem_and_at_most_one_block()
                looks.append((self.schedule, self.visit.text()))
            if not self.is_touched:
                self._compare_with_fresh_page(looks)
        if self.has_left:
            self.bench.visit = None  # the test does not fail because of it

    def _leave(self, schedule: Schedule) -> None:
        """Remove the page of a schedule, and delete what it stored.

        Deleting takes only 3 % of the time of a schedule, so it is done after each. (The laboratory does it only after
        a page that has stored something.)
        """
        self.bench.visit = None
        with self._watching(schedule):
            self.bench.tab.forget()

    def _compare_with_fresh_page(self, looks: Sequence[tuple[Schedule, str]]) -> None:
        key = repr((self.schedule.before, self.schedule.show, self.last))
        if key not in self.fresh_pages:
            self.fresh_pages[key] = self._show_fresh_page()
        for (schedule, text), (fresh, fresh_text) in zip(looks, self.fresh_pages[key], strict=False):
            if text != fresh_text:
                ending = ["text = visit.text()", *fresh.lines("fresh"), "assert text == fresh.text()"]
                self.schedule = schedule
                self._fail(
                    f"the block shows {quoted(text)}, and on a fresh page {quoted(fresh_text)}", ending
                )

    def _show_fresh_page(self) -> Sequence[tuple[Schedule, str]]:
        """Show the page again with the last choice of each kind, and wait.

        Returns the schedule and the text of the block before the wait, and after it.

        A call that raises StepFailed is left out: a fresh page may begin with this choice already made, and its timers
        may take too long.
        """
        calls: list[Call] = []
        fresh = Schedule(before=(), show=self.schedule.show, calls=calls)
        looks = []
        with self._watching(replace(self.schedule, calls=calls)), self._staying(self.schedule, fresh):
            page: WidgetVisit = self.schedule.show.perform(self.bench)
            for call in (*self.last.values(), SETTLE, LATER):
                calls.append(call)
                try:
                    call.perform(page)
                except PageLeft:
                    raise
                except StepFailed:
                    calls.pop()
                    continue
                if call in (SETTLE, LATER):
                    looks.append((replace(fresh, calls=[*calls]), page.text()))
        return looks

    def _controls(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return the selectors of the elements to press, and of those to type into.

        They are cached until the next action. Both are empty before the page is shown, after it is left, and without a
        block.
        """
        if self.has_left or not hasattr(self, "visit"):
            return (), ()
        if self.controls is None:
            with self._watching(self.schedule):
                pressed, typed = self.visit.evaluate(CONTROLS, f".placeholder-{self.visit.slot} {OWN_BLOCKS}")
            self.controls = pressed, typed
        return self.controls

    def _act(self, verb: str, selectors: Sequence[str], choice: int, more: str = "") -> None:
        self.is_touched = True
        self._do("step", f'{verb} "{selectors[choice % len(selectors)]}"{more}')

    def _subscribe(self, event: str, script: str) -> None:
        service = self.bench.shop.dialect.global_object
        subscribing = f'{service}.subscribeEvent("{event}", (event, init) => {{ {script} }})'
        self._do("evaluate", f"() => {{ try {{ {subscribing} }} catch {{}} }}")
        self._do("settle")

    def _do(self, name: str, *arguments: Any, replaces: str | None = None) -> None:
        """Make a call on the page, unless the shopper has left it, and record it.

        A call that raises StepFailed is not recorded.

        `replaces` is the kind of the choice that the call makes, if it makes one. The call becomes the last choice of
        this kind.
        """
        call = Call(name=name, arguments=arguments)
        if self.has_left:
            return
        try:
            self._perform(call)
        except StepFailed:
            return
        if replaces is not None:
            self.last.pop(replaces, None)
            self.last[replaces] = call

    def _perform(self, call: Call) -> None:
        """Make a call on the page and record it. Raises StepFailed, also when the shopper's action leaves the page."""
        self.controls = None
        schedule = replace(self.schedule, calls=[*self.calls, call])
        with self._watching(schedule), nullcontext() if self.is_touched else self._staying(schedule):
            try:
                call.perform(self.visit)
            except PageLeft:
                self.has_left = True
                raise
        self.calls.append(call)

    @contextmanager
    def _watching(self, schedule: Schedule) -> Iterator[None]:
        """Raise LostPage, with `schedule`, when the page no longer responds or is closed while the block runs."""
        try:
            yield
        except (Stuck, Error) as error:
            if isinstance(error, Error) and not self.bench.tab.page.is_closed():
                raise
            self.has_failed = True
            raise LostPage(
                str(error) if isinstance(error, Stuck) else "the page is closed", schedule
            ) from error

    @contextmanager
    def _staying(self, schedule: Schedule, fresh: Schedule | None = None) -> Iterator[None]:
        """Fail with `schedule` when the page leaves for another one while the block runs.

        `fresh` is the schedule of the fresh page, if that is the page.
        """
        try:
            yield
        except PageLeft as left:
            self.schedule = schedule
            self._fail(str(left), fresh.lines("fresh") if fresh else ())

    def _fail(self, why: str, ending: Sequence[str]) -> NoReturn:
        self.has_failed = True
        type(self).failure = failure = ExploredFailure(why, self.schedule, ending)
        raise failure


for _step in PAGE_STEPS.values():
    setattr(ExploredPage, _step.verb.replace("-", "_"), _rule_of(_step))


def machine_of(bench: WidgetBench, world: World) -> type[ExploredPage]:
    """Return the state machine that explores the pages of `world`, which `bench` opens."""
    return type(
        "ExploredPage",
        (ExploredPage,),
        {"bench": bench, "world": world, "fresh_pages": {}, "earlier": None, "failure": None},
    )
