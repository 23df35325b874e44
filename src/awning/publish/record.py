"""Reads the snippets of a build and checks each against the build record's SHA-256.

The publisher trusts `dist/` and never builds: what is published is what was built and tested, byte for byte.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from awning.build_record import FILE_NAME, BuiltSnippet, Place, read_build_record
from awning.diagnostics import Diagnostic
from awning.diagnostics import Place as At
from awning.errors import Faulty

APP = "app"


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """One built snippet of the app. `sha256` is the hash of its UTF-8 bytes in lower-case hex."""

    place: Place
    text: str = field(repr=False)
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """One build with all its texts. `snippets` are by language; None is the default, for every website and language."""

    fingerprint: str
    snippets: Mapping[str | None, tuple[Snippet, ...]]

    @property
    def languages(self) -> tuple[str, ...]:
        return tuple(language for language in self.snippets if language is not None)


def read_build(dist: Path, *, heads: bool = False, allow_errors: bool = False) -> Build:
    """Return the app's snippets in `dist`; head snippets only with `heads`, where the service has calls for them.

    Raises Faulty when a snippet differs from its hash, and, unless `allow_errors` is true, when the build has errors.
    """
    record = read_build_record(dist)
    if record.allowed_errors and not allow_errors:
        many = "an error" if record.allowed_errors == 1 else f"{record.allowed_errors} errors"
        message = f"it was built with {many} (awning build --allow-errors)"
        raise Faulty(
            [_fault(dist / FILE_NAME, message, hint="mend them and run: awning build; or --allow-errors")]
        )
    wanted = [s for s in record.snippets if s.unit == APP and (s.place == "body" or heads)]
    snippets = {
        language: tuple(_checked(dist, entry) for entry in wanted if entry.language == language)
        for language in (None, *record.languages)
    }
    if not any(snippets.values()):
        raise Faulty([_fault(dist / FILE_NAME, "it names no snippet of the app")])
    return Build(fingerprint=record.fingerprint, snippets={k: v for k, v in snippets.items() if v})


def _checked(dist: Path, entry: BuiltSnippet) -> Snippet:
    path = dist / entry.path
    if not path.resolve().is_relative_to(dist.resolve()):
        raise Faulty([_fault(dist / FILE_NAME, f'"{entry.path}" is outside the build')])
    try:
        content = path.read_bytes()
        text = content.decode("utf-8")
    except (OSError, UnicodeDecodeError):
        raise Faulty([_fault(path, "the build record names it, but it cannot be read")]) from None
    if hashlib.sha256(content).hexdigest() != entry.sha256:
        raise Faulty([_fault(path, "it is not what was built: its SHA-256 differs from the build record's")])
    return Snippet(place=entry.place, text=text, sha256=entry.sha256)


def _fault(path: Path, message: str, *, hint: str = "run: awning build") -> Diagnostic:
    return Diagnostic(rule="build-record", message=message, place=At(path=str(path)), hint=hint)
