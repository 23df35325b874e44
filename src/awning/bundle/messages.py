"""esbuild's messages as diagnostics: the author's file, line, column, the line itself, and what to do."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from awning.bundle.protocol import Value
from awning.diagnostics import Diagnostic, Place, Severity

MOST_EXCERPT = 200
"""An excerpt is shown if its line has at most this many characters. A longer line does not help in a terminal."""

MISLEADING = re.compile(
    r"mark the path .* as external|the alias feature|platform is|--platform", re.IGNORECASE
)
"""Advice in esbuild's notes that is wrong for snippets, so the notes are left out.

A snippet contains everything that it uses, and runs only in browsers.
"""

ALIASED = re.compile(r'"[^"]*" \(originally ("[^"]*")\)')
"""How esbuild writes an import that begins with an alias: `"/.../runtime/index.ts/nope" (originally "awning/nope")`.

The author's file has the second name.
"""

SYNTAX = {
    "script-error": "look there, and before it, for a bracket, a text or a comment that is not closed",
    "style-error": "look there, and before it, for a brace, a text or a comment that is not closed",
}
"""Hints by rule. They are for messages to which esbuild adds no note, such as `Unexpected "}"`."""

FOLLOW_UP = "Cannot read directory"
"""The beginning of an error without a place. The error is left out if another error has a place.

esbuild reports both errors for an import that begins with an alias, such as `awning/nope`.
"""


@dataclass(frozen=True, slots=True)
class Location:
    """A place as esbuild reports it: line from 1, column in UTF-8 bytes from 0. `text` is the whole line."""

    file: str
    line: int
    column: int
    text: str
    suggestion: str

    def place(self, author_path: Callable[[str], str]) -> Place:
        before = self.text.encode()[: self.column].decode(errors="ignore")
        return Place(path=author_path(self.file), line=self.line, column=len(before) + 1)


def read_diagnostics(
    messages: Value, severity: Severity, author_path: Callable[[str], str]
) -> tuple[Diagnostic, ...]:
    """Return esbuild's errors or warnings as diagnostics, without duplicates, in esbuild's order."""
    diagnostics = [_diagnostic(message, severity, author_path) for message in _objects(messages)]
    if any(diagnostic.place for diagnostic in diagnostics):
        diagnostics = [d for d in diagnostics if d.place or not d.message.startswith(FOLLOW_UP)]
    return tuple(dict.fromkeys(diagnostics))


def _diagnostic(
    message: dict[str, Value], severity: Severity, author_path: Callable[[str], str]
) -> Diagnostic:
    text, where = ALIASED.sub(r"\1", str(message["text"])), _location(message["location"])
    rule = _rule(text, where.file if where else "", severity)
    hints = [_own_hint(rule, text), *(_note(note, author_path) for note in _objects(message["notes"]))]
    if where and where.suggestion:
        hints.append(f"write {where.suggestion}")
    if rule in SYNTAX and not any(hints):
        hints.append(SYNTAX[rule])
    return Diagnostic(
        rule=rule,
        message=f"{text} [{message['id']}]" if message["id"] else text,
        place=where.place(author_path) if where else None,
        hint="; ".join(hint for hint in hints if hint) or None,
        severity=severity,
        excerpt=where.text if where and len(where.text) <= MOST_EXCERPT else None,
    )


def _rule(text: str, file: str, severity: Severity) -> str:
    """Return the rule's id. esbuild has ids for warnings only, so errors are distinguished by their text."""
    if text.startswith("Could not resolve"):
        return "unresolved-import"
    if text.startswith("No matching export"):
        return "missing-export"
    language = "style" if file.endswith(".css") else "script"
    return f"{language}-{severity}"


def _own_hint(rule: str, text: str) -> str | None:
    if rule != "unresolved-import":
        return None
    wanted = re.search(r'"(.*)"', text)
    name = wanted[1] if wanted else ""
    if name.startswith("awning/"):
        return 'a widget imports from "awning" and "awning/types"'
    if name.startswith("."):
        return "check the spelling: the path is relative to the importing file"
    return "a snippet must contain all that it uses: put the file into the widget's folder and import it with a path"


def _note(note: dict[str, Value], author_path: Callable[[str], str]) -> str | None:
    text, where = str(note["text"]), _location(note["location"])
    if MISLEADING.search(text):
        return None
    return f"{text.removesuffix(':')} ({where.place(author_path)})" if where else text


def _location(value: Value) -> Location | None:
    if not isinstance(value, dict):
        return None
    return Location(
        file=str(value["file"]),
        line=cast("int", value["line"]),
        column=cast("int", value["column"]),
        text=str(value["lineText"]),
        suggestion=str(value["suggestion"]),
    )


def _objects(value: Value) -> list[dict[str, Value]]:
    items = value if isinstance(value, Sequence) and not isinstance(value, str | bytes) else ()
    return [item for item in items if isinstance(item, dict)]
