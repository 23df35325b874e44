"""One file of the workspace that was read: its values, its text, and how to say what is wrong with it."""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from awning.diagnostics import Diagnostic, Place, Severity, did_you_mean
from awning.workspace.encoding import encoding_fault
from awning.workspace.limits import json_limit, toml_limit
from awning.workspace.locate import KeyPath, line_and_column, offsets
from awning.workspace.locate_json import json_offsets
from awning.workspace.sources import read_source

_TOML_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)")


_TOML_HINTS = (
    (
        re.compile("string|Illegal character|Unescaped"),
        "end the text with the quote that begins it, on its line",
    ),
    (re.compile("overwrite|twice|declare|redefine|extend"), "the key is there above: keep one of the two"),
    (re.compile("Expected '=' after a key"), "a line is: key = value"),
    (re.compile("Invalid value|end of line"), "a text has quotes around it; one key on a line"),
    (re.compile("Unclosed"), "close the bracket"),
)
"""What to do, by tomllib's words."""


@dataclass(frozen=True, slots=True)
class Findings:
    """The faults of a workspace as they are found, so that all are reported at once.

    The one mutable value of this room: made by `read_workspace`, passed down, read at its end.
    """

    found: list[Diagnostic] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    """Files and folders that are not read, because of a fault that is among `found`."""

    def add(self, diagnostic: Diagnostic) -> None:
        self.found.append(diagnostic)

    def refuse(self, path: str, fault: Diagnostic) -> None:
        self.add(fault)
        self.refused.add(path)

    def refuses(self, path: str) -> bool:
        return any(path == one or path.startswith(f"{one}/") for one in self.refused)

    def report(
        self,
        rule: str,
        message: str,
        path: str,
        *,
        hint: str | None = None,
        severity: Severity = Severity.ERROR,
    ) -> None:
        """A fault of a whole file, or of a file that is not there."""
        self.add(Diagnostic(rule=rule, message=message, place=Place(path=path), hint=hint, severity=severity))


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed file. `path` is relative to the workspace, with forward slashes: what diagnostics show."""

    path: str
    text: str
    values: Mapping[str, Any]
    findings: Findings
    toml: bool = True

    def place(self, where: KeyPath) -> Place:
        """The place of a key, or of the nearest thing around it that has one."""
        known = offsets(self.text) if self.toml else json_offsets(self.text)
        while where and where not in known:
            where = where[:-1]
        if not where:
            return Place(path=self.path, line=1, column=1)
        line, column = line_and_column(self.text, known[where])
        return Place(path=self.path, line=line, column=column)

    def report(
        self,
        rule: str,
        message: str,
        where: KeyPath = (),
        *,
        hint: str | None = None,
        severity: Severity = Severity.ERROR,
    ) -> None:
        place = self.place(where)
        excerpt = excerpt_of(self.text, place.line)
        self.findings.add(
            Diagnostic(rule=rule, message=message, place=place, hint=hint, severity=severity, excerpt=excerpt)
        )

    def unknown(
        self, what: str, where: KeyPath, known: Iterable[str], severity: Severity = Severity.ERROR
    ) -> None:
        """An unknown key, with the known one that is nearest."""
        known = sorted(known)
        hint = did_you_mean(str(where[-1]), known) or f"known here: {', '.join(known)}"
        self.report(
            "unknown-key", f'unknown key "{where[-1]}" in {what}', where, hint=hint, severity=severity
        )


_LONGEST_EXCERPT = 400
"""Characters: a longer line is no help in a terminal."""


def excerpt_of(text: str, line: int) -> str | None:
    at = 0
    for _ in range(line - 1):
        at = text.find("\n", at) + 1
        if not at:
            return None
    end = text.find("\n", at)
    found = text[at : end if end >= 0 else None].rstrip("\r")
    return found if line > 0 and at < len(text) and len(found) <= _LONGEST_EXCERPT else None


def read_text(file: Path, path: str, findings: Findings) -> str | None:
    """The file's text with Unix line ends, or None and a finding."""
    if findings.refuses(path):
        return None
    try:
        content = read_source(file, path)
    except FileNotFoundError:
        findings.report("file-missing", f"{path} is missing", path)
        return None
    if isinstance(content, Diagnostic):
        findings.add(content)
        return None
    fault = encoding_fault(content, path)
    if fault is not None:
        findings.add(fault)
        return None
    return content.decode("utf-8-sig").replace("\r\n", "\n")


def read_toml(file: Path, path: str, findings: Findings) -> Document | None:
    text = read_text(file, path, findings)
    if text is None:
        return None
    over = toml_limit(text, path)
    if over is not None:
        findings.add(over)
        return None
    try:
        return Document(path, text, tomllib.loads(text), findings)
    except ValueError as error:  # TOMLDecodeError, or a number of too many digits
        findings.add(_toml_fault(str(error), path, text))
    return None


def _toml_fault(message: str, path: str, text: str) -> Diagnostic:
    """tomllib says where in its sentence: `Expected '=' after a key (at line 3, column 7)`."""
    match = _TOML_PLACE.search(message)
    line, column = line_and_column(text, len(text.rstrip()))
    if match and match[1]:
        line, column = int(match[1]), int(match[2])
    return Diagnostic(
        rule="toml-syntax",
        message=_TOML_PLACE.sub("", message),
        place=Place(path=path, line=line, column=column),
        hint=next(
            (hint for words, hint in _TOML_HINTS if words.search(message)), "toml.io says how it is written"
        ),
        excerpt=excerpt_of(text, line),
    )


_JSON_HINT = "keys and texts are in double quotes, with a comma between them and none behind the last"


def read_json(file: Path, path: str, findings: Findings) -> Document | None:
    """A JSON object."""
    text = read_text(file, path, findings)
    if text is None:
        return None
    over = json_limit(text, path)
    if over is not None:
        findings.add(over)
        return None
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        place = Place(path=path, line=error.lineno, column=error.colno)
        excerpt = excerpt_of(text, error.lineno)
        findings.add(
            Diagnostic(rule="json-syntax", message=error.msg, place=place, excerpt=excerpt, hint=_JSON_HINT)
        )
        return None
    except ValueError as error:  # a number of too many digits
        findings.add(Diagnostic(rule="json-syntax", message=str(error), place=Place(path=path)))
        return None
    document = Document(path, text, values if isinstance(values, dict) else {}, findings, toml=False)
    if not isinstance(values, dict):
        document.report("wrong-type", "must be a JSON object")
        return None
    return document
