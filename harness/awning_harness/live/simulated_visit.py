"""Replays a recording: the same visit in the simulated storefront, recorded in the same way.

The storefront has the recorded `storefront/`. Each page that was loaded is opened there, and the updates that followed
are brought about by a shopper's choices: another variant, another way of shipping.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

from awning.contract import is_language_code
from awning.contract.slots import PRODUCT_TOPIC
from awning.errors import Faulty
from awning.live.captures import Capture
from awning.live.recorded_files import STORE_FILE
from awning.live.recorded_store import cart_of, product_key
from awning.live.recording import Recording
from awning.live.replayed import Delivered
from awning.workspace import Profile
from awning.workspace.document import Findings
from awning.workspace.steps import Step
from awning.workspace.store import Store, read_own_store
from awning_harness.browser import Browser as Chromium
from awning_harness.live.foreign_page import open_foreign_page
from awning_harness.live.page_gate import GateRules
from awning_harness.live.record import Recorder
from awning_harness.live.visit_file import VisitedPage
from awning_harness.service import Service, serve
from awning_harness.visit.pages.address import page_address

_VARIANT = "select[data-option='0']"
_SHIPPING = "input[name=shipping][value='{}']"


async def visit_simulated_shop(
    folder: Path,
    pages: Sequence[Sequence[Capture]],
    profile: Profile,
    chromium: Chromium,
    say: Callable[[str], None],
) -> Recording:
    """Open the recorded pages in the simulated storefront, as the profile describes its service. Returns what it sends.

    Raises Faulty when the recorded storefront cannot be read.
    """
    findings = Findings()
    store = read_own_store(folder, [STORE_FILE], findings)
    if store is None:
        raise Faulty(findings.diagnostics)
    language = next(filter(None, (_language(capture) for page in pages for capture in page)), "en")
    with _served(store, profile, language) as url:
        visited = [_simulated_page(url, language, store, page) for page in pages]
        rules = GateRules(allow_private=True, allow_submit=True)
        async with open_foreign_page(url, rules, chromium, say) as foreign:
            recorder = Recorder(foreign=foreign, dialect=profile.dialect)
            await recorder.listen()
            await recorder.visit(visited)
            return await recorder.recording(foreign.browser)


def events_by_page(recording: Recording, pages: int) -> list[list[Delivered]]:
    """Return the events of each of the pages, by name, with their arguments."""
    by_page: list[list[Delivered]] = [[] for _ in range(pages)]
    for event in recording.events:
        values = {name: value for name, value in event.values.items() if name != "event"}
        by_page[event.page - 1].append((str(event.values["event"]), values))
    return by_page


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


def _simulated_page(url: str, language: str, store: Store, page: Sequence[Capture]) -> VisitedPage:
    """Return the page of the first event's slot, with a step for each update that the page does not fire itself."""
    slot = page[0].slot
    updates = [capture for capture in page if capture.is_update and capture.slot is slot]
    if slot.topic != PRODUCT_TOPIC:
        address = page_address(store, slot.name, cart_of(page[0], store), language, {})
        ways = cycle([*store.shipping][1:] + [*store.shipping][:1])
        steps = [Step("check", (_SHIPPING.format(next(ways)),)) for _ in updates]
        return VisitedPage(url=url + address.path, steps=tuple(steps))
    item = page[0].values.get("item")
    key = product_key(item) if isinstance(item, Mapping) else ""
    product = store.find_product(key)
    address = page_address(store, slot.name, key if product else None, language, {})
    # A product with variants fires the first update itself.
    chosen = [_variant_number(capture) for capture in updates[1:]] if product and product.variants else []
    return VisitedPage(
        url=url + address.path, steps=tuple(Step("choose", (_VARIANT, f"{number}")) for number in chosen)
    )


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
