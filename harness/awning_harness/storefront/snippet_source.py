"""The storefront's interface to the simulated service (websites, snippets), and a source of fixed snippets.

The simulated service and the dev server implement the protocol `SnippetSource`. The storefront does not import the
service.

Snippets that were built for another dialect than the shop's have no effect. They are found: the names in a snippet show
its dialect: its events, its global object, its placeholders. Hand-written snippets are detected, too.
"""

import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol

from awning.contract import Dialect, event_names


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


_EVENT_ENDS = "|".join(event_names(Dialect(event_prefix="")))
_EVENT = re.compile(rf"""["'`]([\w.:-]*?)(?:{_EVENT_ENDS})["'`]""")
_PLACEHOLDER = re.compile(r"\{\{(\w*?)(?:app_data|language)\}\}")
_SUBSCRIBES = re.compile(r"\bsubscribeEvent\b")


def foreign_names(html: str, dialect: Dialect) -> Iterator[str]:
    """Yield a phrase for each part of a snippet that belongs to another dialect."""
    events = {prefix for prefix in _EVENT.findall(html) if prefix != dialect.event_prefix}
    for prefix in sorted(events):
        yield f'it subscribes to "{prefix}..." events, which are "{dialect.event_prefix}..." here'
    if _SUBSCRIBES.search(html) and dialect.global_object not in html:
        yield f"it subscribes, but never uses {dialect.global_object}, the global object here"
    placeholders = {prefix for prefix in _PLACEHOLDER.findall(html) if prefix != dialect.placeholder_prefix}
    for prefix in sorted(placeholders):
        yield f"it holds {{{{{prefix}...}}}} placeholders, which are {{{{{dialect.placeholder_prefix}...}}}} here"


class ForeignDialect:
    """Checks the snippets of each page. Each problem is printed once."""

    def __init__(self, dialect: Dialect, say: Callable[[str], None]) -> None:
        self._dialect = dialect
        self._say = say
        self._printed: set[str] = set()
        self._lock = threading.Lock()

    def problems(self, snippets: Sequence[PageSnippets]) -> tuple[str, ...]:
        """Return a sentence for each app whose snippet was built for another dialect."""
        sentences = tuple(self._sentences(snippets))
        for sentence in sentences:
            with self._lock:  # pages are rendered in threads
                is_new = sentence not in self._printed
                self._printed.add(sentence)
            if is_new:
                self._say(f"warning: {sentence}")
        return sentences

    def _sentences(self, snippets: Sequence[PageSnippets]) -> Iterator[str]:
        for snippet in snippets:
            names = list(foreign_names(f"{snippet.head}\n{snippet.body}", self._dialect))
            if names:
                yield (
                    f"{snippet.app_title} is built for another dialect and cannot work here: {'; '.join(names)}. "
                    "Build it with the profile of this service (awning build --profile NAME), "
                    "or start the service with its dialect (awning service --dialect NAME)."
                )
