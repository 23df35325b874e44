"""`awning test --failed`: what it runs after runs of all kinds. The tests of the workspace open no page."""

import json
import re
from pathlib import Path

import pytest
from warm_python import AWNING, run_warm

from awning.workspace.scaffolding import make_workspace
from awning_harness.runs.last_run import FILE, LastRun, begin_run, read_last_run

pytestmark = pytest.mark.usefixtures("processes")
PROCESSES = pytest.mark.parametrize("processes", ["0", "2"])


@pytest.fixture
def root(tmp_path) -> Path:
    """A workspace whose tests are in `tests/` alone, two in each of two files."""
    make_workspace(tmp_path / "app")
    settings = tmp_path / "app/pyproject.toml"
    settings.write_text(settings.read_text().replace('["widgets", "tests"]', '["tests"]'))
    for name in "ab":
        write_tests(tmp_path / "app", name, failing=False)
    return tmp_path / "app"


def write_tests(root: Path, name: str, *, failing: bool, more: str = "") -> None:
    file = root / f"tests/test_{name}.py"
    file.parent.mkdir(exist_ok=True)
    sound, other = f"def test_{name}_sound(): pass", f"def test_{name}_other(): assert {not failing}"
    file.write_text(f"{sound}\n{other}\n{more}\n")


def awning(root: Path, *words: str) -> tuple[int, str]:
    done = run_warm([*AWNING, "test", *words], root)
    return done.returncode, done.stdout + done.stderr


def names(output: str) -> list[str]:
    """Return the names of the tests that ran, by the output of `-v` of one process or several."""
    ended = r"(?:PASSED|FAILED)"
    return sorted(
        {
            first or second
            for first, second in re.findall(rf"::test_(\w+) {ended}|{ended} \S+::test_(\w+)", output)
        }
    )


def test_failed_tests_run_until_none_fails(root):
    write_tests(root, "a", failing=True)
    assert awning(root, "-q", "-n", "0")[0] == 1
    code, output = awning(root, "--failed", "-v", "-n", "0")
    assert (code, names(output)) == (1, ["a_other"]), output
    assert "awning: test tests/test_a.py: 1 of its tests failed when last run\n" in output
    write_tests(root, "a", failing=False)
    code, output = awning(root, "--failed", "-v", "-n", "0")
    assert (code, names(output)) == (0, ["a_other"]), output
    message = "nothing failed in the last run, of a part of the tests (--failed); `awning test` runs all"
    assert awning(root, "--failed") == (0, f"awning: {message}\n")


def record(root: Path, *names: str) -> None:
    """Leave the record of a run in which a test of these files failed."""
    files = {f"tests/test_{name}.py::test_{name}_other": f"tests/test_{name}.py" for name in names}
    LastRun(failed=files).write(root)


def test_test_that_failed_before_a_run_of_a_part_is_still_run(root):
    record(root, "a", "b")
    assert awning(root, "tests/test_a.py", "-q")[0] == 0
    assert names(awning(root, "--failed", "-v", "-n", "0")[1]) == ["b_other"]


def test_listing_forgets_no_failed_test(root):
    record(root, "a")
    assert awning(root, "--fixtures", "-q", "-n", "0")[0] == 0
    assert names(awning(root, "--failed", "-v", "-n", "0")[1]) == ["a_other"]


def test_paths_without_a_failed_test_are_not_taken_to_have_passed_after_an_interrupt(root):
    LastRun(failed={"tests/test_b.py::test_b": "tests/test_b.py"}, unfinished="it was interrupted").write(
        root
    )
    code, output = awning(root, "--failed", "tests/test_a.py")
    assert (code, "the last run did not reach its end: it was interrupted" in output) == (2, True), output


def test_path_limits_the_failed_tests(root):
    record(root, "a")
    message = "1 failed, none of them in tests/test_b.py; `awning test --failed` runs all that failed"
    assert awning(root, "--failed", "tests/test_b.py") == (0, f"awning: {message}\n")
    assert names(awning(root, "--failed", "tests", "-v", "-n", "0")[1]) == ["a_other"]


def test_renamed_test_is_named_and_forgotten_by_a_run_of_all(root):
    write_tests(root, "b", failing=True)
    record(root, "a", "b")
    write_tests(root, "renamed", failing=False)
    (root / "tests/test_a.py").unlink()
    code, output = awning(root, "--failed", "-v", "-n", "0")
    assert (code, names(output)) == (1, ["b_other"]), output
    assert "not run, because it is gone, or an option leaves it out: tests/test_a.py::test_a_other" in output
    write_tests(root, "b", failing=False)
    assert awning(root, "--failed", "-q", "-n", "0")[0] == 0
    code, output = awning(root, "--failed", "-q", "-n", "0")
    assert (code, "the tests that failed are gone" in output) == (2, True), output
    assert awning(root, "-q", "-n", "0")[0] == 0
    assert awning(root, "--failed") == (0, "awning: nothing failed in the last run; `awning test` runs all\n")


@PROCESSES
def test_file_that_could_not_be_read_is_run_again_with_what_failed(root, processes):
    """With a broken file, one process runs no test, and several run those of the other file."""
    write_tests(root, "b", failing=True)
    record(root, "b")
    write_tests(root, "a", failing=False, more="def (")
    assert awning(root, "-q", "-n", processes)[0] == 1
    code, output = awning(root, "--failed", "-n", processes)
    assert (code, "SyntaxError" in output) == (1, True), output
    assert "awning: test tests/test_a.py: it could not be read" in output
    unfinished = "the last run did not reach its end: a test file could not be read"
    assert (unfinished in output) == (processes == "0")
    write_tests(root, "a", failing=False)
    write_tests(root, "b", failing=False)
    code, output = awning(root, "--failed", "-v", "-n", processes)
    assert (code, names(output)) == (0, ["a_other", "a_sound", "b_other"]), output
    assert awning(root, "--failed")[1].startswith("awning: nothing failed in the last run")


@pytest.mark.parametrize(
    ("processes", "failed"),
    [("0", ["a_other"]), ("2", ["a_other", "a_stops"])],
    ids=["one process", "a process of several, which takes its test along"],
)
def test_tests_that_failed_before_an_interrupt_are_run(root, processes, failed):
    stop = "def test_a_stops(): raise KeyboardInterrupt"
    write_tests(root, "a", failing=True, more=stop)
    assert awning(root, "tests/test_a.py", "-q", "-n", processes)[0] == 1
    code, output = awning(root, "--failed", "-v", "-n", processes)
    assert (code, names(output)) == (1, failed), output
    assert "the last run did not reach its end: it was interrupted; `awning test` runs all" in output


@pytest.mark.parametrize(
    ("words", "more", "why"),
    [
        (("-n", "0"), "def test_a_stops(): raise KeyboardInterrupt", "it was interrupted"),
        (("--no-such-option",), "", "it ended before its tests"),
    ],
)
def test_run_that_did_not_reach_its_end_is_not_taken_to_have_passed(root, words, more, why):
    write_tests(root, "a", failing=False, more=more)
    assert awning(root, *words)[0] in {1, 2}
    code, output = awning(root, "--failed")
    assert (
        code,
        f"nothing is known to have failed, but the last run did not reach its end: {why}" in output,
    ) == (
        2,
        True,
    ), output


def test_widget_that_did_not_build_is_not_taken_to_have_passed(root):
    record(root)
    template = root / "widgets/stock-note/view.html.j2"
    template.write_text("{{ x|nofilter }}")
    assert awning(root, "widgets")[0] == 1
    code, output = awning(root, "--failed")
    assert (code, "it ended before its tests" in output) == (2, True), output


def test_failed_without_a_recorded_run_is_refused(root):
    code, output = awning(root, "--failed")
    assert (code, "no run of the tests is recorded here" in output) == (2, True), output
    assert awning(root, "--collect-only", "-q")[0] == 0
    assert not (root / FILE).exists()


def test_run_that_stops_at_a_failure_says_so(root):
    write_tests(root, "a", failing=True)
    assert awning(root, "-x", "-q", "-n", "0")[0] == 1
    assert "did not reach its end: it stopped at a failure" in awning(root, "--failed", "-q")[1]


def test_document_of_no_failed_test_is_that_of_a_run(root):
    record(root)
    done = run_warm([*AWNING, "test", "--failed", "--json"], root)
    document = json.loads(done.stdout)
    assert (done.returncode, document["ok"], document["failed"], document["failures"]) == (0, True, 0, [])
    assert document["plan"] == ["nothing failed in the last run; `awning test` runs all"]


def test_record_that_cannot_be_read_counts_as_none(tmp_path):
    begin_run(tmp_path)
    assert read_last_run(tmp_path) == LastRun(unfinished="it ended before its tests did")
    for text in ("", "{", "[]", '{"failed": 1}'):
        (tmp_path / FILE).write_text(text)
        assert read_last_run(tmp_path) is None
