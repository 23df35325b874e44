"""The script of a snippet in a test build, and the way from a place in it to the author's file.

A test build has a source map for each script, as the bundler writes it, and the literals of the templates. The
segments for the lines of a template are added when a map is read, because few scripts of a test run fail.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from awning.build_record import read_build_record
from awning.diagnostics import Place
from awning.pipeline.write.maps import texts_of, with_each_line
from awning.source_map import SourceMap, index_of, utf16_length
from awning.template.compiled_template import Literal

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
