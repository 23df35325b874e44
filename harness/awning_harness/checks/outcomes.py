"""The outcomes of the checks: the table of checks and widgets at the end of a run, and `checks.json` for other tools.

Each test of a check has its check, widget, state, language and the like as properties. pytest-xdist passes them on, and
`--junitxml` writes them. This module imports awning's modules only when it uses them, because it is loaded in every run
of pytest.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from awning_harness.visit.trial import Trial

SCHEMA_VERSION = 1
FILE = "checks.json"
SITUATION = ("state", "language", "theme", "policy", "assumptions", "preference")
"""The properties of a test of a check that say in which situation it ran."""
GAP = "  "


def note_failing_page(test: pytest.Item, trial: Trial) -> None:
    """Replace the language and theme in the properties of a failed test by those of the page on which it failed.

    A narrow window is added. A check may open pages in several languages, themes and widths.
    """
    from awning_harness.visit.trial import WIDE  # noqa: PLC0415

    own: dict[str, object] = {"language": trial.language}
    if theme := trial.options.get("theme"):
        own["theme"] = theme
    if trial.width != WIDE:
        own["width"] = trial.width
    test.user_properties[:] = {**dict(test.user_properties), **own}.items()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOutcome:
    """The outcome of one check in one situation. `outcome` is `passed`, `failed`, or `off` for a check that is off.

    `reason` is the first line of the failure, or why the widget switches the check off. `state`, `language` and `theme`
    are None for a check that is off, and where the situation has none. Of a failed check, `language`, `theme` and
    `width` are those of the page on which it failed; `width` is None for a wide window.
    """

    widget: str
    check: str
    state: str | None = None
    language: str | None = None
    outcome: str
    reason: str | None = None
    theme: str | None = None
    width: int | None = None
    seconds: float = 0.0


@dataclass(slots=True, eq=False)  # hashable, because pytest puts plugins into sets
class CheckOutcomes:
    """A plugin that collects the outcomes of one run."""

    folder: Path
    outcomes: dict[str, CheckOutcome] = field(default_factory=dict)
    """The outcomes by the test's id. A test whose setup or teardown fails counts as failed."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        properties = {name: str(value) for name, value in report.user_properties}
        if not {"check", "widget"} <= properties.keys():
            return
        known = self.outcomes.get(report.nodeid)
        if known and known.outcome == "failed":
            return
        if report.when == "call" or report.failed:
            self.outcomes[report.nodeid] = CheckOutcome(
                widget=properties["widget"],
                check=properties["check"],
                state=properties.get("state"),
                language=properties.get("language"),
                theme=properties.get("theme"),
                width=int(properties["width"]) if "width" in properties else None,
                outcome="failed" if report.failed else "passed",
                reason=_first_line(report.longreprtext) if report.failed else None,
                seconds=round(report.duration, 3),
            )

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter, config: pytest.Config
    ) -> None:
        if not self.outcomes:
            return
        outcomes = [*self.outcomes.values(), *_switched_off(config.rootpath, self.outcomes.values())]
        self.folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"schema_version": SCHEMA_VERSION, "checks": [asdict(each) for each in outcomes]})
        (self.folder / FILE).write_text(text + "\n", encoding="utf-8")
        if config.get_verbosity() < 0 and not any(outcome.outcome == "failed" for outcome in outcomes):
            return
        terminalreporter.section("checks")
        for line in table_lines(outcomes, width=terminalreporter._tw.fullwidth):  # noqa: SLF001
            terminalreporter.line(line)


def pytest_configure(config: pytest.Config) -> None:
    """Collect outcomes only in the process that the user started. The workers of pytest-xdist send it their reports."""
    if not hasattr(config, "workerinput"):
        output = config.getoption("--output", default=None) or "test-results"
        config.pluginmanager.register(CheckOutcomes(Path(config.rootpath, output)), "awning-check-outcomes")


def _switched_off(root: Path, outcomes: Iterable[CheckOutcome]) -> Iterator[CheckOutcome]:
    """Yield the checks that the tested widgets switch off."""
    from awning.errors import AwningError  # noqa: PLC0415
    from awning.workspace.reader import read_workspace  # noqa: PLC0415
    from awning.workspace.root import find_workspace  # noqa: PLC0415

    tested = {outcome.widget for outcome in outcomes}
    try:
        widgets = read_workspace(find_workspace(root)).widgets
    except AwningError:  # no workspace here, or a file was saved while the tests ran
        return
    for widget in widgets:
        for check, reason in widget.checks_off.items():
            if widget.name in tested:
                yield CheckOutcome(widget=widget.name, check=check, outcome="off", reason=reason)


def _first_line(text: str) -> str:
    """Return the first line of a failure, without the line in which pytest-xdist names the process."""
    lines = text.strip().split("\n")
    return next((line for line in lines if line.strip() and not line.startswith("[gw")), "")


def table_lines(outcomes: Sequence[CheckOutcome], *, width: int) -> list[str]:
    """Return the table: a row for each check and a column for each widget, in as many parts as the width needs."""
    from awning.contract.checks import WIDGET_CHECKS  # noqa: PLC0415

    widgets = sorted({outcome.widget for outcome in outcomes})
    checks = [name for name in WIDGET_CHECKS if any(outcome.check == name for outcome in outcomes)]
    rows: dict[str, str | None] = {**{name: name for name in checks}, "all": None}
    columns = {
        widget: {"": widget, **{name: _cell(outcomes, widget, check) for name, check in rows.items()}}
        for widget in widgets
    }
    sizes = {widget: max(map(len, column.values())) for widget, column in columns.items()}
    first = max(map(len, rows))
    lines: list[str] = []
    for part in _parts(sizes, width - first):
        lines.append("")
        for name in ("", *rows):
            cells = (columns[widget][name].rjust(sizes[widget]) for widget in part)
            lines.append(GAP.join([name.ljust(first), *cells]).rstrip())
    off = [outcome for outcome in outcomes if outcome.outcome == "off"]
    lines += ["", *(f"off: {each.widget} {each.check}: {each.reason}" for each in off)] if off else []
    return lines[1:]


def _parts(sizes: Mapping[str, int], width: int) -> Iterator[list[str]]:
    """Yield groups of widgets whose columns fit into the width. A group has at least one widget."""
    part: list[str] = []
    for widget in sizes:
        if part and sum(sizes[name] + len(GAP) for name in (*part, widget)) > width:
            yield part
            part = []
        part.append(widget)
    yield part


def _cell(outcomes: Sequence[CheckOutcome], widget: str, check: str | None) -> str:
    """Return the text of a cell: `12`, `2 of 12 failed`, `off`, or `-` if nothing ran."""
    own = (each for each in outcomes if each.widget == widget and check in (None, each.check))
    counts = Counter(each.outcome for each in own)
    ran = counts["passed"] + counts["failed"]
    if counts["failed"]:
        return f"{counts['failed']} of {ran} failed"
    if ran:
        return str(ran)
    return "off" if counts["off"] else "-"
