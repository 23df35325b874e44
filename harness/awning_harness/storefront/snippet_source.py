"""The storefront's interface to the simulated service (websites, snippets), and a source of fixed snippets.

The simulated service and the dev server implement the protocol `SnippetSource`. The storefront does not import the
service.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol


class Website(Protocol):
    """One website: its languages, the main one first, and the shop's name."""

    @property
    def id(self) -> int: ...
    @property
    def languages(self) -> Sequence[str]: ...
    @property
    def brandname(self) -> str: ...


class PageSnippets(Protocol):
    """The snippets of one app on one page, with their placeholders replaced."""

    @property
    def app_id(self) -> int: ...
    @property
    def app_title(self) -> str: ...
    @property
    def head(self) -> str: ...
    @property
    def body(self) -> str: ...


class SnippetSource(Protocol):
    """The storefront's interface to the simulated service. Apps are in the order of their installation."""

    def website(self, website_id: int, /) -> Website | None: ...
    def websites(self) -> Sequence[Website]: ...
    def page_snippets(
        self, website_id: int, language: str, data: Mapping[str, Any] | None = None, /
    ) -> Sequence[PageSnippets]: ...


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
    """One website with the same snippets in every language, except those in `by_language`."""

    site: FixedWebsite = field(default_factory=FixedWebsite)
    snippets: tuple[FixedSnippets, ...] = ()
    by_language: Mapping[str, tuple[FixedSnippets, ...]] = field(default_factory=lambda: MappingProxyType({}))

    def website(self, website_id: int) -> FixedWebsite | None:
        return self.site if website_id == self.site.id else None

    def websites(self) -> tuple[FixedWebsite, ...]:
        return (self.site,)

    def page_snippets(
        self, website_id: int, language: str, _data: Mapping[str, Any] | None = None
    ) -> tuple[FixedSnippets, ...]:
        return self.by_language.get(language, self.snippets) if website_id == self.site.id else ()
