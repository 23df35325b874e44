"""Reads a build from `dist/` and checks each snippet against its SHA-256 in the build record.

So what is published is what was built and tested, byte for byte. The publisher itself never builds.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from awning.build_record import (
    DEFAULT_FIELDS,
    FILE_NAME,
    MIGRATIONS_FILE,
    MIGRATIONS_MAP,
    WHOLE_APP,
    BuildRecord,
    Place,
    decode_build_record,
    read_build_record,
)
from awning.data_migration.engine import MigrationEngine
from awning.data_migration.migration import DataMigration
from awning.data_schema import SchemaPart, read_app_schema
from awning.diagnostics import Diagnostic
from awning.diagnostics import Place as At
from awning.errors import Faulty

SCHEMA, MANIFEST, MAPS = "data.schema.json", "manifest.json", "maps"


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """One built snippet of the app. `sha256` is the hash of its UTF-8 bytes, in lower-case hexadecimal digits."""

    place: Place
    text: str = field(repr=False)
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """The snippets of one build. `snippets` are by language; the key None is for the website-wide cell.

    `defaults` are the page hashes of the manifest's default snippets, which an instance may show before the first
    publish. `release` is the number of the build's release; None when the build is not released.
    """

    fingerprint: str
    snippets: Mapping[str | None, tuple[Snippet, ...]]
    defaults: frozenset[str] = frozenset()
    release: int | None = None
    migration: DataMigration | None = None
    """What brings app data to the versions that the build's schema describes."""

    @property
    def languages(self) -> tuple[str, ...]:
        return tuple(language for language in self.snippets if language is not None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BuildFiles:
    """The files of a build by path: the record, all snippets, the data schema, the migrations of app data, the manifest
    and the source maps.
    """

    record: BuildRecord
    texts: Mapping[str, str] = field(repr=False)

    def build(self, *, heads: bool, release: int | None = None) -> Build:
        """Return the app's snippets.

        Head snippets are included only with `heads`, because not every service has calls for them.
        """
        wanted = [s for s in self.record.snippets if s.unit == WHOLE_APP and (s.place == "body" or heads)]
        snippets = {
            language: tuple(
                Snippet(place=entry.place, text=self.texts[entry.path], sha256=entry.sha256)
                for entry in wanted
                if entry.language == language
            )
            for language in (None, *self.record.languages)
        }
        return Build(
            fingerprint=self.record.fingerprint,
            snippets={language: cell for language, cell in snippets.items() if cell},
            defaults=frozenset(map(page_hash_of, self._default_snippets())),
            release=release,
            migration=self.migration(),
        )

    def schema(self) -> SchemaPart:
        """Return the schema of the settings that the build's widgets read."""
        return read_app_schema(json.loads(self.texts.get(SCHEMA, "{}")))

    @property
    def data_hash(self) -> str:
        """A hash of the data schema and the migrations: what becomes of app data depends on both."""
        return sha256_of("\0".join(self.texts.get(path, "") for path in (SCHEMA, MIGRATIONS_FILE)))

    def migration(self) -> DataMigration:
        """Return what brings app data to the versions that the schema describes."""
        built, schema = self.record.migrations, self.schema()
        if built is None or MIGRATIONS_FILE not in self.texts:
            return DataMigration(schema=schema)
        engine = MigrationEngine(code=self.texts[MIGRATIONS_FILE], source_map=self.texts.get(MIGRATIONS_MAP))
        return DataMigration(schema=schema, engine=engine, widgets=frozenset(built.widgets))

    def _default_snippets(self) -> Iterator[str]:
        manifest = json.loads(self.texts.get(MANIFEST, "{}"))
        yield from (text for name in DEFAULT_FIELDS.values() if isinstance(text := manifest.get(name), str))


def sha256_of(text: str) -> str:
    """Return the hash under which a snippet's text is stored, in lower-case hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def page_hash_of(text: str) -> str:
    """Return the hash of a snippet as a page shows it: without white space at its ends, and with LF as line ends.

    Some services trim a snippet or change its line ends (assumed). HTML itself reads CR LF and CR as LF (HTML,
    Preprocessing the input stream).
    """
    return sha256_of(text.replace("\r\n", "\n").replace("\r", "\n").strip())


def read_build(dist: Path, *, heads: bool = False, allow_errors: bool = False) -> Build:
    """Return the app's snippets in `dist`. Head snippets are included only with `heads`.

    Raises ConfigurationError or Faulty when the build is missing or cannot be used (`read_files` lists the cases).
    """
    return read_files(dist, allow_errors=allow_errors).build(heads=heads)


def read_files(dist: Path, *, allow_errors: bool = False) -> BuildFiles:
    """Return the files of the build in `dist`.

    Raises ConfigurationError when `dist` has no valid build record. Raises Faulty when the build has errors and
    `allow_errors` is false, when the build record names no snippet of the app, when a snippet is outside `dist`, cannot
    be read or does not have its recorded hash, or when a file is not UTF-8 text.
    """
    record = read_build_record(dist)
    if record.allowed_errors and not allow_errors:
        many = "an error" if record.allowed_errors == 1 else f"{record.allowed_errors} errors"
        message = f"it was built with {many} (awning build --allow-errors)"
        raise Faulty(
            [_fault(dist / FILE_NAME, message, hint="mend them and run: awning build; or --allow-errors")]
        )
    if not any(entry.unit == WHOLE_APP for entry in record.snippets):
        raise Faulty([_fault(dist / FILE_NAME, "it names no snippet of the app")])
    texts = {entry.path: _checked(dist, entry.path, entry.sha256) for entry in record.snippets}
    if record.migrations is not None:
        texts[MIGRATIONS_FILE] = _checked(dist, MIGRATIONS_FILE, record.migrations.sha256)
    for path in (FILE_NAME, SCHEMA, MANIFEST, *_maps(dist)):
        if (dist / path).is_file():
            texts[path] = _text(dist / path, (dist / path).read_bytes())
    return BuildFiles(record=record, texts=texts)


def files_of(texts: Mapping[str, str]) -> BuildFiles:
    """Return the files of a release as BuildFiles. `texts` are their contents by path."""
    return BuildFiles(record=decode_build_record(texts[FILE_NAME]), texts=texts)


def _maps(dist: Path) -> tuple[str, ...]:
    return tuple(sorted(path.relative_to(dist).as_posix() for path in (dist / MAPS).rglob("*.map")))


def _checked(dist: Path, name: str, sha256: str) -> str:
    path = dist / name
    if not path.resolve().is_relative_to(dist.resolve()):
        raise Faulty([_fault(dist / FILE_NAME, f'"{name}" is outside the build')])
    try:
        content = path.read_bytes()
    except OSError:
        raise Faulty([_fault(path, "the build record names it, but it cannot be read")]) from None
    text = _text(path, content)
    if hashlib.sha256(content).hexdigest() != sha256:
        raise Faulty([_fault(path, "it is not what was built: its SHA-256 differs from the build record's")])
    return text


def _text(path: Path, content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise Faulty([_fault(path, "it is part of the build, but it cannot be read as UTF-8 text")]) from None


def _fault(path: Path, message: str, *, hint: str = "run: awning build") -> Diagnostic:
    return Diagnostic(rule="build-record", message=message, place=At(path=str(path)), hint=hint)
