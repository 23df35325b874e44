"""The fixture `widget`: a widget's block on a page of the shop, and its updates, in a fresh frame of a tab.

It is the page that the fixture `storefront` opens, at a fraction of the time. docs/testing.md says what a frame does
not isolate from the next test, and how it differs from a page of its own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from playwright.sync_api import Frame, Locator
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from awning.contract import SLOTS
from awning.workspace import WidgetState
from awning.workspace.steps import StepSyntaxError, read_step
from awning.workspace.store import Store
from awning_harness.frames.globals import OF_PLAYWRIGHT, GlobalsWithoutApps
from awning_harness.frames.tab import FrameLook, FrameTab
from awning_harness.hosts.other_hosts import OtherHosts
from awning_harness.pages.address import PageAddress, page_address, state_options
from awning_harness.pages.console_errors import collect_errors
from awning_harness.pages.problems import PageProblem, ProblemKind, TraceEntry, own_entries, page_problems
from awning_harness.pages.stacks import with_author_places
from awning_harness.pages.store_names import NotInTheStore
from awning_harness.pages.tabs import LOAD_TIMEOUT_MS, SCREENSHOT_MS, VIEWPORT, Stuck, WatchedLocator
from awning_harness.pages.visibility import EMPTY, OWN_BLOCKS, SHOWS, wrong_texts
from awning_harness.shop import InstalledApp, Shop
from awning_harness.steps.block_steps import take_in_block
from awning_harness.steps.failures import PageLeft, StepFailed
from awning_harness.steps.frame_steps import discounting, page_step, selection
from awning_harness.steps.page_steps import WITHIN_MS
from awning_harness.storefront.json_values import thaw

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

    `errors` are the console's errors and uncaught exceptions so far.
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
    errors: list[str] = field(default_factory=list)

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
        return cast("Frame", WatchedFrame(self.tab))

    @property
    def block(self) -> Locator:
        """The app's blocks in the slot, without those of the other apps in the theme `crowded`."""
        return WatchedLocator(self.tab.frame.locator(f"#content-{self.slot}").locator(OWN_BLOCKS), self.tab)

    def evaluate(self, script: str, argument: Any = None) -> Any:
        """Return the value of a JavaScript expression or function of the page. Raises Stuck when it never ends."""
        return self.tab.evaluate(script, argument)

    def select(self, variant: str) -> None:
        """Choose a variant, by its id or by its options in English (`M/Red`).

        Raises NotInTheStore for an unknown variant, and StepFailed when it cannot be chosen.
        """
        self._take(selection(self.address.product, variant, again=True))

    def discount(self, code: str | None) -> None:
        """Apply a discount code at the checkout; None removes it. Raises StepFailed when that is not possible."""
        self._take(discounting(code))

    def shipping(self, way: str) -> None:
        """Choose a way of shipping of the store, such as `parcel` or `pickup`.

        Raises NotInTheStore for an unknown way of shipping, and StepFailed when it is chosen already or cannot be.
        """
        self.step(f"shipping {way}")

    def wait(self, *, hours: int = 0, minutes: int = 0, seconds: int = 0) -> None:
        """Let up to an hour pass: move the clock that `now` stops, and run the timers that are due in that time.

        Raises StepFailed when the page has no `now`, or when its timers take too long.
        """
        self.step(f"wait {3600 * hours + 60 * minutes + seconds} seconds")

    def step(self, words: str) -> None:
        """Take a step as a state writes it: `select L/Blue`, `click "button.more"`.

        Raises StepFailed when the step is not possible, and NotInTheStore for an unknown variant or way of shipping.
        """
        try:
            step = read_step(words)
        except StepSyntaxError as error:
            raise StepFailed(f"{error}; {error.hint}") from error
        if step.is_in_block:
            take_in_block(self.tab, self.block, step, within_ms=WITHIN_MS)
            self.settle()
        else:
            self._take(page_step(self.store, self.address.product, step))

    def update(self, payload: Mapping[str, Any]) -> None:
        """Fire the slot's updated event with `payload` as its updated item."""
        self._take({"verb": "update", "event": f"{self.event}-updated", "updated": thaw(payload)})

    def settle(self) -> None:
        """Wait for queued events and for the responses of other hosts, and look again."""
        self._take(None)

    def trace(self) -> list[TraceEntry]:
        """Return the emulator's trace: subscriptions, deliveries, inits, contents, exceptions, violations."""
        return self.seen["trace"]

    def violations(self) -> list[TraceEntry]:
        return own_entries(self.trace(), "violation")

    def leaked_globals(self) -> list[str]:
        """Return the global variables that the page has only with the app, in alphabetical order.

        Those that `widget.toml` allows are left out.
        """
        names = self.seen["globals"]
        return self.globals_without_apps.leaked(
            names, self.address, self.tab, unit=self.unit, ignored=OF_PLAYWRIGHT
        )

    def problems(self) -> list[PageProblem]:
        """Return what went wrong so far: broken rules, exceptions, errors of the console, leaked globals."""
        leaked = self.globals_without_apps.with_places(self.leaked_globals(), self.unit)
        return page_problems(self.trace(), self.errors, leaked)

    def _take(self, step: Mapping[str, Any] | None) -> None:
        self.seen = self.tab.look(self.slot, step)
        self.await_other_hosts()

    def text_problems(
        self, present: Sequence[str], absent: Sequence[str], *, within_ms: float = 5000
    ) -> list[str]:
        """Wait until the texts of the block are right. Returns the problems that remain after `within_ms`, if any."""
        if problems := wrong_texts(self.text(), present, absent):
            wanted = [f"#content-{self.slot}", list(present), list(absent)]
            self._await(SHOWS, wanted, within_ms)
            problems = wrong_texts(self.text(), present, absent)
        return problems

    def shows_nothing(self, *, within_ms: float = 5000) -> bool:
        """Wait until the widget shows nothing. Returns whether this happens. A block that takes no space is allowed."""
        return self.block_count == 0 or self._await(EMPTY, f"#content-{self.slot} {OWN_BLOCKS}", within_ms)

    def has_one_block(self, *, within_ms: float = 5000) -> bool:
        """Wait until the widget has one block. Returns whether this happens."""
        return self.block_count == 1 or self._await(IS_ONE, f"#content-{self.slot} {OWN_BLOCKS}", within_ms)

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
            self.tab.require_responsive(within_ms=LOAD_TIMEOUT_MS)
            is_true = False
        self.settle()
        return is_true


@dataclass(slots=True, kw_only=True, repr=False)
class WidgetBench:
    """A shop with one app, whose pages are shown in frames of a tab. `visit` is the open page."""

    shop: Shop
    unit: str
    installed_app: InstalledApp
    tab: FrameTab
    other_hosts: OtherHosts
    globals_without_apps: GlobalsWithoutApps
    width: int = VIEWPORT["width"]
    """The width of the pages in CSS pixels, unless `show` gets another one."""
    visit: WidgetVisit | None = None
    address: PageAddress | None = None
    """The page that was shown last, also when it did not load; None before the first one."""
    opened_state: tuple[WidgetState, str] | None = None
    """The state that is open, with its language; None when the open page is not that of a state."""
    has_own_data: bool = False
    """Whether the test has set app data for the open page or an earlier one."""
    errors: list[str] = field(default_factory=list)
    """The errors of the console of the open page."""
    earlier_problems: list[PageProblem] = field(default_factory=list)
    """The problems of the pages before the open one."""
    notes: tuple[str, ...] = ()
    """Always empty.

    Only a storefront opens pages that differ from those of the check (`conformance/failing_page.py`).
    """

    def __repr__(self) -> str:
        return f"<widget {self.unit}>"

    def show(
        self,
        name: str | None = None,
        *,
        slot: str | None = None,
        language: str | None = None,
        width: int | None = None,
        **options: Any,
    ) -> WidgetVisit:
        """Show the widget with a product (`P1`) or a cart (`C1`).

        `slot` is by default the widget's first slot on a page of a product, or of a cart.

        Options: those of `storefront.product` (`data`, `now`, `currency`, `assumptions`, `scenario`, `theme`, `csp`,
        `payload`), and the `width` of the page in CSS pixels.
        """
        store = self.shop.workspace.store
        slot = slot or self._slot_of(store, name)
        data = options.pop("data", None)
        address = page_address(store, slot, name, language or self.shop.workspace.languages[0], options)
        if data is not None:
            self.has_own_data = self.has_own_data or bool(data)
            self.shop.set_data(self.installed_app, self.unit, thaw(data))
        try:
            return self._show(address, width)
        except Stuck as stuck:
            asked = {"slot": slot, "language": language, "width": width, **options}
            raise self.explain(stuck, lambda bench: bench.show(name, **asked)) from None

    def state(self, state: WidgetState, language: str, *, width: int | None = None) -> WidgetVisit:
        """Show a state and take its steps. Raises NotInTheStore and, with the step's index, StepFailed."""
        for url, answer in state.fetch.items():
            self.answer(url, answer)
        name, options = state_options(state)
        visit = self.show(name, slot=state.slot, language=language, width=width, **options)
        self.opened_state = state, language
        for index, words in enumerate(state.steps):
            try:
                visit.step(words)
            except (NotInTheStore, StepFailed) as error:
                raise StepFailed(f'the step "{words}": {error}', index=index) from error
            except Stuck as stuck:
                raise self.explain(stuck, lambda bench: bench.state(state, language, width=width)) from None
        return visit

    def leave_page(self) -> None:
        """Leave the open page, if any, and delete what it stored, so that the next page is another shopper's."""
        if self.visit is None:
            return
        self.earlier_problems = self.problems()
        self.visit = self.opened_state = None
        self.tab.forget()

    def answer(self, url: str, answer: Any) -> None:
        """Set the response of another host: JSON, a str (a file beside the widget) or an int (a status).

        Raises ConfigurationError for an address of this machine, or a file that cannot be read.
        """
        self.other_hosts.answer(url, answer)

    def answer_as_in_states(self) -> None:
        """Set the responses of other hosts for a page that is shown without a state.

        Each address gets the response of the first state that has one. A response that is already set stays.
        """
        for url, answer in self.shop.answers_of(self.unit).items():
            if url not in self.other_hosts.responses:
                self.answer(url, answer)

    def with_pseudo_language(self) -> str:
        """Switch to a shop that also has the pseudo-language, made from the default messages. Returns its code."""
        self.installed_app = self.shop.open(self.unit, pseudo=True)
        return self.shop.pseudo

    def problems(self) -> list[PageProblem]:
        """Look at the open page again, and return what went wrong on all pages so far."""
        if self.visit is None:
            return self.earlier_problems
        try:
            self.visit.settle()
            return [*self.earlier_problems, *self.visit.problems()]
        except Stuck as error:
            return [*self.earlier_problems, PageProblem(ProblemKind.STUCK, str(error))]
        except PageLeft as error:
            left = PageProblem(ProblemKind.STUCK, str(error))
            return [*self.earlier_problems, left, *self.visit.problems()]

    def add_error(self, text: str) -> None:
        # In the stack, places in the bundled script become places in the author's files.
        self.errors.append(with_author_places(text, self.shop.find_script))

    def explain(self, stuck: Stuck, play: Callable[["WidgetBench"], object]) -> Stuck:
        """Play on a bench with a debugger what has made the tab stuck. Returns a Stuck with the place of the script.

        Returns `stuck` if the tab is not stuck again.
        """
        if self.tab.debugger:
            return stuck

        def play_again(tab: FrameTab) -> None:
            other_hosts = OtherHosts(
                context=tab.page.context,
                folder=self.other_hosts.folder,
                beacon=self.other_hosts.beacon,
                report=lambda _: None,
                responses=dict(self.other_hosts.responses),
            )
            other_hosts.listen()
            bench = WidgetBench(
                shop=self.shop,
                unit=self.unit,
                installed_app=self.installed_app,
                tab=tab,
                other_hosts=other_hosts,
                globals_without_apps=self.globals_without_apps,
                width=self.width,
            )
            play(bench)

        explained = self.globals_without_apps.tabs.explain(stuck, play_again)
        return Stuck(with_author_places(str(explained), self.shop.find_script))

    def _slot_of(self, store: Store, name: str | None) -> str:
        slots = next((w.slots for w in self.shop.workspace.widgets if w.name == self.unit), tuple(SLOTS))
        if name is None:
            return slots[0]
        is_cart = store.find_product(name) is None
        return next((slot for slot in slots if SLOTS[slot].has_product is not is_cart), slots[0])

    def _show(self, address: PageAddress, width: int | None) -> WidgetVisit:
        self.earlier_problems = self.problems()
        self.visit = self.opened_state = None
        self.globals_without_apps.of(address, self.tab)  # before the tab shows the page
        self.errors = []
        self.address = address
        self.other_hosts.begin_page()
        page = self.globals_without_apps.pages.fetch(self.installed_app.url + address.path)
        sent = replace(page, html=self.shop.with_script_name(page.html, self.unit, address.language))
        is_intercepted = self.other_hosts.intercepts
        width = width or self.width
        seen = self.tab.show(sent, address.slot, width=width, is_intercepted=is_intercepted)
        self.visit = WidgetVisit(
            tab=self.tab,
            store=self.shop.workspace.store,
            unit=self.unit,
            address=address,
            event=SLOTS[address.slot].event(self.shop.dialect),
            seen=seen,
            other_hosts=self.other_hosts,
            globals_without_apps=self.globals_without_apps,
            errors=self.errors,
        )
        self.visit.await_other_hosts()
        return self.visit


@contextmanager
def open_bench(
    shop: Shop, globals_without_apps: GlobalsWithoutApps, *, unit: str, title: str = ""
) -> Iterator[WidgetBench]:
    """Open a bench with a new website while the block runs. `title` is the test's title."""
    tabs = globals_without_apps.tabs
    installed_app = shop.open(unit)  # first: if it raises, no tab has to be given back
    tab = tabs.take(title)
    other_hosts = OtherHosts(
        context=tab.page.context,
        folder=shop.folder_of(unit),
        beacon=shop.workspace.beacon,
        report=lambda text: bench.add_error(text),  # noqa: PLW0108 - there is no bench yet
    )
    bench = WidgetBench(
        shop=shop,
        unit=unit,
        installed_app=installed_app,
        tab=tab,
        other_hosts=other_hosts,
        globals_without_apps=globals_without_apps,
    )
    with collect_errors(tab.page, other_hosts, bench.add_error):
        try:
            yield bench
        finally:
            # First, so that no late request of the page is taken for one of the next test.
            tabs.give_back(tab)
