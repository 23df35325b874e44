"""A unified diff of two lists of lines, in bounded time: what it compares may come from somebody else.

The fewest lines that are removed and added are searched (Myers, An O(ND) Difference Algorithm, 1986), up to a number.
Texts that differ in more lines have one coarse difference: from the first to the last line that differs.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

MOST_CHANGES = 400
"""The most lines that are removed and added in a fine difference. The time grows with the lines times this number."""

MOST_SHOWN = 200
"""The most lines that are shown of a coarse difference, of each side."""

Change = tuple[int, int, int, int]
"""Lines that differ: where they begin and end in the first list, and where in the second."""


def unified_difference(
    before: Sequence[str], after: Sequence[str], names: tuple[str, str], *, context: int
) -> Iterator[str]:
    """Yield the lines of a diff, with `context` equal lines around each change; nothing for equal lists.

    Lines of a coarse difference that are left out are counted, in a line that begins with a backslash.
    """
    changes = _changes(before, after)
    if changes:
        yield from (f"--- {names[0]}", f"+++ {names[1]}")
    while changes:
        length = next(
            (
                at
                for at, (each, following) in enumerate(pairwise(changes), 1)
                if following[0] - each[1] > 2 * context
            ),
            len(changes),
        )
        yield from _hunk(before, after, changes[:length], context)
        del changes[:length]


def _hunk(
    before: Sequence[str], after: Sequence[str], changes: Sequence[Change], context: int
) -> Iterator[str]:
    at = max(0, changes[0][0] - context)
    end = min(len(before), changes[-1][1] + context)
    at_after = changes[0][2] - (changes[0][0] - at)
    end_after = changes[-1][3] + (end - changes[-1][1])
    yield f"@@ -{_range(at, end)} +{_range(at_after, end_after)} @@"
    for start, stop, start_after, stop_after in changes:
        yield from (f" {line}" for line in before[at:start])
        yield from _marked("-", before[start:stop])
        yield from _marked("+", after[start_after:stop_after])
        at = stop
    yield from (f" {line}" for line in before[at:end])


def _range(start: int, end: int) -> str:
    """Return where lines begin, from 1, and how many they are, as unified diffs have it."""
    length = end - start
    return f"{start + 1}" if length == 1 else f"{start + (length > 0)},{length}"


def _marked(mark: str, lines: Sequence[str]) -> Iterator[str]:
    left_out = len(lines) - MOST_SHOWN if len(lines) > MOST_CHANGES else 0
    yield from (f"{mark}{line}" for line in lines[: len(lines) - left_out])
    if left_out:
        yield f"\\ {left_out:,} more lines with {mark}"


def _changes(before: Sequence[str], after: Sequence[str]) -> list[Change]:
    start = next(
        (at for at, (old, new) in enumerate(zip(before, after, strict=False)) if old != new),
        min(len(before), len(after)),
    )
    most = min(len(before), len(after)) - start
    same = next((at for at in range(most) if before[-1 - at] != after[-1 - at]), most)
    end, end_after = len(before) - same, len(after) - same
    if (start, start) == (end, end_after):
        return []
    numbers: dict[str, int] = {}
    old, new = (
        [numbers.setdefault(line, len(numbers)) for line in half]
        for half in (before[start:end], after[start:end_after])
    )
    pairs = _equal_pairs(old, new)
    changes, at, at_after = [], 0, 0
    for equal, equal_after in (*(pairs or ()), (len(old), len(new))):
        if (at, at_after) != (equal, equal_after):
            changes.append((start + at, start + equal, start + at_after, start + equal_after))
        at, at_after = equal + 1, equal_after + 1
    return changes


def _equal_pairs(old: Sequence[int], new: Sequence[int]) -> list[tuple[int, int]] | None:
    """Return the indexes of the equal lines in both lists, in order; None if more than `MOST_CHANGES` differ."""
    # How far each diagonal is reached, before each number of changes. A diagonal is a difference of indexes.
    reached: dict[int, int] = {1: 0}
    steps: list[dict[int, int]] = []
    for count in range(MOST_CHANGES + 1):
        steps.append(dict(reached))
        for diagonal in range(-count, count + 1, 2):
            at = _begin(reached, diagonal, count)[1]
            while at < len(old) and at - diagonal < len(new) and old[at] == new[at - diagonal]:
                at += 1
            reached[diagonal] = at
            if at >= len(old) and at - diagonal >= len(new):
                return _way_back(steps, len(old), len(new))
    return None


def _begin(reached: Mapping[int, int], diagonal: int, count: int) -> tuple[int, int]:
    """Return the diagonal from which one change leads to another one, and the index at which it does."""
    is_added = diagonal == -count or (diagonal != count and reached[diagonal - 1] < reached[diagonal + 1])
    return (diagonal + 1, reached[diagonal + 1]) if is_added else (diagonal - 1, reached[diagonal - 1] + 1)


def _way_back(steps: Sequence[Mapping[int, int]], at: int, at_after: int) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    for count in range(len(steps) - 1, -1, -1):
        diagonal = at - at_after
        source, begin = _begin(steps[count], diagonal, count)
        pairs += ((index, index - diagonal) for index in range(at - 1, begin - 1, -1))
        at = steps[count].get(source, 0)
        at_after = at - source
    return pairs[::-1]
