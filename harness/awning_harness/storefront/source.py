"""Where a page's snippets come from: what the storefront asks of the service, and a source for when there is none.

The simulated service fits `SnippetSource` by shape; the storefront never imports it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol


class Website(Protocol):
    """One website: its languages, first one first, and the name over the door."""

    @property
    def id(self) -> int: ...
    @property
    def languages(self) -> Sequence[str]: ...
    @property
    def brandname(self) -> str: ...


class PageSnippets(Protocol):
    """What one installed app inserts into one page: precedence applied, placeholders replaced."""

    @property
    def app_id(self) -> int: ...
    @property
    def app_title(self) -> str: ...
    @property
    def head(self) -> str: ...
    @property
    def body(self) -> str: ...


class SnippetSource(Protocol):
    """The service, as the storefront sees it. Apps come in the order of their installation."""

    def website(self, website_id: int, /) -> Website | None: ...
    def websites(self) -> Sequence[Website]: ...
    def page_snippets(self, website_id: int, language: str, /) -> Sequence[PageSnippets]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedWebsite:
    id: int = 1
    languages: tuple[str, ...] = ("lv", "en", "de")
    brandname: str = "Rīgas Lins"


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedSnippets:
    app_id: int = 1
    app_title: str = "App"
    head: str = ""
    body: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedSource:
    """One website with the same snippets in every language, but for those in `by_language`."""

    site: FixedWebsite = field(default_factory=FixedWebsite)
    snippets: tuple[FixedSnippets, ...] = ()
    by_language: Mapping[str, tuple[FixedSnippets, ...]] = field(default_factory=lambda: MappingProxyType({}))

    def website(self, website_id: int) -> FixedWebsite | None:
        return self.site if website_id == self.site.id else None

    def websites(self) -> tuple[FixedWebsite, ...]:
        return (self.site,)

    def page_snippets(self, website_id: int, language: str) -> tuple[FixedSnippets, ...]:
        return self.by_language.get(language, self.snippets) if website_id == self.site.id else ()
