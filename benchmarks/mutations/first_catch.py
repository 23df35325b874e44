"""A plugin of pytest: ends the tests of a widget at its first failure, and writes what failed to a file.

The checks that fail most often come first. Stored snapshots come last, so a fault that only they catch is known.
"""

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

import pytest

from awning_harness.checks.families import check_name

LIKELY = ("shows-its-state", "is-accessible")
LAST = "looks-as-before"


@dataclass(frozen=True, slots=True, kw_only=True)
class Catch:
    """The first test that fails for a widget: its check, its id within the widget's file, and the reason."""

    check: str
    test: str
    reason: str


@dataclass(slots=True, eq=False)
class FirstCatch:
    """Collects the first catch of each widget, and how many of its tests ran."""

    file: Path
    catches: dict[str, Catch] = field(default_factory=dict)
    tests: Counter[str] = field(default_factory=Counter)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        widget, test = named(report.nodeid)
        if report.when == "call" or report.failed:
            self.tests[widget] += 1
        if report.failed and widget not in self.catches:
            check = check_name(test.partition("[")[0])
            self.catches[widget] = Catch(check=check, test=test, reason=first_line(report.longreprtext))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if named(item.nodeid)[0] in self.catches:
            pytest.skip("a check has failed for this widget")

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not hasattr(session.config, "workerinput"):
            rows = {widget: asdict(catch) for widget, catch in self.catches.items()}
            self.file.write_text(json.dumps({"catches": rows, "tests": self.tests}), encoding="utf-8")


def named(test_id: str) -> tuple[str, str]:
    """Return the widget and the test of `widgets/NAME/widget.toml::test_any[...]`."""
    path, _, test = test_id.partition("::")
    return Path(path).parent.name, test


def first_line(text: str) -> str:
    """Return the first line of a failure, without the line with which pytest-xdist names the process."""
    return next((line for line in text.strip().split("\n") if not line.startswith("[gw")), "")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--catches", type=Path, required=True, help="the file for the first catch of each widget"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(FirstCatch(config.getoption("--catches")))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the tests of each widget: the likely checks first, snapshots last.

    Between them comes one test of each other check, then a second test of each, and so on.
    """
    turns = Counter[tuple[str, str]]()
    ranks: dict[str, tuple[str, int, int]] = {}
    for item in items:
        widget, test = named(item.nodeid)
        check = check_name(test.partition("[")[0])
        turns[widget, check] += 1
        place = LIKELY.index(check) - len(LIKELY) if check in LIKELY else turns[widget, check]
        ranks[item.nodeid] = (widget, int(check == LAST), place)
    items.sort(key=lambda item: ranks[item.nodeid])
