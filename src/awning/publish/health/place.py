"""Finds the place in the author's file where a failure happened.

The JavaScript is inline in the page, so a report has places in the page's document. The first is the place of
`Error("<build>")` in the reporting code (jsrc/runtime/beacon.ts). The released snippet contains the same code. The
distance between that place and the failure is the same on the page and in the snippet. So the place of the failure in
the snippet can be computed, and the source map leads from there to the author's file.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from awning.build_record import ALONE, FILE_NAME, BuildName, BuildRecord, from_json
from awning.publish.health.reports import FailurePlace
from awning.publish.release.record import MAPS
from awning.publish.release.releases import Releases

MOST_SCRIPTS = 16
"""The most snippets whose source maps are held in memory."""
_PLACE = re.compile(r"([0-9]{1,7}):([0-9]{1,7})")
_SCRIPT = "<script>"
_AUTHOR = "widgets/"
_DIGITS = {
    digit: value
    for value, digit in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}


class Place(NamedTuple):
    """A line and a column, both counted from 1. Columns count UTF-16 code units, as browsers do."""

    line: int
    column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedBuild:
    """The release that a report names, and its build record. `name` is the build name in the report."""

    release: int
    record: BuildRecord = field(repr=False)
    name: BuildName

    def has_widget(self, widget: str) -> bool:
        return any(built.name == widget for built in self.record.widgets)


class ReportedBuilds:
    """Finds the releases that reports name, and the places of their failures. It keeps what it has read in memory.

    Use it from one thread at a time.
    """

    def __init__(self, releases: Releases) -> None:
        self._releases = releases
        self._records: dict[int, BuildRecord] = {}
        self._scripts: dict[tuple[int, str | None], _MappedScript | None] = {}

    def close(self) -> None:
        self._releases.close()

    def find(self, text: str) -> ReportedBuild | None:
        """Return the newest release of the build that a report names. `text` is the build name in the report.

        Returns None when the name is not valid, when no such build was released, or when the build does not have the
        language in the name.

        Each call asks the database, because another process may have released the same build again.
        """
        name = BuildName.read(text)
        if name is None:
            return None
        release = self._releases.newest_of_build(name.fingerprint)
        if release is None:
            return None
        record = self._record(release.number)
        if name.language not in {None, ALONE, *record.languages}:
            return None
        return ReportedBuild(release=release.number, record=record, name=name)

    def place(self, build: ReportedBuild, at: Sequence[str]) -> FailurePlace | None:
        """Return the place of a failure in a source file. `at` are the places in the report.

        The result is the source of the innermost frame that is in an author's file, else of the innermost frame that
        has a source. Returns None when no frame has a source, or the snippet has no source map or no reporting code.
        """
        script = self._script(build)
        origin, *frames = (_read(text) for text in at) if at else (None,)
        if script is None or origin is None:
            return None
        places = [place for frame in frames if frame and (place := script.source_of(origin, frame))]
        return next((place for place in places if place.path.startswith(_AUTHOR)), next(iter(places), None))

    def _record(self, release: int) -> BuildRecord:
        if release not in self._records:
            text = self._releases.text_at(release, FILE_NAME)
            self._records[release] = from_json(json.loads(text or "{}"))
        return self._records[release]

    def _script(self, build: ReportedBuild) -> "_MappedScript | None":
        key = build.release, build.name.language
        if key not in self._scripts:
            if len(self._scripts) >= MOST_SCRIPTS:
                self._scripts.pop(next(iter(self._scripts)))
            self._scripts[key] = self._read_script(build)
        return self._scripts[key]

    def _read_script(self, build: ReportedBuild) -> "_MappedScript | None":
        snippet = build.record.snippet("body", build.name.language)
        if snippet is None:
            return None
        path = f"{MAPS}/{snippet.path.removesuffix('.html')}.js.map"
        text, source_map = (self._releases.text_at(build.release, path) for path in (snippet.path, path))
        return _MappedScript.read(text, source_map, build.name) if text and source_map else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Segment:
    """Maps a column of the JavaScript to its source.

    `column` counts from 0, as in a source map; `line` and `source_column` count from 1.
    """

    column: int
    source: str
    line: int
    source_column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _MappedScript:
    """The JavaScript of a snippet with its source map. `origin` is the place of its reporting code.

    `lengths` are the lengths of the lines in UTF-16 code units, `segments` the segments of each line.
    """

    origin: Place
    lengths: tuple[int, ...]
    segments: tuple[tuple[_Segment, ...], ...]

    @classmethod
    def read(cls, snippet: str, source_map: str, name: BuildName) -> Self | None:
        """Return the JavaScript of a snippet; None when the snippet has no reporting code."""
        mark = re.search(rf'Error\("{re.escape(name.text(""))}\.*"\)', snippet)
        if mark is None:
            return None
        begin = snippet.rindex(_SCRIPT, 0, mark.start()) + len(_SCRIPT)
        lines = snippet[begin:].split("\n")
        before = snippet[begin : mark.start()].split("\n")
        return cls(
            origin=Place(len(before), _units(before[-1]) + 1),
            lengths=tuple(map(_units, lines)),
            segments=tuple(_segments(json.loads(source_map))),
        )

    def source_of(self, origin: Place, frame: Place) -> FailurePlace | None:
        """Return the source of `frame`, a place on a page whose reporting code is at `origin`; None if it has none."""
        line = self.origin.line + frame.line - origin.line
        column = frame.column
        if frame.line == origin.line:
            column += self.origin.column - origin.column
        if not 1 <= line <= min(len(self.lengths), len(self.segments)):
            return None
        segments = self.segments[line - 1]
        index = bisect_right(segments, column - 1, key=lambda segment: segment.column) - 1
        if index < 0 or not 1 <= column <= self.lengths[line - 1] + 1:
            return None
        segment = segments[index]
        return FailurePlace(path=segment.source, line=segment.line, column=segment.source_column)


def _read(text: str) -> Place | None:
    match = _PLACE.fullmatch(text)
    return None if match is None else Place(int(match[1]), int(match[2]))


def _units(text: str) -> int:
    """Return the length of a text in UTF-16 code units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _segments(source_map: dict[str, Any]) -> Iterator[tuple[_Segment, ...]]:
    """Yield the segments of each line of a source map (ECMA-426, version 3).

    Segments without a source are left out.
    """
    sources: list[str] = source_map["sources"]
    source = line = source_column = 0
    for mappings in source_map["mappings"].split(";"):
        column = 0
        segments: list[_Segment] = []
        for text in filter(None, mappings.split(",")):
            numbers = _numbers(text)
            column += numbers[0]
            if len(numbers) > 1:
                source, line, source_column = (
                    source + numbers[1],
                    line + numbers[2],
                    source_column + numbers[3],
                )
                segments.append(
                    _Segment(
                        column=column,
                        source=sources[source],
                        line=line + 1,
                        source_column=source_column + 1,
                    )
                )
        yield tuple(segments)


def _numbers(text: str) -> list[int]:
    """Decode the numbers of a segment (base64 VLQ).

    Each digit has five bits of the number. Its sixth bit tells that more digits follow. The lowest bit of the number is
    its sign.
    """
    numbers: list[int] = []
    value = shift = 0
    for digit in map(_DIGITS.__getitem__, text):
        value |= (digit & 31) << shift
        shift += 5
        if digit < 32:  # noqa: PLR2004 - the sixth bit
            numbers.append(-(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    return numbers
