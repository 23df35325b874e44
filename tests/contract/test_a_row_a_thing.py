"""A new row takes few files: a slot, a filter, a fault, a theme, a rule and others (`tests/profile/new_rows.py`).

A row of each kind is added to a copy of awning, and every place that has to know it is asked. The same places do not
know the rows without the patches.
"""

import json

import pytest
from awning_copy import COPIED, ROOT, patched_copy, run_python
from new_rows import CHECK, DOORS, PATCHES

from awning.workspace.scaffolding import add_widget, make_workspace


def known_places(root, folder):
    """Return what each place of `row_places.py` knows of the rows, with awning from `root`."""
    folder.mkdir()
    places = ROOT / "tests/profile/row_places.py"
    return json.loads(run_python(root, places, root, folder, cwd=folder))


@pytest.fixture(scope="module")
def patched(tmp_path_factory):
    return patched_copy(tmp_path_factory.mktemp("awning"))


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


def files_below(folder):
    return {path.relative_to(folder.parent) for path in folder.rglob("*") if "__pycache__" not in path.parts}


def bytes_of(path):
    return path.read_bytes() if path.is_file() else b""


@pytest.mark.parametrize("kind", PATCHES)
def test_a_row_touches_few_files(kind):
    assert len({path for path, *_ in PATCHES[kind]}) <= DOORS[kind]


@pytest.mark.usefixtures("processes")
def test_a_slot_touches_few_files_with_those_that_are_made(patched):
    changed = {
        path.as_posix()
        for name in COPIED
        if name != "docs"
        for path in files_below(ROOT / name) | files_below(patched / name)
        if bytes_of(ROOT / path) != bytes_of(patched / path)
    }
    by_hand = {path for edits in PATCHES.values() for path, *_ in edits}
    of_the_slot = {path for path, *_ in PATCHES["slot"]}
    assert len(of_the_slot | (changed - by_hand)) <= DOORS["slot"], sorted(changed)
