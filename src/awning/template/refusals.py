"""Refusals. A phase raises a refusal with a place in the template, and the compiler turns it into a diagnostic.

A feature that the compiler does not support is refused, or is an error at run time (`deviations.STRICTER`). So no
template renders another text than in Jinja2, apart from the `DEVIATIONS` and from how a URL or a style is escaped.
"""

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Self

from awning.diagnostics import Diagnostic, Place


class Position(int):
    """A line number with its template, its column and its offset.

    Jinja2's parser copies the line number of a token into the nodes that it makes. This integer replaces the line
    number, so each node has a whole position.
    """

    source: "TemplateSource"
    column: int
    offset: int

    def __new__(cls, source: "TemplateSource", line: int, column: int = 0, offset: int = 0) -> Self:
        self = int.__new__(cls, line)
        self.source = source
        self.column = column
        self.offset = offset
        return self

    @property
    def path(self) -> str:
        return self.source.path

    def moved(self, by: int) -> "Position":
        """Return the position that is `by` characters later in the template."""
        return self.source.at(self.offset + by)


@dataclass(frozen=True, kw_only=True)
class TemplateSource:
    """The text of one template, with newlines as in Jinja2's lexer, and its path for diagnostics."""

    name: str
    path: str
    text: str

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def starts(self) -> list[int]:
        """The offset of each line's beginning."""
        return [0, *accumulate(len(line) + 1 for line in self.lines[:-1])]

    def line(self, number: int) -> str | None:
        return self.lines[number - 1] if 0 < number <= len(self.lines) else None

    def at(self, offset: int) -> Position:
        """Return the position of an offset in the text."""
        line = bisect_right(self.starts, offset)
        return Position(self, line, offset - self.starts[line - 1] + 1, offset)


def place_at(at: int) -> Place:
    """Return the place of a node's line number. It has no path if the number is no `Position`."""
    if isinstance(at, Position):
        return Place(path=at.path, line=int(at), column=at.column)
    return Place(path="", line=at)


class TemplateRefusal(Exception):
    """Raised when a template is refused, with the rule, the message, the place of a node, and a hint."""

    def __init__(self, rule: str, message: str, *, at: int, hint: str | None = None) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.at = at
        self.hint = hint

    def diagnostic(self) -> Diagnostic:
        """Return the refusal as a diagnostic."""
        at = self.at
        assert isinstance(at, Position), "each node that `parse` makes has a position"
        return Diagnostic(
            rule=self.rule,
            message=self.message,
            place=place_at(at),
            hint=self.hint,
            excerpt=at.source.line(at),
        )
