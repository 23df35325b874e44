"""`awning test --affected` chooses the widget of each seeded fault, among ten widgets.

The faults are those of benchmarks/mutations, and the broken widgets of the tests of the checks. No browser is opened:
what the checks find in such a widget is tested there.
"""

import shutil
import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from project import Project

from awning.errors import Faulty
from awning_harness.runs.choice import choose_tests

ROOT = Path(__file__).parents[2]
SETTINGS = '[tool.awning]\nlanguages = ["lv", "en", "de"]\n'


def contents(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()
    }


def differing_files(root: Path, widget: str, before: dict[str, bytes]) -> list[str]:
    after = contents(root / "widgets" / widget)
    names = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
    return [f"widgets/{widget}/{name}" for name in names]


def test_widget_of_each_seeded_fault_is_chosen(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    faults = import_module("benchmarks.mutations.faults")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "widgets", tmp_path / "widgets", ignore=ignored)
    shutil.copy(ROOT / "manifest.toml", tmp_path)
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    seeded = faults.read_faults()
    assert (len(seeded), len({fault.widget for fault in seeded})) == (100, 10)
    for fault in seeded:
        folder = tmp_path / "widgets" / fault.widget
        before = contents(folder)
        for name, text in faults.faulty_files(fault).items():
            (folder / name).write_text(text, encoding="utf-8")
        assert is_chosen(tmp_path, fault.widget, before), fault.folder
        for name, content in before.items():
            (folder / name).write_bytes(content)


def loaded(name: str) -> ModuleType:
    """Return another module of tests, whose tables have broken widgets."""
    spec = spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    monkeypatched = pytest.MonkeyPatch()
    with monkeypatched.context() as patch:
        patch.setitem(sys.modules, name, module)  # its dataclasses look their module up
        spec.loader.exec_module(module)
    return module


@pytest.fixture
def ten(tmp_path) -> Path:
    project = Project(tmp_path / "shop", languages=("en",))
    for number in range(10):
        project.add_widget(f"sound-{number}")
    return project.root


def is_chosen(root: Path, widget: str, before: dict[str, bytes]) -> bool:
    """Return whether only this widget is chosen. A workspace that cannot be read fails each run."""
    try:
        choice = choose_tests(root, differing_files(root, widget, before))
    except Faulty:
        return True
    return [*choice.folders] == [f"widgets/{widget}"] and len(choice.left_out) == 9


def test_widget_of_each_broken_one_of_the_checks_is_chosen(ten):
    checks = loaded("test_checks_catch")
    folder = ten / "widgets/sound-3"
    assert len(checks.PAIRS) > 40
    for pair, (broken, sound) in checks.PAIRS.items():
        shutil.rmtree(folder)
        checks.write_widget(folder, sound)
        before = contents(folder)
        shutil.rmtree(folder)
        checks.write_widget(folder, broken)
        assert differing_files(ten, "sound-3", before), pair
        assert is_chosen(ten, "sound-3", before), pair


def test_widget_of_each_broken_one_of_the_rules_is_chosen(ten):
    rules = loaded("test_rules_catch")
    folder = ten / "widgets/sound-3"
    sound = shutil.copytree(folder, ten.parent / "sound")
    before = contents(folder)
    for name, broken in rules.BROKEN.items():
        rules.break_widget(folder, broken)
        assert is_chosen(ten, "sound-3", before), name
        shutil.rmtree(folder)
        shutil.copytree(sound, folder)
