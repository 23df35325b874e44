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

from awning_harness.run_report.plan import RunPlan, plan_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from awning_harness.run_report.failures import FailedTest

ENDED = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
"""The exit codes of runs that reach their end. Other runs are interrupted, or cannot read a test file or an option."""


@dataclass(slots=True, eq=False)  # hashable, because pytest puts plugins into sets
class RunRecorder:
    """A plugin that collects the failures of one run. `folder` is that of the results."""

    folder: Path
    plan: RunPlan
    failures: list[FailedTest] = field(default_factory=list)

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Add the plan to the file of `--junitxml`, for `awning summary`."""
        options = self.plan.options
        ran = (f"a part of the tests ran: {options}",) if options else ()
        for plugin in session.config.pluginmanager.get_plugins():
            if add_property := getattr(plugin, "add_global_property", None):  # pytest's writer of JUnit
                from awning.cli.summary.tests import PLAN  # noqa: PLC0415

                for line in (*self.plan.lines, *ran):
                    add_property(PLAN, line)

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
            for line in write_report(config.rootpath, Path(built), self.folder, self.failures, self.plan):
                terminalreporter.write_line(line)


def chosen_part(config: pytest.Config, *, of_widgets: bool = False) -> str | None:
    """Return the options that choose a part of the tests, as they are typed; None for a run of all tests.

    Paths of single tests and files are among them, with `of_widgets` all paths of the command line. It is called before
    the tests: during a run, pytest changes what it remembers of the last one.
    """
    option, splits = config.option, config.getoption("--splits", None)
    names_all = of_widgets and config.args_source is pytest.Config.ArgsSource.ARGS
    chosen = [
        plan_of(config).options,
        option.keyword and f"-k {shlex.quote(option.keyword)}",
        option.markexpr and f"-m {shlex.quote(option.markexpr)}",
        *_options_about_the_last_run(config),
        splits and f"--shard {config.getoption('--group')}/{splits}",
        *(f"--deselect {name}" for name in option.deselect or ()),
        *(f"--ignore {shlex.quote(path)}" for path in option.ignore or ()),
        *(f"--ignore-glob {shlex.quote(pattern)}" for pattern in option.ignore_glob or ()),
        *(path for path in config.args if names_all or _is_part(path, config.invocation_params.dir)),
    ]
    return " ".join(filter(None, chosen)) or None


def _options_about_the_last_run(config: pytest.Config) -> Iterator[str]:
    """Yield the options that leave out tests because of the last run; none if it has no failure to begin with."""
    cache = getattr(config, "cache", None)  # there is none with `-p no:cacheprovider`
    failed, stopped = (cache and cache.get(f"cache/{key}", None) for key in ("lastfailed", "stepwise"))
    if config.getoption("lf", False) and (failed or config.getoption("last_failed_no_failures") == "none"):
        yield "--lf"
    is_stepwise = config.getoption("stepwise", False) or config.getoption("stepwise_skip", False)
    is_begun = isinstance(stopped, dict) and stopped.get("last_failed") is not None
    if is_stepwise and is_begun and not config.getoption("stepwise_reset", False):
        yield "--stepwise"


def _is_part(argument: str, start: Path) -> bool:
    """Return whether an argument names single tests, or a file or folder inside a widget's folder."""
    if "::" in argument or argument.endswith(".py"):
        return True
    return any((folder / "widget.toml").is_file() for folder in (start / argument).resolve().parents)


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--awning-report"):
        output = Path(config.rootpath, config.getoption("--output"))
        recorder = RunRecorder(
            output, RunPlan(options=chosen_part(config) or "", lines=plan_of(config).lines)
        )
        config.pluginmanager.register(recorder, "awning-run-recorder")
