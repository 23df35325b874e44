"""A pytest plugin: how a run in several processes divides its tests.

The tests of a file stay in one process, so that the fixtures that they share are set up once. In many files, such a
fixture runs pytest over a workspace. The files that take longest come first, then those with the most tests: a long
file at the end would leave the other processes idle. A run that names files divides their tests as pytest-xdist does.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import pytest

NUMBER_OF_PROCESSES = "PYTEST_XDIST_AUTO_NUM_WORKERS"

LONG_FILES = (
    "tests/tutorials/test_tutorials.py",
    "tests/publish/test_fleet.py",
    "tests/snapshots/test_snapshots_of_widgets.py",
    "tests/publish/test_killed_publishers.py",
    "tests/publish/test_publishing_under_faults.py",
    "tests/harness/test_runs.py",
    "tests/harness/test_checks_catch.py",
    "tests/dev/test_loop_in_chromium.py",
    "tests/harness/test_conformance_catches.py",
    "tests/harness/test_explore.py",
    "tests/publish/test_histories.py",
    "tests/run_report/test_report_of_a_run.py",
    "tests/engine/test_engine_agrees.py",
    "tests/harness/test_isolation_of_tests.py",
    "tests/harness/test_failure_evidence.py",
    "tests/publish/test_fleet_demonstration.py",
    "tests/openapi/test_generated_calls.py",
    "tests/harness/test_selected_widgets.py",
    "tests/publish/test_cut_journal.py",
    "tests/cli/test_ci_files.py",
    "tests/packaging/test_wheel.py",
    "tests/client/reseller/test_credit_rules_model.py",
    "tests/check/test_any_text.py",
    "tests/publish/test_two_publishers.py",
    "tests/emulator/test_event_model.py",
    "tests/harness/test_widget_fixture.py",
    "tests/accessibility/test_axe_on_widgets.py",
    "tests/harness/test_fixtures.py",
    "tests/parity/test_declared_variables.py",
    "tests/parity/test_parity_numbers.py",
    "tests/publish/test_fleet_under_faults.py",
    "tests/packaging/test_docs_site.py",
    "tests/dev/test_dev_command.py",
    "tests/host/test_the_whole_way_in_chromium.py",
    "tests/pipeline/test_typed_templates.py",
    "tests/harness/test_block_steps.py",
    "tests/dev/test_state_steps_in_chromium.py",
    "tests/harness/test_check_outcomes.py",
    "tests/run_report/test_summary_of_failures.py",
    "tests/harness/test_other_hosts.py",
    "tests/publish/test_verifying_in_a_browser.py",
)
"""Files that take some 20 seconds or more in CI, or 8 in a newcomer's run, the longest first."""


class Distribution:
    """The plugin; one per process."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> Any:
        """Return a scheduler that keeps files whole, in the order that the workers collected; None for xdist's own."""
        if config.getoption("dist") != "load" or names_files(config):
            return None
        from xdist.scheduler import LoadFileScheduling  # noqa: PLC0415  a run may be without pytest-xdist

        config.option.loadscopereorder = False
        return LoadFileScheduling(config, log)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Order the tests of a worker. `--random-order` shuffles them afterwards."""
        if hasattr(self._config, "workerinput"):
            place = order_of_files(file_of(item.nodeid) for item in items)
            items.sort(key=lambda item: place(file_of(item.nodeid)))


def number_of_processes() -> int | None:
    """Return the number of processes of `-n auto`: one more than processors, because tests often wait.

    None leaves the number to pytest-xdist, if its variable is set.
    """
    return None if os.environ.get(NUMBER_OF_PROCESSES) else (os.cpu_count() or 1) + 1


def names_files(config: pytest.Config) -> bool:
    """Return whether the command line names a file, or a test in a file."""
    folder = config.invocation_params.dir
    return any((folder / file_of(argument)).is_file() for argument in config.args)


def file_of(name: str) -> str:
    """Return the path in a test's name."""
    return name.partition("::")[0]


def order_of_files(
    files: Iterable[str], longest: tuple[str, ...] = LONG_FILES
) -> Callable[[str], tuple[int, int, str]]:
    """Return the key that files are sorted by. `files` has the file of each test."""
    counts = Counter(files)
    places = {file: place for place, file in enumerate(longest)}
    return lambda file: (places.get(file, len(longest)), -counts[file], file)
