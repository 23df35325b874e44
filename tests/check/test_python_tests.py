"""Python tests with a syntax error are found before pytest is run."""

import pytest
from project import Project

from awning.check.python_tests import python_test_findings
from awning.errors import Faulty
from awning.pipeline.incremental import build, inspect_workspace

BROKEN = "def test_note(storefront):\n    assert storefront.product('P1'\n"


@pytest.mark.parametrize(
    ("content", "place", "message"),
    [
        (BROKEN.encode(), "t.py:2:", "'(' was never closed"),
        ("é = 1 é\n".encode(), "t.py:1:", "invalid syntax"),
        (b"if a:\nb\n", "t.py:2:1", "expected an indented block"),
        (b"return 1\n", "t.py:1:1", "'return' outside function"),
        (b"a = '\xff'\n", "t.py:1", "utf-8"),
        (b"a\0b", "t.py:1", "null bytes"),
        (b"[" * 100_000, "t.py:1", "too many nested parentheses"),
        (b"-" * 100_000 + b"1", "t.py:1", "nested too deeply"),
        (b"a" + b".a" * 100_000, "t.py:1", "nested too deeply"),
    ],
)
def test_syntax_error_is_found_with_its_place(content, place, message):
    [finding] = python_test_findings("t.py", content)
    assert (finding.rule, finding.severity) == ("test-syntax", "error")
    assert str(finding.place).startswith(place)
    assert message in finding.message
    assert len(finding.excerpt or "") <= 200


@pytest.mark.parametrize(
    "content", [b"", b"\xef\xbb\xbfa = 1\n", b"a = '\\d'\n", b"async def test_a():\n    await b\n"]
)
def test_valid_python_is_no_error(content):
    assert python_test_findings("t.py", content) == []


TESTS = (
    "tests/deep/test_app.py",
    "tests/test_app.py",
    "widgets/note/conftest.py",
    "widgets/note/parts/note_test.py",
    "widgets/note/test_note.py",
)
OTHERS = ("tool.py", "tests/.venv/test_a.py", "tests/data.py", "widgets/note/node_modules/test_a.py")


def test_test_file_is_checked_and_other_python_is_not(tmp_path):
    project = Project(tmp_path).add_widget("note")
    for path in (*TESTS, *OTHERS):
        project.add_file(path, BROKEN)
    findings = inspect_workspace(project.root, types=False).counted()
    assert sorted((finding.rule, finding.place.path, finding.place.line) for finding in findings) == [
        ("test-syntax", path, 2) for path in TESTS
    ]
    with pytest.raises(Faulty):
        build(project.root, types=False)


def test_saved_test_is_checked_again_after_an_unchanged_build(tmp_path):
    project = Project(tmp_path).add_widget("note").add_file("tests/test_app.py", "a = 1\n")
    build(project.root, types=False)
    assert not build(project.root, types=False).fresh
    project.add_file("tests/test_app.py", BROKEN)
    with pytest.raises(Faulty):
        build(project.root, types=False)
