"""Places in a text as editors count them: lines and characters from 0, in the units of the agreed encoding.

awning counts lines and columns from 1, in characters, and offsets of fixes in bytes. The protocol ends lines at LF, CR
and CR LF (Language Server Protocol 3.17, Text Documents); awning at LF alone.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from lsprotocol import types

from awning.workspace.offsets import line_starts

UNITS: Mapping[str, Callable[[str], int]] = MappingProxyType(
    {
        types.PositionEncodingKind.Utf8: lambda text: len(text.encode("utf-8", "surrogatepass")),
        types.PositionEncodingKind.Utf16: lambda text: len(text.encode("utf-16-le", "surrogatepass")) // 2,
        types.PositionEncodingKind.Utf32: len,
    }
)
"""How many units a text has, by encoding."""

_LINE_END = re.compile("\r\n|\r|\n")
_WORD = re.compile(r"[\w$-]+|[^\s]|$")


@dataclass(frozen=True)
class Positions:
    """The positions of one text in one encoding, a key of `UNITS`."""

    text: str
    encoding: str = types.PositionEncodingKind.Utf16

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_END.finditer(self.text))]

    def at(self, offset: int) -> types.Position:
        """Return the position of an offset in characters. One beyond the end is that of the end."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset) - 1
        return types.Position(
            line=line, character=UNITS[self.encoding](self.text[self._starts[line] : offset])
        )

    def word(self, line: int, column: int) -> types.Range:
        """Return the range of the word at a line and column of awning's; of the whole line if the column is 0."""
        starts = line_starts(self.text)
        begin = starts[min(max(line, 1), len(starts)) - 1]
        end = starts[line] - 1 if 0 < line < len(starts) else len(self.text) if line else 0
        if column < 1:
            return types.Range(start=self.at(begin), end=self.at(max(begin, end)))
        offset = min(begin + column - 1, max(begin, end))
        word = _WORD.match(self.text, offset)
        return types.Range(start=self.at(offset), end=self.at(word.end() if word else offset))

    def of_bytes(self, start: int, end: int) -> types.Range:
        """Return the range between two offsets in the bytes of the text as UTF-8."""
        content = self.text.encode("utf-8", "surrogatepass")
        begin, finish = (len(content[:each].decode("utf-8", "surrogatepass")) for each in (start, end))
        return types.Range(start=self.at(begin), end=self.at(finish))

    def whole(self) -> types.Range:
        return types.Range(start=self.at(0), end=self.at(len(self.text)))


def overlap(first: types.Range, second: types.Range) -> bool:
    """Return whether two ranges have a position in common."""
    earlier, later = sorted((first, second), key=lambda each: (each.start.line, each.start.character))
    return (later.start.line, later.start.character) <= (earlier.end.line, earlier.end.character)
