"""A broken tsconfig.json is a warning at its place. Builds do not use the file."""

import pytest

from awning.workspace.tsconfig import tsconfig_fault

GOOD = (
    "{}",
    "",
    '\ufeff{"include": ["widgets"]}',
    '// a comment\n{"a": [1, 2,], /* another, */ "b": {"c": 1, // last\n},}',
    '{"url": "https://a.example/*", "comma": ",]"}',
)
BROKEN = (
    ('{\n  "compilerOptions": {\n', 2, 23),
    ('{"a": 1,, "b": 2}', 1, 9),
    ('/* { */\n{"a": tru}', 2, 7),
    ('{"a": "b}', 1, 7),
    ("/**/" * 2000 + "{", 1, 8002),
)


@pytest.mark.parametrize("text", GOOD)
def test_tsconfig_that_typescript_reads_has_no_fault(tmp_path, text):
    (tmp_path / "tsconfig.json").write_text(text, encoding="utf-8")
    assert tsconfig_fault(tmp_path) is None


def test_missing_tsconfig_has_no_fault(tmp_path):
    assert tsconfig_fault(tmp_path) is None


@pytest.mark.parametrize(("text", "line", "column"), BROKEN)
def test_broken_tsconfig_is_a_warning_at_its_place(tmp_path, text, line, column):
    (tmp_path / "tsconfig.json").write_text(text, encoding="utf-8")
    fault = tsconfig_fault(tmp_path)
    assert (fault.rule, fault.severity) == ("tsconfig-syntax", "warning")
    assert (fault.place.path, fault.place.line, fault.place.column) == ("tsconfig.json", line, column)


def test_build_reports_a_broken_tsconfig_until_it_is_mended(project):
    project.add_widget("note").add_file("tsconfig.json", "{")
    rules = [[diagnostic.rule for diagnostic in project.read().diagnostics]]
    project.add_file("tsconfig.json", "{}")
    rules.append([diagnostic.rule for diagnostic in project.read().diagnostics])
    assert rules == [["tsconfig-syntax"], []]


def test_tsconfig_may_be_a_link_out_of_the_workspace(project, tmp_path_factory):
    shared = tmp_path_factory.mktemp("shared") / "tsconfig.json"
    shared.write_text("{}", encoding="utf-8")
    project.add_widget("note")
    (project.root / "tsconfig.json").symlink_to(shared)
    assert project.read().diagnostics == ()
