"""Releases: numbered builds that are stored completely and never change.

A release holds every file that publishing, comparing and mapping errors need: the build record, all snippets, the data
schema, the manifest without its secret, and the source maps. Files are stored by their hashes, so releases share
unchanged files.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, func, insert, select

from awning.build_record import FILE_NAME, BuildRecord, decode_build_record, shorten_fingerprint
from awning.data_schema import VERSION_KEYWORD
from awning.errors import ConfigurationError, DatabaseUnusable
from awning.publish.inventory.inventory import Instance
from awning.publish.release.build_files import (
    MAPS,
    SCHEMA,
    Build,
    BuildFiles,
    files_of,
    page_hash_of,
    sha256_of,
)
from awning.publish.state.database import NUL, STAND_IN, read_row, storable
from awning.publish.state.store import OpenTables
from awning.publish.state.tables.releases import FILE, RELEASE, TEXT


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A frozen build. `revision` is the commit of its sources; None when it is not known.

    `created_at` is a time in ISO 8601; `created_by` is the operator.
    """

    number: int
    fingerprint: str
    created_at: str
    created_by: str
    revision: str | None
    note: str

    def as_json(self) -> dict[str, Any]:
        return {
            "release": self.number,
            "fingerprint": self.fingerprint,
            "created": self.created_at,
            "by": self.created_by,
            "revision": self.revision,
            "note": self.note,
        }


class Releases(OpenTables):
    """The releases of one app. Methods raise DatabaseUnusable when the database cannot be read or written."""

    def create(
        self, files: BuildFiles, *, operator: str, revision: str | None = None, note: str = ""
    ) -> tuple[Release, bool]:
        """Freeze a build as a release.

        Returns the release, and whether it is new: builds with the same content (`_content_hash`) share one release.
        """
        hashes = _hashes_of(files)
        content = _content_hash(files.record, hashes)
        same = select(RELEASE).where(RELEASE.c.content == content)
        known = self._first(RELEASE.c.content == content)
        if known is not None:
            return known, False
        with self._database.writing(alone=True) as connection:
            row = connection.execute(same).mappings().one_or_none()
            if row is not None:  # another process has just created the release
                return _release(row), False
            last: int | None = connection.execute(select(func.max(RELEASE.c.number))).scalar()
            release = Release(
                number=(last or 0) + 1,
                fingerprint=files.record.fingerprint,
                created_at=datetime.now(UTC).isoformat(timespec="seconds"),
                created_by=storable(operator),
                revision=revision,
                note=storable(note),
            )
            texts = [
                {
                    "sha256": hashes[path],
                    "page_sha256": page_hash_of(text),
                    "text": text.replace(NUL, STAND_IN),
                }
                for path, text in files.texts.items()
            ]
            connection.execute(self._database.insert(TEXT).on_conflict_do_nothing(), texts)
            rows = [
                {"number": release.number, "path": path, "sha256": sha256} for path, sha256 in hashes.items()
            ]
            connection.execute(insert(FILE), rows)
            connection.execute(insert(RELEASE).values(content=content, **asdict(release)))
        return release, True

    def all(self) -> Sequence[Release]:
        """Return all releases, oldest first."""
        return [_release(row) for row in self._database.rows(select(RELEASE).order_by(RELEASE.c.number))]

    def _first(self, condition: ColumnElement[bool]) -> Release | None:
        rows = self._database.rows(select(RELEASE).where(condition))
        return _release(rows[0]) if rows else None

    def get(self, number: int) -> Release:
        """Return one release. Raises ConfigurationError when there is no such release."""
        release = self._first(RELEASE.c.number == number)
        if release is None:
            raise ConfigurationError(
                f"there is no release {number}", hint="awning release list shows all releases"
            )
        return release

    def files(self, number: int) -> BuildFiles:
        """Return the files of one release.

        Raises ConfigurationError when there is no such release, DatabaseUnusable when a file does not have its recorded
        hash.
        """
        self.get(number)
        return files_of(self._texts(number))

    def record(self, number: int) -> BuildRecord:
        """Return the build record of one release. Its other files are not read, so they may be damaged.

        Raises as `files` does.
        """
        self.get(number)
        return decode_build_record(self._texts(number, FILE.c.path == FILE_NAME)[FILE_NAME])

    def _texts(self, number: int, *conditions: ColumnElement[bool]) -> dict[str, str]:
        """Return the files of a release by path. Raises DatabaseUnusable when one does not have its recorded hash."""
        query = (
            select(FILE.c.path, FILE.c.sha256, TEXT.c.text)
            .join(TEXT, TEXT.c.sha256 == FILE.c.sha256)
            .where(FILE.c.number == number, *conditions)
        )
        texts: dict[str, str] = {}
        for path, sha256, content in map(_values, self._database.rows(query)):
            text = content if sha256_of(content) == sha256 else content.replace(STAND_IN, NUL)
            if sha256_of(text) != sha256:
                raise DatabaseUnusable(
                    f"{self._database.display_name} cannot be used: {path} of release {number} is damaged",
                    hint="put back a copy from before",
                )
            texts[path] = text
        return texts

    def of_files(self, files: BuildFiles) -> Release | None:
        """Return the release with the content of these files; None when there is none."""
        return self._first(RELEASE.c.content == _content_hash(files.record, _hashes_of(files)))

    def numbers(self) -> dict[str, int]:
        """Return the newest release of each build, by the beginning of its fingerprint (`shorten_fingerprint`)."""
        query = select(RELEASE.c.fingerprint, RELEASE.c.number).order_by(RELEASE.c.number)
        return {shorten_fingerprint(row["fingerprint"]): row["number"] for row in self._database.rows(query)}

    def text_at(self, number: int, path: str) -> str | None:
        """Return the content of one file of a release; None when the release has no such file."""
        own = select(FILE.c.sha256).where(FILE.c.number == number, FILE.c.path == path)
        sha256: str | None = self._database.value(own)
        return None if sha256 is None else self.text(sha256)

    def describe_versions(self) -> bool:
        """Return whether the schema of any release describes a later version of app data than the first."""
        schemas = (
            select(FILE.c.number).join(TEXT, TEXT.c.sha256 == FILE.c.sha256).where(FILE.c.path == SCHEMA)
        )
        versioned = schemas.where(TEXT.c.text.contains(VERSION_KEYWORD)).limit(1)
        return self._database.value(versioned) is not None

    def text(self, sha256: str) -> str | None:
        """Return the content with this hash; None when no release holds it."""
        content: str | None = self._database.value(select(TEXT.c.text).where(TEXT.c.sha256 == sha256))
        return content.replace(STAND_IN, NUL) if content and sha256_of(content) != sha256 else content

    def schemas(self) -> Mapping[int, str]:
        """Return the hash of the data schema of each release that has one."""
        query = select(FILE.c.number, FILE.c.sha256).where(FILE.c.path == SCHEMA)
        return {row["number"]: row["sha256"] for row in self._database.rows(query)}

    def with_file(self, sha256: str) -> Sequence[int]:
        """Return the releases that have a file with this hash, oldest first."""
        query = select(FILE.c.number).where(FILE.c.sha256 == sha256).order_by(FILE.c.number)
        return [row["number"] for row in self._database.rows(query)]

    def newest_with(self, page_sha256: str) -> int | None:
        """Return the number of the newest release with a file that has this page hash (`page_hash_of`).

        Returns None when there is none.
        """
        newest = (
            select(func.max(FILE.c.number))
            .join(TEXT, TEXT.c.sha256 == FILE.c.sha256)
            .where(TEXT.c.page_sha256 == page_sha256)
        )
        number: int | None = self._database.value(newest)
        return number

    def newest_by_hash(self) -> Mapping[str, int]:
        """Return the newest release with each file, by the hash and by the page hash of the file."""
        newest = (
            select(TEXT.c.sha256, TEXT.c.page_sha256, func.max(FILE.c.number))
            .join(FILE, TEXT.c.sha256 == FILE.c.sha256)
            .group_by(TEXT.c.sha256, TEXT.c.page_sha256)
            .order_by(func.max(FILE.c.number))
        )
        rows = list(map(_values, self._database.rows(newest)))
        pages = {page: number for _, page, number in rows}
        return pages | {sha256: pages[page] for sha256, page, _ in rows}

    def hashes(self) -> frozenset[str]:
        """Return the hashes of all files of all releases, and their page hashes."""
        rows = self._database.rows(select(TEXT.c.sha256, TEXT.c.page_sha256))
        return frozenset(sha256 for row in rows for sha256 in _values(row))


def _hashes_of(files: BuildFiles) -> Mapping[str, str]:
    return {path: sha256_of(text) for path, text in files.texts.items()}


def _content_hash(record: BuildRecord, hashes: Mapping[str, str]) -> str:
    """Return one hash of all files that shops and their settings depend on, and of the globals that widgets may leave.

    The build record and the source maps are left out, because they also name awning's version. The globals are in the
    build record alone, and `verify` reads them from the release.
    """
    published = {
        path: h for path, h in hashes.items() if path != FILE_NAME and not path.startswith(f"{MAPS}/")
    }
    files = [f"{path}\n{published[path]}\n" for path in sorted(published)]
    allowed = [
        f"{widget.name} {' '.join(sorted(widget.globals))}\n" for widget in record.widgets if widget.globals
    ]
    return sha256_of("".join([*files, *allowed]))


def _values(row: RowMapping) -> tuple[Any, ...]:
    return tuple(row.values())


def _release(row: RowMapping) -> Release:
    return read_row(Release, row)


class Builds:
    """The builds of one run. The release of a held instance is read when it is first used.

    `heads` is whether the service has calls for head snippets.
    """

    def __init__(self, current: Build, releases: Releases, *, heads: bool) -> None:
        self.current = current
        self._releases = releases
        self._heads = heads
        self._pinned: dict[int, Build] = {}

    def of(self, instance: Instance) -> Build:
        """Return the build of one instance.

        Raises ConfigurationError when its release does not exist, DatabaseUnusable when the release is damaged.
        """
        number = instance.pinned
        if number is None or number == self.current.release:
            return self.current
        if number not in self._pinned:
            self._pinned[number] = self._releases.files(number).build(heads=self._heads, release=number)
        return self._pinned[number]
