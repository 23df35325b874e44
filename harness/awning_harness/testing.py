"""The simulated shop for tests: a test opens a page, takes steps on it, and checks what the widget shows.

`Storefront` is the value of the fixture `storefront`; each page that it opens is an `OpenedPage`.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Locator, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from awning.build_record import WHOLE_APP
from awning.contract.slots import PRODUCT_TOPIC, SLOTS, slot_about
from awning.pipeline.write.maps import BuiltScript
from awning.states.host_responses import HostResponse
from awning.states.json_values import thaw
from awning.workspace.model import WidgetState
from awning.workspace.steps import Step
from awning.workspace.store.records import ProductRecord
from awning.workspace.store.store import Store
from awning_harness.shop import Shop
from awning_harness.visit.frames.app_pages import AppPages
from awning_harness.visit.frames.globals import GlobalsWithoutApps, with_places
from awning_harness.visit.hosts.other_hosts import HAS_RECEIVED, OtherHosts
from awning_harness.visit.pages import tabs
from awning_harness.visit.pages.address import PageAddress, state_options
from awning_harness.visit.pages.console_errors import collect_errors
from awning_harness.visit.pages.problems import (
    PageProblem,
    ProblemKind,
    TraceEntry,
    own_entries,
    page_problems,
)
from awning_harness.visit.pages.stacks import ScriptOnPage, with_author_places
from awning_harness.visit.pages.tabs import SCREENSHOT_MS, Stuck, Tab, Tabs, WatchedLocator
from awning_harness.visit.pages.visibility import EMPTY, OWN_BLOCKS, SHOWS, TEXTS, wrong_texts
from awning_harness.visit.steps import page_steps

ANSWERED = f"(urls) => ({HAS_RECEIVED})(window, urls)"

SETTLED = """() => new Promise((done) => {
  const later = () => setTimeout(done, 0);
  document.readyState === "complete" ? later() : addEventListener("load", later, { once: true });
})"""
"""JavaScript that waits until the page has loaded and its present zero-delay timers have fired.

The service repeats the first update in such a timer (observed).
"""

SETTLED_TEXTS = f"""async (blocks) => {{
  await ({SETTLED})();
  return ({TEXTS})([...document.querySelectorAll(blocks)]);
}}"""
"""JavaScript that waits as SETTLED does, and returns the visible text of each block."""

EVENTS = f"""async () => {{
  await ({SETTLED})();
  const emulator = globalThis.awningEmulator;
  const globals = emulator ? Object.getOwnPropertyNames(globalThis).join() : null;
  return JSON.stringify({{ trace: emulator?.trace() ?? [], globals }});
}}"""
"""JavaScript that waits as SETTLED does, and returns the emulator's trace and the page's globals as JSON.

On a page outside of the shop, the trace is empty and `globals` is null.
"""

FIRE = "([event, updated]) => awningEmulator.fire(event, updated)"
"""JavaScript that fires an event with its updated item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageAction:
    """Something that a test did on a page, in words, which can be done again on another page."""

    words: str
    take: Callable[["OpenedPage"], object]
    count: int = 1
    """How many actions it stands for."""
    updates: Sequence[Mapping[str, Any]] = ()
    """The updated items of updates that are fired at once; empty for another action."""


def answer_action(url: str, response: HostResponse) -> PageAction:
    """Return the action after which another host answers something else."""

    def take(page: "OpenedPage") -> None:
        if page.tab.other_hosts:
            page.tab.other_hosts.answer(url, response)

    is_json = response.content_type == "application/json"
    what = response.body.decode(errors="replace") if is_json else response.status
    return PageAction(words=f"answer {url} with {what}", take=take)


@dataclass(slots=True, kw_only=True, repr=False)
class OpenedPage:
    """One opened page.

    `errors` are the console's errors and uncaught exceptions so far.

    Methods raise Stuck when the page does not respond, StepFailed when a step is not possible or changes nothing, and
    NotInTheStore for a variant or a way of shipping that the store does not have.
    """

    tab: Tab
    address: PageAddress
    store: Store
    unit: str
    globals_without_apps: GlobalsWithoutApps
    event: str
    """The name of the slot's base event."""
    script: BuiltScript | None = None
    """The app's script on the page; None when its snippet has none."""
    errors: list[str] = field(default_factory=list)
    actions: list[PageAction] = field(default_factory=list)
    """What the test did on the page so far, also an action that failed. What Playwright's objects did is not in it."""
    _html: str | None = None
    """The HTML that was sent. None until a stack trace needs it; empty when it is not available."""

    def __repr__(self) -> str:
        return f"<page {self.path}>"

    @property
    def slot(self) -> str:
        return self.address.slot

    @property
    def path(self) -> str:
        """The page's address within the website: `en/product/1?theme=dark`."""
        return self.address.path

    @property
    def product(self) -> ProductRecord | None:
        return self.address.product

    @property
    def page(self) -> Page:
        """Playwright's page, for everything that this class does not offer. After its use, the tab is not reused."""
        self.tab.handed_out = self.tab.is_lent = True
        return self.tab.page

    @property
    def container(self) -> Locator:
        """The slot's container on the page."""
        self.tab.is_lent = True
        return self._container

    @property
    def block(self) -> Locator:
        """The app's blocks in the slot, without those of the other apps in the theme `crowded`."""
        self.tab.is_lent = True
        return self._block

    @property
    def _container(self) -> Locator:
        return WatchedLocator(self.tab.page.locator(f".placeholder-{self.slot}"), self.tab)

    @property
    def _block(self) -> Locator:
        return WatchedLocator(self._container.locator(OWN_BLOCKS), self.tab)

    def evaluate(self, script: str) -> Any:
        """Return the value of a JavaScript expression or function on the page."""
        self._note(f"evaluate {script}", lambda page: page.evaluate(script))
        return self.tab.evaluate(script)

    def text(self) -> str:
        """Return the visible text of the block, including open shadow roots. Empty when there is no block."""
        self._await_other_hosts()
        texts = self.tab.evaluate(SETTLED_TEXTS, f".placeholder-{self.slot} {OWN_BLOCKS}")
        return "\n".join(texts)

    def text_problems(
        self, present: Sequence[str], absent: Sequence[str], *, within_ms: float = 5000
    ) -> list[str]:
        """Wait until the slot shows all texts in `present` and none in `absent`.

        Returns the problems that remain after `within_ms`.
        """
        try:
            wanted = [f".placeholder-{self.slot}", list(present), list(absent)]
            self.tab.page.wait_for_function(SHOWS, arg=wanted, timeout=within_ms)
        except PlaywrightTimeout:
            self.tab.require_responsive()
            return wrong_texts("\n".join(self._container.evaluate_all(TEXTS)), present, absent)
        return []

    def shows_nothing(self, *, within_ms: float = 5000) -> bool:
        """Wait until the widget shows nothing, or only a block that takes no space.

        Returns whether this happens within `within_ms`.
        """
        try:
            blocks = f".placeholder-{self.slot} {OWN_BLOCKS}"
            self.tab.page.wait_for_function(EMPTY, arg=blocks, timeout=within_ms)
        except PlaywrightTimeout:
            self.tab.require_responsive()
            return False
        return True

    def select(self, variant: str) -> None:
        """Choose a variant, by its id or by its options in English (`M/Red`)."""
        self._note(f"select {variant}", lambda page: page.select(variant))
        self._take(Step("select", (variant,)), again=True)

    def discount(self, code: str | None) -> None:
        """Enter a discount code at the checkout; None removes it."""
        step = Step("discount", () if code is None else (code,))
        self._note(step.words, lambda page: page.discount(code))
        self._take(step)

    def shipping(self, way: str) -> None:
        """Choose a way of shipping of the store, such as `parcel` or `pickup`."""
        self._note(f"shipping {way}", lambda page: page.shipping(way))
        self._take(Step("shipping", (way,)))

    def wait(self, *, hours: int = 0, minutes: int = 0, seconds: int = 0) -> None:
        """Let up to an hour pass: move the clock that `now` stops, and run the timers that are due in that time.

        Needs a page with `now`.
        """
        self.step(f"wait {3600 * hours + 60 * minutes + seconds} seconds")

    def step(self, words: str) -> None:
        """Take a step as a state writes it: `select L/Blue`, `click "button.more"`."""
        self._note(words, lambda page: page.step(words))
        page_steps.take(self.tab, self.store, self.product, self._block, page_steps.read(words))
        self.settle()

    def update(self, payload: Mapping[str, Any]) -> None:
        """Fire the slot's updated event with `payload` as its updated item. Raises StepFailed if the slot has none."""
        event = page_steps.updated_event(self.slot, self.event)
        updated = thaw(payload)
        words = f"update {json.dumps(updated, ensure_ascii=False)}"
        self.actions.append(
            PageAction(words=words, take=lambda page: page.update(updated), updates=[updated])
        )
        self.tab.evaluate(FIRE, [event, updated])
        self.settle()

    def _note(self, words: str, take: Callable[["OpenedPage"], object]) -> None:
        self.actions.append(PageAction(words=" ".join(words.split()), take=take))

    def _take(self, step: Step, *, again: bool = False) -> None:
        page_steps.take_on_page(self.tab, page_steps.page_step(self.store, self.product, step, again=again))
        self.settle()

    def trace(self) -> list[TraceEntry]:
        """Return the emulator's trace: subscriptions, deliveries, inits, contents, exceptions, violations."""
        entries: list[TraceEntry] = self.tab.evaluate("() => awningEmulator.trace()")
        return entries

    def violations(self) -> list[TraceEntry]:
        """Return the entries of the trace about broken rules."""
        return own_entries(self.trace(), "violation")

    def exceptions(self) -> list[TraceEntry]:
        """Return the entries of the trace about exceptions that left a callback."""
        return own_entries(self.trace(), "exception")

    def problems(self) -> list[PageProblem]:
        """Return the broken rules, the exceptions, the errors of the console and the leaked globals so far."""
        events = json.loads(self.tab.evaluate(EVENTS))
        self._name_places()
        leaked = with_places(self.globals_without_apps.shop, self.unit, self._leaked(events["globals"]))
        return page_problems(events["trace"], self.errors, leaked)

    def leaked_globals(self) -> list[str]:
        """Return the globals that the page has only with the app, in alphabetical order.

        Those that `widget.toml` allows are left out.
        """
        return self._leaked(json.loads(self.tab.evaluate(EVENTS))["globals"])

    def _leaked(self, names: str | None) -> list[str]:
        """Return the globals in `names` that a page without apps does not have.

        `names` is a string with commas. It is None for a page outside of the shop, which has no leaked globals.
        """
        return self.globals_without_apps.leaked(names, self.address, unit=self.unit) if names else []

    def settle(self) -> None:
        """Wait until the page is loaded, other hosts have responded and queued events are delivered."""
        self.tab.evaluate(SETTLED)
        self._await_other_hosts()
        self._name_places()

    def _name_places(self) -> None:
        """Replace the places in the stack traces of the errors by places in the author's files.

        A place stays if that is not possible, for example after the test has left the page.
        """
        response = self.tab.response
        url = response.url.partition("#")[0] if response else ""
        if not (response and self.script and any(f"{url}:" in text for text in self.errors)):
            return
        if self._html is None:
            try:
                self._html = response.text()
            except Error:
                self._html = ""
        on_page = ScriptOnPage.within(self._html, self.script)
        self.errors[:] = [
            with_author_places(text, lambda name: on_page if name == url else None) for text in self.errors
        ]

    def content(self) -> str:
        """Return the page's HTML as it is now."""
        return self.tab.page.content()

    def take_screenshot(self, file: Path, *, is_full_page: bool) -> None:
        """Write a picture of the page, or of the part of it that is visible."""
        self.tab.page.screenshot(path=file, full_page=is_full_page, timeout=SCREENSHOT_MS)

    def _await_other_hosts(self) -> None:
        """Wait for the responses of other hosts to the page's requests, with a time limit."""
        if self.tab.other_hosts:
            self.tab.other_hosts.await_answers(self._has_received, lambda: self.tab.evaluate(SETTLED))

    def _has_received(self, urls: list[str]) -> bool:
        """Return whether the page has the responses. A page that is loaded meanwhile is asked anew."""
        try:
            answer = self.tab.page.wait_for_function(ANSWERED, arg=urls, timeout=tabs.LOAD_TIMEOUT_MS)
        except PlaywrightTimeout:
            return False
        return bool(answer.json_value() == "received")


@dataclass(slots=True, kw_only=True, repr=False)
class Storefront(AppPages[OpenedPage]):
    """A shop with one app installed, for one test.

    Methods that open a page raise NotInTheStore for a product or a cart that the store does not have.
    """

    tab: Tab

    def __repr__(self) -> str:
        return f"<storefront of {self.unit}>"

    @property
    def store(self) -> Store:
        """The store of the shop."""
        return self.shop.workspace.store

    @property
    def page(self) -> Page:
        """Playwright's page, also before a page of the shop is opened. After its use, the tab is not reused."""
        self.tab.handed_out = self.tab.is_lent = True
        return self.tab.page

    def _note_answer(self, visit: OpenedPage, url: str, response: HostResponse) -> None:
        visit.actions.append(answer_action(url, response))

    def with_pseudo_language(self) -> str:
        """Switch to a shop that also has the pseudo-language, made from the default messages. Returns its code."""
        self.installed_app = self.shop.open(self.unit, pseudo=True).at(self.tab.origin)
        return self.shop.pseudo

    def product(self, product: str = "P1", *, language: str | None = None, **options: Any) -> OpenedPage:
        """Open a product page. `product` is a key of the store (`P1` to `P8` in the shipped one) or an id.

        The options are the same for all pages: `data` (the widget's part of the app data), `now` (ISO 8601, UTC),
        `currency`, `assumptions` (an assumption set, or single answers), `scenario`, `theme`, `csp`, `payload` (an
        event parameter of your own).
        """
        return self.open(slot_about(PRODUCT_TOPIC), product, language=language, **options)

    def cart(self, cart: str = "C1", *, language: str | None = None, **options: Any) -> OpenedPage:
        """Open the cart page. `cart` is a cart of the store such as `C1`, `empty`, or lines such as `1.103x2,2x1`."""
        return self.open(_slot_on("cart"), cart, language=language, **options)

    def checkout(self, cart: str = "C1", *, language: str | None = None, **options: Any) -> OpenedPage:
        """Open the checkout page, with a cart as in `cart`."""
        return self.open(_slot_on("checkout"), cart, language=language, **options)

    def problems(self) -> list[PageProblem]:
        """Return what went wrong on all pages so far.

        For a page that the test itself closed or navigated away from, only the console's errors are known.
        """
        if self.visit is None:
            return self.earlier_problems
        try:
            return [*self.earlier_problems, *self.visit.problems()]
        except Stuck as error:
            return [*self.earlier_problems, PageProblem(ProblemKind.STUCK, str(error))]
        except Error:
            errors = [PageProblem(ProblemKind.CONSOLE, text) for text in self.visit.errors]
            return [*self.earlier_problems, *errors]

    def state(self, state: WidgetState, language: str, **options: Any) -> OpenedPage:
        """Open the page of a state and take its steps. The options, as in `product`, replace the state's own.

        Raises StepFailed with the index of the step when a step fails.
        """
        if isinstance(state, str):
            raise TypeError(f'storefront.state takes no name; @pytest.mark.visit(state="{state}") does')
        for url, answer in state.fetch.items():
            self.answer(url, answer)
        name, own = state_options(state)
        visit = self.open(state.slot, name, language=language, **{**own, **options})
        self.opened_state = None if options else (state, language)
        self._take_steps(visit, state)
        return visit

    def open(
        self, slot: str, name: str | None = None, *, language: str | None = None, **options: Any
    ) -> OpenedPage:
        """Open the page of a slot with a product or a cart. The options are those of `product`.

        Raises NotInTheStore when the store has nothing of this name.
        """
        return self.open_address(self._prepare(slot, name, language, options))

    def open_address(self, address: PageAddress) -> OpenedPage:
        """Open a page of the shop, with the app data as they are."""
        visit = OpenedPage(
            tab=self.tab,
            address=address,
            store=self.store,
            unit=self.unit,
            globals_without_apps=self.globals_without_apps,
            event=SLOTS[address.slot].event(self.shop.dialect),
            script=self.shop.script(self.unit, address.language),
        )
        self.earlier_problems = self.problems()
        self.has_earlier_page = self.has_earlier_page or self.visit is not None
        self.visit, self.opened_state = visit, None
        self.address = address
        self.other_hosts.begin_page()
        self.tab.open(self.installed_app.url + address.path)
        visit.settle()
        return visit

    def add_error(self, text: str) -> None:
        """Add an error of the console to those of the open page."""
        if self.visit:
            self.visit.errors.append(text)


def _slot_on(page: str) -> str:
    return next(slot.name for slot in SLOTS.values() if slot.page.name == page)


@contextmanager
def open_storefront(
    shop: Shop,
    tabs: Tabs,
    globals_without_apps: GlobalsWithoutApps,
    *,
    unit: str = WHOLE_APP,
    title: str = "",
    own_context: bool = False,
) -> Iterator[Storefront]:
    """Open a storefront with a new website, origin and clean tab while the block runs. `title` is the test's title.

    With `own_context`, the tab is in a new browser context.
    """
    installed_app = shop.open(unit)  # first, because without a snippet there is no tab to give back
    tab = tabs.take(title, own_context=own_context)
    tab.other_hosts = other_hosts = OtherHosts(
        context=tab.page.context,
        devtools=tab.devtools,
        folder=shop.folder_of(unit),
        beacon=shop.workspace.beacon,
        report=lambda text: storefront.add_error(text),  # noqa: PLW0108 - there is no storefront yet
    )
    storefront = Storefront(
        shop=shop,
        unit=unit,
        installed_app=installed_app.at(tab.origin),
        tab=tab,
        other_hosts=other_hosts,
        globals_without_apps=globals_without_apps,
    )
    with collect_errors(tab.page, other_hosts, storefront.add_error):
        try:
            yield storefront
        finally:
            # First, so that no late request of the page is taken for one of the next test.
            tabs.give_back(tab)
