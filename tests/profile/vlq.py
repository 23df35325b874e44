"""Reads source maps (ECMA-426, version 3). It shares no code with awning, whose source maps it tests."""

import json
from bisect import bisect_right
from dataclasses import dataclass
from typing import NamedTuple

ALPHABET = {
    character: value
    for value, character in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}


class Segment(NamedTuple):
    """The column in the generated line, and the place in a source that it comes from. All count from 0; columns are in
    UTF-16 units."""

    column: int
    source: int
    line: int
    source_column: int


def numbers(segment: str) -> list[int]:
    out, value, shift = [], 0, 0
    for character in segment:
        digit = ALPHABET[character]
        value += (digit & 31) << shift
        shift += 5
        if not digit & 32:
            out.append(-(value >> 1) if value & 1 else value >> 1)
            value, shift = 0, 0
    assert shift == 0, "a number ends early"
    return out


@dataclass(frozen=True)
class SourceMap:
    sources: list[str]
    contents: list[str]
    lines: list[list[Segment]]

    def origin(self, line: int, column: int) -> tuple[str, int] | None:
        """Return the source and line (from 1) of a place in the generated file; None before its line's first segment.

        The segment at the place, or the last one before it on its line, decides.
        """
        segments = self.lines[line] if line < len(self.lines) else []
        at = bisect_right([segment.column for segment in segments], column) - 1
        return (self.sources[segments[at].source], segments[at].line + 1) if at >= 0 else None


def decode(text: str) -> SourceMap:
    document = json.loads(text)
    assert document["version"] == 3
    lines, state = [], [0, 0, 0]
    for line in document["mappings"].split(";"):
        column, segments = 0, []
        for segment in filter(None, line.split(",")):
            delta, *origin = numbers(segment)
            column += delta
            if origin:
                state = [old + new for old, new in zip(state, origin, strict=False)]
                segments.append(Segment(column, *state))
        assert segments == sorted(segments, key=lambda segment: segment.column), "segments are in order"
        lines.append(segments)
    return SourceMap(document["sources"], document.get("sourcesContent") or [], lines)


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def place_of(script: str, fragment: str) -> tuple[int, int]:
    """Return the line and column (from 0, UTF-16 units) of a fragment that occurs once in a script."""
    assert script.count(fragment) == 1, (fragment, script.count(fragment))
    before = script[: script.index(fragment)]
    return before.count("\n"), utf16(before.rpartition("\n")[2])
