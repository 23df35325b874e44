"""axe-core finds what keeps people from using a widget, and names the element and what to do.

One run of pytest tests all widgets.
"""

import re
import shutil
from dataclasses import dataclass

import pytest
from nested_runs import run_pytest

from awning.workspace.scaffolding import add_widget, make_workspace

SCRIPT = """\
import {{ afterPrice }} from "awning";

export default afterPrice(() => '{html}');
"""
STATES = '[[state]]\nname = "any"\ntitle = "Any"\npayload = "P1"\n'


@dataclass(frozen=True, kw_only=True)
class Widget:
    """A widget's HTML and style. `parts` are texts that the report must have; a widget without `parts` must pass."""

    html: str
    style: str = ""
    parts: tuple[str, ...] = ()


WIDGETS = {
    "pale": Widget(
        html='<p class="note">Only 3 left</p>',
        style=".note { color: #bbb; background: #fff; }",
        parts=(
            "color-contrast (serious)",
            '<p class="note">Only 3 left</p>',
            "Expected contrast ratio of 4.5:1",
        ),
    ),
    "dark-only": Widget(
        html='<p class="note">Only 3 left</p>',
        style=".note { color: #333; }",
        parts=('<p class="note">Only 3 left</p> in the theme dark', "Expected contrast ratio of 4.5:1"),
    ),
    "nameless": Widget(
        html='<label>Size</label><input class="size">',
        parts=(
            "label (critical)",
            '<input class="size">',
            "Element does not have an implicit (wrapped) <label>",
        ),
    ),
    "bad-aria": Widget(
        html='<div role="checkbox">Gift</div><button aria-label=""></button>',
        parts=(
            "aria-required-attr (critical)",
            '<div role="checkbox">Gift</div>',
            "aria-checked",
            "button-name",
        ),
    ),
    "sound": Widget(
        html="<label>Size <input></label><button>Add</button><p>Only 3 left</p>",
    ),
    "fades-in": Widget(
        html='<p class="note">Only 3 left</p>',
        style=".note { animation: fade 9s; } @keyframes fade { from { opacity: 0; } }",
    ),
    "repeated-id": Widget(
        html='<p id="qty">How many?</p><label for="qty">Pieces</label><input id="qty" aria-label="Pieces">',
        parts=(
            "repeated-id (serious)",
            '<label for="qty">Pieces</label>',
            'for="qty" finds the first of several',
        ),
    ),
    "repeated-description": Widget(
        html='<p id="a">x</p><p id="a">y</p><button aria-describedby="b a">Add</button><i id="b">z</i>',
        parts=("repeated-id (serious)", 'aria-describedby="a" finds the first of several'),
    ),
    "id-of-the-page": Widget(
        html='<label for="main">Pieces</label><input id="main" aria-label="Pieces">',
        parts=("repeated-id (serious)", 'for="main" finds the first of several'),
    ),
    "labels-the-first": Widget(
        html='<label for="qty">Pieces</label><input id="qty"><p id="qty">How many?</p><p id="x"></p><p id="x"></p>',
    ),
    "strict": Widget(html="<p>Only 3 left</p>"),
    "shows-nothing": Widget(html=""),
}


@pytest.fixture(scope="module")
def report(processes, tmp_path_factory) -> str:
    """pytest's output for a workspace with these widgets."""
    root = tmp_path_factory.mktemp("axe") / "app"
    make_workspace(root, slot="after-price", languages=("en",))
    shutil.rmtree(root / "widgets" / "stock-note")
    for name, widget in WIDGETS.items():
        add_widget(root, name, slot="after-price", languages=("en",), bare=True)
        folder = root / "widgets" / name
        (folder / "widget.ts").write_text(SCRIPT.format(html=widget.html))
        (folder / "view.html.j2").unlink(missing_ok=True)
        (folder / "style.css").write_text(widget.style)
        (folder / "states.toml").write_text(STATES + ('csp = "trusted-types"\n' if name == "strict" else ""))
    return run_pytest(root, "-q", "-rA", "-k", "is_accessible", "widgets")[1]


@pytest.mark.parametrize("name", WIDGETS)
def test_violation_is_reported_with_its_element_and_what_to_do(report, name):
    outcome = "FAILED" if WIDGETS[name].parts else "PASSED"
    assert re.search(rf"^{outcome} widgets/{name}/widget\.toml::test_is_accessible", report, re.MULTILINE), (
        report
    )
    start = rf'widgets/{name}/states\.toml:1: the state "any"'
    section = re.search(rf"{start}(.*?)^-{{9}}", report, re.MULTILINE | re.DOTALL)
    text = section[1] if section else ""
    assert [part for part in WIDGETS[name].parts if part not in text] == []
    assert "aw-" not in text
