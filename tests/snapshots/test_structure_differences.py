"""What differs between two structures is said in words: a table of two structures and their sentences."""

from dataclasses import dataclass

import pytest

from awning_harness.checks.snapshots.appearance import Unreadable, read_structure, write_structure
from awning_harness.checks.snapshots.differences import describe_differences

HEADER = "# Snapshot 1: any in en, written by awning test --update-snapshots\n"

BEFORE = """\
block  0,0 400x100; color #222222; font 16px/24px system-ui
  p.dates  10,10 300x24
    "Arrives"  0,0 60x24
    b  60,0 80x24; font 16px/24px 700 system-ui
      "Tue, Mar 3"  0,0 80x24
  p.note  10,34 300x20; color #333333
    "Only 3 left"  0,0 80x20
  p.hint  10,54 300x20
    "Free returns"  0,0 90x20
  svg.icon  350,10 24x24; drawing 12ab34cd; stroke #2f7d5b
"""


@dataclass(frozen=True, kw_only=True)
class Change:
    """One text in `BEFORE` and what it becomes, with the sentences that say so."""

    old: str
    new: str
    sentences: tuple[str, ...]


CHANGES = {
    "nothing": Change(old="p.note", new="p.note", sentences=()),
    "moved, with another colour": Change(
        old="p.note  10,34 300x20; color #333333",
        new="p.note  10,38 300x20; color #666666",
        sentences=("p.note moved 4 px down; its colour was #333333, is #666666",),
    ),
    "moved left and up": Change(
        old="svg.icon  350,10",
        new="svg.icon  340,5",
        sentences=("svg.icon moved 10 px left and 5 px up",),
    ),
    "moved by the pixel of another machine's rounding": Change(
        old="p.note  10,34 300x20", new="p.note  10,35 301x20", sentences=()
    ),
    "moved together": Change(
        old='p.note  10,34 300x20; color #333333\n    "Only 3 left"  0,0 80x20\n  p.hint  10,54',
        new='p.note  10,44 300x20; color #333333\n    "Only 3 left"  0,0 80x20\n  p.hint  10,64',
        sentences=("p.note and 1 more behind it moved 10 px down",),
    ),
    "size": Change(
        old="p.dates  10,10 300x24",
        new="p.dates  10,10 320x48",
        sentences=("p.dates: its width was 300 px, is 320 px; its height was 24 px, is 48 px",),
    ),
    "text": Change(
        old='"Only 3 left"  0,0 80x20',
        new='"Only 2 left"  0,0 81x20',
        sentences=('the text "Only 3 left" is now "Only 2 left"',),
    ),
    "vanished": Change(
        old='  p.note  10,34 300x20; color #333333\n    "Only 3 left"  0,0 80x20\n',
        new="",
        sentences=('p.note vanished from block with "Only 3 left"',),
    ),
    "appeared": Change(
        old="  svg.icon",
        new='  p.new  10,74 300x20\n    "Buy two"  0,0 60x20\n  svg.icon',
        sentences=('p.new appeared in block with "Buy two"',),
    ),
    "another order": Change(
        old="""\
  p.note  10,34 300x20; color #333333
    "Only 3 left"  0,0 80x20
  p.hint  10,54 300x20
    "Free returns"  0,0 90x20
""",
        new="""\
  p.hint  10,34 300x20
    "Free returns"  0,0 90x20
  p.note  10,54 300x20; color #333333
    "Only 3 left"  0,0 80x20
""",
        sentences=("p.hint has another place in the order of block", "p.note moved 20 px down"),
    ),
    "colour of all": Change(
        old="color #222222",
        new="color #000000",
        sentences=("block: its colour was #222222, is #000000",),
    ),
    "colour of all as a child's own": Change(
        old="color #222222",
        new="color #333333",
        sentences=("block: its colour was #222222, is #333333",),
    ),
    "font": Change(
        old="16px/24px 700 system-ui",
        new="16px/24px system-ui",
        sentences=("b: its font was 16px/24px 700 system-ui, is 16px/24px system-ui",),
    ),
    "drawing": Change(old="12ab34cd", new="12ab34ce", sentences=("svg.icon: its drawing is another",)),
    "property that was initial": Change(
        old="p.hint  10,54 300x20",
        new="p.hint  10,54 300x20; background #ffeeaa; opacity 0.5",
        sentences=("p.hint: its background was none, is #ffeeaa; its opacity was 1, is 0.5",),
    ),
    "property with separators in its text": Change(
        old="p.hint  10,54 300x20",
        new='p.hint  10,54 300x20; before "a; b \\" c"',
        sentences=('p.hint: its text before it was none, is "a; b \\" c"',),
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_difference_is_said_in_words(name):
    change = CHANGES[name]
    assert change.old in BEFORE
    after = BEFORE.replace(change.old, change.new, 1)
    structures = [read_structure(HEADER + text) for text in (BEFORE, after)]
    assert tuple(describe_differences(*structures)) == change.sentences


def test_removed_row_is_the_row_that_vanished():
    rows = [f'  li  0,{20 * n} 100x20\n    "Row {n}"  0,0 40x20\n' for n in range(3)]
    block = "block  0,0 100x60; color #222222; font 16px/24px system-ui\n"
    before, after = (
        read_structure(HEADER + block + "".join(part))
        for part in (rows, [rows[0], rows[2].replace(",40", ",20")])
    )
    assert describe_differences(before, after) == [
        'li ("Row 1") vanished from block',
        'li ("Row 2") moved 20 px up',
    ]


def test_block_that_vanished_or_appeared_is_one_sentence():
    block = read_structure(HEADER + BEFORE)
    words = '"Arrives" "Tue, Mar 3" "Only 3 left" "Free retu…'
    assert describe_differences(block, ()) == [f"the block vanished; it showed {words}"]
    assert describe_differences((), block) == [f"the block appeared; it shows {words}"]


@pytest.mark.parametrize("text", [HEADER + BEFORE, HEADER + "nothing\n"])
def test_structure_is_written_as_it_was_read(text):
    assert write_structure(read_structure(text), state="any", language="en") == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "its first line"),
        ("# Snapshot 2: any\nnothing\n", "its first line"),
        (HEADER + "<<<<<<< ours\n", "line 2 is no element"),
        (HEADER + "block  0,0 1x1; color\n", "line 2 is no element"),
        (HEADER + "block  0,0 1x1\n    p  0,0 1x1\n", "line 3 is indented too far"),
    ],
)
def test_damaged_structure_is_refused_with_its_line(text, reason):
    with pytest.raises(Unreadable, match=reason):
        read_structure(text)
