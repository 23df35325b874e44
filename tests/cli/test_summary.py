"""`awning summary`: what a pull request shows of a run. Files are those that the other verbs write."""

import json
from dataclasses import replace

import pytest
from command_line import run_awning
from project import Project

from awning.build_record import read_build_record
from awning.cli.summary.sizes import compare_sizes
from awning.cli.summary.summary import MARK, as_markdown, read_sarif, summarize
from awning.cli.summary.tests import read_junit
from awning.errors import ConfigurationError

JUNIT = """\
<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="5">
  <testcase classname="widgets.note" name="test_shows[en]"/>
  <testcase classname="widgets.note" name="test_shows[lv]">
    <failure message="no | `text`&#10;second line">x</failure></testcase>
  <testcase classname="widgets.note" name="test_ends"/>
  <testcase classname="widgets.note" name="test_ends"><error message="failed on teardown"/></testcase>
  <testcase classname="widgets.note" name="test_later"><skipped message="not yet"/></testcase>
</testsuite></testsuites>
"""


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path / "shop").add_widget("note").add_widget("other")


@pytest.fixture
def builds(project, tmp_path):
    """Two builds. In the second, a widget is gone, another is new, and `note` has grown."""
    project.build(out=tmp_path / "base")
    (project.root / "widgets/other/widget.toml").unlink()
    for file in sorted((project.root / "widgets/other").rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    (project.root / "widgets/other").rmdir()
    project.add_widget("third", slot="after-cart")
    project.add_file("widgets/note/style.css", ".text { color: rebeccapurple }")
    project.build()
    return tmp_path / "base", project.root / "dist"


def test_sizes_have_changed_new_and_removed_snippets(builds):
    base, dist = (read_build_record(folder) for folder in builds)
    changes = {change.path: change for change in compare_sizes(dist, base)}
    assert changes["widgets/third/body.html"].text() == "new"
    assert changes["widgets/other/body.html"].text() == "removed"
    note = changes["widgets/note/body.html"]
    assert note.difference > 0
    assert note.text() == f"+{note.gzip - note.before}"
    assert "head.html" not in changes, "it is empty in both builds"


def test_equal_builds_have_no_change(builds):
    record = read_build_record(builds[1])
    assert {change.text() for change in compare_sizes(record, record)} == {"="}
    assert {change.text() for change in compare_sizes(record, None)} == {""}


def test_widget_that_changed_is_listed_and_what_only_the_fingerprint_moves_is_counted(project, tmp_path):
    project.build(out=tmp_path / "base")
    project.add_file("widgets/note/style.css", ".text { color: rebeccapurple }")
    project.build()
    summary = summarize(project.root / "dist", against=tmp_path / "base")
    other = next(change for change in summary.sizes if change.path == "widgets/other/body.html")
    assert (other.only_stamp, other.text()) == (True, "=")
    record, base = summary.record, summary.base
    moved = replace(
        base, snippets=tuple(replace(each, gzip=each.gzip and each.gzip + 3) for each in base.snippets)
    )
    text = as_markdown(replace(summary, base=moved))
    table = [
        line.split("`")[1] for line in text.partition("<details>")[0].splitlines() if "`widgets/" in line
    ]
    assert set(table) == {
        each.path for each in record.snippets if each.path.startswith("widgets/note/") and each.gzip
    }
    assert text.index("widgets/note/") < text.index("| `body.html`")
    left_out = [change for change in replace(summary, base=moved).sizes if change.only_stamp]
    assert f"{len(left_out)} sizes left out" in text


def test_junit_counts_each_test_once_and_takes_the_first_line_of_a_reason(tmp_path):
    (tmp_path / "junit.xml").write_text(JUNIT)
    results = read_junit(tmp_path / "junit.xml")
    assert (results.ran, results.skipped) == (3, 1)
    assert [(test.name, test.message) for test in results.failed] == [
        ("widgets.note::test_shows[lv]", "no | `text`"),
        ("widgets.note::test_ends", "failed on teardown"),
    ]


def test_plan_of_the_tests_is_above_their_result(builds, tmp_path):
    lines = ["test widgets/`a`: style.css differs", *(f"test widgets/{number}: new" for number in range(21))]
    properties = "".join(f'<property name="awning-plan" value="{line}"/>' for line in lines)
    own = '<properties><property name="widget" value="note"/></properties>'
    text = JUNIT.replace('tests="5">', f'tests="5"><properties>{properties}</properties>')
    (tmp_path / "junit.xml").write_text(
        text.replace('name="test_ends"/>', f'name="test_ends">{own}</testcase>')
    )
    summary = summarize(builds[1], junit=tmp_path / "junit.xml")
    assert summary.as_json()["tests"]["plan"] == tuple(lines)
    head = as_markdown(summary).partition("**2 of 3 tests failed.**")[0].splitlines()
    assert head[:5] == [MARK, "", "## Widgets", "", "- `test widgets/'a': style.css differs`"]
    assert head[-3:] == ["- `test widgets/18: new`", "- … and 2 more", ""]


def test_junit_has_what_fails_on_the_simplest_page_of_each_widget_first(tmp_path):
    checks = {
        "widgets.note.widget": ("looks-as-before", "every-shop", "focus", "shows-its-state"),
        "widgets.note.test_note": (None,),
        "widgets.other.widget": ("shows-its-state",),
    }
    cases = [
        f'<testcase classname="{place}" name="{check or "test_own"}">'
        + (f'<properties><property name="check" value="{check}"/></properties>' if check else "")
        + '<failure message="no"/></testcase>'
        for place, names in checks.items()
        for check in names
    ]
    (tmp_path / "junit.xml").write_text(f"<testsuite>{''.join(cases)}</testsuite>")
    assert [test.name for test in read_junit(tmp_path / "junit.xml").failed] == [
        "widgets.note.widget::shows-its-state",
        "widgets.note.widget::focus",
        "widgets.note.test_note::test_own",
        "widgets.note.widget::every-shop",
        "widgets.note.widget::looks-as-before",
        "widgets.other.widget::shows-its-state",
    ]


@pytest.mark.parametrize(
    ("reason", "message"),
    [
        ("assert 'In stock\\nBuy' == 'Buy'", "assert 'In stock⏎Buy' == 'Buy'"),
        ("AssertionError: 'In stock\\nBuy'", "AssertionError: 'In stock⏎Buy'"),
        ("AssertionError: C:\\new.ts is missing", "AssertionError: C:\\new.ts is missing"),
        ("assert 'C:\\\\new'", "assert 'C:\\\\new'"),
        ("C:\\new is no folder", "C:\\new is no folder"),
        (
            "it does not look as it did:&#10;    p.note moved&#10;    and more",
            "it does not look as it did: p.note moved",
        ),
    ],
)
def test_reason_in_junit_has_no_backslash_for_a_line_break_and_more_than_a_heading(tmp_path, reason, message):
    case = f'<testcase classname="a" name="b"><failure message="{reason}"/></testcase>'
    (tmp_path / "junit.xml").write_text(f"<testsuite>{case}</testsuite>")
    (test,) = read_junit(tmp_path / "junit.xml").failed
    assert test.message == message


def test_sarif_of_check_is_read(project, tmp_path, monkeypatch, capsys):
    project.add_file("widgets/note/widget.ts", "eval('1')\n")
    monkeypatch.chdir(project.root)
    (tmp_path / "sarif").write_text(run_awning(capsys, "check", "--format", "sarif").out)
    findings = read_sarif(tmp_path / "sarif")
    evals = [finding for finding in findings if finding.rule == "no-eval"]
    assert [(finding.severity, finding.path, finding.line) for finding in evals] == [
        ("error", "widgets/note/widget.ts", 1)
    ]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"runs": 1}', '{"runs": [{"results": [{}]}]}', "<a/>"])
def test_a_file_that_is_something_else_is_refused(tmp_path, text):
    (tmp_path / "file").write_text(text)
    for read in (read_sarif, read_junit):
        with pytest.raises(ConfigurationError, match="is not a"):
            read(tmp_path / "file")


def test_broken_sarif_is_reported_with_the_field(tmp_path):
    result = {"ruleId": "a", "message": {"text": "b"}, "locations": [{"physicalLocation": {"region": 5}}]}
    (tmp_path / "file").write_text(json.dumps({"runs": [{"results": [result]}]}))
    with pytest.raises(ConfigurationError) as caught:
        read_sarif(tmp_path / "file")
    field = "runs[0].results[0].locations[0].physicalLocation.region"
    assert f"is not a SARIF file: {field} must be an object, not a whole number" in str(caught.value)


def test_markdown_has_tests_findings_and_the_change_of_sizes(builds, tmp_path):
    (tmp_path / "junit.xml").write_text(JUNIT)
    text = as_markdown(summarize(builds[1], against=builds[0], junit=tmp_path / "junit.xml"))
    assert text.startswith(f"{MARK}\n")
    assert "**2 of 3 tests failed.** 1 skipped." in text
    assert r"| `widgets.note::test_shows[lv]` | `no \| 'text'` |" in text
    row = next(line for line in text.splitlines() if line.startswith("| `widgets/note/body.html`"))
    assert row.endswith(" %) |")
    assert "| 0 |" in next(line for line in text.splitlines() if "widgets/other/body.html" in line)


def test_markdown_without_a_change_folds_all_sizes(builds):
    text = as_markdown(summarize(builds[1], against=builds[1]))
    assert "No snippet changes its size." in text
    assert "unchanged snippets</summary>" in text


def test_rows_beyond_the_first_twenty_are_counted(builds):
    summary = summarize(builds[1], against=builds[0])
    record = summary.record
    many = [replace(record.snippets[1], path=f"{number}.html", unit="note") for number in range(50)]
    text = as_markdown(replace(summary, record=replace(record, snippets=tuple(many))))
    assert "… and " in text
    assert text.count("| new |") == 20


def test_markdown_of_a_thousand_snippets_fits_into_a_comment(builds):
    summary = summarize(builds[1])
    record = summary.record
    many = [replace(record.snippets[1], path=f"widgets/{number:040}/body.html") for number in range(1000)]
    text = as_markdown(replace(summary, record=replace(record, snippets=tuple(many))))
    assert len(text) < 65_536
    assert "1,000 snippets" in text
    assert "… and 800 more" in text


def test_missing_files_are_named_and_are_no_error(tmp_path):
    summary = summarize(
        tmp_path, against=tmp_path / "base", sarif=tmp_path / "a.sarif", junit=tmp_path / "j.xml"
    )
    text = as_markdown(summary)
    assert "There is no build." in text
    assert [line for line in text.splitlines() if line.startswith("Missing")] == [
        f"Missing: `{tmp_path / name}`" for name in ("build.json", "base/build.json", "a.sarif", "j.xml")
    ]


def test_verb_prints_markdown_or_one_json_document(builds, project, monkeypatch, capsys):
    monkeypatch.chdir(project.root)
    code, markdown, _ = run_awning(capsys, "summary", "--against", builds[0])
    assert (code, markdown.startswith(MARK)) == (0, True)
    ended = run_awning(capsys, "summary", "--against", builds[0], "--json")
    assert ended.code == 0
    document = ended.json
    assert document["schema_version"] == 1
    assert document["base_fingerprint"] == read_build_record(builds[0]).fingerprint
    assert {"path", "gzip", "before", "difference"} <= set(document["sizes"][0])
    assert (document["findings"], document["tests"], document["missing"]) == (None, None, [])
