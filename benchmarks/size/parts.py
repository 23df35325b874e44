"""The origin of a script's bytes: the source map leads from each character to the declaration that it was made from.

There are two figures per part. `raw` is its length in the minified script. `gzip` is the number of bytes
that the snippet would lose without the part. Parts that resemble others compress well, so the sum is less than the
whole.
"""

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
DECLARATION = re.compile(r"(?:export )?(?:default )?(?:declare )?(?:const|let|var|function|class) (\w+)")
GROUPS = (
    (re.compile(r"jsrc/runtime/escape/"), "escapers"),
    (re.compile(r"jsrc/runtime/template/"), "template library"),
    (re.compile(r"jsrc/runtime/"), "runtime"),
    (re.compile(r".*\.j2$"), "compiled template"),
    (re.compile(r"widgets/"), "widget.ts"),
    (re.compile(r""), "entry, messages, glue"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of the script from the index `start` to `end`, and the source and declaration that it was made from."""

    start: int
    end: int
    source: str
    declaration: str

    @property
    def group(self) -> str:
        return next(name for pattern, name in GROUPS if pattern.match(self.source))


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The weight of a group, or of one declaration of a source."""

    name: str
    raw: int
    gzip: int


def weight(html: str) -> int:
    return len(gzip.compress(html.encode(), 9, mtime=0))


def numbers(segment: str) -> list[int]:
    """Return the numbers of a segment of a source map, which are in base64 VLQ (Source Map, revision 3)."""
    decoded, value, shift = [], 0, 0
    for character in segment:
        digit = DIGITS.index(character)
        value += (digit & 31) << shift
        shift += 5
        if not digit & 32:
            decoded.append(-(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    return decoded


def mapped(mappings: str) -> Iterator[tuple[int, int, int, int]]:
    """Yield each segment: the line and column in the script, then the index of the source and the line in it."""
    source = line = 0  # unlike the column, these two do not begin again in each line of the script
    for row, segments in enumerate(mappings.split(";")):
        column = 0
        for segment in filter(None, segments.split(",")):
            steps = numbers(segment)
            column += steps[0]
            if len(steps) > 1:
                source, line = source + steps[1], line + steps[2]
                yield row, column, source, line


def declarations(text: str) -> list[str]:
    """Return, for each line of a source, the name of its top-level declaration; "" before the first declaration."""
    names, current = [], ""
    for line in text.split("\n"):
        match = DECLARATION.match(line)
        current = match[1] if match else current
        names.append(current)
    return names


def pieces(code: str, source_map: Mapping[str, Any]) -> Iterator[Piece]:
    """Yield the whole script as pieces. Columns count UTF-16 units, each of which is one character here."""
    assert max(code, default="") < "\U00010000"
    starts = [0]
    for line in code.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    owners = [declarations(text) for text in source_map["sourcesContent"]]
    at, source, declaration = 0, "", ""
    for row, column, number, below in mapped(source_map["mappings"]):
        start = starts[row] + column
        if start > at:
            yield Piece(start=at, end=start, source=source, declaration=declaration)
        at, source, declaration = start, source_map["sources"][number], owners[number][below]
    yield Piece(start=at, end=len(code), source=source, declaration=declaration)


def without(code: str, gone: Iterable[Piece]) -> str:
    rest, at = [], 0
    for piece in gone:
        rest.append(code[at : piece.start])
        at = piece.end
    return "".join([*rest, code[at:]])


def parts(html: str, code: str, named: Mapping[str, list[Piece]]) -> Iterator[Part]:
    """Yield the parts, the heaviest first. `code` is the script in the snippet `html`."""
    whole = weight(html)
    weighed = [
        Part(
            name=name,
            raw=sum(piece.end - piece.start for piece in own),
            gzip=whole - weight(html.replace(code, without(code, own))),
        )
        for name, own in named.items()
    ]
    yield from sorted(weighed, key=lambda part: -part.gzip)


def breakdown(html: str, code: str, source_map: bytes) -> dict[str, list[Part]]:
    """Return the parts of a snippet by group and by declaration. The style and the stamp are a group of their own."""
    groups: dict[str, list[Piece]] = {}
    single: dict[str, list[Piece]] = {}
    for piece in pieces(code, json.loads(source_map)):
        groups.setdefault(piece.group, []).append(piece)
        name = f"{piece.source.removeprefix('jsrc/runtime/')} {piece.declaration}".strip()
        single.setdefault(name or "(esbuild)", []).append(piece)
    style = html[: html.index("<script>")]
    around = Part(
        name="style, stamp", raw=len(style.encode()), gzip=weight(html) - weight(html.replace(style, ""))
    )
    return {
        "groups": sorted([*parts(html, code, groups), around], key=lambda part: -part.gzip),
        "declarations": list(parts(html, code, single)),
    }
