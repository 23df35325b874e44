"""A stored snapshot beside the present one, for the report: the lines that differ, with some lines around them."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from awning_harness.checks.snapshots.aria import HEADING

AROUND = 2
"""How many equal lines are shown before and after lines that differ."""
MOST_LINES = 60
"""The most lines of a part, on either side."""

Line = tuple[str, bool]
"""A line, and whether it differs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPart:
    """A part of a snapshot that differs. `places` has the lines before and after, for each place that differs."""

    title: str
    places: Sequence[tuple[Sequence[Line], Sequence[Line]]]
    is_cut: bool
    """Whether there are more lines than are shown."""


def compared_parts(folder: Path) -> list[ComparedPart]:
    """Return the parts that differ between `before.txt` and `after.txt` of a test's folder.

    Empty without these files.
    """
    try:
        before, after = ((folder / f"{name}.txt").read_text(encoding="utf-8") for name in ("before", "after"))
    except (OSError, UnicodeDecodeError):
        return []
    titles = ("Elements and boxes", "Accessibility tree")
    pairs = zip(_parts(before), _parts(after), strict=False)  # an older snapshot has no tree
    parts = (_compare(title, *pair) for title, pair in zip(titles, pairs, strict=False))
    return [part for part in parts if part.places]


def _parts(text: str) -> list[list[str]]:
    """Return the lines of each part of a snapshot, without its headings."""
    parts = (part.strip("\n").split("\n") for part in text.split(f"\n{HEADING}\n"))
    return [[line for line in lines if not line.startswith("# ")] for lines in parts]


def _compare(title: str, before: Sequence[str], after: Sequence[str]) -> ComparedPart:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    places: list[tuple[list[Line], list[Line]]] = []
    for group in matcher.get_grouped_opcodes(AROUND):
        olds = [(line, kind != "equal") for kind, a, b, _, _ in group for line in before[a:b]]
        news = [(line, kind != "equal") for kind, _, _, a, b in group for line in after[a:b]]
        places.append((olds, news))
    return ComparedPart(title=title, places=list(_first(places)), is_cut=_size(places) > MOST_LINES)


def _first(places: Sequence[tuple[list[Line], list[Line]]]) -> list[tuple[list[Line], list[Line]]]:
    """Return the first places, up to MOST_LINES lines."""
    left, first = MOST_LINES, []
    for olds, news in places:
        if left <= 0:
            break
        first.append((olds[:left], news[:left]))
        left -= max(len(olds), len(news))
    return first


def _size(places: Sequence[tuple[list[Line], list[Line]]]) -> int:
    return sum(max(len(olds), len(news)) for olds, news in places)
