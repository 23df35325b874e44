"""What a failure says about the page to look at: its differences from the check's page, its address, open requests."""

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from awning.jsrc import jsrc_root
from awning.workspace.model import WidgetState
from awning_harness.checks.failing_page import lacks_of, only_here, state_in_dev
from awning_harness.evidence import (
    EvidenceOptions,
    add_evidence,
    dev_address,
    shorten_addresses,
    without_long_payload,
)
from awning_harness.visit.held_page import PAGE_MOVES
from awning_harness.visit.hosts.other_hosts import OtherHosts
from awning_harness.visit.pages.address import PageAddress
from awning_harness.visit.trial import Trial

STATE = WidgetState(name="any", title="Any", slot="after-price", payload="P1")
IN_THE_DARK = WidgetState(name="dark", title="Dark", slot="after-price", payload="P1", theme="dark")
WITH_DATA = replace(STATE, data={"note": "text"})
ASKING = replace(STATE, fetch={"https://a.example": {}})
UPDATE = {"variant": 0}


@pytest.mark.parametrize(
    ("trial", "sentences"),
    [
        ({}, []),
        ({"moves": ("page", "loaded", {"update": UPDATE}), "width": 360}, []),
        ({"moves": ("page", "loaded", "snippet"), "is_late": True}, ["the snippet does not come late"]),
        ({"moves": ("page", "loaded", "focus")}, ["nothing is typed, and no control has the focus"]),
        ({"moves": ("loaded", {"type": ["x"]}), "is_loaded": True}, ["nothing is typed"]),
        ({"moves": ("page", "loaded", {"step": {"verb": "click", "arguments": ["a"]}})}, []),
    ],
)
def test_page_says_what_it_does_not_do_as_the_check(trial, sentences):
    assert list(lacks_of(Trial(state=STATE, language="en", **trial))) == sentences


@pytest.mark.parametrize(
    ("trial", "lacks"),
    [
        ({}, []),
        ({"moves": ("page", "loaded", {"update": UPDATE}, "look"), "width": 360}, []),
        ({"moves": ("loaded",), "is_loaded": True}, []),
        ({"moves": ("loaded", "page")}, ["its events"]),
        ({"moves": ("page", "loaded", "restored")}, ["its events"]),
        ({"moves": ("loaded",)}, ["its events"]),
        ({"moves": ("base", {"update": UPDATE})}, ["its events"]),
        ({"moves": ({"early": UPDATE}, "page")}, ["its events"]),
        ({"moves": ("page", "loaded", {"times": 5, "of": "base"})}, ["its events"]),
        ({"delays": (100,)}, []),
        ({"delays": (100, 0), "state": ASKING}, ["answers of other hosts after 100, 0 ms"]),
        ({"answers": ASKING.fetch, "state": ASKING}, []),
        ({"answers": {"https://a.example": None}}, ["its answers of other hosts"]),
        ({"held": "backwards"}, ["answers in another order"]),
        (
            {
                "held": "in-order",
                "moves": ("page", "loaded", {"step": {"verb": "click", "arguments": ["a"]}}),
            },
            ["steps that wait for no answer"],
        ),
        ({"is_storage_blocked": True}, ["refused storage"]),
    ],
)
def test_address_in_dev_says_what_of_the_check_it_lacks(trial, lacks):
    trial = Trial(**{"state": STATE, "language": "en", **trial})
    assert list(only_here(trial)) == lacks
    page = page_with(STATE)
    page.only_here = lacks
    words = f" (there without what the check has: {lacks[0]})" if lacks else ""
    assert dev_address(page, "en/cart") == f"http://127.0.0.1:8420/_awning/state/note/any/en{words}"


def test_each_move_of_a_page_has_its_words():
    text = (jsrc_root() / "visit/page_moves.ts").read_text("utf-8")
    kinds = re.search(r"const KINDS = \[(.*)\];", text)[1]
    assert sorted(re.findall(r'"(\w+)"', kinds)) == sorted(PAGE_MOVES)


def test_address_leaves_a_long_payload_out_and_says_so():
    assert without_long_payload("en/cart?theme=dark&payload=" + "x" * 400) == (
        "en/cart?theme=dark (with the shop's own event parameter: that of the check is too long for an address)"
    )


def test_console_of_a_failure_shortens_a_long_address_and_keeps_its_line():
    text = (
        f"Error: x\n    at http://a.example/en?payload={'%7B' * 1400}:12:7\n    at http://a.example/b.js:1:2"
    )
    first, shortened, last = shorten_addresses(text).split("\n")
    assert (first, last) == ("Error: x", "    at http://a.example/b.js:1:2")
    assert shortened.startswith("    at http://a.example/en?payload=%7B")
    assert shortened.endswith("…:12:7")
    assert len(shortened) < 200


@pytest.mark.parametrize("path", ["en/cart", "en/cart?theme=dark", "en/cart?payload=%7B%7D"])
def test_address_that_can_be_read_stays(path):
    assert without_long_payload(path) == path


def page_with(state, language="en"):
    """A stand-in for an opened page in `state`, or in no state of a widget, with what `dev_address` reads of it."""
    widget = SimpleNamespace(name="note", states=(STATE, IN_THE_DARK))
    shop = SimpleNamespace(workspace=SimpleNamespace(widgets=(widget,)))
    return SimpleNamespace(
        shop=shop, unit="note", opened_state=state and (state, language), has_own_data=True, only_here=[]
    )


@pytest.mark.parametrize(
    ("state", "address"),
    [
        (STATE, "/_awning/state/note/any/en"),
        (IN_THE_DARK, "/_awning/state/note/dark/en"),
        (replace(STATE, theme="dark"), "/_awning/state/note/any/en?theme=dark"),
        (None, "/1/en/cart (with the workspace's app data, not those of the test)"),
    ],
)
def test_address_of_a_failure_has_the_app_data_of_its_state_or_says_that_it_has_not(state, address):
    assert dev_address(page_with(state), "en/cart") == f"http://127.0.0.1:8420{address}"


@pytest.mark.parametrize(
    ("changes", "theme"),
    [
        ({}, "plain"),
        ({"options": {"theme": "dark", "assumptions": "observed"}}, None),
        ({"state": WITH_DATA, "options": {"theme": "dark", "assumptions": "observed"}}, "dark"),
        ({"state": WITH_DATA, "options": {"theme": "dark", "assumptions": "hostile"}}, None),
        ({"state": WITH_DATA, "options": {"csp": "trusted-types"}}, None),
        ({"data": {}}, None),
        ({"params": {}}, None),
        ({"state": replace(STATE, steps=("select L/Blue",))}, None),
    ],
)
def test_page_of_a_check_is_that_of_its_state_when_it_has_app_data_and_only_the_theme_differs(changes, theme):
    state = state_in_dev(Trial(**{"state": STATE, "language": "en", **changes}))
    assert (state and (state.theme or "plain")) == theme


def test_page_that_does_not_load_leaves_its_link_and_what_it_waits_for(tmp_path):
    never = "https://never.example.com/near.json"
    hosts = OtherHosts(folder=tmp_path, context=None, report=print, intercepts_all=False, requested=[never])
    opened = SimpleNamespace(
        visit=None,
        address=PageAddress(slot="after-cart", path="en/cart"),
        opened_state=None,
        has_own_data=False,
        only_here=[],
        other_hosts=hosts,
    )
    report = SimpleNamespace(failed=True, sections=[])
    options = EvidenceOptions(
        folder=tmp_path, screenshot="on", trace="off", video="off", is_full_page=False, has_report=False
    )
    add_evidence(report, opened, options)
    assert report.sections == [
        ("still waiting for", never),
        ("to look at", "again    awning dev, then http://127.0.0.1:8420/1/en/cart"),
    ]
