"""The widget on one page of a widget test: what its block shows, and what a shopper or the test does there."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from playwright.sync_api import Frame, Locator
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from awning.states.host_responses import HostResponse
from awning.states.json_values import thaw
from awning.workspace.steps import Step
from awning.workspace.store.store import Store
from awning_harness.visit.frames.globals import OF_PLAYWRIGHT, GlobalsWithoutApps, with_places
from awning_harness.visit.frames.tab import FrameLook, FrameTab
from awning_harness.visit.hosts.other_hosts import OtherHosts
from awning_harness.visit.pages import tabs
from awning_harness.visit.pages.address import PageAddress
from awning_harness.visit.pages.problems import PageProblem, TraceEntry, own_entries, page_problems
from awning_harness.visit.pages.tabs import SCREENSHOT_MS, Stuck, WatchedLocator
from awning_harness.visit.pages.visibility import EMPTY, OWN_BLOCKS, SHOWS, wrong_texts
from awning_harness.visit.steps.page_steps import frame_step, read, updated_event


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameAction:
    """Something that a test does on a page, which can be done again on another one; without a value, it looks again.

    `step` is a step as `jsrc/visit` takes it in a frame. `script` is an expression or function that gets `argument`.
    `answer` is the address of another host, and what it answers from now on.
    """

    step: Mapping[str, Any] | None = None
    answer: tuple[str, HostResponse] | None = None
    script: str | None = None
    argument: Any = None


IS_ONE = "(selector) => document.querySelectorAll(selector).length == 1"
"""JavaScript that returns whether exactly one element matches."""


@dataclass(frozen=True, slots=True)
class WatchedFrame:
    """Playwright's frame of a tab. If a test uses its `page`, the tab is not reused: the next test would share it."""

    tab: FrameTab

    def __getattr__(self, name: str) -> Any:
        if name == "page":
            self.tab.handed_out = True
        return getattr(self.tab.frame, name)


@dataclass(slots=True, kw_only=True, repr=False)
class WidgetVisit:
    """The widget on one page. Its values are those after the last action, such as `select`; `settle` looks again.

    `errors` are as in `OpenedPage`, and so are the exceptions that methods raise.
    """

    tab: FrameTab
    store: Store
    unit: str
    address: PageAddress
    event: str
    """The name of the slot's base event."""
    seen: FrameLook
    other_hosts: OtherHosts
    globals_without_apps: GlobalsWithoutApps
    explain: Callable[[Stuck, Sequence[FrameAction]], Stuck]
    """Opens the page again and does all actions, to find the place of a script that never ends."""
    errors: list[str] = field(default_factory=list)
    actions: list[FrameAction] = field(default_factory=list)
    """What was done on the page so far. What Playwright's objects did is not among it."""
    not_possible: FrameAction | None = None
    """What the test tried last, if that was not possible; None if it was."""

    def __repr__(self) -> str:
        return f"<widget on {self.address.path}>"

    @property
    def slot(self) -> str:
        return self.address.slot

    @property
    def path(self) -> str:
        """The page's address within the website: `en/product/1?theme=dark`."""
        return self.address.path

    @property
    def title(self) -> str:
        """The title of the page."""
        return self.seen["title"]

    def text(self) -> str:
        """Return the visible text of the block, including open shadow roots. Empty when there is no block."""
        return "\n".join(self.seen["texts"])

    @property
    def html(self) -> str:
        """The HTML of the block. Empty when there is no block."""
        return "\n".join(self.seen["html"])

    @property
    def block_count(self) -> int:
        """The number of the app's blocks in the slot."""
        return len(self.seen["html"])

    @property
    def has_place(self) -> bool:
        """Whether the page has the slot."""
        return self.seen["hasPlace"]

    @property
    def frame(self) -> Frame:
        """Playwright's frame with the page, for everything that this class does not offer.

        After the use of its `page`, the tab is not reused.
        """
        self.tab.is_lent = True
        return cast("Frame", WatchedFrame(self.tab))

    @property
    def block(self) -> Locator:
        """The app's blocks in the slot, without those of the other apps in the theme `crowded`."""
        self.tab.is_lent = True
        return WatchedLocator(
            self.tab.frame.locator(f".placeholder-{self.slot}").locator(OWN_BLOCKS), self.tab
        )

    def evaluate(self, script: str, argument: Any = None) -> Any:
        """Return the value of a JavaScript expression or function of the page."""
        return self._act(FrameAction(script=script, argument=argument))

    def select(self, variant: str) -> None:
        """Choose a variant, by its id or by its options in English (`M/Red`)."""
        self._take(Step("select", (variant,)), again=True)

    def discount(self, code: str | None) -> None:
        """Enter a discount code at the checkout; None removes it."""
        self._take(Step("discount", () if code is None else (code,)))

    def shipping(self, way: str) -> None:
        """Choose a way of shipping of the store, such as `parcel` or `pickup`."""
        self.step(f"shipping {way}")

    def wait(self, *, hours: int = 0, minutes: int = 0, seconds: int = 0) -> None:
        """Let up to an hour pass: move the clock that `now` stops, and run the timers that are due in that time.

        Needs a page with `now`.
        """
        self.step(f"wait {3600 * hours + 60 * minutes + seconds} seconds")

    def step(self, words: str) -> None:
        """Take a step as a state writes it: `select L/Blue`, `click "button.more"`."""
        self._take(read(words))

    def update(self, payload: Mapping[str, Any]) -> None:
        """Fire the slot's updated event with `payload` as its updated item. Raises StepFailed if the slot has none."""
        event = updated_event(self.slot, self.event)
        step = {"verb": "update", "event": event, "updated": thaw(payload)}
        self._act(FrameAction(step=step))

    def settle(self) -> None:
        """Wait for queued events and for the responses of other hosts, and look again."""
        self._act(FrameAction())

    def trace(self) -> list[TraceEntry]:
        """Return the emulator's trace: subscriptions, deliveries, inits, contents, exceptions, violations."""
        return self.seen["trace"]

    def violations(self) -> list[TraceEntry]:
        """Return the entries of the trace about broken rules."""
        return own_entries(self.trace(), "violation")

    def leaked_globals(self) -> list[str]:
        """Return the globals that the page has only with the app, in alphabetical order.

        Those that `widget.toml` allows are left out.
        """
        names = self.seen["globals"]
        return self.globals_without_apps.leaked(
            names, self.address, self.tab, unit=self.unit, ignored=OF_PLAYWRIGHT
        )

    def problems(self) -> list[PageProblem]:
        """Return the broken rules, the exceptions, the errors of the console and the leaked globals so far."""
        leaked = with_places(self.globals_without_apps.shop, self.unit, self.leaked_globals())
        return page_problems(self.trace(), self.errors, leaked)

    def _act(self, action: FrameAction) -> Any:
        """Do something on the page, and return the value of its script.

        If a script on the page then never ends, raises Stuck with the place of the script.
        """
        is_look = action == FrameAction()
        if not is_look:
            self.not_possible = action
        try:
            value = self._do(action)
        except Stuck as stuck:
            raise self.explain(stuck, [*self.actions, action]) from None
        self.actions.append(action)
        if not is_look:
            self.not_possible = None
        return value

    def _take(self, step: Step, *, again: bool = False) -> None:
        self._act(FrameAction(step=frame_step(self.store, self.address.product, step, again=again)))

    def _do(self, action: FrameAction) -> Any:
        if action.answer is not None:
            return self.other_hosts.answer(*action.answer)
        if action.script is not None:
            return self.tab.evaluate(action.script, action.argument)
        self.seen = self.tab.look(self.slot, action.step)
        self.await_other_hosts()
        return None

    def text_problems(
        self, present: Sequence[str], absent: Sequence[str], *, within_ms: float = 5000
    ) -> list[str]:
        """Wait until the slot shows all texts in `present` and none in `absent`.

        Returns the problems that remain after `within_ms`.
        """
        if problems := wrong_texts(self.text(), present, absent):
            wanted = [f".placeholder-{self.slot}", list(present), list(absent)]
            self._await(SHOWS, wanted, within_ms)
            problems = wrong_texts(self.text(), present, absent)
        return problems

    def shows_nothing(self, *, within_ms: float = 5000) -> bool:
        """Wait until the widget shows nothing, or only a block that takes no space.

        Returns whether this happens within `within_ms`.
        """
        return self.block_count == 0 or self._await(
            EMPTY, f".placeholder-{self.slot} {OWN_BLOCKS}", within_ms
        )

    def has_one_block(self, *, within_ms: float = 5000) -> bool:
        """Wait until the widget has one block. Returns whether this happens within `within_ms`."""
        return self.block_count == 1 or self._await(
            IS_ONE, f".placeholder-{self.slot} {OWN_BLOCKS}", within_ms
        )

    def content(self) -> str:
        """Return the page's HTML as it is now."""
        return self.tab.frame.content()

    def take_screenshot(self, file: Path, *, is_full_page: bool) -> None:
        """Write a picture of the page, or of the part of it that is visible."""
        with self.tab.grown() if is_full_page else nullcontext():
            self.tab.page.locator("iframe").first.screenshot(path=file, timeout=SCREENSHOT_MS)

    def await_other_hosts(self) -> None:
        """Wait for the responses of other hosts, and look again when they have arrived."""
        self.other_hosts.await_answers(self.tab.has_received, self._look)

    def _look(self) -> None:
        self.seen = self.tab.look(self.slot)

    def _await(self, script: str, argument: Any, within_ms: float) -> bool:
        """Run JavaScript in the page until it returns true, for at most `within_ms`. Returns whether it did."""
        is_true = True
        try:
            self.tab.frame.wait_for_function(script, arg=argument, timeout=within_ms)
        except PlaywrightTimeout:
            self.tab.require_responsive(within_ms=tabs.LOAD_TIMEOUT_MS)
            is_true = False
        self.settle()
        return is_true


def act_again(visit: WidgetVisit, actions: Iterable[FrameAction]) -> None:
    """Do on a page what was done on another one."""
    for action in actions:
        visit._act(action)  # noqa: SLF001 - authors take steps
