"""How many processes and tabs a run of widgets' tests has."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from awning_harness.runs import processes


@pytest.fixture
def run_of(tmp_path, monkeypatch):
    """Return a function that makes the settings of a run in a workspace with three widgets."""
    monkeypatch.delenv(processes.NUMBER, raising=False)
    monkeypatch.setattr(processes, "number_of_processors", lambda: 4)
    for name in ("a", "b", "c"):
        (tmp_path / "widgets" / name).mkdir(parents=True)
        (tmp_path / "widgets" / name / "widget.toml").touch()
    (tmp_path / "tests").mkdir()

    def settings(*paths: str, **more: object) -> SimpleNamespace:
        return SimpleNamespace(
            rootpath=tmp_path, invocation_params=SimpleNamespace(dir=Path(tmp_path)), args=list(paths), **more
        )

    return settings


@pytest.mark.parametrize(
    ("paths", "count"),
    [
        (("widgets",), 3),
        (("widgets/a", "widgets/b"), 2),
        (("widgets/a",), 0),
        (("widgets/a/widget.toml::test_focus[x]",), 0),
        (("widgets", "tests"), None),
        ((".",), None),
    ],
)
def test_auto_is_a_process_for_each_widget_and_none_for_one(run_of, paths, count):
    assert processes.pytest_xdist_auto_num_workers(run_of(*paths)) == count


def test_auto_is_what_the_environment_says(run_of, monkeypatch):
    monkeypatch.setenv(processes.NUMBER, "2")
    assert processes.pytest_xdist_auto_num_workers(run_of("widgets")) is None


def test_plugin_is_asked_before_pytest_xdist(pytestconfig):
    if not pytestconfig.pluginmanager.hasplugin("xdist"):
        pytest.fail("pytest-xdist is not installed")
    calls = pytestconfig.hook.pytest_xdist_auto_num_workers.get_hookimpls()
    names = [call.plugin_name for call in calls]
    # The last one is asked first.
    assert names.index("awning_harness.runs.processes") > names.index("xdist")


@pytest.mark.parametrize(("workers", "tabs"), [(None, 4), (1, 4), (2, 2), (3, 1), (8, 1)])
def test_processes_share_the_processors_for_their_tabs(run_of, workers, tabs):
    more = {} if workers is None else {"workerinput": {"workercount": workers}}
    assert processes.number_of_tabs(run_of("widgets", **more)) == tabs


@pytest.mark.parametrize(
    ("distribution", "is_whole"),
    [("load", True), ("loadfile", True), ("worksteal", False), ("divided", False)],
)
def test_worker_knows_whether_it_has_whole_files(run_of, distribution, is_whole):
    config = run_of("widgets", workerinput={processes.DISTRIBUTION: distribution})
    assert processes.runs_whole_files(config) is is_whole
