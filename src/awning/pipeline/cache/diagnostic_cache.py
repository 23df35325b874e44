"""Caches diagnostics in `.awning/cache` as JSON.

The key of an entry is a hash of everything that its diagnostics depend on.

All entries are in one file, because reading a thousand small files takes longer than running the rules again.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from awning.diagnostics import Diagnostic, Place, Severity
from awning.pipeline.cache.shared_files import replace_file
from awning.pipeline.cache.toolchain import package_stamp


def hash_of(*parts: str) -> str:
    """Return the key of a cache entry: a hash of everything that the entry depends on."""
    return hashlib.sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()


@dataclass(slots=True, kw_only=True)
class DiagnosticCache:
    """Diagnostics by key. Only `save` writes the file.

    `known` are the entries that this run begins with: those of the file or, with a build memory, those of the last
    build. `used` are the entries that this run has read or added.
    """

    file: Path
    known: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    used: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    @classmethod
    def load(cls, file: Path) -> "DiagnosticCache":
        """Return the cache in a file. Empty if the file is missing, damaged, or from another version of awning."""
        try:
            document = json.loads(file.read_bytes())
            known = document["files"] if document["tool"] == package_stamp() else {}
            return cls(file=file, known={str(key): list(entry) for key, entry in known.items()})
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return cls(file=file)

    def get(self, key: str, compute: Callable[[], Sequence[Diagnostic]]) -> tuple[Diagnostic, ...]:
        """Return the diagnostics of the entry `key`. Without such an entry, call `compute` and add its result."""
        try:
            diagnostics = diagnostics_from_json(self.known[key])
        except (KeyError, TypeError, ValueError, IndexError):
            diagnostics = tuple(compute())
        self.used[key] = diagnostics_json(diagnostics)
        return diagnostics

    def keep_known(self) -> None:
        """Add the other known entries to `used`. Call it when a run is cancelled before it has used them."""
        self.used = self.known | self.used

    def save(self) -> None:
        """Write the entries that this run has used, and drop all others.

        The files of a dropped entry have changed, are gone, or were not inspected in this run.
        """
        if self.used != self.known:
            document = {"tool": package_stamp(), "files": self.used}
            replace_file(self.file, json.dumps(document).encode())


def diagnostics_json(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    return [
        {
            "rule": diagnostic.rule,
            "message": diagnostic.message,
            "place": place_json(diagnostic.place),
            "hint": diagnostic.hint,
            "severity": str(diagnostic.severity),
            "excerpt": diagnostic.excerpt,
            "passed_at": [place_json(place) for place in diagnostic.passed_at],
        }
        for diagnostic in diagnostics
    ]


def diagnostics_from_json(values: Iterable[Mapping[str, Any]]) -> tuple[Diagnostic, ...]:
    return tuple(
        Diagnostic(
            **{
                **value,
                "place": place_from_json(value["place"]) if value["place"] else None,
                "severity": Severity(value["severity"]),
                "passed_at": tuple(map(place_from_json, value["passed_at"])),
            }
        )
        for value in values
    )


def place_json(place: Place | None) -> list[str | int] | None:
    return [place.path, place.line, place.column] if place else None


def place_from_json(value: Sequence[Any]) -> Place:
    return Place(path=value[0], line=value[1], column=value[2])
