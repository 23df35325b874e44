"""Snapshots of a workspace's widgets in Chromium: stored, then equal, then each change reported by its sentence.

Four runs over one workspace, each in a pytest of its own, as an author has them.
"""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from nested_runs import run_pytest
from PIL import Image

from awning.workspace.scaffolding import add_widget, make_workspace
from awning_harness.checks.snapshots.files import browser_of, sign_picture

SCRIPT = """\
import { afterPrice } from "awning";
import view from "./view.html.j2";

export default afterPrice(({ t }) => view({ t }));
"""
LATE_ERROR = 'setTimeout(() => { throw new Error("late"); }, 1);\n'
SLOTS_SCRIPT = """\
import { afterCart, afterPrice } from "awning";

export default [afterPrice(() => "<p>price</p>"), afterCart(() => "<p>cart</p>")];
"""
VIEW = """\
<div class="box">
<p class="title">{{ t("in-stock") }}</p>
<p class="note">Free returns</p>
<svg class="icon" viewBox="0 0 10 10" width="20" height="20"><circle cx="5" cy="5" r="4"></circle></svg>
</div>
"""
STYLE = """\
.box { padding: 8px; animation: turn 1s infinite linear; }
.note { color: #333; transition: color 1s; }
.icon { position: relative; left: -40px; }
@keyframes turn { from { opacity: 0.2; } to { opacity: 1; } }
"""
STATES = """\
[[state]]
name = "any"
title = "Any"
payload = "P1"

[[state]]
name = "gone"
title = "A state that is removed"
payload = "P2"
"""


@dataclass(frozen=True, kw_only=True)
class Edit:
    """A change of one file of a widget, and the sentence that reports it."""

    file: str
    old: str
    new: str
    sentence: str


EDITS = {
    "moved": Edit(
        file="style.css",
        old=".note { color: #333;",
        new=".note { position: relative; top: 4px; color: #666;",
        sentence="p.note moved 4 px down; its colour was #333333, is #666666",
    ),
    "reworded": Edit(
        file="view.html.j2",
        old="Free returns",
        new="Free exchange",
        sentence='the text "Free returns" is now "Free exchange"',
    ),
    "shortened": Edit(
        file="view.html.j2",
        old='<p class="note">Free returns</p>\n',
        new="",
        sentence='p.note vanished from div.box with "Free returns"',
    ),
    "retold": Edit(
        file="view.html.j2",
        old='<p class="note">',
        new='<p class="note" role="status">',
        sentence="for a screen reader, paragraph: Free returns is now status: Free returns",
    ),
    "redrawn": Edit(
        file="view.html.j2", old='r="4"', new='r="2"', sentence="svg.icon: its drawing is another"
    ),
    "masked": Edit(
        file="style.css",
        old=".box {",
        new=".icon { clip-path: inset(0 10px 0 0); }\n.box {",
        sentence="of the picture, in svg.icon",
    ),
}
"""The change of each widget, by its name. A clipped icon has the same structure, so only its picture shows the change.
Another role has the same structure and picture, so only the accessibility tree shows it.

The icon sticks out of the block, so the picture begins to the left of the block.
"""


IN_BOTH_LANGUAGES = ("masked", "untouched")
"""The widgets that also have snapshots in the second language, which has no pictures."""


@dataclass(frozen=True, kw_only=True)
class Runs:
    """The output of each run, and the workspace after the last one."""

    root: Path
    outputs: dict[str, str]
    stored: tuple[str, ...]
    """The stored files after the first run."""
    results: dict[str, frozenset[str]]
    """The files that the run with changes left in test-results/, by the name of the widget."""


def run(root: Path, *options: str) -> str:
    return run_pytest(root, "-q", "-k", "looks_as_before", *options, "widgets")[1]


def workspace(root: Path) -> Path:
    """Make a workspace in two languages, with one widget for each edit."""
    make_workspace(root, slot="after-price", languages=("en", "lv"))
    shutil.rmtree(root / "widgets" / "stock-note")
    for name in [*EDITS, "untouched"]:
        languages = ("en", "lv") if name in IN_BOTH_LANGUAGES else ("en",)
        add_widget(root, name, slot="after-price", languages=languages)
        folder = root / "widgets" / name
        settings = (folder / "widget.toml").read_text()
        (folder / "widget.toml").write_text(f"languages = {[*languages]}\n{settings}")
        for file, text in {"widget.ts": SCRIPT, "view.html.j2": VIEW, "style.css": STYLE}.items():
            (folder / file).write_text(text)
        (folder / "states.toml").write_text(
            STATES if name == "untouched" else STATES.split("\n\n", maxsplit=1)[0]
        )
        for messages in (folder / "messages").iterdir():
            messages.write_text('in-stock = "In stock"\n')
    return root


@pytest.fixture(scope="module")
def runs(processes, tmp_path_factory) -> Runs:
    root = workspace(tmp_path_factory.mktemp("snapshots") / "app")
    outputs = {"nothing stored": run(root, "-k", "looks_as_before and untouched")}
    outputs["stored"] = run(root, "--update-snapshots")
    stored = tuple(
        sorted(str(file.relative_to(root / "widgets")) for file in root.glob("widgets/*/snapshots/*"))
    )
    for name, edit in EDITS.items():
        file = root / "widgets" / name / edit.file
        assert edit.old in file.read_text()
        file.write_text(file.read_text().replace(edit.old, edit.new))
    picture = root / "widgets/untouched/snapshots/any.en.png"
    Image.new("RGB", (9, 9)).save(picture)
    picture.write_bytes(sign_picture(picture.read_bytes(), "Chromium 1, elsewhere"))
    earlier = root / "widgets/untouched/snapshots/any.lv.txt"
    earlier.write_text(earlier.read_text().partition("# Accessibility tree\n")[0])
    outputs["changed"] = run(root, "-n", "2")
    results = {name: frozenset(file.name for file in root.glob(f"test-results/*{name}*/*")) for name in EDITS}
    (root / "widgets/untouched/states.toml").write_text(STATES.split("\n\n", maxsplit=1)[0])
    (root / "widgets/untouched/widget.ts").write_text(SCRIPT + LATE_ERROR)
    outputs["updated"] = run(root, "--update-snapshots", "-k", "looks_as_before and untouched")
    return Runs(root=root, outputs=outputs, stored=stored, results=results)


def test_state_without_a_snapshot_passes_and_the_run_says_how_to_begin(runs):
    output = runs.outputs["nothing stored"]
    assert "4 passed" in output
    assert "snapshots: 4 states without a snapshot; awning test --update-snapshots stores" in output


def test_structure_of_each_language_and_the_first_ones_picture_are_stored(runs):
    expected = [f"{name}/snapshots/any.{rest}" for name in EDITS for rest in ("en.png", "en.txt")]
    expected.append("masked/snapshots/any.lv.txt")
    for state in ("any", "gone"):
        expected += [f"untouched/snapshots/{state}.{rest}" for rest in ("en.png", "en.txt", "lv.txt")]
    assert runs.stored == tuple(sorted(expected))
    assert "snapshots: 11 states written" in runs.outputs["stored"]


def test_unchanged_animated_widget_is_quiet_in_two_processes_and_both_languages(runs):
    """The clipped icon changes no structure, and Latvian has no picture, so its test in Latvian passes too."""
    output = runs.outputs["changed"]
    assert "6 failed, 5 passed" in output
    assert "widgets/untouched" not in output


@pytest.mark.parametrize("name", EDITS)
def test_change_is_caught_with_its_sentence(runs, name):
    output = runs.outputs["changed"]
    section = re.search(
        rf'widgets/{name}/snapshots/any\.en\.txt: the state "any" \(en\) does not look as it did:\n(.*?)compare:',
        output,
        re.DOTALL,
    )
    assert section is not None, output[-4000:]
    assert section[1].strip().splitlines()[0].endswith(EDITS[name].sentence)


def test_change_leaves_before_after_and_difference(runs):
    texts = {"before.txt", "after.txt"}
    assert texts | {"before.png", "after.png", "difference.png"} <= runs.results["moved"]
    assert runs.results["retold"] & {"before.png", "after.png", *texts} == texts


def test_accessibility_tree_is_below_the_structure(runs):
    text = (runs.root / "widgets/untouched/snapshots/any.en.txt").read_text()
    assert text.endswith("# Accessibility tree\n- paragraph: In stock\n- paragraph: Free returns\n- img\n")


def test_snapshot_without_an_accessibility_tree_is_compared_without_it_until_the_update_adds_it(runs):
    expected = "snapshots: 1 state compared without the accessibility tree, which the snapshot does not have"
    assert expected in runs.outputs["changed"]
    assert "# Accessibility tree\n" in (runs.root / "widgets/untouched/snapshots/any.lv.txt").read_text()


def test_picture_of_another_browser_is_not_compared(runs):
    output = runs.outputs["changed"]
    assert "widgets/untouched" not in output
    assert "snapshots: 1 state compared without the picture, which another browser drew" in output


def test_update_of_a_page_with_errors_fails_and_says_what_it_stored(runs):
    assert "the console has errors: Uncaught Error: late" in runs.outputs["updated"]
    assert "states written" in runs.outputs["updated"], runs.outputs["updated"]


def test_update_deletes_the_snapshots_of_states_that_are_gone(runs):
    assert "snapshots: 2 states gone, and their snapshots deleted" in runs.outputs["updated"]
    files = sorted(file.name for file in (runs.root / "widgets/untouched/snapshots").iterdir())
    assert files == ["any.en.png", "any.en.txt", "any.lv.txt"]
    picture = (runs.root / "widgets/untouched/snapshots/any.en.png").read_bytes()
    assert browser_of(picture) != "Chromium 1, elsewhere"


@pytest.mark.usefixtures("processes")
def test_widget_without_states_keeps_the_snapshots_of_all_its_slots(tmp_path):
    root = tmp_path / "app"
    make_workspace(root, slot="after-price", languages=("en",))
    folder = root / "widgets/stock-note"
    manifest = folder / "widget.toml"
    manifest.write_text(
        re.sub(r"(?m)^slots? = .*$", 'slots = ["after-price", "after-cart"]', manifest.read_text())
    )
    (folder / "widget.ts").write_text(SLOTS_SCRIPT)
    (folder / "states.toml").unlink()
    output = run(root, "--update-snapshots", "--pictures=none")
    files = sorted(file.name for file in folder.glob("snapshots/*"))
    assert files == ["plain-after-cart.en.txt", "plain-after-price.en.txt"], output
