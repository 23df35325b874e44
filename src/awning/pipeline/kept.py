"""What was found before, under a hash of what it was found in: one JSON file in `.awning/cache`.

One file for all: reading a thousand small ones takes longer than looking again would.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from awning.diagnostics import Diagnostic
from awning.pipeline.put import replace_file
from awning.pipeline.stored import restored, stored
from awning.pipeline.tooling import package_stamp


def digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()


@dataclass(slots=True, kw_only=True)
class Kept:
    """`known` is what was kept, `used` what this run asked for. Only `save` writes."""

    file: Path
    known: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    used: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    @classmethod
    def load(cls, file: Path) -> "Kept":
        """Of another awning, or damaged: nothing."""
        try:
            document = json.loads(file.read_bytes())
            known = document["files"] if document["tool"] == package_stamp() else {}
            return cls(file=file, known={str(key): list(found) for key, found in known.items()})
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return cls(file=file)

    def of(self, key: str, look: Callable[[], Sequence[Diagnostic]]) -> tuple[Diagnostic, ...]:
        """What `look` finds, or found when it was asked for `key` before."""
        try:
            found = restored(self.known[key])
        except (KeyError, TypeError, ValueError, IndexError):
            found = tuple(look())
        self.used[key] = stored(found)
        return found

    def save(self) -> None:
        """What was asked for in this run; the rest is of files that have changed or gone."""
        if self.used != self.known:
            document = {"tool": package_stamp(), "files": self.used}
            replace_file(self.file, json.dumps(document).encode())
