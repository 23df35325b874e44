"""What was found in a file is kept under the hash of its content, until the rules change.

One JSON file for all: reading a thousand small ones takes longer than checking them would.
"""

import hashlib
import json
import os
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from awning.check.files import Checked, check_text
from awning.contract import Dialect
from awning.diagnostics import Diagnostic, Place, Severity


@cache
def rules_stamp() -> str:
    """Changes when a rule or what it is made of changes. Looks at sizes and times."""
    folder = Path(__file__).parent
    lines = []
    for file in sorted([*folder.rglob("*.py"), *(folder.parent / "contract").glob("*.py")]):
        stat = file.stat()
        lines.append(f"{file.relative_to(folder.parent)} {stat.st_size} {stat.st_mtime_ns}")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@dataclass(slots=True, kw_only=True)
class Kept:
    """The cache of one workspace; `file` is None where there is none to keep it in."""

    file: Path | None
    dialect: Dialect
    known: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    used: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def load(self) -> None:
        try:
            document = json.loads(self.file.read_bytes()) if self.file else {}
            if document.get("rules") == rules_stamp():
                self.known = document["files"]
        except (OSError, ValueError, KeyError, AttributeError):
            self.known = {}

    def check(self, path: str, text: str) -> tuple[Diagnostic, ...]:
        key = hashlib.sha256(f"{path}\0{self.dialect}\0{text}".encode(errors="surrogatepass")).hexdigest()
        found = self.known.get(key)
        if found is None:
            found = as_values(check_text(path, text, self.dialect))
        self.used[key] = found
        return from_values(found)

    def save(self) -> None:
        if self.file is None or self.used == self.known:
            return
        self.file.parent.mkdir(parents=True, exist_ok=True)
        beside = self.file.with_suffix(f".{os.getpid()}")
        beside.write_text(json.dumps({"rules": rules_stamp(), "files": self.used}), encoding="utf-8")
        beside.replace(self.file)


def as_values(checked: Checked) -> list[dict[str, Any]]:
    return [
        {
            "rule": one.rule,
            "message": one.message,
            "place": [one.place.path, one.place.line, one.place.column] if one.place else None,
            "hint": one.hint,
            "severity": str(one.severity),
            "excerpt": one.excerpt,
        }
        for one in checked.diagnostics
    ]


def from_values(values: list[dict[str, Any]]) -> tuple[Diagnostic, ...]:
    return tuple(
        Diagnostic(
            rule=one["rule"],
            message=one["message"],
            place=Place(path=one["place"][0], line=one["place"][1], column=one["place"][2]),
            hint=one["hint"],
            severity=Severity(one["severity"]),
            excerpt=one["excerpt"],
        )
        for one in values
    )
