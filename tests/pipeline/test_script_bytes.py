"""The bytes of a script by source, counted from its source map."""

import json

from awning.pipeline.write.report import bytes_by_part, bytes_by_source
from awning.source_map import vlq


def a_map(sources: list[str], *lines: list[tuple[int, int | None]]) -> bytes:
    """A source map. Each line is a list of segments: (column, index of the source, or None for no source)."""
    written, before = [], 0
    for line in lines:
        at, segments = 0, []
        for column, source in line:
            text = vlq(column - at)
            at = column
            if source is not None:
                text += vlq(source - before) + vlq(0) + vlq(0)
                before = source
            segments.append(text)
        written.append(",".join(segments))
    return json.dumps({"version": 3, "sources": sources, "mappings": ";".join(written)}).encode()


def test_each_byte_is_attributed_to_the_source_map_segment_before_it():
    code = "(abc\u0101\U0001f600def".encode()
    counts = bytes_by_source(code, a_map(["a.ts", "b.ts"], [(1, 0), (7, 1)]))
    assert counts == {"a.ts": 3 + 2 + 4, "b.ts": 3, "": 1}
    assert sum(counts.values()) == len(code)


def test_segment_ends_with_its_line_but_source_numbers_continue():
    assert bytes_by_source(b"aaaa\nbb;", a_map(["a.ts", "b.ts"], [(0, 0), (2, None)], [(0, 1)])) == {
        "a.ts": 2,
        "b.ts": 3,
        "": 2,
    }


def test_runtime_is_one_part_and_each_widget_file_is_one():
    sources = ["jsrc/runtime/a.ts", "widgets/note/widget.ts", "jsrc/runtime/b.ts", "(generated)/entries/x.ts"]
    counts = bytes_by_part(b"aabbbbccd", a_map(sources, [(0, 0), (2, 1), (6, 2), (8, 3)]))
    assert counts == {
        "awning's runtime": 4,
        "widgets/note/widget.ts": 4,
        "texts, settings and what joins them": 1,
    }
