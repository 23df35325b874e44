"""Findings that were there before: a file of fingerprints, so that only new ones are reported.

A fingerprint is made from rule, path and the text of the line, and counts how often: lines that move stay known.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from awning.diagnostics import Diagnostic
from awning.errors import ConfigurationError


def fingerprint(found: Diagnostic) -> str:
    place = found.place
    parts = (found.rule, place.path if place else "", (found.excerpt or found.message).strip())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


def read_baseline(file: Path) -> Counter[str]:
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        return Counter({str(key): int(count) for key, count in document["findings"].items()})
    except FileNotFoundError:
        raise ConfigurationError(f"no baseline {file}", hint="write one: --update-baseline") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigurationError(f"{file} is no baseline of awning check: {error}") from error


def write_baseline(file: Path, found: Iterable[Diagnostic]) -> None:
    counts = Counter(fingerprint(one) for one in found)
    document = {"schema_version": 1, "findings": dict(sorted(counts.items()))}
    file.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def new_since(found: Iterable[Diagnostic], known: Counter[str]) -> list[Diagnostic]:
    left = Counter(known)
    new = []
    for one in found:
        key = fingerprint(one)
        if left[key] > 0:
            left[key] -= 1
        else:
            new.append(one)
    return new
