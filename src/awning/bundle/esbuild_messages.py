"""esbuild's messages as diagnostics: the author's file, line, column, the line itself, and what to do."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from awning.bundle.protocol import Value
from awning.diagnostics import OF_NODE, Diagnostic, Place, Severity, module_hint

MOST_EXCERPT = 200
"""An excerpt is shown if its line has at most this many characters. A longer line does not help in a terminal."""

MISLEADING = re.compile(
    r"mark the path .* as external|the alias feature|platform is|--platform|bundle for node|built into node"
    r"|package\.json|package format|output format|esModuleInterop",
    re.IGNORECASE,
)
"""Advice in esbuild's notes that is wrong for snippets, so the notes are left out.

A snippet contains everything that it uses, is a classic script, and runs only in browsers.
"""

TARGET = re.compile(r"in the configured target environment(?: \([^)]*\))?")
"""How esbuild names the browsers in which a snippet must run."""

ALIASED = re.compile(r'"[^"]*" \(originally ("[^"]*")\)')
"""How esbuild writes an import that begins with an alias: `"/.../runtime/index.ts/nope" (originally "awning/nope")`.

The author's file has the second name.
"""

UNCLOSED = "look there, and before it, for {}, or for a bracket, a text or a comment that is not closed"

HINTS: tuple[tuple[str, str], ...] = (
    (
        r"Top-level await",
        "a snippet's script cannot wait: move the await into an async function; a render function may be async",
    ),
    (r"Top-level return", "only a function can return: remove it, or put the code into a function"),
    (r'Could not resolve "node:|built into node', OF_NODE),
    (r'"import\.meta" is not available', "a snippet is part of a page and has no address of its own"),
    (r'CommonJS "\w+" variable', "a widget's scripts are modules: write import and export"),
    (
        r"different-path-case",
        "write the name as the file has it: many systems distinguish upper and lower case",
    ),
    (r"Unterminated regular expression", 'close it with "/"; HTML belongs into a template or into a text'),
    (
        r"Unterminated (?:string|template)",
        "close the text with the quote that opens it, or find the text that is not closed",
    ),
    (r"JSON does not support", "remove it: a JSON file is only data"),
    (r"Unexpected \"[\u2018-\u201f]", "write straight quotes"),
    (
        r'Expected ".+" but found end of file|Unexpected end of file',
        "close what is still open: look for its beginning",
    ),
    (r"^Comments in CSS use", "browsers ignore the next rule"),
    (r'(?:found|Unexpected) "\$"', "a style is CSS, not Sass: use custom properties, var(--name)"),
    (r"css-syntax-error", UNCLOSED.format("a missing colon or semicolon") + ": browsers ignore this part"),
    (
        r"^Expected .+ but found|^Unexpected ",
        UNCLOSED.format("a misspelt word, a missing comma or operator"),
    ),
)
"""Hints by a pattern of esbuild's message and its notes; the first that matches counts.

esbuild's own notes follow it. `MISLEADING` notes are left out, and after a hint the one that a file is a module.
"""

_OF_TEMPLATE = re.compile(r'export in "(?:[^"]*/)?([^"/]+\.html\.j2)" for import "(\w+)"')

_UNKNOWN_RANGE = ("Expected percentage but found", 'Expected "," but found')
_RANGE = re.compile(
    r"(?<![-\w])(?:entry|exit|entry-crossing|exit-crossing|cover|contain|scroll)\s+[-+.\d]+%", re.IGNORECASE
)
"""Matches a place in a range of a timeline, as in `entry 10% { ... }` (Scroll-driven Animations 1, 4.3)."""

AS_MODULE = "This file is considered to be an ECMAScript module"

UNREADABLE = "Cannot read file: "

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

    @property
    def quoted(self) -> str:
        """The text in quotes that begins at the place."""
        behind = self.text.encode()[self.column :].decode(errors="ignore")
        match = re.match(r"""["'](.*?)["']""", behind)
        return f'"{match[1]}"' if match else "a file"

    def place(self, author_path: Callable[[str], str]) -> Place:
        before = self.text.encode()[: self.column].decode(errors="ignore")
        return Place(path=author_path(self.file), line=self.line, column=len(before) + 1)


def read_diagnostics(
    messages: Value, severity: Severity, author_path: Callable[[str], str]
) -> tuple[Diagnostic, ...]:
    """Return esbuild's errors or warnings as diagnostics, without duplicates, in esbuild's order."""
    diagnostics = [
        _diagnostic(message, severity, author_path)
        for message in _objects(messages)
        if severity is Severity.ERROR
        or not _is_of_range(str(message["text"]), _location(message["location"]))
    ]
    if any(diagnostic.place for diagnostic in diagnostics):
        diagnostics = [d for d in diagnostics if d.place or not d.message.startswith(FOLLOW_UP)]
    return tuple(dict.fromkeys(diagnostics))


def _is_of_range(text: str, where: Location | None) -> bool:
    """Return whether a warning is about key frames of a scroll animation, which esbuild keeps unread."""
    if where is None or not text.startswith(_UNKNOWN_RANGE):
        return False
    line = where.text.encode()
    begin = line[: where.column].decode(errors="ignore")
    return any(match.start() <= len(begin) < match.end() for match in _RANGE.finditer(where.text))


def _diagnostic(
    message: dict[str, Value], severity: Severity, author_path: Callable[[str], str]
) -> Diagnostic:
    text, where = ALIASED.sub(r"\1", str(message["text"])), _location(message["location"])
    text = TARGET.sub("in the browsers in which a snippet must run", text)
    if where and text.startswith(UNREADABLE):
        # esbuild ignores the case of names when it looks for a file, but the system does not when it opens it.
        text = f"Could not resolve {where.quoted}: no file has exactly this name"
    rule = _rule(text, where.file if where else "", severity)
    notes = [*filter(None, (_note(note, author_path) for note in _objects(message["notes"])))]
    own = _own_hint(rule, _with_notes(text, message), where.file if where else "")
    if rule == "unresolved-import" and where and where.suggestion:
        own, notes = "the path of a file begins with ./", []
    hints = [own, *(note for note in notes if not (own and note.startswith(AS_MODULE)))]
    if where and where.suggestion and not text.startswith("Expected"):
        hints.append(f"write {where.suggestion}")
    if severity is Severity.ERROR and not any(hints):
        hints.append("mend it there: nothing of the file is used until then")
    return Diagnostic(
        rule=rule,
        message=f"{text.removesuffix(':')} [{message['id']}]" if message["id"] else text.removesuffix(":"),
        place=where.place(author_path) if where else None,
        hint="; ".join(hint for hint in hints if hint) or None,
        severity=severity,
        excerpt=where.text if where and len(where.text) <= MOST_EXCERPT else None,
    )


def _with_notes(text: str, message: dict[str, Value]) -> str:
    """Return all words of a message, in which hints are looked up."""
    notes = (str(note["text"]) for note in _objects(message["notes"]))
    return " ".join((text, str(message["id"] or ""), *notes))


def _rule(text: str, file: str, severity: Severity) -> str:
    """Return the rule's id. esbuild has ids for warnings only, so errors are distinguished by their text."""
    if text.startswith("Could not resolve"):
        return "unresolved-import"
    if text.startswith("No matching export"):
        return "missing-export"
    if file.endswith(".json") and severity is Severity.ERROR:
        return "json-syntax"
    language = "style" if file.endswith(".css") else "script"
    return f"{language}-{severity}"


def _own_hint(rule: str, words: str, file: str) -> str | None:
    """Return our hint about a message in a file; `words` are those of the message and of its notes."""
    hint = next((hint for pattern, hint in HINTS if re.search(pattern, words)), None)
    if rule == "missing-export":
        if template := _OF_TEMPLATE.search(words):
            return f'a template has a default export only: import {template[2]} from "./{template[1]}"'
        return "correct the name, or export it there"
    if hint or rule != "unresolved-import":
        return hint
    wanted = re.search(r'"(.*?)"', words)
    name = wanted[1] if wanted else ""
    if not name:
        return "write the path of a file in the widget's folder"
    if file.endswith(".css"):
        return (
            "check the spelling: the path is relative to the style sheet, or begins with an installed package"
        )
    return module_hint(name)


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
