"""The end of a run in which one mistake fails several tests: one failure in full, and every test by name."""

import json
import os
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from bs4 import BeautifulSoup
from nested_runs import run_pytest

from awning.pipeline.phases import build_workspace
from awning.workspace.reader import read_workspace
from awning.workspace.scaffolding import make_workspace

THROWS = """\
import { afterPrice } from "awning";
export default afterPrice((call: any) => call.item.nothing.of.the.kind);
"""
CHECKS = "shows_its_state or weight or (missing_events and in-stock)"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory) -> Path:
    """A workspace whose widget throws on every page."""
    root: Path = tmp_path_factory.mktemp("summary") / "app"
    make_workspace(root, slot="after-price", languages=("en",))
    (root / "widgets/stock-note/widget.ts").write_text(THROWS)
    return root


def run(root: Path, *options: str) -> str:
    return run_pytest(root, "-k", CHECKS, "widgets", *options)[1]


@pytest.fixture(scope="module")
def report(processes, workspace) -> str:
    """The output of a run in two processes."""
    return run(
        workspace, "-n2", "--junitxml=junit.xml", "--awning-report", f"--awning-built={built(workspace)}"
    )


def built(root: Path) -> Path:
    build_workspace(read_workspace(root), out=root / "built", environ=os.environ)
    return root / "built"


def headlines(report: str) -> list[str]:
    return [line.strip("_ ") for line in report.splitlines() if line.startswith("___")]


def test_one_fault_is_one_failure_in_full_with_a_line_for_each_other_check(report):
    assert headlines(report) == ["test_shows_its_state[in-stock-en-chromium]"]
    assert "and 4 more tests fail for the same reason:\n" in report
    assert "\n  missing-events: in-stock en\n" in report


def test_every_failed_test_is_named_in_the_short_summary_and_in_junit(report, workspace):
    assert report.count("\nFAILED widgets/stock-note/widget.toml::") == 5
    assert "5 failed, 2 passed" in report
    assert len(list(ET.parse(workspace / "junit.xml").iter("failure"))) == 5
    checks = json.loads((workspace / "test-results/checks.json").read_text())["checks"]
    assert sum(check["outcome"] == "failed" for check in checks) == 5


@pytest.mark.usefixtures("report")
def test_report_has_each_failure_and_opens_the_others_on_demand(workspace):
    page = BeautifulSoup((workspace / "test-results/report.html").read_text("utf-8"), "html.parser")
    (failure,) = page.select(".failure")
    assert failure.h3.text == "stock-note: shows-its-state"
    assert failure.summary.text == "4 more tests fail for the same reason"
    assert len(failure.select("details h4")) == 4


@pytest.mark.usefixtures("processes")
def test_verbose_run_shows_every_failure_in_full(workspace):
    two = "in-stock and (shows_its_state or missing_events)"
    report = run(workspace, "-v", "--output=verbose", "-k", two)
    assert len(headlines(report)) == 2
    assert "for the same reason" not in report
