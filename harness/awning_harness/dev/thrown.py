"""What a widget threw on an open page, as the page says it (`jsrc/inspector/server.ts`): a line for the terminal."""

from dataclasses import dataclass
from typing import Any

_LONGEST = 500
"""Of a line: an error's text may hold a whole document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thrown:
    """`revision` is what the page showed when `widget` threw; `message` is the error's text."""

    revision: int
    widget: str
    message: str

    def line(self) -> str:
        """One line without control characters, which a terminal would obey."""
        said = " ".join(f"{self.widget} threw on a page: {self.message}".split())
        printed = "".join(c for c in said if c.isprintable())
        return printed if len(printed) <= _LONGEST else f"{printed[:_LONGEST]} …"


def read_thrown(said: dict[str, Any]) -> Thrown | None:
    """None for anything that is no such message."""
    revision, widget, message = (said.get(name) for name in ("revision", "widget", "message"))
    if not isinstance(revision, int) or not isinstance(widget, str) or not isinstance(message, str):
        return None
    return Thrown(revision=revision, widget=widget, message=message)
