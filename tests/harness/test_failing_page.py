"""What a failure says of its picture, where the page of a check differs from every page that can be opened."""

import pytest

from awning.workspace import WidgetState
from awning_harness.conformance.failing_page import lacks_of
from awning_harness.conformance.laboratory import Trial
from awning_harness.evidence import without_long_payload

STATE = WidgetState(name="any", title="Any", slot="after-price", payload="P1")
UPDATE = {"variant": 0}


@pytest.mark.parametrize(
    ("trial", "sentences"),
    [
        ({}, []),
        ({"moves": ("page", "loaded", {"update": UPDATE}), "width": 360}, []),
        ({"moves": ("loaded",), "is_loaded": True}, []),
        ({"moves": ("loaded", "page")}, ["the event does not come late"]),
        ({"moves": ("page", "loaded", "snippet"), "is_late": True}, ["the snippet does not come late"]),
        ({"moves": ("loaded",)}, ["the page fires its event"]),
        ({"moves": ("base", {"update": UPDATE})}, ["the page fires its own updates too"]),
        ({"moves": ({"early": UPDATE}, "page")}, ["no update comes before the event"]),
        (
            {"moves": ("loaded", {"times": 5, "of": "base"})},
            ["the page fires its own updates too", "each event comes once"],
        ),
        ({"delays": (100,)}, ["other hosts answer at once"]),
        ({"answers": {"https://a.example": None}}, ["a host that never answers fails at once"]),
    ],
)
def test_page_says_what_it_does_not_do_as_the_check(trial, sentences):
    assert list(lacks_of(Trial(state=STATE, language="en", **trial))) == sentences


def test_address_leaves_a_long_payload_out_and_says_so():
    assert without_long_payload("en/cart?theme=dark&payload=" + "x" * 400) == (
        "en/cart?theme=dark (with the shop's own event parameter: that of the check is too long for an address)"
    )


@pytest.mark.parametrize("path", ["en/cart", "en/cart?theme=dark", "en/cart?payload=%7B%7D"])
def test_address_that_can_be_read_stays(path):
    assert without_long_payload(path) == path
