"""`awning test`: shards, failed tests, watching, random order. The tests of the workspace open no page."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest
from warm_python import AWNING, run_warm

from awning.errors import ConfigurationError
from awning.workspace.scaffolding import add_widget, make_workspace
from awning_harness.runs.choice import choose_tests
from awning_harness.runs.option_values import shard_arguments
from awning_harness.runs.watching import changed_paths, file_stamps

OWN = """
import pytest

@pytest.mark.parametrize("number", range(6))
def test_own(number):
    assert number != BAD
"""
TEST = "widgets/stock-note/test_own.py"


@pytest.fixture
def root(tmp_path) -> Path:
    """A workspace with six tests, none of which needs a browser."""
    make_workspace(tmp_path / "app")
    write_tests(tmp_path / "app", bad=-1)
    return tmp_path / "app"


def save(file: Path, text: str) -> None:
    """Write a file in one step: a run that watches never sees half of it."""
    beside = file.with_name(f".{file.name}")
    beside.write_text(text)
    beside.replace(file)


def write_tests(root: Path, *, bad: int) -> None:
    save(root / TEST, OWN.replace("BAD", str(bad)))


def awning(root: Path, *words: str) -> tuple[int, str]:
    done = run_warm([*AWNING, "test", *words], root)
    return done.returncode, done.stdout + done.stderr


def collected(output: str) -> list[str]:
    return re.findall(r"test_own\[(\d)\]", output)


@pytest.mark.parametrize(
    ("shard", "arguments"),
    [
        (None, ()),
        ("1/4", ("--splits=4", "--group=1", "--splitting-algorithm=least_duration")),
        ("4/4", ("--splits=4", "--group=4", "--splitting-algorithm=least_duration")),
    ],
)
def test_shard_becomes_options_of_the_split(shard, arguments):
    assert shard_arguments(shard) == arguments


@pytest.mark.parametrize(
    ("shard", "message", "hint"),
    [
        ("5/4", "--shard 5/4: there is no shard 5 of 4", "the first is 1/4, the last 4/4"),
        ("0/3", "--shard 0/3: there is no shard 0 of 3", "the first is 1/3, the last 3/3"),
        ("1/0", "--shard 1/0: there is no shard 1 of 0", "the only shard of one is 1/1"),
        ("first", "--shard first is no shard", "write 1/4 for the first of four"),
        ("-1/4", "--shard -1/4 is no shard", "write 1/4 for the first of four"),
    ],
)
def test_shard_that_does_not_exist_is_refused(shard, message, hint):
    with pytest.raises(ConfigurationError, match=f"^{re.escape(message)}$") as refused:
        shard_arguments(shard)
    assert refused.value.hint == hint


@pytest.mark.usefixtures("processes")
def test_shards_have_every_test_once_and_follow_stored_durations(root):
    durations = {f"{TEST}::test_own[{number}]": 100 if number == 3 else 1 for number in range(6)}
    (root / ".test_durations").write_text(json.dumps(durations))
    parts = [awning(root, TEST, f"--shard={number}/2", "--collect-only", "-q") for number in (1, 2)]
    assert [code for code, _ in parts] == [0, 0], parts
    first, second = (collected(output) for _, output in parts)
    assert sorted(first + second) == list("012345")
    assert sorted(map(len, (first, second))) == [1, 5]


def results(root: Path, *words: str) -> tuple[int, dict[str, object]]:
    """The exit code and the document of a run with --json."""
    done = run_warm([*AWNING, "test", "--json", *words], root)
    return done.returncode, json.loads(done.stdout)


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("processes", ["0", "2"])
def test_results_of_a_run_are_one_document(root, processes):
    write_tests(root, bad=3)
    code, document = results(root, TEST, "-n", processes)
    counts = {
        name: document[name] for name in ("schema_version", "ok", "passed", "failed", "skipped", "unread")
    }
    assert (code, counts) == (
        1,
        {"schema_version": 1, "ok": False, "passed": 5, "failed": 1, "skipped": 0, "unread": []},
    )
    (failure,) = document["failures"]
    assert failure["test"] == f"{TEST}::test_own[3]"
    assert failure["sentence"] == "assert 3 != 3"
    assert "number = 3" in failure["text"]


@pytest.mark.usefixtures("processes")
def test_document_of_a_run_has_files_that_cannot_be_read_and_wrong_options(root):
    (root / TEST).write_text("def (")
    code, document = results(root, TEST)
    assert (code, document["ok"], document["passed"]) == (1, False, 0)
    assert "SyntaxError" in document["unread"][0]["text"]
    code, document = results(root, TEST, "--no-such-option")
    assert (code, document["ok"]) == (2, False)
    assert "code 4" in document["error"]


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("processes", ["0", "2"])
def test_run_that_stops_at_its_first_failure_ends_with_1(root, processes):
    write_tests(root, bad=0)
    code, output = awning(root, TEST, "-x", "-n", processes)
    assert (code, "1 failed" in output) == (1, True), output


@pytest.mark.usefixtures("processes")
def test_random_order_is_the_same_in_two_processes_for_a_seed(root):
    code, output = awning(root, "-k", "test_own", "--random-order-seed=7", "-n", "2")
    assert (code, "6 passed" in output) == (0, True), output
    assert "--random-order-seed=7" in output
    orders = [collected(awning(root, TEST, f"--random-order-seed={seed}", "-v")[1]) for seed in (7, 7, 8)]
    assert orders[0] == orders[1] != orders[2]


class Watching:
    """A running `awning test --watch`, and the lines that it writes."""

    def __init__(self, root: Path, *words: str) -> None:
        command = [sys.executable, "-c", "from awning.cli import main; main()", "test", "--watch", *words]
        self.process = subprocess.Popen(
            command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ}
        )
        self.lines: Queue[str] = Queue()
        self.reader = Thread(target=lambda: [self.lines.put(line) for line in self.process.stdout])
        self.reader.start()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()

    def run(self) -> str:
        """Return the output of one run."""
        lines = []
        while not lines or "watching, Ctrl+C stops" not in lines[-1]:
            lines.append(self.lines.get(timeout=300))
        return "".join(lines)


@pytest.mark.usefixtures("processes")
def test_watch_tests_the_widget_that_changed_until_it_is_interrupted(root):
    watching = Watching(root, "-k", "test_own", "-q", "-n", "0")
    try:
        assert "6 passed" in watching.run()
        write_tests(root, bad=3)
        output = watching.run()
        assert f"{TEST} changed: testing widgets/stock-note" in output
        assert "1 failed, 5 passed" in output
        save(root / "widgets/stock-note/view.html.j2", "{{ x|nofilter }}")
        assert "template-filter" in watching.run()
        watching.process.send_signal(signal.SIGINT)
        assert watching.process.wait(300) == 130
    finally:
        watching.close()


WAITS = """
from threading import Event

def test_own():
    print("begun", flush=True)
    Event().wait()
"""


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, 130)])
def test_run_that_is_ended_alone_ends_its_tests_and_removes_its_folder(root, tmp_path, sent, code):
    """Only the process of `awning test` gets the signal. Its output ends when pytest has ended, too."""
    (root / TEST).write_text(WAITS)
    folder = tmp_path / "temporary"
    folder.mkdir()
    command = [sys.executable, "-c", "from awning.cli import main; main()", "test", TEST, "-s"]
    process = subprocess.Popen(
        command, cwd=root, stdout=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(folder)}
    )
    assert any("begun" in line for line in process.stdout)
    process.send_signal(sent)
    output, _ = process.communicate(timeout=120)
    assert (process.returncode, "KeyboardInterrupt" in output) == (code, True)
    assert not [*folder.glob("awning-*")]


def test_saved_files_lead_to_their_widgets(root):
    add_widget(root, "other", slot="after-cart", languages=("en", "lv"))
    before = file_stamps(root)
    (root / "widgets/other/view.html.j2").write_text("<p>other</p>")
    (root / "widgets/stock-note/__pycache__").mkdir()
    (root / "widgets/stock-note/__pycache__/test_own.pyc").write_text("")
    changed = changed_paths(before, file_stamps(root))
    assert changed == ("widgets/other/view.html.j2",)
    assert choose_tests(root, changed).names == "widgets/other"


@pytest.fixture
def repository(root):
    """The workspace with a second widget of the same six tests, and with tests outside of widgets/, in a repository.

    A message of the first widget differs from the only commit.
    """
    add_widget(root, "other", slot="after-cart", languages=("en", "lv"))
    for path in ("widgets/other/test_other_own.py", "tests/test_outer_own.py"):
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(OWN.replace("BAD", "-1"))
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "Base")
    messages = root / "widgets/stock-note/messages/en.toml"
    messages.write_text(messages.read_text() + "# more\n")
    return root


def git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=Anna", "-c", "user.email=anna@example.com")
    subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True)


@pytest.mark.usefixtures("processes")
def test_affected_runs_what_differs_and_combines_with_other_selections(repository):
    """The first of the runs has two processes, which leave out the same tests."""
    quick = ("--affected", "-k", "test_own", "-n", "0", "-q")
    code, output = awning(repository, *quick, "-n", "2")
    assert (code, "12 passed" in output) == (0, True), output
    assert "test widgets/stock-note: messages/en.toml differs" in output
    assert "left out, because nothing that differs reaches them: other\n" in output
    code, output = awning(repository, *quick, "widgets")
    assert (code, "6 passed" in output) == (0, True), output
    code, output = awning(repository, *quick, "widgets/other/test_other_own.py", "widgets/other")
    assert (code, "no test to run" in output) == (0, True), output
    code, output = awning(repository, *quick, "--shard", "2/2")
    assert (code, "6 passed" in output) == (0, True), output
    git(repository, "checkout", "--quiet", ".")
    code, output = awning(repository, "--affected", "-q", "--junitxml=junit.xml")
    assert (code, "no tests ran" in output) == (0, True), output
    assert (repository / "junit.xml").is_file()


@pytest.mark.usefixtures("processes")
def test_affected_and_failed_run_the_failed_tests_among_those_that_differ(repository):
    failing = repository / "widgets/other/test_other_own.py"
    failing.write_text(OWN.replace("BAD", "3"))
    code, output = awning(repository, "widgets/other/test_other_own.py", "-q", "-n", "0")
    assert (code, "1 failed" in output) == (1, True), output
    code, output = awning(repository, "--affected", "--failed", "-q", "-n", "0", "-k", "test_own")
    assert (code, "1 failed" in output, "passed" in output) == (1, True, False), output
    assert "test widgets/other/test_other_own.py: 1 of its tests failed when last run" in output
    git(repository, "checkout", "--quiet", "widgets/other")
    code, output = awning(repository, "--affected", "--failed")
    assert (code, "1 failed, none of them reached by what differs" in output) == (0, True), output


@pytest.mark.usefixtures("processes")
def test_affected_widget_that_does_not_build_fails_and_another_does_not(repository):
    (repository / "widgets/other/view.html.j2").write_text("{{ x|nofilter }}")
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "-m", "Broken")
    (repository / "tests/test_outer_own.py").unlink()
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "-m", "No tests of the app")
    messages = repository / "widgets/stock-note/messages/en.toml"
    messages.write_text(messages.read_text() + "# again\n")
    code, output = awning(repository, "--affected=HEAD", "-k", "test_own", "-n", "0", "-q")
    assert (code, "6 passed" in output) == (0, True), output
    code, output = awning(repository, "--affected=HEAD~2", "-k", "test_own", "-n", "0", "-q")
    assert (code, "template-filter" in output) == (1, True), output
