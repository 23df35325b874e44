"""Places of awning's as positions of the protocol: in each encoding, with each line end, beyond the end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from awning.language_server.positions import UNITS, Positions, overlap

TEXT = "a🎈b word\r\nčč = x\n"


@pytest.mark.parametrize(("encoding", "start", "end"), [("utf-8", 7, 11), ("utf-16", 5, 9), ("utf-32", 4, 8)])
def test_word_at_a_column_is_in_units_of_the_encoding(encoding, start, end):
    found = Positions(TEXT, encoding).word(1, 5)
    assert (found.start.line, found.start.character, found.end.character) == (0, start, end)


@pytest.mark.parametrize(
    ("line", "column", "wanted"),
    [
        (0, 0, (0, 0, 0, 0)),
        (2, 0, (1, 0, 1, 6)),
        (2, 4, (1, 3, 1, 4)),
        (2, 99, (1, 6, 1, 6)),
        (3, 1, (2, 0, 2, 0)),
        (99, 7, (2, 0, 2, 0)),
    ],
)
def test_place_beyond_the_text_is_at_its_end(line, column, wanted):
    found = Positions(TEXT.replace("\r\n", "\n")).word(line, column)
    assert (found.start.line, found.start.character, found.end.line, found.end.character) == wanted


def test_lines_end_as_the_protocol_says_and_not_at_other_separators():
    text = "a\u2028b\fc\rd\r\ne"
    assert Positions(text).at(len(text)) == types.Position(line=2, character=1)


@given(
    st.text(alphabet="a🎈č\r\n\u2028 x"),
    st.sampled_from(sorted(UNITS)),
    st.integers(0, 60),
    st.integers(0, 60),
)
def test_any_place_and_any_bytes_are_in_the_text(text, encoding, first, second):
    positions = Positions(text, encoding)
    start, end = sorted(min(each, len(text)) for each in (first, second))
    found = positions.of_bytes(len(text[:start].encode()), len(text[:end].encode()))
    assert (found.start, found.end) == (positions.at(start), positions.at(end))
    word = positions.word(first, second)
    assert (word.start.line, word.start.character) <= (word.end.line, word.end.character)
    whole = positions.whole().end
    assert (word.end.line, word.end.character) <= (whole.line, whole.character)


def test_ranges_that_touch_overlap():
    def line(start, end):
        return types.Range(
            start=types.Position(line=0, character=start), end=types.Position(line=0, character=end)
        )

    assert overlap(line(0, 3), line(3, 5))
    assert overlap(line(2, 2), line(0, 9))
    assert not overlap(line(4, 5), line(0, 3))
