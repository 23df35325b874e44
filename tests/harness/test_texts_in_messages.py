"""A text of a block in the message of a failure: on one line, without a backslash for a line break."""

from types import SimpleNamespace

import pytest

from awning_harness.checks.subject import difference
from awning_harness.visit.pages.visibility import quoted, wrong_texts

TEXT = "In stock\n\n  Only 3 left"


def look(text, form="<p></p>"):
    return SimpleNamespace(blocks=1, text=text, form=form)


@pytest.mark.parametrize(
    "message",
    [
        quoted(TEXT),
        *wrong_texts("", [TEXT], []),
        *wrong_texts(TEXT, [], [TEXT]),
        difference("late", look(TEXT), "fresh", look("Sold out")),
    ],
)
def test_text_of_a_block_is_on_one_line(message):
    assert "'In stock Only 3 left'" in message


def test_line_break_in_the_html_of_a_block_is_a_sign():
    message = difference("late", look("x", "<p>\n</p>"), "fresh", look("x", "<p></p>"))
    assert message == "late, the HTML of the block has '<p>⏎</p>'; fresh, it has '<p></p>'"
