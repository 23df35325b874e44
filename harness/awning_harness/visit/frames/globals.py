"""The globals of the shop's pages without apps. A global that is not among them is an app's."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from playwright.sync_api import Browser

from awning_harness.shop import Shop
from awning_harness.visit.frames.sent_pages import SentPages, open_sent_pages
from awning_harness.visit.frames.tab import FrameTab, FrameTabs
from awning_harness.visit.pages.address import PageAddress
from awning_harness.visit.pages.tabs import Recording

OF_PLAYWRIGHT = ("__playwright", "__pw", "__core-js_shared__")
"""The beginnings of the names that Playwright adds to a page."""
OF_THE_HARNESS = (*OF_PLAYWRIGHT, "awning")
"""The beginnings of the names that Playwright and the generated checks add to a page."""

OPTIONS = ("theme", "csp", "scenario", "assumptions")
"""The options of a page on which its globals depend."""


def leaked_names(
    shop: Shop, unit: str, seen: Iterable[str], without_apps: Iterable[str], ignored: tuple[str, ...]
) -> list[str]:
    """Return the globals of a page that a page without apps does not have, in alphabetical order.

    The globals that the installed `unit` may leave are left out, and a name that begins with one of `ignored`. So is a
    number, because it is a frame of the page, such as a map or a film.
    """
    leaked = frozenset(seen).difference(without_apps, shop.allowed_globals_of(unit))
    return sorted(name for name in leaked if not name.startswith(ignored) and not name.isdigit())


def with_places(shop: Shop, unit: str, names: Iterable[str]) -> list[str]:
    """Return names of globals, each with the place in the unit's scripts that names it, if there is one."""
    places = {name: shop.place_of_name(unit, name) for name in names}
    return [f"{name} ({place})" if place else name for name, place in places.items()]


@dataclass(slots=True, kw_only=True)
class GlobalsWithoutApps:
    """Looks the globals up on a website without apps, once for each kind of page."""

    shop: Shop
    pages: SentPages
    tabs: FrameTabs
    url: str | None = None
    by_kind: dict[tuple[str, ...], frozenset[str]] = field(default_factory=dict)

    def leaked(
        self,
        names: str,
        address: PageAddress,
        tab: FrameTab | None = None,
        *,
        unit: str,
        ignored: tuple[str, ...] = OF_THE_HARNESS,
    ) -> list[str]:
        """Return the globals that the page has only because of apps, in alphabetical order.

        `names` has all globals of the page, joined by commas. A name that begins with one of `ignored` is left out.
        """
        return leaked_names(self.shop, unit, names.split(","), self.of(address, tab), ignored)

    def of(self, address: PageAddress, tab: FrameTab | None = None) -> frozenset[str]:
        """Return the globals of a page. The first call for a kind of page shows such a page, in `tab` or in a free tab.

        A frame has the same globals as a page of its own.
        """
        query = parse_qs(address.path.partition("?")[2])
        kind = (address.slot, *(query.get(option, [""])[0] for option in OPTIONS))
        if kind not in self.by_kind:
            used = tab or self.tabs.take()
            seen = used.show(self.pages.fetch(self._website() + address.path), address.slot)
            self.by_kind[kind] = frozenset(seen["globals"].split(","))
            if tab is None:
                self.tabs.give_back(used)
        return self.by_kind[kind]

    def _website(self) -> str:
        if self.url is None:
            languages = (*self.shop.workspace.languages, self.shop.pseudo)
            website = self.shop.service.create_website(languages=languages)
            self.url = self.shop.service.website_url(website.id).rstrip("/") + "/"
        return self.url


@contextmanager
def open_globals(
    shop: Shop, browser: Browser, recording: Recording | None = None
) -> Iterator[GlobalsWithoutApps]:
    """Yield the globals of a shop's pages, as a browser has them. They can be looked up while the block runs.

    `recording` says what Playwright records of each test in the tab with frames.
    """
    origin = shop.running.storefront_url
    with open_sent_pages(origin) as pages:
        yield GlobalsWithoutApps(
            shop=shop,
            pages=pages,
            tabs=FrameTabs(browser=browser, origin=origin, recording=recording or Recording()),
        )
