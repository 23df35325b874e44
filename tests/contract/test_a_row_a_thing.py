"""A new row takes few files: a fault, a theme, an assumption, a rule, a check and others (`tests/profile/new_rows.py`).

A row of each kind is added to a copy of awning, and every place that has to know it is asked. The same places do not
know the rows without the patches.
"""

import json
import os
import shutil
import subprocess
import sys

import pytest
from awning_copy import ROOT, copy_sources
from new_rows import CHECK, DOORS, PATCHES

from awning.workspace.scaffolding import add_widget, make_workspace

COPIED = ("src", "harness", "jsrc", "packaging", "docs")
LINKED = ("pyproject.toml", "CONTRIBUTING.md", "CHANGELOG.md")


def copy_of_awning(folder):
    copy_sources(folder, COPIED)
    for name in LINKED:
        (folder / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "manifest.toml", folder)
    return folder


def known_places(root, folder):
    """Return what each place of `row_places.py` knows of the rows, with awning from `root`."""
    folder.mkdir()
    places = ROOT / "tests/profile/row_places.py"
    return json.loads(run_python(root, places, root, folder, cwd=folder))


def run_python(root, *arguments, cwd):
    """Run Python with awning from `root`, and return what it prints."""
    paths = (*(root / name for name in ("src", "harness", "packaging")), ROOT / "tests/profile")
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths)), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def patched(tmp_path_factory):
    root = copy_of_awning(tmp_path_factory.mktemp("awning"))
    for path, old, new in (edit for edits in PATCHES.values() for edit in edits):
        text = (root / path).read_text("utf-8") if old else ""
        assert text.count(old) == 1, f"{path}: {old}"
        (root / path).write_text(text.replace(old, new), "utf-8")
    return root


@pytest.mark.usefixtures("processes")
def test_every_place_knows_a_new_row(patched, tmp_path):
    known = known_places(patched, tmp_path / "made")
    assert {place: told for place, told in known.items() if told is not True} == {}


@pytest.mark.usefixtures("processes")
def test_no_place_knows_a_row_without_its_patch(tmp_path):
    known = known_places(ROOT, tmp_path / "made")
    assert [place for place, told in known.items() if told is True] == []


@pytest.mark.usefixtures("processes")
def test_new_check_runs_and_can_be_switched_off(patched, tmp_path):
    shop = tmp_path / "shop"
    make_workspace(shop, languages=("en",))
    add_widget(shop, "fair", slot="after-price", languages=("en",))
    with (shop / "widgets/fair/widget.toml").open("a", encoding="utf-8") as toml:
        toml.write(f'\n[checks]\n{CHECK} = "it is a fair"\n')
    chosen = "has_no_marquee or fair and keeps_to_its_place"
    out = run_python(patched, "-m", "pytest", "-p", "no:cacheprovider", "-k", chosen, cwd=shop)
    assert f"\n{CHECK} " in out, "the table has no row"
    assert f"off: fair {CHECK}: it is a fair" in out
    checks = json.loads((shop / "test-results/checks.json").read_text("utf-8"))["checks"]
    outcomes = {each["widget"]: each["outcome"] for each in checks if each["check"] == CHECK}
    assert outcomes == {"stock-note": "passed", "fair": "off"}


@pytest.mark.parametrize("kind", PATCHES)
def test_a_row_touches_few_files(kind):
    assert len({path for path, *_ in PATCHES[kind]}) <= DOORS[kind]
