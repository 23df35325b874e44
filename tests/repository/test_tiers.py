"""What a test uses decides in which runs it is, and a fast test starts no program."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from own_packages import require_packages
from tiers import summary, widgets_to_test

ROOT = Path(__file__).parents[2]

CONFTEST = """\
import pytest
from tiers import Tiers

def pytest_configure(config):
    config.pluginmanager.register(Tiers(config))

@pytest.fixture
def playwright(): pass

@pytest.fixture
def page(playwright): pass

@pytest.fixture
def postgres(): pass

@pytest.fixture
def kept_in(): pass

@pytest.fixture
def processes(): pass
"""
TESTS = """\
import subprocess, sys
import pytest

def test_fast(): pass
def test_opens_a_page(page): pass
def test_uses_a_server(postgres): pass
@pytest.mark.parametrize("kept_in", ["sqlite", "postgresql"], indirect=True)
def test_keeps(kept_in): pass
def test_starts_a_program(processes): subprocess.run([sys.executable, "--version"], check=True)
"""
SLY = """\
import subprocess, sys

def test_starts_a_program_without_the_fixture(): subprocess.run([sys.executable, "--version"], check=True)
"""
PYPROJECT = """\
[tool.pytest.ini_options]
testpaths = ["tests", "widgets"]
addopts = "-p no:awning -p no:playwright -p no:schemathesis -p no:hypothesispytest -p no:cacheprovider"

[tool.awning]
order = ["first", "second", "third"]
"""


@pytest.fixture
def run_pytest(processes, tmp_path):
    """Run pytest in a small repository; returns the names of the tests that passed, and the output."""
    for name, slot in (("first", "after-price"), ("second", "after-price"), ("third", "after-cart")):
        (tmp_path / "widgets" / name).mkdir(parents=True)
        (tmp_path / "widgets" / name / "widget.toml").write_text(f'slot = "{slot}"\n')
        (tmp_path / "widgets" / name / f"test_{name}.py").write_text(f"def test_{name}(page): pass\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_own.py").write_text(TESTS)
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)

    def run(*arguments, **environ):
        environment = {name: value for name, value in os.environ.items() if name != "CI"}
        environment["PYTHONPATH"] = str(ROOT / "tests" / "profile")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-v", "-n", "2", *arguments],
            cwd=tmp_path,
            env=environment | environ,
            capture_output=True,
            text=True,
            check=False,
        )
        lines = [line for line in done.stdout.splitlines() if " PASSED " in line]
        return sorted(line.rpartition("::")[2].strip() for line in lines), done.stdout

    return run


FAST = ["test_fast", "test_first", "test_keeps[sqlite]", "test_third"]
ALL = sorted(
    [
        *FAST,
        "test_keeps[postgresql]",
        "test_opens_a_page",
        "test_second",
        "test_starts_a_program",
        "test_uses_a_server",
    ]
)


def test_newcomers_run_has_fast_tests_and_a_widget_for_each_slot(run_pytest):
    passed, output = run_pytest()
    assert passed == FAST
    last = output.splitlines()[-1]
    assert "1 that open pages, 1 that start programs, 2 that use PostgreSQL, 1 of the other widgets" in last
    assert "`CI=true python3 build.py test` runs all" in last


@pytest.mark.parametrize(("arguments", "environ"), [((), {"CI": "true"}), (("tests", "widgets"), {})])
def test_run_in_ci_or_of_named_paths_has_all_tests(run_pytest, arguments, environ):
    passed, output = run_pytest(*arguments, **environ)
    assert passed == ALL
    assert "Not run" not in output


def test_fast_test_that_starts_a_program_fails(run_pytest, tmp_path):
    (tmp_path / "tests" / "test_sly.py").write_text(SLY)
    passed, output = run_pytest()
    assert passed == FAST
    assert "so it needs the fixture `processes`" in output


def test_one_widget_of_each_slot_of_this_repository_is_tested():
    assert len(widgets_to_test(ROOT)) == 3


def test_summary_names_only_what_there_is():
    assert summary(Counter({"browser": 3})).startswith("Not run: 3 that open pages. ")


def test_run_without_the_packages_of_the_tests_says_what_to_run(tmp_path):
    group = '[dependency-groups]\ntest = ["pytest>=9", "no-such-package-of-tests[all]>=4.14"]\n'
    (tmp_path / "pyproject.toml").write_text(group)
    with pytest.raises(
        pytest.UsageError, match=r"need no-such-package-of-tests: run `python3 build.py test`"
    ):
        require_packages(tmp_path)
    require_packages(ROOT)
