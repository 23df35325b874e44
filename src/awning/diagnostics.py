"""A `Diagnostic` is one problem in the user's files; a `SetupCheck` is one line of `awning doctor`.

Many packages create them. Only the command line and the harness print them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class Severity(StrEnum):
    """The severity of a diagnostic. Warnings and notes do not change the exit code."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Place:
    """A file, and a line and column that count from 1 (0 when unknown)."""

    path: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        parts = [self.path, *(str(n) for n in (self.line, self.column) if n)]
        return ":".join(parts)


def caret_under(line: str, column: int) -> str:
    """Return the text to print below a source line: a caret under the column, which counts from 1."""
    return "".join("\t" if c == "\t" else " " for c in line[: column - 1]) + "^"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One problem. `rule` is the id of the broken rule in kebab-case, and the name of the rule's page in docs/rules."""

    rule: str
    message: str
    place: Place | None = None
    hint: str | None = None
    severity: Severity = Severity.ERROR
    excerpt: str | None = None
    """The source line, shown under the message with a caret at the column."""

    def render(self) -> str:
        """Return the text for a terminal: `path:line:column: error[rule]: message`, excerpt, hint."""
        head = f"{self.severity}[{self.rule}]: {self.message}"
        lines = [f"{self.place}: {head}" if self.place else head]
        if self.excerpt is not None and self.place is not None and self.place.line:
            lines += [f"    {line}" for line in marked_line(self.excerpt, self.place.column)]
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)

    def as_json(self) -> dict[str, object]:
        """Return the diagnostic as JSON documents list it, such as that of `check --format json`."""
        return {
            "rule": self.rule,
            "severity": str(self.severity),
            "path": self.place.path if self.place else None,
            "line": self.place.line if self.place else 0,
            "column": self.place.column if self.place else 0,
            "message": self.message,
            "hint": self.hint,
            "docs": f"docs/rules/{self.rule}.md",
        }


def marked_line(line: str, column: int) -> tuple[str, ...]:
    """Return a source line, followed by a line with a caret under `column`; only the source line when `column` is 0."""
    if not column:
        return (line,)
    lead = "".join("\t" if c == "\t" else " " for c in line[: column - 1])
    return line, f"{lead}^"


SetupState = Literal["ok", "warning", "missing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupCheck:
    """One line of `awning doctor`: a part of the setup, its state, and what to do about it."""

    name: str
    state: SetupState
    detail: str
    hint: str | None = None

    def as_json(self) -> dict[str, str | None]:
        return {"name": self.name, "state": self.state, "found": self.detail, "hint": self.hint}


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(d.severity is Severity.ERROR for d in diagnostics)


def did_you_mean(word: str, known: Iterable[str], *, cutoff: float = 0.6) -> str | None:
    """Return a hint such as `did you mean "languages"?`; None when no known word is similar."""
    from difflib import get_close_matches  # noqa: PLC0415 - few runs need it, and all import this module

    close = get_close_matches(word, list(known), n=1, cutoff=cutoff)
    return f'did you mean "{close[0]}"?' if close else None
