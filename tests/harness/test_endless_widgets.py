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
AFTER_A_STEP = """\
import { afterPrice } from "awning";
import { padded } from "./padded";

export default afterPrice(({ item }) => `<p>${item.stock === 1 ? padded("text") : "text"}</p>`);
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
    "of-a-check": (ON_EVERY_PAGE, STATES),
    "after-a-step": (AFTER_A_STEP, STATES + 'steps = ["select L/Blue"]\n'),
    "after-a-click": (AFTER_A_CLICK, STATES + CLICKS),
}
"""The scripts and states of the widgets that never end."""

TESTS = (
    "stock-note/widget.toml::test_shows_its_state",
    "stock-note/test_stock_note.py",
    "of-a-check/widget.toml::test_update_order",
    "after-a-step/widget.toml::test_shows_its_state",
    "after-a-click/widget.toml::test_shows_its_state",
    "gift-hint/widget.toml::test_shows_its_state",
)


@pytest.fixture(scope="module")
def output(processes, tmp_path_factory) -> str:
    """The output of one run in one process over the widgets and a sound one, `gift-hint`."""
    root = tmp_path_factory.mktemp("endless") / "app"
    make_workspace(root, slot="after-price", languages=("en",))
    (root / "conftest.py").write_text(with_short_limits("stock-note|of-a-check|after-a-"))
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
def failures(output) -> list[str]:
    """The texts of the failed tests, in order."""
    shown = re.split(r"^=+ checks =+$", output, flags=re.MULTILINE)[0]
    texts = re.split(r"^_+ (?:ERROR at setup of )?test_\w+\[.*\] _+$", shown, flags=re.MULTILINE)[1:]
    return [text.lstrip() for text in texts]


def test_generated_test_names_the_line(failures):
    begin = (
        'widgets/stock-note/states.toml:1: the state "any" cannot occur:'
        " the page does not respond: a script on it never ends\n    at widgets/stock-note/padded.ts:"
    )
    [text] = [text for text in failures if text.startswith(begin)]
    assert "    at widgets/stock-note/widget.ts:4:" in text
    assert "mend the loop around widgets/stock-note/padded.ts:" in text


@pytest.mark.parametrize("name", ["of-a-check", "after-a-step", "after-a-click"])
def test_check_and_steps_name_the_line(output, failures, name):
    """A check of the laboratory, a step of the page, and a click in a state with another host."""
    assert any(f"never ends\n    at widgets/{name}/padded.ts:" in text for text in failures), output


def test_three_tests_wait_and_the_others_of_the_widget_that_open_pages_fail_at_once(output, failures):
    of_widget = [text for text in failures if "widgets/stock-note/padded.ts:" in text]
    told = [
        text
        for text in of_widget
        if text.startswith("not run after 3 tests in which the page does not respond")
    ]
    assert (len(of_widget) - len(told), len(told)) == (3, 3), output
    assert re.findall(r"test_(rendering|arithmetic)\S* PASSED", output) == ["rendering", "arithmetic"], output
    assert re.search(r"gift-hint\S+ PASSED", output), output
    assert not re.search(r"gift-hint\S+ FAILED", output), output
