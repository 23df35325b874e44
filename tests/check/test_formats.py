"""The formats for other programs: SARIF, GitHub and JUnit."""

import json
import re
from xml.etree import ElementTree as ET

import pytest

from awning.check.formats import FORMATS
from awning.diagnostics import Diagnostic, Place, Severity

DIAGNOSTICS = [
    Diagnostic(
        rule="no-eval",
        message="text is\nrun: 100 %, yes",
        place=Place(path="a b/x,y.js", line=3, column=7),
        hint="h",
    ),
    Diagnostic(
        rule="init-once", message='<"&\x00\ud7ff', place=Place(path="x.js", line=1), severity=Severity.NOTE
    ),
    Diagnostic(rule="no-widgets", message="none", severity=Severity.WARNING),
    Diagnostic(rule="no-eval", message="again", place=Place(path="x.js", line=9, column=1)),
]


@pytest.fixture
def sarif():
    return json.loads(FORMATS["sarif"](DIAGNOSTICS))


def test_sarif_has_the_required_fields_of_version_2_1_0(sarif):
    assert sarif["version"] == "2.1.0"
    assert sarif["$schema"].endswith("sarif-2.1.0.json")
    (run,) = sarif["runs"]
    assert set(run) <= {"tool", "columnKind", "results"}
    assert run["tool"]["driver"]["name"] == "awning"
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(ids) == len(set(ids))
    for rule in run["tool"]["driver"]["rules"]:
        assert rule["shortDescription"]["text"]
        assert rule["help"]["text"]


def test_each_result_of_sarif_names_rule_level_message_and_place(sarif):
    (run,) = sarif["runs"]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert [result["level"] for result in run["results"]] == ["error", "note", "warning", "error"]
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["message"]["text"]
        assert all(isinstance(value, str) for value in result["partialFingerprints"].values())
        for location in result.get("locations", ()):
            physical = location["physicalLocation"]
            assert re.fullmatch(r"[\w./%~-]+", physical["artifactLocation"]["uri"])
            assert all(isinstance(n, int) and n >= 1 for n in physical["region"].values())
            assert set(physical["region"]) <= {"startLine", "startColumn"}
    assert "locations" not in run["results"][2]


def test_sarif_of_nothing_is_a_run_without_results():
    assert json.loads(FORMATS["sarif"]([]))["runs"][0]["results"] == []


def test_github_writes_a_command_per_line_with_its_signs_escaped():
    lines = FORMATS["github"](DIAGNOSTICS).split("\n")
    assert lines == [
        "::error file=a b/x%2Cy.js,line=3,col=7,title=no-eval::text is%0Arun: 100 %25, yes%0Ah",
        '::notice file=x.js,line=1,title=init-once::<"&\\x00\ud7ff',
        "::warning title=no-widgets::none",
        "::error file=x.js,line=9,col=1,title=no-eval::again",
    ]


def test_junit_is_xml_in_which_only_errors_fail():
    suite = ET.fromstring(FORMATS["junit"](DIAGNOSTICS).encode())
    assert (suite.get("tests"), suite.get("failures")) == ("4", "2")
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == ["a b/x,y.js:3:7", "x.js:1", "workspace", "x.js:9:1"]
    assert [len(case.findall("failure")) for case in cases] == [1, 0, 0, 1]


def test_junit_of_nothing_has_one_case_that_passed():
    suite = ET.fromstring(FORMATS["junit"]([]).encode())
    assert (suite.get("tests"), suite.get("failures"), len(suite)) == ("1", "0", 1)


FORGED = "widgets/a\n::error file=x::forged\r\x1b[31m\u202e/widget.ts"


@pytest.mark.parametrize("form", ["text", "github"])
@pytest.mark.parametrize(
    "diagnostic",
    [
        Diagnostic(rule="no-eval", message="m", place=Place(path=FORGED, line=1, column=1)),
        Diagnostic(rule="no-eval", message=f"in {FORGED}"),
        Diagnostic(rule="no-eval", message="m", hint=f"rename {FORGED}"),
        Diagnostic(rule="no-eval", message="m", place=Place(path="::error::x.ts")),
        Diagnostic(rule="no-eval", message="m", place=Place(path="##[error]x.ts")),
        Diagnostic(
            rule="no-eval",
            message="m",
            place=Place(path="a", line=1, column=1),
            excerpt="  ::error::x\x1b[2J",
        ),
    ],
    ids=["path", "message", "hint", "begin", "older begin", "excerpt"],
)
def test_name_of_a_file_forges_no_command_and_no_colour(form, diagnostic):
    lines = FORMATS[form]([diagnostic]).splitlines()
    commands = [line for line in lines if re.match(r"\s*(::|##\[)", line)]
    assert len(commands) == (form == "github")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", "".join(lines))


def test_lines_of_a_hint_are_kept():
    text = Diagnostic(rule="missing-key", message="m", hint="add: [tool.awning]\nlanguages = 1").render()
    assert text.splitlines()[-2:] == ["  hint: add: [tool.awning]", "languages = 1"]


@pytest.mark.parametrize("character", "\x1b\x85\u061c\u200e\u200f\u2028\u202e\u2066\ufeff\U000e0041\ud800")
def test_characters_that_a_terminal_acts_on_are_not_printed(character):
    place = Place(path=f"a{character}.ts", line=1, column=1)
    diagnostic = Diagnostic(rule="no-eval", message=character, hint=character, place=place, excerpt=character)
    assert character not in diagnostic.render()
