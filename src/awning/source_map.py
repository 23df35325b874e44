"""Reads source maps (ECMA-426, version 3): from a place in a script to a place in the file that it comes from.

The module is outside of the packages, because builds, tests and the publisher read the maps that esbuild writes.
Numbers are base64 variable-length quantities: each digit has five bits of the number, and a sixth bit if more digits
follow. The lowest bit of the first digit is the sign.
"""

import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Self

from awning.diagnostics import Place

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUES = {character: value for value, character in enumerate(DIGITS)}


@lru_cache(maxsize=1024)
def vlq(value: int) -> str:
    """Encode a number."""
    rest = -value << 1 | 1 if value < 0 else value << 1
    out = ""
    while True:
        digit, rest = rest & 31, rest >> 5
        out += DIGITS[digit | 32 if rest else digit]
        if not rest:
            return out


def numbers(segment: str) -> tuple[int, ...]:
    """Decode the numbers of a segment. This reverses `vlq`."""
    out: list[int] = []
    value = shift = 0
    for character in segment:
        digit = _VALUES[character]
        value |= (digit & 31) << shift
        shift += 5
        if digit < 32:  # noqa: PLR2004 - the sixth bit says that more follow
            out.append(-(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    return tuple(out)


class Segment(NamedTuple):
    """One segment of a source map: a column of the script, and the source, line and column that it comes from.

    All numbers count from 0; columns are in UTF-16 units.
    """

    column: int
    source: int
    line: int
    source_column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceMap:
    """A source map. `lines` are the segments of each line of the script, `contents` the texts of the sources."""

    sources: tuple[str, ...]
    contents: tuple[str | None, ...]
    lines: tuple[tuple[Segment, ...], ...]

    @classmethod
    def read(cls, text: str | bytes) -> Self:
        """Read a source map. Raises ValueError when the text is none."""
        try:
            content = json.loads(text)
            return cls(
                sources=tuple(content["sources"]),
                contents=tuple(content.get("sourcesContent") or ()),
                lines=tuple(_lines(content["mappings"])),
            )
        except (KeyError, TypeError, AttributeError, IndexError, RecursionError):
            raise ValueError("not a source map") from None

    def place(self, line: int, column: int) -> Place | None:
        """Return the place in a source that a place in the script comes from.

        It is the place of the last segment in the script's line that begins at or before `column`; None when there is
        no such segment. Lines and columns count from 1, columns in UTF-16 units.
        """
        segments: Sequence[Segment] = self.lines[line - 1] if 1 <= line <= len(self.lines) else ()
        index = bisect_right(segments, column - 1, key=lambda segment: segment.column) - 1
        if index < 0:
            return None
        segment = segments[index]
        path = self.sources[segment.source]
        return Place(path=path, line=segment.line + 1, column=segment.source_column + 1)

    def line_at(self, place: Place) -> str | None:
        """Return the text of the line at `place`; None when the map does not have the text, or it has no such line."""
        texts = dict(zip(self.sources, self.contents, strict=False))
        lines = (texts.get(place.path) or "").split("\n")
        return lines[place.line - 1].removesuffix("\r") if 1 <= place.line <= len(lines) else None


def utf16_length(text: str) -> int:
    """Return the length of a text in UTF-16 units, in which browsers and source maps count columns."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def index_of(text: str, column: int) -> int:
    """Return the index in `text`, one line, of the character at `column`, which counts UTF-16 units from 1."""
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * (column - 1)].decode("utf-16-le", "ignore"))


def _lines(mappings: str) -> Iterator[tuple[Segment, ...]]:
    """Yield the segments of each line. Those without a source are left out.

    The numbers of a segment are relative to those of the segment before, and the column begins again in each line.
    """
    source = line = source_column = 0
    for texts in mappings.split(";"):
        column = 0
        segments: list[Segment] = []
        for text in texts.split(",") if texts else ():
            delta = numbers(text)
            column += delta[0]
            if len(delta) > 1:
                source, line, source_column = source + delta[1], line + delta[2], source_column + delta[3]
                segments.append(Segment(column, source, line, source_column))
        yield tuple(segments)
