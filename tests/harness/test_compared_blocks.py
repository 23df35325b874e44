"""A check that finds different blocks on two pages says what each of them shows, not which of them is right."""

from dataclasses import replace

import pytest

from awning_harness.checks.subject import difference
from awning_harness.visit.trial import BlockLook

LOOK = BlockLook(
    has_place=True,
    blocks=1,
    form="<p>A</p>",
    text="A",
    content="A",
    is_seen=True,
    others="",
    too_wide=None,
    clipped=(),
    planted=(),
    moving=(),
    violations=(),
    exceptions=(),
    counts={},
)


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ({"blocks": 0}, "late, the page has 1 block; early, it has no block"),
        ({"blocks": 2, "text": "B"}, "late, the page has 1 block; early, it has 2 blocks"),
        ({"text": "  B\nC"}, "late, the block shows 'A'; early, it shows 'B C'"),
        ({"text": ""}, "late, the block shows 'A'; early, it shows ''"),
        (
            {"form": '<p id="x">A</p>'},
            "late, the HTML of the block has '<p>A</p>'; early, it has '<p id=\"x\">A</p>'",
        ),
    ],
)
def test_difference_names_both_pages_and_what_each_shows(other, sentence):
    assert difference("late", LOOK, "early", replace(LOOK, **other)) == sentence
