"""Errors that widgets throw on open pages, which the pages report (`jsrc/inspector/server.ts`)."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from awning.diagnostics import Place, marked_line

_LONGEST = 500
"""The most characters of an error's line in the terminal. The message of an error may contain a whole document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageError:
    """An error of `widget` on a page that showed `revision`.

    `line` and `column` are the place in the script of the body snippet in `language`, from 1; 0 if the browser does not
    report it.
    """

    revision: int
    widget: str
    message: str
    language: str = ""
    line: int = 0
    column: int = 0
    unit: str = ""
    """The widget whose patch contains the script; empty for the script of the app's snippet."""
    state: str = ""
    """The state that the page shows; empty for a page of the shop."""

    def describe(self, place: str | None) -> str:
        """Return one line about the error for the terminal, without control characters.

        `place` is the error's place in the author's files; None if it is unknown.
        """
        where = f" ({place})" if place else ""
        page = f'in the state "{self.state}"' if self.state else "on a page"
        words = " ".join(f"{self.widget} threw {page}: {self.message}".split())
        printed = "".join(c for c in words if c.isprintable())
        return (printed if len(printed) <= _LONGEST else f"{printed[:_LONGEST]} …") + where


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorPlace:
    """A place in the author's files, and its source line; None if there is no such line."""

    place: Place
    excerpt: str | None = None

    @classmethod
    def at(cls, place: Place, source: str) -> "AuthorPlace":
        """Return the place with its line from `source`, the text of the file."""
        lines = source.splitlines()
        return cls(place=place, excerpt=lines[place.line - 1] if 0 < place.line <= len(lines) else None)

    def as_json(self) -> dict[str, str | int | None]:
        """Return the place for a page (`AuthorPlace` in `jsrc/inspector/server.ts`)."""
        path, line, column = self.place.path, self.place.line, self.place.column
        return {"path": path, "line": line, "column": column, "excerpt": self.excerpt}

    def printed_lines(self) -> tuple[str, ...]:
        """Return the source line for the terminal, with a caret below it; empty without a line."""
        return () if self.excerpt is None else marked_line(self.excerpt, self.place.column)


Locate = Callable[[PageError], AuthorPlace | None]


@dataclass(slots=True)
class PageErrors:
    """The errors of widgets that pages with the current build report.

    Each error has one text for the terminal. The text is not repeated as long as every later build has the error, too.
    """

    locate: Locate
    _places: dict[PageError, AuthorPlace | None] = field(default_factory=dict)
    _before: frozenset[str] = frozenset()
    """The lines about the errors of the previous build."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def clear(self) -> None:
        """Start to collect the errors of a newer build or patch."""
        with self._lock:
            self._before, self._places = self._lines(), {}

    def record(self, error: PageError) -> tuple[AuthorPlace | None, str | None]:
        """Return the place of an error, and the text for the terminal.

        The place is None if it is unknown. The text is None if it was printed already.
        """
        with self._lock:
            if error in self._places:
                return self._places[error], None
        place = self.locate(error)
        with self._lock:
            known = self._lines() | self._before
            self._places[error] = place
        line = _line(error, place)
        if line in known:
            return place, None
        source = place.printed_lines() if place else ()
        return place, "\n".join([line, *(f"    {text}" for text in source)])

    def _lines(self) -> frozenset[str]:
        return frozenset(_line(error, place) for error, place in self._places.items())


def _line(error: PageError, place: AuthorPlace | None) -> str:
    return error.describe(str(place.place) if place else None)


def read_page_error(report: dict[str, Any]) -> PageError | None:
    """Return the error in a page's report; None when the report is malformed."""
    try:
        return msgspec.convert(report, PageError)
    except msgspec.ValidationError:
        return None
