"""A widget whose script never ends: its tests name the place, and only the first few wait for their time limit."""

import re
import subprocess
import sys

import pytest

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
STATES = """\
[[state]]
name = "any"
title = "Any"
payload = "P1"
"""
LIMITS = """\
import awning_harness.pages.tabs

awning_harness.pages.tabs.LOAD_TIMEOUT_MS = 3000

import awning_harness.conformance.laboratory

awning_harness.conformance.laboratory.TIME_LIMIT_MS = 6000
"""
"""A `conftest.py` that shortens the time limits. The other modules read the first one when they are imported."""


@pytest.fixture
def root(tmp_path):
    make_workspace(tmp_path / "app", slot="after-price", languages=("en",))
    (tmp_path / "app" / "conftest.py").write_text(LIMITS)
    return tmp_path / "app"


def write(root, script: str, states: str = STATES) -> None:
    folder = root / "widgets" / "stock-note"
    (folder / "widget.ts").write_text(script)
    (folder / "padded.ts").write_text(PADDED)
    (folder / "states.toml").write_text(states)


def run(root, *arguments: str) -> str:
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False).stdout


def failures(output: str) -> list[str]:
    """Return the texts of the failed tests."""
    return re.split(r"^_+ test_\w+\[.*\] _+$", output, flags=re.MULTILINE)[1:]


def test_generated_test_names_the_line(root):
    write(root, ON_EVERY_PAGE)
    [text] = failures(run(root, "widgets/stock-note/widget.toml::test_shows_its_state"))
    assert text.lstrip().startswith(
        'widgets/stock-note/states.toml:1: the state "any" cannot occur:'
        " the page does not respond: a script on it never ends\n    at widgets/stock-note/padded.ts:"
    ), text
    assert "    at widgets/stock-note/widget.ts:4:" in text
    assert "mend the loop around widgets/stock-note/padded.ts:" in text


def test_step_after_which_a_script_never_ends_names_the_line(root):
    write(root, AFTER_A_STEP, STATES + 'steps = ["select L/Blue"]\n')
    [text] = failures(run(root, "widgets/stock-note/widget.toml::test_shows_its_state"))
    assert "never ends\n    at widgets/stock-note/padded.ts:" in text, text


def test_check_of_the_laboratory_names_the_line(root):
    write(root, ON_EVERY_PAGE)
    [text] = failures(run(root, "widgets/stock-note/widget.toml::test_update_order"))
    assert "never ends\n    at widgets/stock-note/padded.ts:" in text, text


def test_only_three_tests_of_the_widget_wait_and_other_widgets_are_tested(root):
    write(root, ON_EVERY_PAGE, STATES + STATES.replace('"any"', '"other"'))
    add_widget(root, "gift-hint", slot="after-price", languages=("en",))
    (root / "widgets" / "stock-note" / "test_stock_note.py").write_text(
        "".join(f"def test_{number}(widget):\n    widget.show('P1')\n\n\n" for number in range(4))
    )
    output = run(
        root,
        "widgets/stock-note/test_stock_note.py",
        *(f"widgets/{name}/widget.toml::test_shows_its_state" for name in ("stock-note", "gift-hint")),
    )
    texts = failures(output)
    told = [text for text in texts if "not run after 3 tests in which the page does not respond" in text]
    assert (len(texts) - len(told), len(told)) == (3, 3), output
    assert all("    at widgets/stock-note/padded.ts:" in text for text in told), output
    assert not re.search(r"gift-hint\S+ FAILED", output), output
