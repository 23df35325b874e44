"""Source maps that lead to each line of a template, and the script of a test build with the places in its map.

The bundler composes its map with the maps of the templates. The result has only one segment for each string of the
script, but such a string may hold ten lines of a template. So segments are added inside these strings. The numbers of a
segment are relative to the segment before it. So only a segment after an added one is written anew. All others are
copied as the bundler wrote them, which is fast.

A test build has a source map for each script, as the bundler writes it, and the literals of the templates. The segments
for the lines of a template are added when a map is read, because few scripts of a test run fail.
"""

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from awning.build_record import read_build_record
from awning.diagnostics import Place
from awning.source_map import Segment, SourceMap, index_of, numbers, utf16_length, vlq
from awning.template.compiled_template import Literal

_BEGINNINGS = frozenset("\"'`}")
"""The text of a string begins after one of these: a quote, or the end of a `${value}` in a template literal."""
_PARTS = re.compile(
    r"\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\n|.)|\$\{|\$|[\"'`\n]|[^\\$\"'`\n]+"
)
_WIDE = re.compile("[\U00010000-\U0010ffff]")

LineAndColumn = tuple[int, int]


Texts = Mapping[str, Mapping[LineAndColumn, Literal]]
"""The literals of all templates, by the path of the template, and by line and column where they begin (from 0)."""


def texts_of(literals: Iterable[Literal]) -> Texts:
    starts: dict[str, dict[LineAndColumn, Literal]] = {}
    for literal in literals:
        starts.setdefault(literal.path, {})[literal.at[0] - 1, literal.at[1] - 1] = literal
    return starts


def with_each_line(source_map: bytes, code: bytes, texts: Texts) -> bytes:
    """Return the map of `code` with a segment for each line of a template that is inside a string."""
    content = json.loads(source_map)
    known = {number: texts[path] for number, path in enumerate(content["sources"]) if path in texts}
    if not known:
        return source_map
    refined = _RefinedMap(script=_Script(code.decode().split("\n")), known=known)
    lines = content["mappings"].split(";")
    content["mappings"] = ";".join(refined.line(number, line) for number, line in enumerate(lines))
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def _length(part: str) -> int:
    """Return how many characters (code points) of a string's value a piece of its source code stands for."""
    return 1 if part[0] == "\\" else len(part)


@dataclass(slots=True)
class _Script:
    """The lines of a script. `wide` has, by line, the indexes of the characters that are two UTF-16 units."""

    lines: list[str]
    wide: dict[int, list[int]] = field(default_factory=dict)

    def index(self, number: int, column: int) -> int:
        """Return the index in the text of line `number` for a column of a source map."""
        wide = self._wide(number)
        return (
            column - bisect_left([at + before for before, at in enumerate(wide)], column) if wide else column
        )

    def column(self, number: int, index: int) -> int:
        wide = self._wide(number)
        return index + bisect_left(wide, index) if wide else index

    def _wide(self, number: int) -> list[int]:
        if number not in self.wide:
            self.wide[number] = [match.start() for match in _WIDE.finditer(self.lines[number])]
        return self.wide[number]

    def inside(
        self, number: int, at: int, quote: str, marks: Iterable[tuple[int, int, int]]
    ) -> Iterator[tuple[int, int, int, int]]:
        """Yield where the lines of a template begin inside a string, whose text begins at index `at` of line `number`.

        `marks` are those of the `Literal`. Each result is a line and column in the script (from 0), then a line and
        column in the template (from 1).
        """
        offset = 0
        for wanted, source_line, source_column in marks:
            while offset < wanted:
                line = self.lines[number]
                if at == len(line):
                    number, at, offset = number + 1, 0, offset + 1
                    continue
                part = _PARTS.match(line, at)
                if part is None or part[0] == quote or (quote == "`" and part[0] == "${"):
                    return
                step = min(wanted - offset, _length(part[0]))
                at = at + step if part[0][0] != "\\" else part.end()
                offset += step
            yield number, self.column(number, at), source_line, source_column


@dataclass(slots=True)
class _RefinedMap:
    """A source map that gets further segments, line by line.

    `known` has the literals of each source that is a template, by the source's number. `added` has the further
    segments by line of the script. `read` is the source, line and column of the last segment of the bundler's map that
    was read, `written` that of the last segment that was written.
    """

    script: _Script
    known: Mapping[int, Mapping[LineAndColumn, Literal]]
    added: dict[int, list[Segment]] = field(default_factory=dict)
    read: tuple[int, int, int] = (0, 0, 0)
    written: tuple[int, int, int] = (0, 0, 0)
    seen: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def line(self, number: int, mappings: str) -> str:
        out: list[str] = []
        column = written_column = 0
        for text in mappings.split(",") if mappings else ():
            delta = self.seen.get(text) or self.decoded(text)
            column += delta[0]
            for segment in self.due(number, column):
                out.append(self.encoded(segment, written_column))
                written_column = segment.column
            if len(delta) == 1:
                out.append(vlq(column - written_column))
                written_column = column
                continue
            before = self.read
            self.read = after = (before[0] + delta[1], before[1] + delta[2], before[2] + delta[3])
            if self.written == before and written_column == column - delta[0]:
                out.append(text)
                self.written = after
            else:
                name = vlq(delta[4]) if len(delta) > 4 else ""  # noqa: PLR2004 - the fifth number is a name's
                out.append(self.encoded(Segment(column, *after), written_column) + name)
            written_column = column
            literals = self.known.get(after[0])
            if literals:
                self.refine(number, column, literals, after)
        for segment in self.due(number, None):
            out.append(self.encoded(segment, written_column))
            written_column = segment.column
        return ",".join(out)

    def decoded(self, text: str) -> tuple[int, ...]:
        self.seen[text] = delta = numbers(text)
        return delta

    def due(self, number: int, column: int | None) -> Iterator[Segment]:
        """Remove and yield the added segments of a line before a column; with None, all of the line.

        An added segment at the column itself is dropped, because the bundler's map has a segment there.
        """
        waiting = self.added.get(number)
        while waiting and (column is None or waiting[0].column < column):
            yield waiting.pop(0)
        if waiting and waiting[0].column == column:
            waiting.pop(0)

    def encoded(self, segment: Segment, column: int) -> str:
        old, self.written = self.written, (segment.source, segment.line, segment.source_column)
        new = self.written
        return vlq(segment.column - column) + "".join(vlq(new[index] - old[index]) for index in range(3))

    def refine(
        self, number: int, column: int, literals: Mapping[LineAndColumn, Literal], after: tuple[int, int, int]
    ) -> None:
        """Add segments for the lines of a string that begins at this place: at its quote, or after a `${value}`."""
        literal = literals.get(after[1:])
        if literal is None:
            return
        at = self.script.index(number, column)
        mark = self.script.lines[number][at : at + 1]
        if mark not in _BEGINNINGS:
            return
        quote = "`" if mark == "}" else mark
        for where, inside, line, source_column in self.script.inside(number, at + 1, quote, literal.marks):
            segment = Segment(inside, after[0], line - 1, source_column - 1)
            self.added.setdefault(where, []).append(segment)


LITERALS = "maps/literals.json"
_END = "</script>"
_ESCAPED = r"\x3c!--"
_UNESCAPED = "<!--"
"""`safe_script` replaces `_UNESCAPED` by `_ESCAPED`. The source map is for the script before this replacement, so its
columns differ.
"""


def map_path(snippet: str) -> str:
    """Return the path of the source map of a snippet in a build."""
    return f"maps/{snippet.removesuffix('.html')}.js.map"


def literals_json(literals: Iterable[Literal]) -> bytes:
    return json.dumps([asdict(literal) for literal in literals], ensure_ascii=False).encode()


@dataclass(frozen=True, kw_only=True)
class BuiltScript:
    """The script of a body snippet. `code` is as in the page.

    `dist` is the folder of the build, `snippet` the snippet's path in it: `widgets/size-guide/en/body.html`.
    """

    code: str
    dist: Path
    snippet: str

    @classmethod
    def read(cls, dist: Path, snippet: str) -> Self | None:
        """Return the bundled script of a snippet; None when the snippet has none."""
        built = next((built for built in read_build_record(dist).snippets if built.path == snippet), None)
        if built is None or built.script is None:
            return None
        html = (dist / snippet).read_bytes().decode()
        code = html[built.script : html.index(_END, built.script)]
        return cls(code=code, dist=dist, snippet=snippet)

    @cached_property
    def source_map(self) -> SourceMap | None:
        """The source map; None when the build has none for this script."""
        try:
            source_map = (self.dist / map_path(self.snippet)).read_bytes()
        except FileNotFoundError:
            return None
        literals = self.dist / LITERALS
        if literals.is_file():
            texts = texts_of(map(_literal, json.loads(literals.read_bytes())))
            source_map = with_each_line(source_map, self.code.replace(_ESCAPED, _UNESCAPED).encode(), texts)
        return SourceMap.read(source_map)

    def place(self, line: int, column: int) -> Place | None:
        """Return the source of a place in the code; None for a place that the code or the map does not have.

        Lines and columns count from 1, columns in UTF-16 units.
        """
        lines = self.code.split("\n")
        is_inside = 1 <= line <= len(lines) and 1 <= column <= utf16_length(lines[line - 1]) + 1
        if self.source_map is None or not is_inside:
            return None
        before = lines[line - 1][: index_of(lines[line - 1], column)]
        added = before.count(_ESCAPED) * (len(_ESCAPED) - len(_UNESCAPED))
        return self.source_map.place(line, column - added)

    def line_at(self, place: Place) -> str | None:
        """Return the line of a source at a place; None when the map does not have its text."""
        return self.source_map.line_at(place) if self.source_map else None


def _literal(fields: Mapping[str, Any]) -> Literal:
    line, column = fields["at"]
    marks = tuple((offset, line, column) for offset, line, column in fields["marks"])
    return Literal(path=fields["path"], at=(line, column), marks=marks)
