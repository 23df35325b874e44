"""Source maps (ECMA-426, version 3): from the module's lines back to the template.

esbuild reads the inline comment and composes it with its own map, so that the browser shows the template's line.
esbuild's map has only one segment per string literal, even if the string has several lines of the template.
`awning.pipeline.write.maps` adds the segments of the other lines, from the `Literal`s of a module.
"""

import base64
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from awning.source_map import vlq


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapping:
    """A place in the module (from 0), and the place in a template (lines and columns from 1) from which it comes."""

    line: int
    column: int
    source: int
    source_line: int
    source_column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Literal:
    """A string of a module that holds several lines of a template.

    The string begins at `at` in the template at `path`. `marks` has (offset in the string, line, column) for each
    further line of the template. Lines and columns count from 1.
    """

    path: str
    at: tuple[int, int]
    marks: tuple[tuple[int, int, int], ...]


def encode(mappings: Iterable[Mapping]) -> str:
    """Return the `mappings` field of a source map, from mappings in the order of the module's lines.

    Each segment is relative to the one before; `;` separates lines.
    """
    out: list[str] = []
    line = source = source_line = source_column = 0
    for mapping in mappings:
        out.append(";" * (mapping.line - line))
        line = mapping.line
        fields = (
            mapping.column,
            mapping.source - source,
            mapping.source_line - 1 - source_line,
            mapping.source_column - 1 - source_column,
        )
        out.append("".join(vlq(number) for number in fields))
        source, source_line, source_column = (
            mapping.source,
            mapping.source_line - 1,
            mapping.source_column - 1,
        )
    return "".join(out)


def source_map_comment(mappings: Iterable[Mapping], sources: Sequence[tuple[str, str]]) -> str:
    """Return the source map as an inline comment. Each line has at most one mapping."""
    document = {
        "version": 3,
        "sources": [path for path, _ in sources],
        "sourcesContent": [text for _, text in sources],
        "names": [],
        "mappings": encode(mappings),
    }
    data = base64.b64encode(json.dumps(document, ensure_ascii=False, sort_keys=True).encode()).decode()
    return f"//# sourceMappingURL=data:application/json;base64,{data}"
