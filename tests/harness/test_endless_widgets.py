"""A widget whose script never ends: its tests name the place, and only the first few wait for their time limit."""

import re

import pytest
from nested_runs import run_pytest, with_short_limits

from awning.workspace.scaffolding import add_widget, make_workspace

PADDED = """\
export function padded(text: string): string {
  while (text.length !== 2.5) {
    text = text.trim() + " ";
  }
  return text;
}
"""
ON_EVERY_PAGE = """\
import { afterPrice } from "awning";
import { padded } from "./padded";

export default afterPrice(() => `<p>${padded("text")}</p>`);
"""
AFTER_A_CLICK = """\
import { afterPrice, live } from "awning";
import { padded } from "./padded";

const on = { "click button": () => padded("") };
export default afterPrice(live(() => '<button type="button">more</button>', { on }));
"""
STATES = """\
[[state]]
name = "any"
title = "Any"
payload = "P1"
"""
OWN_TESTS = """\
import pytest


@pytest.fixture
def shown(widget):
    return widget.show("P1")


@pytest.mark.parametrize("number", range(2))
def test_page(widget, number):
    widget.show("P1")


@pytest.mark.parametrize("number", range(3))
def test_fixture(shown, number):
    assert shown.text()


def test_rendering(render):
    assert "text" in render("own.html.j2")


def test_arithmetic():
    assert 1 + 1 == 2
"""
CLICKS = 'steps = [\'click "button"\']\n[state.fetch]\n"https://a.example/" = {}\n'
WIDGETS = {
    "stock-note": (ON_EVERY_PAGE, STATES),
    "after-a-click": (AFTER_A_CLICK, STATES + CLICKS),
}
"""The scripts and states of the widgets that never end."""

TESTS = (
    "stock-note/widget.toml::test_shows_its_state",
    "stock-note/widget.toml::test_update_order",
    "stock-note/test_stock_note.py",
    "after-a-click/widget.toml::test_shows_its_state",
    "gift-hint/widget.toml::test_shows_its_state",
)


@pytest.fixture(scope="module")
def output(processes, tmp_path_factory) -> str:
    """The output of one run in one process over the widgets and a sound one, `gift-hint`."""
    root = tmp_path_factory.mktemp("endless") / "app"
    make_workspace(root, slot="after-price", languages=("en",))
    (root / "conftest.py").write_text(with_short_limits("stock-note|after-a-"))
    for name, (script, states) in WIDGETS.items():
        folder = root / "widgets" / name
        if not folder.exists():
            add_widget(root, name, slot="after-price", languages=("en",))
        (folder / "widget.ts").write_text(script)
        (folder / "padded.ts").write_text(PADDED)
        (folder / "states.toml").write_text(states)
    add_widget(root, "gift-hint", slot="after-price", languages=("en",))
    (root / "widgets" / "stock-note" / "test_stock_note.py").write_text(OWN_TESTS)
    (root / "widgets" / "stock-note" / "own.html.j2").write_text("<p>text</p>")
    return run_pytest(root, "-v", "-n", "0", *(f"widgets/{test}" for test in TESTS))[1]


@pytest.fixture(scope="module")
def failures(output) -> list[tuple[str, str]]:
    """The names of the failed tests, each with its text, in order."""
    shown = re.split(r"^=+ checks =+$", output, flags=re.MULTILINE)[0]
    parts = re.split(r"^_+ (?:ERROR at setup of )?(test_\w+)\[.*\] _+$", shown, flags=re.MULTILINE)[1:]
    return [(name, text.lstrip()) for name, text in zip(parts[::2], parts[1::2], strict=True)]


def test_generated_test_names_the_line(failures):
    begin = (
        'widgets/stock-note/states.toml:1: the state "any" cannot occur:'
        " the page does not respond: a script on it never ends\n    at widgets/stock-note/padded.ts:"
    )
    [text] = [text for _, text in failures if text.startswith(begin)]
    assert "    at widgets/stock-note/widget.ts:4:" in text
    assert "mend the loop around widgets/stock-note/padded.ts:" in text


def test_check_of_the_laboratory_names_the_line(failures):
    [text] = [text for name, text in failures if name == "test_update_order"]
    assert "never ends\n    at widgets/stock-note/padded.ts:" in text


def test_click_in_a_state_with_another_host_names_the_line(output, failures):
    assert any("never ends\n    at widgets/after-a-click/padded.ts:" in text for _, text in failures), output


def test_three_tests_wait_and_the_others_of_the_widget_that_open_pages_fail_at_once(output, failures):
    of_widget = [text for _, text in failures if "widgets/stock-note/padded.ts:" in text]
    told = [
        text
        for text in of_widget
        if text.startswith("not run after 3 tests in which the page does not respond")
    ]
    assert (len(of_widget) - len(told), len(told)) == (3, 4), output
    assert re.findall(r"test_(rendering|arithmetic)\S* PASSED", output) == ["rendering", "arithmetic"], output
    assert re.search(r"gift-hint\S+ PASSED", output), output
    assert not re.search(r"gift-hint\S+ FAILED", output), output
