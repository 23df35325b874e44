"""In several processes, a file's tests share what they set up, and long files come first."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from distribution import NUMBER_OF_PROCESSES, number_of_processes

ROOT = Path(__file__).parents[2]
PROFILE = ROOT / "tests" / "profile"

CONFTEST = """\
from distribution import Distribution

def pytest_configure(config):
    config.pluginmanager.register(Distribution(config))
"""
SETTINGS = """\
[pytest]
testpaths = tests
addopts = -p no:awning -p no:playwright -p no:schemathesis -p no:hypothesispytest -p no:cacheprovider
"""
SHARED = """\
import os
from pathlib import Path
import pytest

@pytest.fixture(scope="module")
def costly():
    with Path("setups").open("a") as file:
        file.write(f"{os.getpid()} {Path(__file__).stem}\\n")

@pytest.mark.parametrize("number", range(12))
def test_shares(costly, number):
    pass
"""


@pytest.fixture
def set_up(processes, tmp_path):
    """Return a function that runs pytest in two processes. It returns the file of each fixture set-up, sorted."""
    (tmp_path / "tests").mkdir()
    for name in ("a", "b"):
        (tmp_path / "tests" / f"test_{name}.py").write_text(SHARED)
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "pytest.ini").write_text(SETTINGS)

    def run(*arguments: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-n", "2", *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(PROFILE)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert "passed" in done.stdout, done.stdout + done.stderr
        lines = (tmp_path / "setups").read_text().splitlines()
        (tmp_path / "setups").unlink()
        return sorted(line.partition(" ")[2] for line in lines)

    return run


def test_tests_of_a_file_share_one_process(set_up):
    assert set_up() == ["test_a", "test_b"]


def test_tests_of_a_named_file_are_divided(set_up):
    assert set_up("tests/test_a.py") == ["test_a", "test_a"]


def test_run_has_one_process_more_than_processors_unless_the_environment_says_how_many(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.delenv(NUMBER_OF_PROCESSES, raising=False)
    assert number_of_processes() == 3
    monkeypatch.setenv(NUMBER_OF_PROCESSES, "0")
    assert number_of_processes() is None


@pytest.mark.usefixtures("processes")
def test_run_of_this_repository_asks_for_that_number():
    command = [sys.executable, "-m", "pytest", "-n", "auto", "-k", "no_test_has_this_name", "tests/script"]
    environ = {**os.environ, NUMBER_OF_PROCESSES: "", "PYTEST_ADDOPTS": ""}
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert f"{(os.cpu_count() or 1) + 1} workers [0 items]" in done.stdout, done.stdout + done.stderr
