"""What a test does in the simulated shop: opens a page, chooses, pays, and looks at what the widget shows.

`Storefront` is the fixture's value; each page it opens is a `Visit`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypedDict
from urllib.parse import urlencode

from playwright.sync_api import ConsoleMessage, Error, Locator, Page
from playwright.sync_api import TimeoutError as Late

from awning.workspace import WidgetState
from awning_harness import steps
from awning_harness.named import NotInTheStore, known_cart, product_named
from awning_harness.outside import Outside
from awning_harness.seen import EMPTY, SHOWS, TEXTS
from awning_harness.shop import WHOLE_APP, Opened, Shop
from awning_harness.storefront.records import ProductRecord
from awning_harness.tabs import Tab, Tabs

ANSWERED = """(asked) => {
  const ended = new Set(performance.getEntriesByType("resource").map((entry) => entry.name));
  return asked.every((url) => ended.has(url));
}"""
"""Whether the page has got what other hosts were asked for."""

SETTLED = """() => new Promise((done) => {
  const later = () => setTimeout(done, 0);
  document.readyState === "complete" ? later() : addEventListener("load", later, { once: true });
})"""
"""Past document-ready and the zero-delay timer that repeats the first update (observed)."""


class TraceEntry(TypedDict):
    """One thing the emulator saw, as `awningEmulator.trace()` tells it."""

    t: float
    kind: str
    event: str
    subscriber: int | None
    position: int | None
    detail: Any


@dataclass(slots=True, kw_only=True, repr=False)
class Visit:
    """One opened page.

    `errors` are the console's errors and uncaught exceptions so far. Times are the shopper's, in UTC.
    """

    tab: Tab
    slot: str
    product: ProductRecord | None = None
    errors: list[str] = field(default_factory=list)

    @property
    def page(self) -> Page:
        """Playwright's page, for what a visit has no word for. A tab that was handed out is not used again."""
        self.tab.handed_out = True
        return self.tab.page

    @property
    def container(self) -> Locator:
        """The slot's element on the page."""
        return self.tab.page.locator(f"#content-{self.slot}")

    @property
    def block(self) -> Locator:
        """What the app put into the slot: one element for each `initContentHandler` whose content was set."""
        return self.container.locator("[data-order]")

    def evaluate(self, script: str) -> Any:
        """The value of a JavaScript expression or function on the page. Raises Stuck."""
        self.tab.require_answer()
        return self.tab.page.evaluate(script)

    def text(self) -> str:
        """The visible text of the block, open shadow roots included; empty when there is none."""
        self.settle()
        return "\n".join(self.block.evaluate_all(TEXTS))

    def texts_amiss(
        self, shown: Sequence[str], hidden: Sequence[str], *, within_ms: float = 5000
    ) -> list[str]:
        """What is wrong with the texts in the slot, after waiting for them; empty when nothing is."""
        try:
            wanted = [f"#content-{self.slot}", list(shown), list(hidden)]
            self.tab.page.wait_for_function(SHOWS, arg=wanted, timeout=within_ms)
        except Late:
            self.tab.require_answer()
            found = " ".join("\n".join(self.container.evaluate_all(TEXTS)).split())
            missing = [f"does not show {text!r}" for text in shown if " ".join(text.split()) not in found]
            return missing + [f"shows {text!r}" for text in hidden if " ".join(text.split()) in found]
        return []

    def shows_nothing(self, *, within_ms: float = 5000) -> bool:
        """Whether the widget shows nothing, after waiting for that. A block that is there must take no space."""
        try:
            blocks = f"#content-{self.slot} [data-order]"
            self.tab.page.wait_for_function(EMPTY, arg=blocks, timeout=within_ms)
        except Late:
            self.tab.require_answer()
            return False
        return True

    def select(self, variant: str) -> None:
        """Choose a variant as a shopper does: by its id, or by its options in English (`M/Red`)."""
        __tracebackhide__ = True
        steps.select(self.tab, self.product, variant)
        self.settle()

    def discount(self, code: str | None) -> None:
        """Enter a discount code at the checkout; None takes it away. Raises StepFailed."""
        __tracebackhide__ = True
        steps.enter_code(self.tab, code)
        self.settle()

    def shipping(self, way: str) -> None:
        """Choose how the order is shipped: `parcel` or `pickup`. Raises StepFailed, also when it was chosen before."""
        __tracebackhide__ = True
        steps.choose_shipping(self.tab, way)
        self.settle()

    def step(self, words: str) -> None:
        """One step of a state: `select L/Blue`, `discount SAVE10`, `discount`, `shipping pickup`. Raises StepFailed."""
        __tracebackhide__ = True
        steps.take(self.tab, self.product, words)
        self.settle()

    def trace(self) -> list[TraceEntry]:
        """What happened so far: subscriptions, deliveries, inits, contents, exceptions, violations."""
        entries: list[TraceEntry] = self.evaluate("() => awningEmulator.trace()")
        return entries

    def violations(self) -> list[TraceEntry]:
        return [entry for entry in self.trace() if entry["kind"] == "violation"]

    def settle(self) -> None:
        """Wait until the page is loaded, other hosts have answered, and what it had queued has run. Raises Stuck."""
        requests = -1
        while self.tab.outside and requests < len(self.tab.outside.requested):
            requests = len(self.tab.outside.requested)
            with suppress(Late):
                if requests:
                    self.tab.page.wait_for_function(ANSWERED, arg=self.tab.outside.requested, timeout=1000)
            self.evaluate(SETTLED)


@dataclass(slots=True, kw_only=True, repr=False)
class Storefront:
    """A shop with one app installed, for one test."""

    shop: Shop
    unit: str
    opened: Opened
    tab: Tab
    outside: Outside
    visit: Visit | None = None

    def with_pseudo_language(self) -> str:
        """Go on in a shop that also has the pseudo-language, made of the default one's messages; returns its code."""
        self.opened = self.shop.open(self.unit, pseudo=True)
        return self.shop.pseudo

    def product(self, product: str = "P1", *, language: str | None = None, **options: Any) -> Visit:
        """Open a product page. `product` is the store's key (`P1` to `P8`) or an id.

        Options, here as for the other pages: `data` (the widget's part of the app data), `now` (ISO 8601, UTC),
        `assumptions` (an assumption set, or single answers), `scenario`, `payload` (an event parameter of your own).
        """
        record = product_named(product)
        return self._open(f"product/{record.id}", "after-price", language, record, options)

    def cart(self, cart: str = "C1", *, language: str | None = None, **options: Any) -> Visit:
        """Open the cart page. `cart` is C1, empty, P3x3, free, or lines such as `1.103x2,2x1`."""
        return self._open("cart", "after-cart", language, None, {"cart": known_cart(cart), **options})

    def checkout(self, cart: str = "C1", *, language: str | None = None, **options: Any) -> Visit:
        return self._open("checkout", "after-checkout", language, None, {"cart": known_cart(cart), **options})

    def answer(self, url: str, answer: Any) -> None:
        """What another host answers from here on: JSON, or a str, a file beside the widget, or an int, a status.

        `storefront.answer("https://points.example.com/near.json", {"points": []})`. 0 is no answer at all: the
        connection fails. Without a query in `url` it answers every query. Raises ConfigurationError.
        """
        self.outside.answer(url, answer)

    def answer_as_in_states(self) -> None:
        """On pages that are no state: each address answers what the first state that has it says."""
        for widget in self.shop.workspace.widgets:
            for state in widget.states if widget.name == self.unit else ():
                for url, answer in state.fetch.items():
                    if url not in self.outside.answers:
                        self.answer(url, answer)

    def state(self, state: WidgetState, language: str) -> Visit:
        """Open the page of a state and take its steps. Raises NotInTheStore, and StepFailed with the step's index."""
        for url, answer in state.fetch.items():
            self.answer(url, answer)
        options: dict[str, Any] = {"data": state.data, "now": state.now}
        named = state.payload if isinstance(state.payload, str) else None
        if named is None:
            options["payload"] = state.payload
        openers = {"after-price": self.product, "after-cart": self.cart, "after-checkout": self.checkout}
        opener = openers[state.slot]
        visit = opener(named, language=language, **options) if named else opener(language=language, **options)
        for index, words in enumerate(state.steps):
            try:
                visit.step(words)
            except (NotInTheStore, steps.StepFailed) as error:
                raise steps.StepFailed(f'the step "{words}": {error}', index=index) from error
        return visit

    def _open(
        self,
        path: str,
        slot: str,
        language: str | None,
        product: ProductRecord | None,
        options: dict[str, Any],
    ) -> Visit:
        data: Mapping[str, Any] | None = options.pop("data", None)
        if data is not None:
            self.shop.set_data(self.opened, self.unit, _plain(data))
        if options.get("payload") is not None:
            options["payload"] = json.dumps(_plain(options["payload"]))
        query = urlencode({name: value for name, value in options.items() if value is not None})
        visit = Visit(tab=self.tab, slot=slot, product=product)
        self.visit = visit
        self.outside.requested.clear()
        where = language or self.shop.workspace.languages[0]
        self.tab.open(f"{self.opened.url}{where}/{path}" + (f"?{query}" if query else ""))
        visit.settle()
        return visit


def _plain(value: Any) -> Any:
    """Frozen mappings and tuples as JSON can write them."""
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    return value


@contextmanager
def visiting(shop: Shop, tabs: Tabs, *, unit: str = WHOLE_APP) -> Iterator[Storefront]:
    """A storefront of its own: a new website, and a tab that remembers nothing."""
    tab = tabs.take()
    tab.outside = outside = Outside(
        folder=shop.folder_of(unit),
        context=tab.page.context,
        beacon=shop.workspace.beacon,
        report=lambda text: _complain(storefront, text),
    )
    storefront = Storefront(shop=shop, unit=unit, opened=shop.open(unit), tab=tab, outside=outside)
    with _listening(storefront):
        yield storefront
    tabs.give_back(tab)


def _complain(storefront: Storefront, text: str) -> None:
    if storefront.visit:
        storefront.visit.errors.append(text)


@contextmanager
def _listening(storefront: Storefront) -> Iterator[None]:
    """Collect what the console complains about, for the visit that is open."""

    def on_console(message: ConsoleMessage) -> None:
        """What the browser says of another host's answer is left out: the answer was written so, or is told of."""
        if message.type == "error" and message.location["url"] not in storefront.outside.requested:
            _complain(storefront, message.text)

    def on_exception(error: Error) -> None:
        _complain(storefront, str(error))

    page = storefront.tab.page
    page.on("console", on_console)
    page.on("pageerror", on_exception)
    storefront.outside.listen()
    yield
    storefront.outside.stop_listening()
    page.remove_listener("console", on_console)
    page.remove_listener("pageerror", on_exception)
