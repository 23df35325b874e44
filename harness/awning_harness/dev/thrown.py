"""What a widget threw on an open page, as the page says it (`jsrc/inspector/server.ts`): a line for the terminal."""

from dataclasses import dataclass
from typing import Any

_LONGEST = 500
"""Of a line: an error's text may hold a whole document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thrown:
    """`revision` is what the page showed when `widget` threw; `message` is the error's text.

    `line` and `column` are the place in the script of the page's body snippet in `language`, from 1; 0 where the
    browser does not know it.
    """

    revision: int
    widget: str
    message: str
    language: str = ""
    line: int = 0
    column: int = 0

    def said(self, place: str | None) -> str:
        """One line without control characters, which a terminal would obey. `place` is where it was thrown."""
        where = f" ({place})" if place else ""
        words = " ".join(f"{self.widget} threw on a page: {self.message}".split())
        printed = "".join(c for c in words if c.isprintable())
        return (printed if len(printed) <= _LONGEST else f"{printed[:_LONGEST]} …") + where


def read_thrown(said: dict[str, Any]) -> Thrown | None:
    """None for anything that is no such message."""
    revision, widget, message = (said.get(name) for name in ("revision", "widget", "message"))
    if not isinstance(revision, int) or not isinstance(widget, str) or not isinstance(message, str):
        return None
    language, line, column = said.get("language", ""), said.get("line", 0), said.get("column", 0)
    if not isinstance(language, str) or not isinstance(line, int) or not isinstance(column, int):
        return None
    return Thrown(
        revision=revision, widget=widget, message=message, language=language, line=line, column=column
    )
