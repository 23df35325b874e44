"""Errors that widgets throw on open pages, which the pages report (`jsrc/inspector/server.ts`)."""

from dataclasses import dataclass
from typing import Any

_LONGEST = 500
"""The most characters of a line, because an error's message may hold a whole document."""


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
    """The widget whose own script it is, after a patch; empty for the app's script."""

    def describe(self, place: str | None) -> str:
        """Return one line about the error for the terminal, without control characters.

        `place` is in the author's files.
        """
        where = f" ({place})" if place else ""
        words = " ".join(f"{self.widget} threw on a page: {self.message}".split())
        printed = "".join(c for c in words if c.isprintable())
        return (printed if len(printed) <= _LONGEST else f"{printed[:_LONGEST]} …") + where


def read_page_error(report: dict[str, Any]) -> PageError | None:
    """Return the error in a page's report; None when the report is malformed."""
    revision, widget, message = (report.get(name) for name in ("revision", "widget", "message"))
    if not isinstance(revision, int) or not isinstance(widget, str) or not isinstance(message, str):
        return None
    language, line, column = report.get("language", ""), report.get("line", 0), report.get("column", 0)
    unit = report.get("unit", "")
    if not isinstance(language, str) or not isinstance(line, int) or not isinstance(column, int):
        return None
    if not isinstance(unit, str):
        return None
    return PageError(
        revision=revision,
        widget=widget,
        message=message,
        language=language,
        line=line,
        column=column,
        unit=unit,
    )
