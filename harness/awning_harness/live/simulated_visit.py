"""Replays a recording: the same visit in the simulated storefront, recorded in the same way.

The storefront has the recorded `storefront/`. Each page that was loaded is opened there. What followed on it is brought
about after the same steps: another variant and another way of shipping by a shopper's choice, another cart as the shop
shows one in place.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from playwright.async_api import Error, Page

from awning.contract import is_language_code
from awning.contract.slots import CART_TOPIC, PRODUCT_TOPIC
from awning.errors import Faulty
from awning.live.captures import Capture
from awning.live.recorded_files import STORE_FILE
from awning.live.recorded_store import cart_of, product_key
from awning.live.recording import RecordedEvent
from awning.live.replayed import Delivered, RecordedDelivery, without_repeats
from awning.workspace.document import Findings
from awning.workspace.model import Profile
from awning.workspace.steps import Step
from awning.workspace.store.store import Store
from awning.workspace.store.store_files import read_own_store
from awning_harness.browser import Browser as Chromium
from awning_harness.live.foreign_page import open_foreign_page
from awning_harness.live.page_gate import GateRules
from awning_harness.live.record import Recorder
from awning_harness.live.visit_file import VisitedPage
from awning_harness.service import Service, serve
from awning_harness.visit.pages.address import page_address

_VARIANT = "select[data-option='0']"
_SHIPPING = "input[name=shipping][value='{}']"
_SHOW_CART = "show cart"
_NOT_IN_PLACE = "the simulated shop changes no cart in place there"


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedVisit:
    """What the simulated shop sent: the events of each page of the recording, and what was not possible."""

    pages: tuple[tuple[Delivered, ...], ...]
    errors: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _PlannedPage:
    """A page of the simulated shop. Each step of it stands for a step of the recorded visit, by its number."""

    path: str
    steps: tuple[tuple[int | None, Step], ...]

    def delivered(self, event: RecordedEvent) -> Delivered:
        """Return an event of this page, as after the step of the recorded visit."""
        values = {name: value for name, value in event.values.items() if name != "event"}
        step = self.steps[event.step - 1][0] if event.step else event.step
        return Delivered(event=str(event.values["event"]), values=values, step=step)


async def visit_simulated_shop(
    folder: Path,
    pages: Sequence[Sequence[RecordedDelivery]],
    profile: Profile,
    chromium: Chromium,
    say: Callable[[str], None],
) -> SimulatedVisit:
    """Open the recorded pages in the simulated storefront, as the profile describes its service. Returns what it sends.

    Raises Faulty when the recorded storefront cannot be read.
    """
    findings = Findings()
    store = read_own_store(folder, [STORE_FILE], findings)
    if store is None:
        raise Faulty(findings.diagnostics)
    captures = (each.capture for page in pages for each in page)
    language = next(filter(None, map(_language, captures)), "en")
    planned = [_planned_page(language, store, page) for page in pages]
    with _served(store, profile, language) as url:
        visited = [
            VisitedPage(url=url + page.path, steps=tuple(step for _, step in page.steps)) for page in planned
        ]
        rules = GateRules(allow_private=True, allow_submit=True)
        async with open_foreign_page(url, rules, chromium, say) as foreign:
            recorder = Recorder(foreign=foreign, dialect=profile.dialect, own_steps={_SHOW_CART: _show_carts})
            await recorder.listen()
            await recorder.visit(visited)
            recording = await recorder.recording(foreign.browser)
    return SimulatedVisit(
        pages=tuple(
            tuple(page.delivered(event) for event in recording.events if event.page == number)
            for number, page in enumerate(planned, 1)
        ),
        errors=recording.errors,
    )


@contextmanager
def _served(store: Store, profile: Profile, language: str) -> Iterator[str]:
    service = Service.of_profile(profile)
    service.store = lambda: store
    try:
        with serve(service):
            website = service.create_website(languages=(language,))
            yield service.website_url(website.id)
    finally:
        service.close()


def _planned_page(language: str, store: Store, page: Sequence[RecordedDelivery]) -> _PlannedPage:
    """Return the page of the first event that no side cart fires, with a step for each event that it does not fire."""
    deliveries = [*without_repeats(page)]
    captures = [each.capture for each in deliveries]
    own = next((capture for capture in captures if not capture.slot.page.replaced), captures[0])
    slot, item = own.slot, own.values.get("item")
    is_product = slot.topic == PRODUCT_TOPIC
    name = product_key(item) if isinstance(item, Mapping) else ""
    product = store.find_product(name) if is_product else None
    about = name if product else None if is_product else cart_of(own, store)
    # A product with variants fires the first update itself.
    has_choice = product is not None and bool(product.variants)
    by_page = {(slot, False), *([(slot, True)] if has_choice else ())}
    ways = cycle([*store.shipping][1:] + [*store.shipping][:1])
    steps: list[tuple[int | None, Step]] = []
    for each, capture in zip(deliveries, captures, strict=True):
        kind = (capture.slot, capture.is_update)
        if kind in by_page:
            by_page.remove(kind)
        elif capture.slot.page.replaced:
            carts: tuple[str, ...] = (cart_of(capture, store) or CART_TOPIC.ordinary,)
            if steps and steps[-1][0] == each.step and steps[-1][1].verb == _SHOW_CART:
                carts = (*steps.pop()[1].arguments, *carts)
            steps.append((each.step, Step(_SHOW_CART, carts)))
        elif kind == (slot, True) and not is_product:
            steps.append((each.step, Step("check", (_SHIPPING.format(next(ways)),))))
        elif kind == (slot, True) and has_choice:
            steps.append((each.step, Step("choose", (_VARIANT, f"{_variant_number(capture)}"))))
    return _PlannedPage(path=page_address(store, slot.name, about, language, {}).path, steps=tuple(steps))


async def _show_carts(page: Page, *carts: str) -> str:
    """Let the shop show carts in place, one after the other, as after AJAX requests.

    Returns why it does not; "" when it does.
    """
    script = "async (carts) => { for (const cart of carts) if (!(await awningStorefront.showCart(cart))) return false;"
    try:
        is_shown = await page.evaluate(f"{script} return true; }}", [*carts])
    except Error:  # its message has the address of the simulated shop, and the script
        is_shown = False
    return "" if is_shown else _NOT_IN_PLACE


def _variant_number(capture: Capture) -> int:
    """Return the number of the chosen variant, from 1, as the recorded storefront names it; 1 if it is not known."""
    item, updated = capture.values.get("item"), capture.values.get("updatedItem")
    variants = item.get("variants") if isinstance(item, Mapping) else None
    chosen = updated.get("selectedVariant") if isinstance(updated, Mapping) else None
    chosen = chosen.get("id") if isinstance(chosen, Mapping) else None
    identities = [variant.get("id") for variant in variants or () if isinstance(variant, Mapping)]
    return identities.index(chosen) + 1 if chosen in identities else 1


def _language(capture: Capture) -> str | None:
    page = capture.values.get("page")
    language = page.get("language") if isinstance(page, Mapping) else None
    return language if isinstance(language, str) and is_language_code(language) else None
