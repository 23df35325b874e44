"""The globals of the shop's pages without apps. A global that is not among them is an app's."""

from dataclasses import dataclass, field
from urllib.parse import parse_qs

from awning_harness.frames import FrameTab
from awning_harness.page_address import PageAddress
from awning_harness.sent_pages import SentPages
from awning_harness.shop import Shop

OPTIONS = ("theme", "csp", "scenario", "assumptions")
"""The options of a page on which its globals depend."""


@dataclass(slots=True, kw_only=True)
class GlobalsWithoutApps:
    """Looks the globals up on a website without apps, once for each kind of page."""

    shop: Shop
    pages: SentPages
    url: str | None = None
    by_kind: dict[tuple[str, ...], frozenset[str]] = field(default_factory=dict)

    def of(self, address: PageAddress, tab: FrameTab) -> frozenset[str]:
        """Return the globals of a page. The first call for a kind of page shows such a page in the tab."""
        query = parse_qs(address.path.partition("?")[2])
        kind = (address.slot, *(query.get(option, [""])[0] for option in OPTIONS))
        if kind not in self.by_kind:
            seen = tab.show(self.pages.fetch(self._website() + address.path), address.slot)
            self.by_kind[kind] = frozenset(seen["globals"].split(","))
        return self.by_kind[kind]

    def _website(self) -> str:
        if self.url is None:
            languages = (*self.shop.workspace.languages, self.shop.pseudo)
            website = self.shop.service.create_website(languages=languages)
            self.url = self.shop.service.website_url(website.id).rstrip("/") + "/"
        return self.url
