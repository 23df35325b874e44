"""Writes the report of a run: the build's own report, with the results of the tests above the sizes.

Checks come from `checks.json`, pictures from the folder `pictures`, both in the folder of the results. The report goes
there, too. It also replaces `dist/report.html` if every state of every widget was tested and
`dist/` is the same build, by its fingerprint. Nothing else in `dist/` changes, and publishing reads no report.
"""

import base64
import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from awning.build_record import read_build_record
from awning.contract.checks import COMPARISON, WIDGET_CHECKS
from awning.errors import AwningError
from awning.workspace.model import Widget, WidgetState, Workspace
from awning.workspace.reader import read_workspace
from awning.workspace.root import find_workspace
from awning_harness.checks.outcomes import FILE as CHECKS_FILE
from awning_harness.checks.situation import states_of
from awning_harness.checks.snapshots.files import SnapshotFiles
from awning_harness.checks.snapshots.outcomes import PICTURE_FOLDER
from awning_harness.run_report.failures import FailedTest
from awning_harness.run_report.groups import FailureGroup, group_failures
from awning_harness.run_report.plan import RunPlan
from awning_harness.run_report.replays import ReplayInReport, replays_in_report


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckCell:
    """The outcome of one check of one widget: how many situations passed and failed, or why it is off."""

    passed: int
    failed: int
    off: str | None

    @property
    def kind(self) -> str:
        if self.failed:
            return "failed"
        return "passed" if self.passed else "off" if self.off else "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class PicturedState:
    """One state of a widget, with its pictures by language. Without any it may be a state that shows nothing."""

    state: WidgetState
    pictures: Mapping[str, Path]
    without_snapshot: tuple[str, ...]
    """The languages in which no snapshot is stored; none if the widget switches the comparison off."""
    has_snapshot: bool
    """Whether a snapshot is stored in a language."""
    failures: tuple["LanguageFailures", ...]
    """Where checks of the state failed."""

    @property
    def failed_languages(self) -> set[str]:
        return {each.language for each in self.failures}


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageFailures:
    """How many checks of a state failed in one language.

    `places` are the themes and widths in which they failed; empty if one failed on the state's plain page.
    """

    language: str
    count: int
    places: tuple[str, ...]

    @classmethod
    def of(cls, language: str, checks: Sequence[Mapping[str, Any]]) -> "LanguageFailures":
        places = dict.fromkeys(map(_place, checks))
        return cls(language=language, count=len(checks), places=() if "" in places else tuple(places))

    @property
    def sentence(self) -> str:
        places = f": {'; '.join(self.places)}" if self.places else ""
        return f"{self.count} failed in {self.language}{places}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResults:
    """The results of one run over the widgets of a workspace."""

    widgets: tuple[Widget, ...]
    """The widgets that were tested."""
    all_widgets: int
    """The number of widgets in the workspace."""
    checks: tuple[Mapping[str, Any], ...]
    """The entries of `checks.json`."""
    failures: tuple[FailedTest, ...]
    pictures: Path
    plan: RunPlan

    @classmethod
    def read(
        cls, workspace: Workspace, folder: Path, failures: Sequence[FailedTest], plan: RunPlan
    ) -> "RunResults | None":
        """Return the results in a folder; None when no check ran, and no test failed."""
        file = folder / CHECKS_FILE
        if not (file.is_file() or failures):
            return None
        checks = tuple(json.loads(file.read_text(encoding="utf-8"))["checks"]) if file.is_file() else ()
        tested = {check["widget"] for check in checks}
        return cls(
            widgets=tuple(widget for widget in workspace.widgets if widget.name in tested),
            all_widgets=len(workspace.widgets),
            checks=checks,
            failures=tuple(failures),
            pictures=folder / PICTURE_FOLDER,
            plan=plan,
        )

    def groups(self) -> Sequence[FailureGroup]:
        """Return the failures by their causes."""
        return group_failures(self.failures)

    def replays(self) -> dict[str, ReplayInReport]:
        """Return the replays of the failed tests, by test."""
        return replays_in_report(
            {failure.test: failure.folder for failure in self.failures if failure.folder}
        )

    def counts(self) -> Counter[str]:
        """Return how many checks passed, failed and are off."""
        return Counter(check["outcome"] for check in self.checks)

    def check_names(self) -> list[str]:
        """Return the names of the checks that ran or are off, in their usual order."""
        names = {check["check"] for check in self.checks}
        return [name for name in WIDGET_CHECKS if name in names]

    def cell(self, widget: str, name: str) -> CheckCell:
        own = [check for check in self.checks if check["widget"] == widget and check["check"] == name]
        counts = Counter(check["outcome"] for check in own)
        reasons = [check["reason"] for check in own if check["outcome"] == "off"]
        return CheckCell(
            passed=counts["passed"], failed=counts["failed"], off=reasons[0] if reasons else None
        )

    def states(self, widget: Widget) -> list[PicturedState]:
        """Return the states of a widget, each once."""
        return [self._pictured(widget, state) for state in states_of(widget)]

    def _pictured(self, widget: Widget, state: WidgetState) -> PicturedState:
        files = {code: self.pictures / widget.name / f"{state.name}.{code}.png" for code in widget.languages}
        wanted = (widget.name, state.name, "failed")
        failed: dict[str, list[Mapping[str, Any]]] = {}
        for check in self.checks:
            if (check["widget"], check["state"], check["outcome"]) == wanted:
                # A check that names no language opens the first one.
                failed.setdefault(check["language"] or widget.languages[0], []).append(check)
        missing = tuple(code for code in widget.languages if not _snapshot(widget, state, code).is_file())
        return PicturedState(
            state=state,
            without_snapshot=() if COMPARISON in widget.checks_off else missing,
            has_snapshot=len(missing) < len(widget.languages),
            pictures={code: file for code, file in files.items() if file.is_file()},
            failures=tuple(
                LanguageFailures.of(code, failed[code])
                for code in dict.fromkeys((*widget.languages, *failed))
                if code in failed
            ),
        )

    def state_title(self, failure: FailedTest) -> str | None:
        """Return the title of the state that a failed check opened; None without a state."""
        name = failure.properties.get("state")
        own = (widget for widget in self.widgets if widget.name == failure.properties.get("widget"))
        return next(
            (state.title for widget in own for state in states_of(widget) if state.name == name), None
        )

    def covers(self, workspace: Workspace) -> bool:
        """Return whether every state of every widget was tested, so that this is the report of the whole app."""
        ran = {(check["widget"], check["state"]) for check in self.checks}
        return all(
            (widget.name, state.name) in ran for widget in workspace.widgets for state in states_of(widget)
        )


def _place(check: Mapping[str, Any]) -> str:
    width = f"{check['width']} px wide" if check["width"] else None
    return ", ".join(filter(None, (check["theme"], width)))


def _snapshot(widget: Widget, state: WidgetState, language: str) -> Path:
    return SnapshotFiles(folder=widget.folder, state=state.name, language=language).text


FILE = "report.html"
CODE = re.compile(r"`([^`]+)`")
BELOW = "</header>"
"""The end of the heading in the build's report: the results of the tests come below it."""


def write_report(
    root: Path, built: Path, folder: Path, failures: Sequence[FailedTest], plan: RunPlan
) -> Iterator[str]:
    """Write the report of the build in `built`. Yields a line for each file that was written; none without results.

    If the workspace or the build cannot be read, the only line says why there is no report.
    """
    try:
        workspace = read_workspace(find_workspace(root))
        build_page = (built / FILE).read_text(encoding="utf-8")
        results = RunResults.read(workspace, folder, failures, plan)
    except (AwningError, OSError) as error:  # a file was saved while the tests ran
        yield f"report: none, because {error}"
        return
    if results is None:
        return
    page = add_results(build_page, results)
    _write(folder / FILE, page)
    yield f"report: {_short(folder / FILE)}"
    dist = workspace.root / "dist"
    if results.covers(workspace) and are_same_build(built, dist):
        _write(dist / FILE, page)
        yield f"report: {_short(dist / FILE)}, the same page: dist/ is the build that was tested"


def add_results(build_page: str, results: RunResults) -> str:
    """Return the page of a build's report with the results of the tests."""
    environment = Environment(
        loader=PackageLoader("awning_harness.run_report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["data_url"] = _data_url
    environment.filters["code"] = _with_code
    added = environment.get_template("results.html.j2").render(
        results=results, counts=results.counts(), replays=results.replays()
    )
    head, below, rest = build_page.partition(BELOW)
    return f"{head}{below}\n{added}{rest}" if below else f"{build_page}\n{added}"


def are_same_build(built: Path, dist: Path) -> bool:
    try:
        return read_build_record(built).fingerprint == read_build_record(dist).fingerprint
    except AwningError:
        return False


def _data_url(file: Path) -> Markup:
    return Markup("data:image/png;base64," + base64.b64encode(file.read_bytes()).decode())  # noqa: S704 - no markup


def _with_code(text: str) -> Markup:
    """Return a text as HTML, with what is in backticks as code."""
    return Markup(CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped


def _write(file: Path, text: str) -> None:
    """Replace the file in one step, so that nobody reads half of it."""
    new = file.with_name(f".{file.name}-{os.getpid()}")
    file.parent.mkdir(parents=True, exist_ok=True)
    new.write_text(text, encoding="utf-8", newline="\n")
    new.replace(file)


def _short(file: Path) -> str:
    return os.path.relpath(file)
