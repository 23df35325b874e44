"""A `Diagnostic` is one problem in the user's files; a `SetupCheck` is one line of `awning doctor`.

Many packages create them. Only the command line and the harness print them.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Literal, cast

from awning.rules import find_rule


class Severity(StrEnum):
    """The severity of a diagnostic. Warnings and notes do not change the exit code."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


OF_RULE = cast("Severity", None)
"""Stands for the usual severity of a diagnostic's rule."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Place:
    """A file, and a line and column that count from 1 (0 when unknown)."""

    path: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        parts = [self.path, *(str(n) for n in (self.line, self.column) if n)]
        return ":".join(parts)


ACTIVE = re.compile(
    "[\\x00-\\x08\\x0a-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff\\ufeff"
    "\\U000e0000-\\U000e007f]"
)
"""Characters that a terminal acts on, or that cannot be encoded.

They move the cursor, end a line, change its direction, or hide a text. A tab is not among them.
"""

_COMMAND = re.compile(r"\s*(?:::|##\[)")
"""The beginning of a line that CI takes for a command, such as `::error::` of GitHub, also after white space."""

_ASSERTED = re.compile(r"(?:E\s+)?(?:AssertionError\b|assert\b|\+\s+(?:where|and)\b)")
"""The beginning of a line in which pytest explains an `assert`, also in the traceback of a test."""
_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")
_LINE_BREAK = re.compile(r"(?<!\\)\\n")


def printable(text: str) -> str:
    """Return a text as one line without control characters: each is replaced by its escape, such as `\\n`.

    Names of files may contain them. In a terminal, or in the log of CI, such a name could forge a line of its own.
    """
    escaped = ACTIVE.sub(lambda match: match[0].encode("unicode_escape").decode(), text)
    return f"./{escaped}" if _COMMAND.match(escaped) else escaped


def with_line_breaks(text: str) -> str:
    """Return a line of an `assert` that failed, as pytest writes it, with a sign for each line break in a quoted text.

    pytest writes Python's `\\n` there. Lines that are no such message are returned unchanged.
    """
    if not _ASSERTED.match(text):
        return text
    return _QUOTED.sub(lambda quoted: _LINE_BREAK.sub("⏎", quoted[0]), text)


def first_few(names: Collection[object], most: int) -> str:
    """Return the first `most` names with commas between them, and how many more there are."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(map(str, islice(names, most))) + more


def printable_lines(text: str) -> str:
    """Return a text of several lines with each line printable."""
    return "\n".join(map(printable, text.split("\n")))


def caret_under(line: str, column: int) -> str:
    """Return the text to print below a source line: a caret under the column, which counts from 1."""
    return "".join("\t" if c == "\t" else " " for c in line[: column - 1]) + "^"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One problem. `rule` is the id of the broken rule (`awning.rules`). Without a severity, it has the rule's."""

    rule: str
    message: str
    place: Place | None = None
    hint: str | None = None
    severity: Severity = OF_RULE
    excerpt: str | None = None
    """The source line, shown under the message with a caret at the column."""
    passed_at: tuple[Place, ...] = ()
    """Where scripts pass the value without the field that a template reads. TypeScript reports that there, too."""

    def __post_init__(self) -> None:
        if self.severity is OF_RULE:
            rule = find_rule(self.rule)
            object.__setattr__(self, "severity", Severity(rule.severity) if rule else Severity.ERROR)

    def render(self) -> str:
        """Return the text for a terminal: `path:line:column: error[rule]: message`, excerpt, hint."""
        head = f"{self.severity}[{self.rule}]: {self.message}"
        lines = [printable(f"{self.place}: {head}" if self.place else head)]
        if self.excerpt is not None and self.place is not None and self.place.line:
            excerpt = ACTIVE.sub("\ufffd", self.excerpt)
            margin = "  | " if _COMMAND.match(excerpt) else "    "
            lines += [f"{margin}{line}" for line in marked_line(excerpt, self.place.column)]
        if self.hint:
            lines.append(printable_lines(f"  hint: {self.hint}"))
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


_LONGEST_LINE = 200


def marked_line(line: str, column: int) -> tuple[str, ...]:
    """Return a source line, followed by a line with a caret under `column`; only the source line when `column` is 0.

    Of a long line, such as that of a minified file, only the part around the column is shown.
    """
    start = max(0, column - 1 - _LONGEST_LINE // 2) if len(line) > _LONGEST_LINE else 0
    line, column = line[start : start + _LONGEST_LINE], max(0, column - start)
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


def gravest_first(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics as people read them: errors, then warnings, then notes. Each group keeps its order."""
    order = [*Severity]
    return sorted(diagnostics, key=lambda diagnostic: order.index(diagnostic.severity))


def closest(word: str, known: Iterable[str], *, cutoff: float = 0.6) -> str | None:
    """Return the known word with the most similar spelling; None when no known word is similar.

    A word that differs in case or in the zeros before a number is the most similar: `shop-7` means `shop-07`.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - few runs need it, and all import this module

    words = list(known)
    similar = get_close_matches(word, words, n=1, cutoff=cutoff)
    same = (each for each in words if _without_zeros(each) == _without_zeros(word)) if similar else ()
    return next(iter((*same, *similar)), None)


def _without_zeros(word: str) -> str:
    return re.sub(r"(?<!\d)0+(?=\d)", "", word).casefold()


def did_you_mean(word: str, known: Iterable[str], *, cutoff: float = 0.6) -> str | None:
    """Return a hint such as `did you mean "languages"?`; None when no known word is similar."""
    close = closest(word, known, cutoff=cutoff)
    return f'did you mean "{close}"?' if close else None


OF_PAGE = {
    "currency": "prices are formatted in it: pass currency: item.currency, in the cart and at the checkout the "
    '`currency` of the render function\'s argument, or name it in the template: {{ price|money("EUR") }}',
    "language": "numbers and dates are formatted in it: pass `language`, which every render function gets",
}
"""The hints about a template's variables that filters read, and that a script does not pass."""

OF_NODE = "it is a part of Node.js, and a snippet runs in browsers"
"""The hint about an import of a module of Node.js."""


def module_hint(module: str) -> str:
    """Return what to do about an import of `module` that leads nowhere."""
    if module.startswith("node:"):
        return OF_NODE
    if module.startswith("awning/"):
        return 'a widget imports from "awning" and "awning/types"'
    if module.startswith("."):
        return "check the spelling: the path is relative to the importing file"
    if closest(module, ["awning"], cutoff=0.8):
        return 'did you mean "awning"?'
    beside = "put the file into the widget's folder and import it with a path that begins with ./"
    package = re.match(r"(?:@[\w.-]+/)?[a-zA-Z][\w.-]*", module)
    if package is None:
        return beside
    return (
        "a snippet must contain all that it uses: install the package in the folder of pyproject.toml "
        f"(npm install {package[0]}), or {beside}"
    )
