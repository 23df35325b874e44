"""The build record, `dist/build.json`: what a build contains, and what it was made from.

The pipeline writes it. The publisher, the host, the harness and others read it to learn which snippets `dist/` has.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict as struct_fields

from awning.errors import ConfigurationError
from awning.typed_values import Mismatch, decode

SCHEMA_VERSION = 1
FILE_NAME = "build.json"
MIGRATIONS_FILE, MIGRATIONS_MAP = "migrations.js", "maps/migrations.js.map"
"""The migrations of app data: a script that `awning.data_migration` runs, and its source map."""
WHOLE_APP = "app"
"""The unit of the snippets that have all widgets. No widget has this name."""

Place = Literal["head", "body"]
DEFAULT_FIELDS: Mapping[Place, str] = {"head": "app_default_head_snippet", "body": "app_default_snippet"}
"""The manifest fields with the default head snippet and the default body snippet.

The service shows the default snippet until a snippet is set (Apps Integration API, App manifest).
"""


FINGERPRINT_DIGITS = 12
"""The number of hexadecimal digits in a shortened fingerprint: enough to distinguish all builds of one app."""
BUILD_MARK, PADDING = "awning-build.", "."
ALONE = "-"
"""Stands for the language in the `BuildName` of a snippet that has only one widget.

Such a snippet is never published, so no report names it, and its language is not needed.
"""
_BUILD_NAME = re.compile(rf"([0-9a-f]{{{FINGERPRINT_DIGITS}}})\.([A-Za-z0-9_-]{{0,40}})\.{{0,40}}")


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildName:
    """The name of a snippet in the reports of pages, such as `0123456789ab.lv`.

    `fingerprint` is the fingerprint of the build. In a name that was read from a report, it has only the first
    `FINGERPRINT_DIGITS` digits. `language` is None for the default snippet, and `ALONE` for the snippet of a single
    widget.
    """

    fingerprint: str
    language: str | None

    def text(self, mark: str) -> str:
        """Return the name, padded to the length of `mark`.

        When it replaces `mark` in a script, the columns after it do not move, so the source map stays correct.
        """
        return f"{shorten_fingerprint(self.fingerprint)}.{self.language or ''}".ljust(len(mark), PADDING)

    @classmethod
    def read(cls, text: str) -> "BuildName | None":
        """Parse the name in a report. Returns None when the text is not a name."""
        match = _BUILD_NAME.fullmatch(text)
        return None if match is None else cls(fingerprint=match[1], language=match[2] or None)


_STAMP = re.compile(rf"\s*awning ([0-9a-f]{{{FINGERPRINT_DIGITS}}})\s*")


def read_stamp(comment: str) -> str | None:
    """Return the shortened fingerprint in the text of a comment that is a build's stamp; None for another comment."""
    match = _STAMP.fullmatch(comment)
    return match[1] if match else None


def shorten_fingerprint(fingerprint: str) -> str:
    """Return the beginning of a build's fingerprint, as stamps, reports and messages have it."""
    return fingerprint[:FINGERPRINT_DIGITS]


def build_mark(languages: Sequence[str]) -> str:
    """Return the text that stands for the snippet's name while the scripts are bundled; `assemble` then replaces it.

    The name contains the fingerprint. This is a hash of all snippets, so it is unknown before they are made. The text
    is as long as the name with the longest of these language codes.
    """
    return BUILD_MARK.ljust(len(BUILD_MARK) + max(map(len, languages), default=0), PADDING)


@dataclass(frozen=True, slots=True, kw_only=True)
class InlineElement:
    """An inline script or style of a snippet, and its hash for a Content Security Policy, such as `sha256-...`.

    `element` is `script`, `style`, or for an attribute `script-attr` or `style-attr`, as policies name them. Without a
    fixed hash, `csp_hash` is None, and `reason` says why.
    """

    element: str
    csp_hash: str | None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltSnippet:
    """One snippet in `dist/`.

    `path` is relative to `dist/`. `unit` is `app` (all widgets) or a widget's name. `language` is None for the default
    snippet. `bytes` is its size, `gzip` its size when compressed, both in bytes. `sha256` is the hash of its content in
    lower-case hex. `script` is the index at which its bundled script begins; None without one. `inline` are its inline
    scripts and styles, in their order.
    """

    path: str
    unit: str
    place: Place
    language: str | None
    bytes: int
    gzip: int
    sha256: str
    script: int | None = None
    inline: tuple[InlineElement, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltSource:
    """A file of a widget: its path relative to the workspace, and the hash of its content in lower-case hex."""

    path: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltWidget:
    """A widget in the build.

    `sources` are its files, without those that can never be part of a snippet, such as tests. A `raw` widget is a
    script that runs without the runtime, so it cannot be disabled; so is a `verbatim` one, whose HTML is in snippets as
    it is.
    `globals` are the names of the globals that it may leave on the page.
    """

    name: str
    title: str
    slots: tuple[str, ...]
    languages: tuple[str, ...]
    sources: tuple[BuiltSource, ...]
    raw: bool = False
    verbatim: bool = False
    globals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltMigrations:
    """The widgets that have a function for earlier app data, and the hash of `MIGRATIONS_FILE` in lower-case hex."""

    widgets: tuple[str, ...]
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRecord:
    """The content of `dist/build.json`.

    The fingerprint is a hash of all snippets and of the migrations, if there are any. So builds with equal fingerprints
    have equal snippets and migrations.
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
    """The number of errors that `build --allow-errors` accepted. Publishing such a build needs --allow-errors, too."""
    beacon_sample_rate: float | None = None
    """The share of page views that report that a widget rendered; None when the snippets send no such reports."""
    kill_switch: bool = False
    """Whether the app data can disable the widgets in the app's snippets (key `_awning.disabled`)."""
    migrations: BuiltMigrations | None = None

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
            "kill_switch": self.kill_switch,
            **({"migrations": asdict(self.migrations)} if self.migrations else {}),
            **({"beacon_sample_rate": self.beacon_sample_rate} if self.beacon_sample_rate else {}),
        }

    def snippet(
        self, place: Place, language: str | None = None, unit: str = WHOLE_APP
    ) -> BuiltSnippet | None:
        """Return the entry of one snippet; None when the snippet is not in the build."""
        wanted = (unit, place, language)
        return next((s for s in self.snippets if (s.unit, s.place, s.language) == wanted), None)


def _widget_json(widget: BuiltWidget) -> dict[str, Any]:
    return {
        "name": widget.name,
        "title": widget.title,
        "slots": list(widget.slots),
        "languages": list(widget.languages),
        "sources": [asdict(source) for source in widget.sources],
        **({"raw": True} if widget.raw else {}),
        **({"verbatim": True} if widget.verbatim else {}),
        **({"globals": list(widget.globals)} if widget.globals else {}),
    }


class _App(Struct):
    title: str
    version: str


class _Document(Struct):
    """The form of the file. Unknown fields are ignored."""

    schema_version: Literal[1]
    awning: str
    fingerprint: str
    app: _App
    languages: tuple[str, ...]
    snippets: tuple[BuiltSnippet, ...]
    widgets: tuple[BuiltWidget, ...]
    esbuild: str
    allowed_errors: int = 0
    beacon_sample_rate: float | None = None
    kill_switch: bool = False
    migrations: BuiltMigrations | None = None

    def record(self) -> BuildRecord:
        fields = struct_fields(self)
        del fields["schema_version"], fields["app"]
        return BuildRecord(title=self.app.title, version=self.app.version, **fields)


def decode_build_record(text: str | bytes) -> BuildRecord:
    """Return the record that the text of the file holds. Raises Mismatch when it is not a build record."""
    return decode(text, _Document).record()


def read_build_record(dist: Path) -> BuildRecord:
    """Return the record of the build in `dist`.

    Raises ConfigurationError when the record is missing, cannot be read, or is not valid.
    """
    file = dist / FILE_NAME
    try:
        return decode_build_record(file.read_bytes())
    except FileNotFoundError:
        raise ConfigurationError(f"nothing is built in {dist}", hint="run: awning build") from None
    except OSError as error:
        raise ConfigurationError(
            f"{file} cannot be read ({error.strerror})", hint="run: awning build"
        ) from None
    except Mismatch as mismatch:
        raise ConfigurationError(
            f"{file} is not a build record: {mismatch.of('it')}", hint="run: awning build"
        ) from None


def find_build_record(dist: Path) -> BuildRecord | None:
    """Return the record of the build in a folder; None without one."""
    try:
        return read_build_record(dist)
    except ConfigurationError:
        return None
