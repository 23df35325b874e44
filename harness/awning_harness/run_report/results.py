"""How a run of the tests ended, as data: for `awning test --json`, and for agents (`awning mcp`).

pytest writes the results to a file, because its own output is for people and its exit code says too little.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from awning_harness.run_report.plan import plan_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from awning_harness.run_report.failures import FailedTest

OPTION = "--awning-results"
OUTCOMES = ("passed", "failed", "skipped")


@dataclass(slots=True, eq=False)  # hashable, because pytest puts plugins into sets
class ResultsWriter:
    """A plugin that writes the results of one run to `file` when the run ends, however it ends."""

    file: Path
    outcomes: dict[str, str] = field(default_factory=dict)
    """The outcome of each test. A test whose setup or teardown fails counts as failed."""
    failures: list[FailedTest] = field(default_factory=list)
    unread: list[dict[str, str]] = field(default_factory=list)
    """The test files that cannot be read, with pytest's text."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or not report.passed:
            known = self.outcomes.get(report.nodeid)
            self.outcomes[report.nodeid] = report.outcome if known != "failed" else known
        if report.failed:
            from awning_harness.run_report.failures import FailedTest  # noqa: PLC0415

            self.failures.append(FailedTest.of(report))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.unread.append({"path": report.nodeid, "text": report.longreprtext})

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        counts = Counter(self.outcomes.values())
        results = {
            **no_results(plan_of(session.config).lines),
            **{outcome: counts[outcome] for outcome in OUTCOMES},
            "failures": [_as_json(failure) for failure in self._in_groups()],
            "unread": self.unread,
        }
        self.file.write_text(json.dumps(results), encoding="utf-8")

    def _in_groups(self) -> list[FailedTest]:
        """Return the failures, those with one cause together, and the one to mend first at the beginning."""
        from awning_harness.run_report.groups import group_failures  # noqa: PLC0415

        groups = group_failures(self.failures)
        return [failure for group in groups for failure in (group.first, *group.same, *group.after)]


def no_results(plan: Sequence[str]) -> dict[str, Any]:
    """Return the results of a run of no test. `plan` has the lines that say why."""
    return {"plan": plan, **dict.fromkeys(OUTCOMES, 0), "failures": [], "unread": []}


def _as_json(failure: FailedTest) -> dict[str, Any]:
    properties = ("widget", "state", "language", "theme")
    return {
        "test": failure.test,
        "check": failure.check,
        **{name: failure.properties.get(name) for name in properties},
        "sentence": failure.sentence,
        "mend": failure.mending,
        "text": failure.text,
        "folder": str(failure.folder) if failure.folder else None,
    }


def read_results(file: Path) -> dict[str, Any] | None:
    """Return the results that a run wrote to `file`; None when the run ended before it could begin."""
    text = file.read_text(encoding="utf-8")
    return dict(json.loads(text)) if text else None


@contextmanager
def results_file() -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Yield an empty file for results, and the arguments of pytest that load this plugin with it."""
    with tempfile.TemporaryDirectory(prefix="awning-results-") as folder:
        file = Path(folder) / "results.json"
        file.touch()
        yield file, ("-p", __name__, f"{OPTION}={file}")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("awning")
    group.addoption(
        OPTION, metavar="FILE", help="write how the run ended to FILE, as awning test --json prints it"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Write the results only in the process that the user started, to which the workers of pytest-xdist report."""
    if not hasattr(config, "workerinput"):
        writer = ResultsWriter(Path(config.getoption(OPTION)))
        config.pluginmanager.register(writer, "awning-results-writer")
