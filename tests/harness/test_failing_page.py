"""What a failure says about the page to look at: its differences from the check's page, its address, open requests."""

from types import SimpleNamespace

import pytest

from awning.workspace import WidgetState
from awning_harness.conformance.failing_page import lacks_of
from awning_harness.conformance.laboratory import Trial
from awning_harness.evidence import EvidenceOptions, add_evidence, without_long_payload
from awning_harness.hosts.other_hosts import OtherHosts
from awning_harness.pages.address import PageAddress

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
        ({"is_storage_blocked": True}, ["cookies are not blocked"]),
        ({"moves": ("page", "loaded", "focus")}, ["nothing is typed, and no update follows it"]),
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


def test_page_that_does_not_load_leaves_its_link_and_what_it_waits_for(tmp_path):
    never = "https://never.example.com/near.json"
    hosts = OtherHosts(folder=tmp_path, context=None, report=print, intercepts_all=False, requested=[never])
    opened = SimpleNamespace(
        visit=None,
        address=PageAddress(slot="after-cart", path="en/cart"),
        opened_state=None,
        other_hosts=hosts,
    )
    report = SimpleNamespace(failed=True, sections=[])
    options = EvidenceOptions(folder=tmp_path, screenshot="on", trace="off", video="off", is_full_page=False)
    add_evidence(report, opened, options)
    assert report.sections == [
        ("still waiting for", never),
        ("to look at", "again    awning dev, then http://127.0.0.1:8420/1/en/cart"),
    ]
