"""The snippets of the dev website: the service's own, with the app's body marked so that it can be redrawn in place."""

from dataclasses import dataclass, replace

from awning_harness.service import PageSnippets, Service
from awning_harness.storefront import FixedWebsite

MARKS = ("<!--awning-snippet {}-->", "<!--/awning-snippet-->")
"""Around the app's body snippet; the first holds its revision. `jsrc/inspector/redraw.ts` looks for them."""


@dataclass(slots=True)
class DevSource:
    """One website, in the languages the workspace has now (the service's websites keep theirs)."""

    service: Service
    site: FixedWebsite
    revision: int = 0
    """Counts what pages have to follow: builds, changes of the app data."""

    def website(self, website_id: int) -> FixedWebsite | None:
        return self.site if website_id == self.site.id else None

    def websites(self) -> tuple[FixedWebsite, ...]:
        return (self.site,)

    def page_snippets(self, website_id: int, language: str) -> tuple[PageSnippets, ...]:
        """The app's, its body between the marks; also when there is none yet.

        The revision is read first: should a build come in between, the page is loaded once more, never too seldom.
        """
        start, end = MARKS[0].format(self.revision), MARKS[1]
        own = (
            replace(s, body=f"{start}{s.body}{end}") for s in self.service.page_snippets(website_id, language)
        )
        return tuple(own)

    def body(self, language: str) -> str:
        """What stands between the marks on a page in `language`."""
        found = self.service.page_snippets(self.site.id, language)
        return found[0].body if found else ""
