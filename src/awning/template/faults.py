"""How a phase says no: a fault with a place in the template, turned into a diagnostic by the compiler.

Every refusal of the language goes through `Refused`, so that nothing the compiler does not cover can end as a
different text (design rule 1).
"""

from dataclasses import dataclass
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
        self = super().__new__(cls, line)
        self.column = column
        self.offset = offset
        self.path = path
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One template's text, newlines as Jinja2's lexer sees them, and the path that diagnostics name."""

    name: str
    path: str
    text: str

    def line(self, number: int) -> str | None:
        lines = self.text.split("\n")
        return lines[number - 1] if 0 < number <= len(lines) else None

    def at(self, offset: int) -> At:
        """Return the position of an offset in the text."""
        line_start = self.text.rfind("\n", 0, offset) + 1
        return At(self.text.count("\n", 0, offset) + 1, offset - line_start + 1, offset, self.path)


class Refused(Exception):
    """A template that will not be compiled, and why."""

    def __init__(self, rule: str, message: str, *, at: int = 0, hint: str | None = None) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.at = at
        self.hint = hint
        self.source: Source | None = None
        """Which template; the innermost one that was being compiled when left open."""

    def inside(self, source: Source) -> "Refused":
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
