"""The fixture `widget`: a widget's block on a page of the shop, and its updates, in a fresh frame of a tab.

It is the page that the fixture `storefront` opens, at a fraction of the time. docs/testing.md says what a frame does
not isolate from the next test, and how it differs from a page of its own.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from awning.contract.slots import CART_TOPIC, PRODUCT_TOPIC, SLOTS
from awning.states.host_responses import HostResponse
from awning.workspace.model import WidgetState
from awning.workspace.store.store import Store
from awning_harness.shop import Shop
from awning_harness.visit.frames.app_pages import AppPages
from awning_harness.visit.frames.globals import GlobalsWithoutApps
from awning_harness.visit.frames.tab import FrameTab
from awning_harness.visit.frames.widget_visit import FrameAction, WidgetVisit, act_again
from awning_harness.visit.hosts.other_hosts import OtherHosts
from awning_harness.visit.pages.address import PageAddress, state_options
from awning_harness.visit.pages.console_errors import collect_errors
from awning_harness.visit.pages.problems import PageProblem, ProblemKind
from awning_harness.visit.pages.stacks import with_author_places
from awning_harness.visit.pages.tabs import VIEWPORT, Stuck
from awning_harness.visit.steps.failures import PageLeft


@dataclass(slots=True, kw_only=True, repr=False)
class WidgetBench(AppPages[WidgetVisit]):
    """A shop with one app, whose pages are shown in frames of a tab. `visit` is the open page."""

    tab: FrameTab
    width: int = VIEWPORT["width"]
    """The width of the pages in CSS pixels, unless `show` gets another one."""
    errors: list[str] = field(default_factory=list)
    """The errors of the console of the open page."""

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

        `slot` is by default the widget's first slot on a page of a product, or of a cart. `width` is that of the page
        in CSS pixels. The other options are those of `storefront.product`.
        """
        slot = slot or self._slot_of(self.shop.workspace.store, name)
        address = self._prepare(slot, name, language, options)
        asked = {"slot": slot, "language": language, "width": width, **options}

        def show_again(bench: WidgetBench) -> WidgetVisit:
            return bench.show(name, **asked)

        try:
            return self._show(address, width, show_again)
        except Stuck as stuck:
            raise self._explain(stuck, show_again) from None

    def state(self, state: WidgetState, language: str, *, width: int | None = None) -> WidgetVisit:
        """Show a state and take its steps. Raises NotInTheStore and, with the step's index, StepFailed."""
        for url, answer in state.fetch.items():
            self.answer(url, answer)
        name, options = state_options(state)
        visit = self.show(name, slot=state.slot, language=language, width=width, **options)
        self.opened_state = state, language
        self._take_steps(visit, state)
        return visit

    def leave_page(self) -> None:
        """Leave the open page, if any, and delete what it stored, so that the next page is another shopper's."""
        if self.visit is None:
            return
        self.earlier_problems = self.problems()
        self.visit = self.opened_state = None
        self.has_earlier_page = False
        self.tab.forget()

    def _note_answer(self, visit: WidgetVisit, url: str, response: HostResponse) -> None:
        visit.actions.append(FrameAction(answer=(url, response)))

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

    def _explain(self, stuck: Stuck, play: Callable[["WidgetBench"], object]) -> Stuck:
        """Play on a bench with a debugger what has made the tab stuck. Returns a Stuck with the place of the script.

        Returns `stuck` if the tab is not stuck again.
        """
        if self.tab.debugger:
            return stuck

        def play_again(tab: FrameTab) -> None:
            other_hosts = OtherHosts(
                context=tab.page.context,
                devtools=tab.devtools,
                folder=self.other_hosts.folder,
                beacon=self.other_hosts.beacon,
                report=lambda _: None,
                responses=dict(self.other_hosts.at_opening),
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
        own = next((w.slots for w in self.shop.workspace.widgets if w.name == self.unit), ())
        slots = own or tuple(SLOTS)
        if name is None:
            return slots[0]
        topic = CART_TOPIC if store.find_product(name) is None else PRODUCT_TOPIC
        return next((slot for slot in slots if SLOTS[slot].topic == topic), slots[0])

    def _show(
        self, address: PageAddress, width: int | None, again: Callable[["WidgetBench"], WidgetVisit]
    ) -> WidgetVisit:
        """Show a page. `again` shows it on another bench."""

        def do_again(bench: WidgetBench, actions: Sequence[FrameAction]) -> None:
            act_again(again(bench), actions)

        self.earlier_problems = self.problems()
        self.has_earlier_page = self.has_earlier_page or self.visit is not None
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
            explain=lambda stuck, actions: self._explain(stuck, lambda bench: do_again(bench, actions)),
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
        devtools=tab.devtools,
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
