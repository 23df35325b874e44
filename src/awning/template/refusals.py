"""How a phase says no: a fault with a place in the template, turned into a diagnostic by the compiler.

Every refusal of the language goes through `Refused`, so that nothing the compiler does not cover can end as a
different text (design rule 1).
"""

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Self

from awning.diagnostics import Diagnostic, Place


class At(int):
    """A line number that also knows its column and offset.

    Jinja2's parser copies a token's line number into the nodes it makes; giving it this integer makes every node
    carry a whole position, which Jinja2 itself does not have.
    """

    column: int
    offset: int
    path: str

    def __new__(cls, line: int, column: int = 0, offset: int = 0, path: str = "") -> Self:
        self = int.__new__(cls, line)
        self.column = column
        self.offset = offset
        self.path = path
        return self


@dataclass(frozen=True, kw_only=True)
class TemplateSource:
    """One template's text, newlines as Jinja2's lexer sees them, and the path that diagnostics name."""

    name: str
    path: str
    text: str

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def starts(self) -> list[int]:
        """The offset at which each line begins."""
        return [0, *accumulate(len(line) + 1 for line in self.lines[:-1])]

    def line(self, number: int) -> str | None:
        return self.lines[number - 1] if 0 < number <= len(self.lines) else None

    def at(self, offset: int) -> At:
        """Return the position of an offset in the text."""
        line = bisect_right(self.starts, offset)
        return At(line, offset - self.starts[line - 1] + 1, offset, self.path)


class Refused(Exception):
    """A template that will not be compiled, and why."""

    def __init__(self, rule: str, message: str, *, at: int = 0, hint: str | None = None) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.at = at
        self.hint = hint
        self.source: TemplateSource | None = None
        """Which template; the innermost one that was being compiled when left open."""

    def inside(self, source: TemplateSource) -> "Refused":
        self.source = self.source or source
        return self

    def diagnostic(self) -> Diagnostic:
        """Turn it into the one form in which problems are reported."""
        source, line = self.source, int(self.at)
        assert source is not None, "a refusal always happens inside a template"
        place = Place(path=source.path, line=line, column=getattr(self.at, "column", 0))
        return Diagnostic(
            rule=self.rule, message=self.message, place=place, hint=self.hint, excerpt=source.line(line)
        )
