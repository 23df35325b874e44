"""The baseline: a file with the fingerprints of known diagnostics, so that only new ones are reported.

A fingerprint is made from the rule, the path and the text of the line (or the message, if there is no line). So a
diagnostic stays known when its line moves. The file stores how often each fingerprint occurs.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from awning.diagnostics import Diagnostic
from awning.errors import ConfigurationError


def fingerprint(diagnostic: Diagnostic) -> str:
    place = diagnostic.place
    parts = (diagnostic.rule, place.path if place else "", (diagnostic.excerpt or diagnostic.message).strip())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


def read_baseline(file: Path) -> Counter[str]:
    """Read a baseline: the number of known diagnostics for each fingerprint.

    Raises ConfigurationError when the file is missing, cannot be read or is not a baseline.
    """
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        return Counter({str(key): int(count) for key, count in document["findings"].items()})
    except FileNotFoundError:
        raise ConfigurationError(f"no baseline {file}", hint="write one: --update-baseline") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ConfigurationError(f"{file} is not a baseline of awning check: {error}") from error


def write_baseline(file: Path, diagnostics: Iterable[Diagnostic]) -> None:
    counts = Counter(fingerprint(diagnostic) for diagnostic in diagnostics)
    document = {"schema_version": 1, "findings": dict(sorted(counts.items()))}
    file.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def without_known(diagnostics: Iterable[Diagnostic], known: Counter[str]) -> list[Diagnostic]:
    left = Counter(known)
    new = []
    for diagnostic in diagnostics:
        key = fingerprint(diagnostic)
        if left[key] > 0:
            left[key] -= 1
        else:
            new.append(diagnostic)
    return new
