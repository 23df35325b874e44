"""The end of a run: the table of widgets by checks, `checks.json`, and JUnit's properties."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from nested_runs import run_pytest

from awning.workspace.scaffolding import add_widget, make_workspace
from awning_harness.checks.outcomes import CheckOutcome, table_lines


def outcome(widget: str, check: str, result: str = "passed", reason: str | None = None) -> CheckOutcome:
    return CheckOutcome(widget=widget, check=check, outcome=result, reason=reason)


OUTCOMES = [
    outcome("note", "weight"),
    outcome("note", "shows-its-state"),
    outcome("note", "shows-its-state", "failed", "no text"),
    outcome("free-shipping", "shows-its-state"),
    outcome("free-shipping", "weight", "off", "it has a map"),
]


def test_table_has_a_row_for_each_check_and_a_column_for_each_widget():
    assert table_lines(OUTCOMES, width=80) == [
        "                 free-shipping           note",
        "shows-its-state              1  1 of 2 failed",
        "weight                     off              1",
        "all                          1  1 of 3 failed",
        "",
        "off: free-shipping weight: it has a map",
    ]


def test_table_is_divided_where_the_terminal_is_narrow():
    lines = table_lines(OUTCOMES, width=36)
    assert [line.split() for line in lines if not line.startswith(("shows", "weight", "all", "off"))] == [
        ["free-shipping"],
        [],
        ["note"],
        [],
    ]


@pytest.fixture(scope="module")
def run(processes, tmp_path_factory) -> tuple[str, Path]:
    """The output of a run in two processes over two widgets, of which one switches a check off."""
    root = tmp_path_factory.mktemp("outcomes") / "app"
    make_workspace(root, slot="after-cart", languages=("en",))
    add_widget(root, "other", slot="after-cart", languages=("en",))
    with (root / "widgets" / "other" / "widget.toml").open("a") as file:
        file.write('\n[checks]\nkeeps-to-its-place = "it shares a list with its own app"\n')
    chosen = "keeps_to_its_place or (other and shows_its_state and reached)"
    return run_pytest(root, "-n", "2", "-k", chosen, "--junitxml=junit.xml")[1], root


def test_run_ends_in_the_table_whatever_the_number_of_processes(run):
    report, _ = run
    assert re.search(r"^keeps-to-its-place +\d+ +off$", report, re.MULTILINE), report
    assert "off: other keeps-to-its-place: it shares a list with its own app" in report


def test_outcomes_are_data_for_other_tools(run):
    _, root = run
    document = json.loads((root / "test-results" / "checks.json").read_text())
    assert document["schema_version"] == 1
    rows = {(row["widget"], row["check"], row["state"]): row for row in document["checks"]}
    passed = rows["other", "shows-its-state", "reached"]
    assert (passed["outcome"], passed["language"], passed["reason"]) == ("passed", "en", None)
    off = rows["other", "keeps-to-its-place", None]
    assert (off["outcome"], off["reason"]) == ("off", "it shares a list with its own app")


def test_junit_has_check_widget_state_and_language_as_properties(run):
    _, root = run
    cases = ET.parse(root / "junit.xml").iter("testcase")
    properties = [
        {each.attrib["name"]: each.attrib["value"] for each in case.iter("property")} for case in cases
    ]
    assert {"check": "shows-its-state", "widget": "other", "state": "reached", "language": "en"} in properties
