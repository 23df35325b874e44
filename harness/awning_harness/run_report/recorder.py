"""Collects what the report of a run needs: failed tests with their texts and folders. Writes the report at the end.

`summary.py` adds to a test's report what its process knows of the failure. The main process writes the run's report,
after the table of checks and `checks.json`.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

    from awning_harness.run_report.failures import FailedTest

ENDED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
"""The exit codes of runs that reach their end. Other runs are interrupted, or cannot read a test file or an option."""


@dataclass(slots=True, eq=False)  # hashable, because pytest puts plugins into sets
class RunRecorder:
    """A plugin that collects the failures of one run. `folder` is that of the results."""

    folder: Path
    failures: list[FailedTest] = field(default_factory=list)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            from awning_harness.run_report.failures import FailedTest  # noqa: PLC0415

            self.failures.append(FailedTest.of(report))

    @pytest.hookimpl(wrapper=True)
    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config
    ) -> Generator[None, None, None]:
        """Write the report, but not for a run that did not reach its end: it would say that every test passed."""
        yield
        if exitstatus not in ENDED:
            terminalreporter.write_line("report: none, because the run did not reach its end")
            return
        from awning_harness.run_report.writing import write_report  # noqa: PLC0415

        built = config.getoption("--awning-built") or config.getoption("--awning-dist")
        if built:
            part = chosen_part(config)
            for line in write_report(config.rootpath, Path(built), self.folder, self.failures, part):
                terminalreporter.write_line(line)


def chosen_part(config: pytest.Config) -> str | None:
    """Return the options that choose a part of the tests, as they are typed; None for a run of all tests."""
    option, splits = config.option, config.getoption("--splits", None)
    chosen = [
        option.keyword and f"-k {shlex.quote(option.keyword)}",
        option.markexpr and f"-m {shlex.quote(option.markexpr)}",
        config.getoption("--lf", False) and "--failed",
        splits and f"--shard {config.getoption('--group')}/{splits}",
        *(f"--deselect {name}" for name in option.deselect or ()),
        *(argument for argument in config.args if "::" in argument or argument.endswith(".py")),
    ]
    return " ".join(filter(None, chosen)) or None


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--awning-report"):
        output = Path(config.rootpath, config.getoption("--output"))
        config.pluginmanager.register(RunRecorder(output), "awning-run-recorder")
