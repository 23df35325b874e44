"""A run of all tests leaves cases of long tables out; a run that names what to run does not."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from long_tables import COSTLY_TABLES, LONG_TESTS, share

CAPS = "cases-of-a-test=10 cases-of-a-browser-test=3 cases-of-a-check=2 cases-of-a-costly-test=1 cases-of-a-long-test=0"
ROOT = Path(__file__).parents[2]
PROFILE = ROOT / "tests" / "profile"

CONFTEST = """\
from pathlib import Path
import pytest
from long_tables import LongTables

class Case(pytest.Item):
    def runtest(self):
        pass

class Checks(pytest.File):
    def collect(self):
        for name in ("test_shows_its_state", "test_another_check"):
            for number in range(5):
                yield Case.from_parent(self, name=f"{name}[{number}]")

def pytest_collect_file(file_path, parent):
    return Checks.from_parent(parent, path=file_path) if file_path.name == "widget.toml" else None

def pytest_configure(config):
    config.pluginmanager.register(LongTables(
        config, Path(__file__).parent / "tests", {"elsewhere/test_elsewhere.py::test_costly_table"},
        {"tests/test_tests.py::test_long", "tests/test_share.py"},
    ))
"""
SETTINGS = """\
[pytest]
testpaths = tests elsewhere
addopts = -p no:awning -p no:playwright -p no:schemathesis -p no:hypothesispytest
"""
TABLE = """\
import pytest

@pytest.mark.parametrize("number", range(40))
def test_long_table(number):
    pass

def test_alone():
    pass

def test_long():
    pass

@pytest.mark.parametrize("number", range(4))
def test_costly_table(number):
    pass
"""


@pytest.fixture
def run_pytest(tmp_path):
    """Run pytest over a long table; returns the numbers of passed tests, of cases and of long tests left out."""
    for folder in ("tests", "elsewhere"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"test_{folder}.py").write_text(TABLE)
    (tmp_path / "tests" / "test_pages_in_chromium.py").write_text(TABLE)
    (tmp_path / "tests" / "test_share.py").write_text("def test_one(): pass\ndef test_two(): pass\n")
    (tmp_path / "elsewhere" / "widget.toml").touch()
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "pytest.ini").write_text(SETTINGS)

    def run(*arguments, **environ):
        environment = {name: value for name, value in os.environ.items() if name != "CI"}
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", *arguments],
            cwd=tmp_path,
            env={**environment, "PYTHONPATH": str(PROFILE), "VOLUMES": CAPS, **environ},
            capture_output=True,
            text=True,
            check=False,
        )
        numbers = [
            re.search(rf"(\d+) {word}", done.stdout)
            for word in ("passed", "cases of long tables", "long tests")
        ]
        return tuple(int(number[1]) if number else 0 for number in numbers)

    return run


def test_run_of_all_tests_leaves_out_long_tests_and_cases_below_the_folder_and_of_generated_checks(
    run_pytest,
):
    """The check that shows every state keeps all of its cases."""
    below, elsewhere, of_a_widget = (10 + 1 + 4) + (3 + 1 + 1 + 3), 42 + 1, 5 + 2
    assert run_pytest("-n", "2") == (below + elsewhere + of_a_widget, 30 + 38 + 3 + 3, 1 + 2)


def test_each_costly_table_and_long_test_is_a_test_and_each_file_is_there():
    for name in COSTLY_TABLES | LONG_TESTS:
        path, _, function = name.partition("::")
        source = (ROOT / path).read_text(encoding="utf-8")
        assert not function or re.search(rf"^(async )?def {function}\(", source, re.MULTILINE), name


@pytest.mark.parametrize("arguments", [("tests/test_tests.py",), ("-k", "long_table")])
def test_run_of_named_tests_leaves_out_nothing(run_pytest, arguments):
    passed, *left_out = run_pytest("-n", "0", *arguments)
    assert (passed >= 40, left_out) == (True, [0, 0])


def test_share_is_spread_over_the_table_and_always_the_same():
    names = [f"case-{number}" for number in range(100)]
    chosen = share(names, 10)
    assert [int(name.partition("-")[2]) // 10 for name in chosen] == list(range(10))
    assert share(names, 10) == chosen


def test_share_follows_no_pattern_of_the_table():
    names = [f"{number}-{language}" for number in range(30) for language in ("lv", "en", "de")]
    assert {name.partition("-")[2] for name in share(names, 30)} == {"lv", "en", "de"}


def test_share_of_tests_on_two_databases_needs_no_server():
    names = [f"test_{number}[{kind}]" for number in range(9) for kind in ("postgresql", "sqlite")]
    assert [name for name in share(names, 9) if "postgresql" in name] == []


@pytest.mark.parametrize("count", [0, 1, 9, 10])
def test_short_table_runs_whole(count):
    names = [f"case-{number}" for number in range(count)]
    assert share(names, 10) == names
