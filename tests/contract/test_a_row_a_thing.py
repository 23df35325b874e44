"""A new fault, theme, assumption, quirk of the emulator, field of the manifest or limit of the pace is one row.

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
from new_rows import DOORS, PATCHES

COPIED = ("src", "harness", "jsrc", "packaging")
LINKED = ("docs", "pyproject.toml")


def copy_of_awning(folder):
    copy_sources(folder, COPIED)
    for name in LINKED:
        (folder / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "manifest.toml", folder)
    return folder


def known_places(root, folder):
    """Return what each place of `row_places.py` knows of the rows, with awning from `root`."""
    folder.mkdir()
    paths = (*(root / name for name in ("src", "harness", "packaging")), ROOT / "tests/profile")
    command = [sys.executable, str(ROOT / "tests/profile/row_places.py"), str(root), str(folder)]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths)), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def patched(tmp_path_factory):
    root = copy_of_awning(tmp_path_factory.mktemp("awning"))
    for path, old, new in (edit for edits in PATCHES.values() for edit in edits):
        text = (root / path).read_text("utf-8")
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


@pytest.mark.parametrize("kind", PATCHES)
def test_a_row_touches_few_files(kind):
    assert len({path for path, *_ in PATCHES[kind]}) <= DOORS[kind]
