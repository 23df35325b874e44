"""Reads one TOML or JSON file of a workspace into a `Document`, which can report problems at the place of a key.

Files over one of the limits below are refused before they are parsed, because the parsers would take too long or
recurse too deep. One pass over the text checks the limits. It counts structural characters, such as brackets, that are
outside of strings and comments.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isinf
from pathlib import Path
from typing import Any

from awning.diagnostics import OF_RULE, Diagnostic, Place, Severity, closest
from awning.workspace.offsets import (
    KeyPath,
    find_json_offsets,
    find_repeated_json_key,
    find_toml_offsets,
    line_and_column,
    line_starts,
)
from awning.workspace.sources import encoding_error, read_source

MOST_ENTRIES = 20_000
"""The most keys, array elements and tables of a TOML file."""

MOST_PARTS = 16
"""The most parts of one dotted key."""

DEEPEST = 64
"""The most levels of nested arrays, tables or objects."""

_TOML_TOKEN = re.compile(
    r'"""(?:[^"\\]++|\\.|"(?!""))*+(?:"""|$)|\'\'\'(?:[^\']++|\'(?!\'\'))*+(?:\'\'\'|$)'
    r'|"(?:[^"\\\n]++|\\.)*+"?|\'[^\'\n]*\'?|#[^\n]*|[\[\]{}=,.\n]',
    re.DOTALL,
)
_JSON_VALUE = re.compile(r'"(?:[^"\\]++|\\.)*+"|[^\s\[\]{},:"]+')
_JSON_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)

_TOML_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)")
_TOML_TABLE = re.compile(r"\((?:'[^']*'(?:, ?|(?=\))))+\)")
"""Matches the name of a table in tomllib's messages, which is a tuple there: `('tool', 'awning')`."""
_OPEN_HEADER = re.compile(r"\s*\[[^\]#]*$")
"""Matches a line with the name of a table and no closing bracket."""


REPEATED_HINT = "the same key is already above: keep one of the two"
_TOML_HINTS = (
    (
        re.compile("string|Illegal character|Unescaped"),
        "end the text on the same line, with the quote that begins it",
    ),
    (
        re.compile("overwrite|twice|declare|redefine|extend"),
        REPEATED_HINT,
    ),
    (re.compile(r"Expected '\]"), "close the bracket"),
    (re.compile("Expected '=' after a key"), "write a line as: key = value"),
    (re.compile("Invalid value|end of line"), "put quotes around a text, and one key on each line"),
    (re.compile("Unclosed"), "close the bracket"),
)
"""Patterns for tomllib's error messages, each with a hint."""


@dataclass(frozen=True, slots=True)
class Findings:
    """Collects the diagnostics of a workspace, so that all are reported at once.

    `read_workspace`, for example, creates a collection and passes it to every reader. At the end it raises Faulty with
    all diagnostics if one of them is an error. Otherwise it returns the warnings with the workspace.
    """

    diagnostics: list[Diagnostic] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    unsaved: Mapping[str, bytes] = field(default_factory=dict)
    """What an editor shows in place of files, by path. Readers read it instead."""
    """Files and folders that are not read, because `diagnostics` holds an error about them."""

    def add(self, diagnostic: Diagnostic) -> None:
        self.diagnostics.append(diagnostic)

    def refuse(self, path: str, diagnostic: Diagnostic) -> None:
        self.add(diagnostic)
        self.refused.add(path)

    def is_refused(self, path: str) -> bool:
        return any(path == refused or path.startswith(f"{refused}/") for refused in self.refused)

    def report(
        self,
        rule: str,
        message: str,
        path: str,
        *,
        hint: str | None = None,
        severity: Severity = OF_RULE,
    ) -> None:
        """Report a problem that concerns a whole file, or a missing file."""
        self.add(Diagnostic(rule=rule, message=message, place=Place(path=path), hint=hint, severity=severity))


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed file. `path` is relative to the workspace, with forward slashes, as diagnostics show it."""

    path: str
    text: str
    values: Mapping[str, Any]
    findings: Findings
    toml: bool = True
    misspelt: set[KeyPath] = field(default_factory=set)
    """The known keys that are missing, and of which an unknown key is reported as a misspelling."""

    def place(self, where: KeyPath, *, behind: str = "") -> Place:
        """Return the place of a key or an element, else of the nearest table around it, else of the file's beginning.

        If `behind` is a prefix of the string at `where`, the place is the end of this prefix, provided that the file
        has the prefix without escapes.
        """
        offset = self._offset(where)
        if offset is None:
            return Place(path=self.path, line=1, column=1)
        quotes = ('"""', "'''", '"', "'") if behind else ()
        written = next((q + behind for q in quotes if self.text.startswith(q + behind, offset)), "")
        line, column = line_and_column(self.text, offset + len(written))
        return Place(path=self.path, line=line, column=column)

    def _offset(self, where: KeyPath) -> int | None:
        """Return the offset of a key or an element, else of the nearest table around it; None if there is none."""
        offsets = find_toml_offsets(self.text) if self.toml else find_json_offsets(self.text)
        while where and where not in offsets:
            where = where[:-1]
        return offsets[where] if where else None

    def report(
        self,
        rule: str,
        message: str,
        where: KeyPath = (),
        *,
        hint: str | None = None,
        severity: Severity = OF_RULE,
        behind: str = "",
    ) -> None:
        """Report a problem at a key or an element. No line is shown if there is none, nor a table around it."""
        place = self.place(where, behind=behind)
        excerpt = None if self._offset(where) is None else excerpt_of(self.text, place.line)
        self.findings.add(
            Diagnostic(rule=rule, message=message, place=place, hint=hint, severity=severity, excerpt=excerpt)
        )

    def report_unknown_key(
        self, what: str, where: KeyPath, known: Iterable[str], severity: Severity = OF_RULE
    ) -> None:
        """Report an unknown key, and suggest the known key with the most similar spelling. `what` names the table.

        A key that the table has is suggested only if its spelling is very similar.
        """
        table: Any = self.values
        for part in where[:-1]:
            table = table[part]
        known, name = sorted(known), str(where[-1])
        close = closest(name, known, cutoff=0.8) or closest(name, [key for key in known if key not in table])
        hint = f'did you mean "{close}"?' if close else f"known here: {', '.join(known)}"
        if close:
            self.misspelt.add((*where[:-1], close))
        self.report(
            "unknown-key", f'unknown key "{where[-1]}" in {what}', where, hint=hint, severity=severity
        )

    def report_missing_key(self, what: str, where: KeyPath, hint: str | None = None) -> None:
        """Report that a table lacks a key, unless an unknown key is reported as its misspelling."""
        if where not in self.misspelt:
            self.report("missing-key", f'{what} has no "{where[-1]}"', where[:-1], hint=hint)


_LONGEST_EXCERPT = 400
"""The most characters of an excerpt. A diagnostic for a longer line has no excerpt."""


def excerpt_of(text: str, line: int) -> str | None:
    """Return the line with this number, counted from 1; None when there is no such line, or it is too long to show."""
    starts = line_starts(text)
    if not 1 <= line <= len(starts):
        return None
    start, end = starts[line - 1], starts[line] - 1 if line < len(starts) else len(text)
    excerpt = text[start:end].rstrip("\r")
    return excerpt if start < len(text) and len(excerpt) <= _LONGEST_EXCERPT else None


def read_text(file: Path, path: str, findings: Findings) -> str | None:
    """Return the file's text with Unix line ends; None when it cannot be read. `findings` then has the reason."""
    if findings.is_refused(path):
        return None
    try:
        content = read_source(file, path, findings.unsaved)
    except FileNotFoundError:
        findings.report("file-missing", f"{path} is missing", path)
        return None
    if isinstance(content, Diagnostic):
        findings.add(content)
        return None
    error = encoding_error(content, path)
    if error is not None:
        findings.add(error)
        return None
    return content.decode("utf-8-sig").replace("\r\n", "\n")


def read_toml(file: Path, path: str, findings: Findings) -> Document | None:
    """Return the parsed file; None when it cannot be read or parsed. `findings` then has the reason."""
    text = read_text(file, path, findings)
    if text is None:
        return None
    excess = toml_limit(text, path)
    if excess is not None:
        findings.add(excess)
        return None
    try:
        return Document(path, text, tomllib.loads(text), findings)
    except ValueError as error:  # TOMLDecodeError, or int() refuses a number with too many digits
        findings.add(_toml_error(str(error), path, text))
    return None


def _toml_error(message: str, path: str, text: str) -> Diagnostic:
    """Return the diagnostic for tomllib's message, at the place that the message names, else at the text's end."""
    match = _TOML_PLACE.search(message)
    line, column = line_and_column(text, len(text.rstrip()))
    if match and match[1]:
        line, column = int(match[1]), int(match[2])
    return Diagnostic(
        rule="toml-syntax",
        message=_TOML_TABLE.sub(_as_header, _TOML_PLACE.sub("", message)),
        place=Place(path=path, line=line, column=column),
        hint=_toml_hint(message, excerpt_of(text, line) or ""),
        excerpt=excerpt_of(text, line),
    )


def _as_header(match: re.Match[str]) -> str:
    parts = re.findall(r"'([^']*)'", match[0])
    return f"[{'.'.join(parts)}]"


def _toml_hint(message: str, line: str) -> str:
    """Return the hint for tomllib's message. tomllib reports a second table before a bracket that it lacks."""
    hints = (hint for words, hint in _TOML_HINTS if words.search(message))
    hint = next(hints, "toml.io describes the syntax")
    if "twice" not in message:
        return hint
    if _OPEN_HEADER.match(line):
        return f"close the bracket; {hint}"
    header = re.match(r"\s*\[([\w.-]+)\]", line)
    return f"{hint}; entries of a list begin with [[{header[1]}]]" if header else hint


JSON_HINT = "put keys and texts in double quotes, with a comma between entries but not after the last"


def read_json(file: Path, path: str, findings: Findings) -> Document | None:
    """Return the parsed file; None when it cannot be read or parsed, or is not a JSON object.

    `findings` then has the reason.
    """
    text = read_text(file, path, findings)
    parsed = None if text is None else parse_json(text, path, findings)
    if text is None or parsed is None:
        return None
    [values] = parsed
    document = Document(path, text, values if isinstance(values, dict) else {}, findings, toml=False)
    if not isinstance(values, dict):
        document.report("wrong-type", "must be a JSON object")
        return None
    return document


def parse_json(text: str, path: str, findings: Findings) -> tuple[Any] | None:
    """Return the value of a JSON text as a tuple of one; None when it is not JSON. `findings` then has the reason."""
    excess = json_limit(text, path)
    if excess is not None:
        findings.add(excess)
        return None
    try:
        return (_loaded(text),)
    except ValueError as error:
        findings.add(_json_error(error, text, path))
    return None


def _loaded(text: str) -> Any:
    """Return the value of a JSON text. Raises ValueError, as for a text that UTF-8 cannot write."""
    value = json.loads(
        text, parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=_unique_keys
    )
    json.dumps(value, ensure_ascii=False).encode()
    return value


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


class _RepeatedKeyError(ValueError):
    """Raised for an object with a key twice. Parsers disagree about which value counts."""


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise _RepeatedKeyError
    return values


def _finite(digits: str) -> float:
    value = float(digits)
    if isinf(value):
        raise ValueError(f"{digits[:40]} is too large a number")
    return value


def _json_error(error: ValueError, text: str, path: str) -> Diagnostic:
    """Return the diagnostic for an error of `_loaded`, at the first name, text or number that it refuses."""
    repeated = find_repeated_json_key(text) if isinstance(error, _RepeatedKeyError) else None
    if repeated:
        (key, offset), hint = repeated, REPEATED_HINT
        message = f'"{key}" is twice in one object'
    elif isinstance(error, json.JSONDecodeError):
        message, hint, offset = error.msg, JSON_HINT, error.pos
    else:
        offset, error = _first_refused(text, error)
        message, hint = str(error), "write a smaller number, null, or a text in double quotes"
        if isinstance(error, UnicodeEncodeError):
            message = "a text holds half of a surrogate pair, which is no character"
            hint = "write the character itself, or both halves"
    line, column = line_and_column(text, offset)
    place = Place(path=path, line=line, column=column)
    return Diagnostic(
        rule="json-syntax", message=message, place=place, excerpt=excerpt_of(text, line), hint=hint
    )


def _first_refused(text: str, error: ValueError) -> tuple[int, ValueError]:
    for token in _JSON_VALUE.finditer(text):
        try:
            _loaded(token[0])
        except ValueError as refused:
            return token.start(), refused
    return 0, error


def toml_limit(text: str, path: str) -> Diagnostic | None:
    """Return a diagnostic for the first place where a TOML text is over a limit; None without such a place."""
    depth = parts = entries = 0
    for match in _TOML_TOKEN.finditer(text):
        mark = match[0]
        if mark == ".":
            parts += 1
            if parts >= MOST_PARTS:
                return _over_limit(f"a key of more than {MOST_PARTS} parts", text, match.start(), path)
            continue
        if mark in "[{":
            depth += 1
        elif mark in "]}":
            depth -= 1
        if mark in "[{=,\n":
            parts = 0
        if mark in "[{=,":
            entries += 1
        if depth > DEEPEST:
            return _over_limit(
                f"more than {DEEPEST} arrays or tables inside each other", text, match.start(), path
            )
        if entries > MOST_ENTRIES:
            return _over_limit(f"more than {MOST_ENTRIES} keys and elements", text, match.start(), path)
    return None


def json_limit(text: str, path: str) -> Diagnostic | None:
    """Return a diagnostic for the first place where a JSON text is nested too deep; None without such a place."""
    depth = 0
    for match in _JSON_TOKEN.finditer(text):
        if match[0] in "[{":
            depth += 1
            if depth > DEEPEST:
                return _over_limit(
                    f"more than {DEEPEST} arrays or objects inside each other", text, match.start(), path
                )
        elif match[0] in "]}":
            depth -= 1
    return None


def _over_limit(message: str, text: str, offset: int, path: str) -> Diagnostic:
    line = text.count("\n", 0, offset) + 1
    return Diagnostic(
        rule="source-limit",
        message=message,
        place=Place(path=path, line=line, column=offset - text.rfind("\n", 0, offset)),
        hint="split the file; `awning explain source-limit` shows the limits",
    )
