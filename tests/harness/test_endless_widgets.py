"""A widget whose script never ends: its tests name the place, and only the first few wait for their time limit."""

import re
import subprocess
import sys

import pytest

from awning.workspace.scaffolding import add_widget, make_workspace

pytestmark = pytest.mark.usefixtures("processes")

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
LIMITS = """\
import awning_harness.pages.tabs

awning_harness.pages.tabs.LOAD_TIMEOUT_MS = 4000
awning_harness.pages.tabs.SEARCH_MS = 3000

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
    """Run tests in one process, and return pytest's output."""
    command = [sys.executable, "-m", "pytest", "-v", "-n", "0", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False).stdout


def failures(output: str) -> list[str]:
    """Return the texts of the failed tests. The last one has the summary below it."""
    texts = re.split(r"^_+ (?:ERROR at setup of )?test_\w+\[.*\] _+$", output, flags=re.MULTILINE)[1:]
    return [text.lstrip() for text in texts]


def test_generated_test_names_the_line(root):
    write(root, ON_EVERY_PAGE)
    [text] = failures(run(root, "widgets/stock-note/widget.toml::test_shows_its_state"))
    assert text.startswith(
        'widgets/stock-note/states.toml:1: the state "any" cannot occur:'
        " the page does not respond: a script on it never ends\n    at widgets/stock-note/padded.ts:"
    ), text
    assert "    at widgets/stock-note/widget.ts:4:" in text
    assert "mend the loop around widgets/stock-note/padded.ts:" in text


def test_step_after_which_a_script_never_ends_names_the_line(root):
    write(root, AFTER_A_STEP, STATES + 'steps = ["select L/Blue"]\n')
    [text] = failures(run(root, "widgets/stock-note/widget.toml::test_shows_its_state"))
    assert "never ends\n    at widgets/stock-note/padded.ts:" in text, text


def test_loop_after_a_click_in_a_state_with_another_host_names_the_line(root):
    write(
        root,
        AFTER_A_CLICK,
        f'{STATES}steps = [\'click "button"\']\n[state.fetch]\n"https://a.example/" = {{}}\n',
    )
    [text] = failures(run(root, "widgets/stock-note/widget.toml::test_shows_its_state"))
    assert "never ends\n    at widgets/stock-note/padded.ts:" in text, text


def test_check_of_the_laboratory_names_the_line(root):
    write(root, ON_EVERY_PAGE)
    [text] = failures(run(root, "widgets/stock-note/widget.toml::test_update_order"))
    assert "never ends\n    at widgets/stock-note/padded.ts:" in text, text


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


def test_three_tests_wait_and_the_others_of_the_widget_that_open_pages_fail_at_once(root):
    write(root, ON_EVERY_PAGE)
    add_widget(root, "gift-hint", slot="after-price", languages=("en",))
    (root / "widgets" / "stock-note" / "test_stock_note.py").write_text(OWN_TESTS)
    (root / "widgets" / "stock-note" / "own.html.j2").write_text("<p>text</p>")
    checks = [f"widgets/{name}/widget.toml::test_shows_its_state" for name in ("stock-note", "gift-hint")]
    output = run(root, "widgets/stock-note/test_stock_note.py", *checks)
    texts = failures(output)
    told = [
        text for text in texts if text.startswith("not run after 3 tests in which the page does not respond")
    ]
    assert (len(texts) - len(told), len(told)) == (3, 3), output
    assert all("    at widgets/stock-note/padded.ts:" in text for text in told), output
    assert re.findall(r"test_(rendering|arithmetic)\S* PASSED", output) == ["rendering", "arithmetic"], output
    assert re.search(r"gift-hint\S+ PASSED", output), output
    assert not re.search(r"gift-hint\S+ FAILED", output), output
