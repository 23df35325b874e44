"""Finds snippets that were built for another dialect than the shop's. Such snippets have no effect.

The names in a snippet show its dialect: its events, its global object, its placeholders. Hand-written snippets are
detected, too.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from awning.contract import Dialect, event_names
from awning_harness.storefront.snippet_source import PageSnippets

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

    def problems(self, snippets: Sequence[PageSnippets]) -> tuple[str, ...]:
        """Return a sentence for each app whose snippet was built for another dialect."""
        sentences = tuple(self._sentences(snippets))
        for sentence in sentences:
            if sentence not in self._printed:
                self._printed.add(sentence)
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
