"""What failed in the last run of `awning test`, for `--failed`: a pytest plugin writes it, and the next run reads it.

pytest's own `--lf` runs all tests when none of the failed ones is among those that are selected. When several processes
test, it does not notice that a file can be read again. And it does not know of runs that end before their tests.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import msgspec
import pytest

from awning.diagnostics import first_few
from awning_harness.run_report.recorder import chosen_part
from awning_harness.runs.chosen_tests import chosen_of
from awning_harness.runs.run_plan import MOST_NAMES, printable

FILE = Path(".awning/cache/last-run.json")
BEGUN = "it ended before its tests did"


@dataclass(frozen=True, kw_only=True)
class LastRun:
    """What the last run left. The tests that failed before it, and that it did not run, are among the failed ones."""

    failed: Mapping[str, str] = field(default_factory=dict)
    """The ids of the tests that failed when they last ran, with their files, relative to the workspace."""
    unread: Mapping[str, str] = field(default_factory=dict)
    """The same for files and folders of tests that could not be read."""
    part: str = ""
    """The options and paths that chose a part of the tests; empty for all."""
    unfinished: str = ""
    """Why the run did not reach its end; empty if it did."""

    @property
    def count(self) -> int:
        return len(self.failed) + len(self.unread)

    def write(self, root: Path) -> None:
        """Replace the record of the workspace at `root`."""
        file = root / FILE
        file.parent.mkdir(parents=True, exist_ok=True)
        new = file.with_name(f".{file.name}-{os.getpid()}")
        new.write_text(json.dumps(asdict(self)), encoding="ascii")  # msgspec refuses names that are not UTF-8
        new.replace(file)


def read_last_run(root: Path) -> LastRun | None:
    """Return what the last run left; None if no run is recorded, or the record cannot be read."""
    try:
        return msgspec.convert(json.loads((root / FILE).read_bytes()), type=LastRun)
    except (OSError, ValueError):  # msgspec.ValidationError is a ValueError
        return None


def begin_run(root: Path) -> None:
    """Record that a run has begun, with what failed before it. Its plugin replaces this when its tests have ended."""
    replace(read_last_run(root) or LastRun(), unfinished=BEGUN, part="").write(root)


@dataclass(slots=True, eq=False)  # hashable, because pytest puts plugins into sets
class LastRunWriter:
    """A plugin that writes the record of one run when its tests end, also when it is interrupted."""

    root: Path
    part: str
    failed: dict[str, bool] = field(default_factory=dict)
    """Whether each test failed, by its id. A test whose setup or teardown fails has failed."""
    unread: list[str] = field(default_factory=list)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed[report.nodeid] = True
        elif report.when == "call" or report.skipped:
            self.failed.setdefault(report.nodeid, False)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.unread.append(report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if exitstatus == pytest.ExitCode.OK and not self.failed:
            return  # an option such as --fixtures lists, and runs nothing
        unfinished = self._why_unfinished(session.config, exitstatus)
        before = LastRun()
        if self.part or unfinished:
            before = read_last_run(self.root) or before
        failed = [name for name, has_failed in self.failed.items() if has_failed]
        LastRun(
            failed={
                **{name: path for name, path in before.failed.items() if name not in self.failed},
                **{name: self._path(session, name) for name in failed},
            },
            unread={
                **{name: path for name, path in before.unread.items() if not self._has_read(name)},
                **{name: self._path(session, name) for name in self.unread},
            },
            part=self.part,
            unfinished=unfinished,
        ).write(self.root)

    def _why_unfinished(self, config: pytest.Config, status: int) -> str:
        """Return why a run with this exit status did not reach its end; empty if it did."""
        most = config.getoption("maxfail")
        if most and sum(self.failed.values()) >= most:
            return "it stopped at a failure"
        if status == pytest.ExitCode.INTERRUPTED:
            return "a test file could not be read" if self.unread else "it was interrupted"
        return "pytest failed" if status == pytest.ExitCode.INTERNAL_ERROR else ""

    def _has_read(self, name: str) -> bool:
        """Return whether this run has run tests of what could not be read before."""
        return any(test.startswith((f"{name}::", f"{name}/")) for test in self.failed)

    def _path(self, session: pytest.Session, name: str) -> str:
        """Return the path of a test's file, relative to the workspace. Names are relative to pytest's root."""
        return Path(os.path.relpath(session.config.rootpath / name.partition("::")[0], self.root)).as_posix()

    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config
    ) -> None:
        """Name the failed tests that should have run again, and have not."""
        missing = [name for name in chosen_of(config).only or () if name not in self.failed]
        if missing and not self._why_unfinished(config, exitstatus):
            names = printable(first_few(missing, MOST_NAMES))
            terminalreporter.write_line(f"not run, because it is gone, or an option leaves it out: {names}")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput") and not config.option.collectonly:
        writer = LastRunWriter(config.invocation_params.dir, chosen_part(config, of_widgets=True) or "")
        config.pluginmanager.register(writer, "awning-last-run-writer")
