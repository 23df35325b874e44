"""The failures at the end of a run. Of the failures with one cause, the first is printed in full, and below it the
checks of the others.

Every test remains a failure in the short summary, in JUnit and in `checks.json`. `-v` shows each in full. pytest loads
this module in every run, so it imports other modules only when a test fails.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

FAILED = "failed"
ALL_IN_FULL = "-v shows each of them in full"
SECTION = "the same cause"
MENDING = "to mend it"


@dataclass(slots=True, eq=False)  # hashable, because pytest puts plugins into sets
class FirstFailures:
    """A plugin that lets pytest print the first failure of each group, with the others below it."""

    failed: list[pytest.TestReport] = field(default_factory=list)
    """The reports of all failed tests, while pytest prints the first ones."""

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter, config: pytest.Config
    ) -> Generator[None, None, None]:
        """Leave only the first failure of each group in pytest's list, before pytest's own summary prints it."""
        style = config.getoption("tbstyle", "auto")
        self.failed = terminalreporter.stats.get(FAILED, [])
        if self.failed:
            mend_others_first(self.failed)
        if self.failed and config.get_verbosity() <= 0 and style not in ("no", "line"):
            terminalreporter.stats[FAILED] = first_reports(self.failed)
        yield


@dataclass(frozen=True, slots=True, eq=False)
class AllFailures:
    """A plugin that gives pytest all failures back, after they are printed and before anything counts them."""

    first: FirstFailures

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter
    ) -> Generator[None, None, None]:
        if self.first.failed:
            terminalreporter.stats[FAILED] = self.first.failed
        yield


def mend_others_first(reports: list[pytest.TestReport]) -> None:
    """Change what a comparison with a snapshot advises, if another check of the state fails."""
    from awning_harness.run_report.failures import FailedTest  # noqa: PLC0415
    from awning_harness.run_report.groups import group_failures  # noqa: PLC0415

    groups = group_failures(map(FailedTest.of, reports))
    failures = [failure for group in groups for failure in (group.first, *group.same, *group.after)]
    mending = {failure.test: "\n".join(failure.mending) for failure in failures if failure.has_company}
    for report in reports:
        if report.nodeid in mending:
            own = mending[report.nodeid]
            report.sections[:] = [(name, own if name == MENDING else text) for name, text in report.sections]


def first_reports(reports: list[pytest.TestReport]) -> list[pytest.TestReport]:
    """Return the report of each group's first failure, with a section about the others of the group.

    If a test has several reports, because a plugin runs failed tests again, all reports are returned unchanged.
    """
    from awning_harness.run_report.failures import FailedTest  # noqa: PLC0415
    from awning_harness.run_report.groups import group_failures  # noqa: PLC0415

    tests = {report.nodeid: report for report in reports}
    if len(tests) < len(reports):  # a plugin runs failed tests again
        return reports
    leading = []
    for group in group_failures(map(FailedTest.of, reports)):
        report = tests[group.first.test]
        if lines := group.lines():
            report.sections.append((SECTION, "\n".join([*lines, f"({ALL_IN_FULL})"])))
        leading.append(report)
    return leading


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add to a failed test's report why it failed, with what the run's report needs, in values that xdist can send."""
    report = yield
    if report.failed:
        from awning_harness.plugin import FOLDER as FOLDER_OF_TEST  # noqa: PLC0415
        from awning_harness.plugin import OPENED  # noqa: PLC0415
        from awning_harness.run_report.failures import ERRORS, FOLDER, NOTES, PLACE, FailedTest  # noqa: PLC0415
        from awning_harness.visit.pages.causes import CAUSE  # noqa: PLC0415

        cause = getattr(call.excinfo.value, CAUSE, None) if call.excinfo else None
        all_opened = item.stash.get(OPENED, [])
        visits = [opened.visit for opened in all_opened]
        setattr(report, CAUSE, [str(cause.kind), cause.text] if cause else None)
        setattr(report, ERRORS, [error for visit in visits if visit for error in visit.errors])
        setattr(report, NOTES, [note for opened in all_opened for note in opened.notes])
        setattr(report, PLACE, item.session.items.index(item))
        setattr(report, FOLDER, item.stash.get(FOLDER_OF_TEST, None))
        if mending := FailedTest.of(report).mending:
            report.sections.append((MENDING, "\n".join(mending)))
    return report


def pytest_configure(config: pytest.Config) -> None:
    first = FirstFailures()
    config.pluginmanager.register(first, "awning-first-failures")
    config.pluginmanager.register(AllFailures(first), "awning-all-failures")
