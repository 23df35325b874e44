"""The build record, `dist/build.json`: what a build holds, and from what it was made.

The pipeline writes it. The publisher, the dev server and the harness read it, and rely on nothing else in `dist/`.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from awning.errors import ConfigurationError

SCHEMA_VERSION = 1
FILE_NAME = "build.json"

Place = Literal["head", "body"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltSnippet:
    """One snippet of `dist/`.

    `path` is relative to `dist/`. `unit` is `app` (all widgets) or a widget's name. `language` is None for the default.
    `bytes` and `gzip` are its weight, `sha256` is the hash of its content.
    """

    path: str
    unit: str
    place: Place
    language: str | None
    bytes: int
    gzip: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltWidget:
    """A widget in the build. `sources` are the paths and hashes of its files."""

    name: str
    title: str
    slots: tuple[str, ...]
    languages: tuple[str, ...]
    sources: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRecord:
    """The content of `dist/`. The fingerprint is a hash of all snippets, so builds with equal fingerprints have equal
    snippets.
    """

    awning: str
    fingerprint: str
    title: str
    version: str
    languages: tuple[str, ...]
    snippets: tuple[BuiltSnippet, ...]
    widgets: tuple[BuiltWidget, ...]
    esbuild: str
    allowed_errors: int = 0
    """The number of errors that were allowed. A build with errors must not be published."""

    def as_json(self) -> dict[str, Any]:
        return {
            "schema_version": SCHEMA_VERSION,
            "awning": self.awning,
            "fingerprint": self.fingerprint,
            "app": {"title": self.title, "version": self.version},
            "languages": list(self.languages),
            "snippets": [asdict(snippet) for snippet in self.snippets],
            "widgets": [_widget_json(widget) for widget in self.widgets],
            "esbuild": self.esbuild,
            **({"allowed_errors": self.allowed_errors} if self.allowed_errors else {}),
        }

    def snippet(self, place: Place, language: str | None = None, unit: str = "app") -> BuiltSnippet | None:
        """The entry of one snippet; None when the snippet is not in the build."""
        wanted = (unit, place, language)
        return next((s for s in self.snippets if (s.unit, s.place, s.language) == wanted), None)


def _widget_json(widget: BuiltWidget) -> dict[str, Any]:
    return {
        "name": widget.name,
        "title": widget.title,
        "slots": list(widget.slots),
        "languages": list(widget.languages),
        "sources": [{"path": path, "sha256": digest} for path, digest in widget.sources],
    }


def from_json(value: Mapping[str, Any]) -> BuildRecord:
    """The record from parsed JSON. Raises KeyError, TypeError or ValueError when it is no build record."""
    if value["schema_version"] != SCHEMA_VERSION:
        raise ValueError(f"schema version {value['schema_version']}")
    return BuildRecord(
        awning=value["awning"],
        fingerprint=value["fingerprint"],
        title=value["app"]["title"],
        version=value["app"]["version"],
        languages=tuple(value["languages"]),
        snippets=tuple(BuiltSnippet(**snippet) for snippet in value["snippets"]),
        widgets=tuple(
            BuiltWidget(
                name=widget["name"],
                title=widget["title"],
                slots=tuple(widget["slots"]),
                languages=tuple(widget["languages"]),
                sources=tuple((source["path"], source["sha256"]) for source in widget["sources"]),
            )
            for widget in value["widgets"]
        ),
        esbuild=value["esbuild"],
        allowed_errors=int(value.get("allowed_errors", 0)),
    )


def read_build_record(dist: Path) -> BuildRecord:
    """The record of the build in `dist`. Raises ConfigurationError, with what to do, when there is none."""
    file = dist / FILE_NAME
    try:
        return from_json(json.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise ConfigurationError(f"nothing is built in {dist}", hint="run: awning build") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigurationError(f"{file} is not a build record", hint="run: awning build") from error
