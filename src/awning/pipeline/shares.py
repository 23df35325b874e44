"""How many bytes of a bundled script come from which file, as its source map says."""

import json
from collections import Counter

from awning.template.sourcemap import numbers

_SOURCE = 1
"""Which number of a segment says how far its source is from the one before."""


def shares(code: bytes, source_map: bytes) -> dict[str, int]:
    """Bytes by source, in the map's order; what the bundler itself wrote counts under "".

    A segment holds until the next one of its line. Columns are UTF-16 units, bytes are UTF-8.
    """
    content = json.loads(source_map)
    sources: list[str] = content["sources"]
    found: Counter[str] = Counter()
    number = 0
    for line, mappings in zip(code.decode().split("\n"), content["mappings"].split(";"), strict=False):
        units = line.encode("utf-16-le")
        at, holder = 0, ""
        for text in mappings.split(",") if mappings else ():
            delta = numbers(text)
            found[holder] += _bytes(units, at, at + delta[0])
            at += delta[0]
            number += delta[_SOURCE] if len(delta) > _SOURCE else 0
            holder = sources[number] if len(delta) > _SOURCE else ""
        found[holder] += _bytes(units, at, len(units) // 2)
    return {source: found[source] for source in (*sources, "") if found[source]}


def _bytes(units: bytes, start: int, end: int) -> int:
    return len(
        units[2 * start : 2 * end].decode("utf-16-le", "surrogatepass").encode("utf-8", "surrogatepass")
    )


def made_of(code: bytes, source_map: bytes) -> dict[str, int]:
    """Bytes of a unit's script by what an author can do something about, the heaviest first."""
    found: Counter[str] = Counter()
    for source, count in shares(code, source_map).items():
        found[_part(source)] += count
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))


def _part(source: str) -> str:
    if source.startswith("widgets/"):
        return source
    return "awning's runtime" if source.startswith("jsrc/") else "texts, settings and what joins them"
