"""How many bytes of a bundled script come from which file, according to its source map."""

import json
from collections import Counter

from awning.source_map import numbers

_SOURCE = 1
"""The index of the source in a segment. The number there is relative to the source of the segment before."""


def bytes_by_source(code: bytes, source_map: bytes) -> dict[str, int]:
    """Return the number of bytes from each source, in the map's order. Code of the bundler itself counts under "".

    A segment covers the code up to the next segment of its line. Columns are in UTF-16 units, bytes in UTF-8.
    """
    content = json.loads(source_map)
    sources: list[str] = content["sources"]
    counts: Counter[str] = Counter()
    number = 0
    for line, mappings in zip(code.decode().split("\n"), content["mappings"].split(";"), strict=False):
        units = line.encode("utf-16-le")
        at, source = 0, ""
        for text in mappings.split(",") if mappings else ():
            delta = numbers(text)
            counts[source] += _bytes(units, at, at + delta[0])
            at += delta[0]
            number += delta[_SOURCE] if len(delta) > _SOURCE else 0
            source = sources[number] if len(delta) > _SOURCE else ""
        counts[source] += _bytes(units, at, len(units) // 2)
    return {source: counts[source] for source in (*sources, "") if counts[source]}


def _bytes(units: bytes, start: int, end: int) -> int:
    return len(
        units[2 * start : 2 * end].decode("utf-16-le", "surrogatepass").encode("utf-8", "surrogatepass")
    )


def bytes_by_part(code: bytes, source_map: bytes) -> dict[str, int]:
    """Return the number of bytes in a unit's script by origin: each author's file, the runtime, and the rest.

    The largest number is first.
    """
    counts: Counter[str] = Counter()
    for source, count in bytes_by_source(code, source_map).items():
        counts[_part(source)] += count
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _part(source: str) -> str:
    if source.startswith("widgets/"):
        return source
    return "awning's runtime" if source.startswith("jsrc/") else "texts, settings and what joins them"
