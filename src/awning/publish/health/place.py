"""Finds the place in the author's file where a failure happened.

The JavaScript is inline in the page, so a report has places in the page's document. The first is the place of
`Error("<build>")` in the reporting code (jsrc/runtime/beacon.ts). The released snippet contains the same code. The
distance between that place and the failure is the same on the page and in the snippet. So the place of the failure in
the snippet can be computed, and the source map leads from there to the author's file.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from awning.build_record import ALONE, BuildName, BuildRecord
from awning.publish.health.reports import FailurePlace
from awning.publish.release.build_files import MAPS
from awning.publish.release.releases import Releases
from awning.source_map import SourceMap, utf16_length

MOST_SCRIPTS = 16
"""The most snippets whose source maps are held in memory."""
_PLACE = re.compile(r"([0-9]{1,7}):([0-9]{1,7})")
_SCRIPT = "<script>"
_AUTHOR = "widgets/"


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
        """Return what `find_all` returns for one build name."""
        return self.find_all([text]).get(text)

    def find_all(self, texts: Iterable[str]) -> dict[str, ReportedBuild]:
        """Return the newest releases of the builds that reports name. The keys are build names in reports.

        A name is left out when it is not valid, when no such build was released, or when the build does not have the
        language in the name. So invented names cost nothing, however many there are.

        Each call asks the database, because another process may have released a build again.
        """
        numbers = self._releases.numbers()
        builds: dict[str, ReportedBuild] = {}
        for text in texts:
            name = BuildName.read(text)
            release = None if name is None else numbers.get(name.fingerprint)
            if name is not None and release is not None:
                record = self._record(release)
                if name.language in {None, ALONE, *record.languages}:
                    builds[text] = ReportedBuild(release=release, record=record, name=name)
        return builds

    def place(self, build: ReportedBuild, at: Sequence[str]) -> FailurePlace | None:
        """Return the place of a failure in a source file.

        `at` are the places in the report: of the reporting code, then of the stack frames, innermost first. The result
        is the source of the innermost frame in an author's file, else of the innermost frame that has a source. Returns
        None when no frame has a source, when the report does not have the place of the reporting code, or when the
        snippet has no source map or no reporting code.
        """
        script = self._script(build)
        origin, *frames = (_read(text) for text in at) if at else (None,)
        if script is None or origin is None:
            return None
        places = [place for frame in frames if frame and (place := script.source_of(origin, frame))]
        return next((place for place in places if place.path.startswith(_AUTHOR)), next(iter(places), None))

    def _record(self, release: int) -> BuildRecord:
        if release not in self._records:
            self._records[release] = self._releases.record(release)
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
class _MappedScript:
    """The JavaScript of a snippet with its source map. `origin` is the place of its reporting code.

    `lengths` are the lengths of the lines in UTF-16 code units.
    """

    origin: Place
    lengths: tuple[int, ...]
    source_map: SourceMap

    @classmethod
    def read(cls, snippet: str, source_map: str, name: BuildName) -> Self | None:
        """Return the JavaScript of a snippet; None when it has no reporting code, or its source map is damaged."""
        mark = re.search(rf'Error\("{re.escape(name.text(""))}\.*"\)', snippet)
        if mark is None:
            return None
        begin = snippet.rindex(_SCRIPT, 0, mark.start()) + len(_SCRIPT)
        lines = snippet[begin:].split("\n")
        before = snippet[begin : mark.start()].split("\n")
        try:
            read_map = SourceMap.read(source_map)
        except ValueError:
            return None
        return cls(
            origin=Place(len(before), utf16_length(before[-1]) + 1),
            lengths=tuple(map(utf16_length, lines)),
            source_map=read_map,
        )

    def source_of(self, origin: Place, frame: Place) -> FailurePlace | None:
        """Return the source of a stack frame; None when it has no source.

        `frame` is the place of the frame on the page, `origin` the place of the reporting code on the page.
        """
        line = self.origin.line + frame.line - origin.line
        column = frame.column
        if frame.line == origin.line:
            column += self.origin.column - origin.column
        if not 1 <= line <= len(self.lengths) or not 1 <= column <= self.lengths[line - 1] + 1:
            return None
        source = self.source_map.place(line, column)
        if source is None:
            return None
        return FailurePlace(path=source.path, line=source.line, column=source.column)


def _read(text: str) -> Place | None:
    match = _PLACE.fullmatch(text)
    return None if match is None else Place(int(match[1]), int(match[2]))
