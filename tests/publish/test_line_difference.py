"""Differences of lists of lines: they lead from one to the other, and end soon, whatever is compared."""

import difflib
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awning.publish import line_difference
from awning.publish.line_difference import MOST_SHOWN, unified_difference
from awning.publish.text_difference import difference

LINES = st.lists(st.sampled_from("abc"), max_size=12)


def applied(before: list[str], difference: list[str]) -> list[str]:
    """Return the lines to which a difference leads. It must fit."""
    after, at = [], 0
    for line in difference[2:]:
        if hunk := re.fullmatch(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@", line):
            start = int(hunk[1]) - (hunk[2] != "0")
            after += before[at:start]
            at = start
        elif line.startswith("+"):
            after.append(line[1:])
        else:
            assert before[at] == line[1:]
            after += [before[at]] if line.startswith(" ") else []
            at += 1
    return after + before[at:]


@given(LINES, LINES, st.integers(0, 2), st.sampled_from((0, 3, 400)))
def test_difference_leads_from_one_list_to_the_other(before, after, context, most):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_difference, "MOST_CHANGES", most)
        patch.setattr(line_difference, "MOST_SHOWN", most)
        if most < 12:
            patch.setattr(line_difference, "_marked", lambda mark, lines: [mark + line for line in lines])
        shown = list(unified_difference(before, after, ("a", "b"), context=context))
    assert bool(shown) == (before != after)
    assert applied(before, shown) == after
    other = list(difflib.unified_diff(before, after, "a", "b", n=context, lineterm=""))
    changes = [sum(line[0] in "+-" for line in lines[2:]) for lines in (shown, other)]
    assert most < 400 or changes[0] <= changes[1]


HOSTILE = {
    "every second piece moved": [f"p{number ^ 1};" for number in range(9000)],
    "few pieces, often": [f"p{number % 101};" if number % 20 else f"u{number};" for number in range(9000)],
    "nothing in common": [f"q{number};" for number in range(50_000)],
}


@pytest.mark.parametrize("pieces", HOSTILE.values(), ids=HOSTILE)
def test_pieces_of_a_hostile_snippet_are_compared_soon_and_coarsely(pieces):
    started = time.process_time()
    shown = list(difference("".join(f"p{number % 101};" for number in range(9000)), "".join(pieces)))
    assert time.process_time() - started < 3, "difflib took 16 seconds"
    assert len(shown) < 2 * MOST_SHOWN + 10
    assert [line for line in shown if re.fullmatch(r"\\ [\d,]+ more lines with [+-]", line)]
