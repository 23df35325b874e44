"""A misnamed file in a widget's folder is a warning, unless another file names it."""

import pytest
from project import Project

from awning.check.unused import unused_files
from awning.pipeline.incremental import inspect_workspace

MISNAMED = {
    "style2.css": ("style2.css", "style.css: rename"),
    "css/style.css": ("css/style.css", "move the rules there"),
    "view.html": ("view.html", 'did you mean "view.html.j2"?'),
    "view.j2": ("view.j2", 'did you mean "view.html.j2"?'),
    "state.toml": ("state.toml", 'did you mean "states.toml"?'),
    "en.toml": ("en.toml", "message files are in messages/"),
    "message/en.toml": ("message/", "rename the folder"),
    "messages/en.json": ("messages/en.json", "messages/<language>.toml"),
    "schema.json": ("schema.json", 'did you mean "data.schema.json"?'),
}


@pytest.mark.parametrize("path", MISNAMED)
def test_misnamed_file_is_a_warning_with_the_right_name(path):
    place, hint = MISNAMED[path]
    [finding] = unused_files("note", [f"widgets/note/{path}"], lambda _name: False)
    assert (finding.rule, finding.severity) == ("file-unused", "warning")
    assert finding.message == f"awning does not read {place}"
    assert finding.place.path == f"widgets/note/{place.removesuffix('/')}"
    assert hint in finding.hint


@pytest.mark.parametrize(
    "path",
    [
        *("widget.toml", "states.toml", "style.css", "data.schema.json", "view.html.j2", "parts/row.html.j2"),
        *("messages/en.toml", "points.json", "widget.ts", "snapshots/closed.en.txt", "README.md", "logo.svg"),
        *("fixtures/answers.toml", "old.html"),
    ],
)
def test_other_file_is_no_warning(path):
    assert list(unused_files("note", [f"widgets/note/{path}"], lambda _name: False)) == []


def test_misnamed_folder_of_messages_is_reported_once():
    paths = ["widgets/note/message/en.toml", "widgets/note/message/lv.toml"]
    assert len(list(unused_files("note", paths, lambda _name: False))) == 1


def test_file_that_another_file_names_is_no_warning(tmp_path):
    project = Project(tmp_path)
    project.add_widget("note", style_css='@import "./colours.css";\np { color: var(--c) }\n')
    project.add_file("widgets/note/colours.css", ":root { --c: teal }\n")
    project.add_file("widgets/note/style2.css", "/* style2.css */\n")
    project.add_file("widgets/note/view.html", "<p>Hello</p>\n")
    findings = inspect_workspace(project.root, types=False).counted()
    assert {(finding.rule, finding.place.path) for finding in findings} == {
        ("file-unused", "widgets/note/style2.css"),
        ("file-unused", "widgets/note/view.html"),
    }


COMMENT = "awning-ignore file-unused: the designer's notes"


NOTES = {
    "style2.css": f"/* {COMMENT} */\np {{ color: red }}\n",
    "view.html": f"<!-- {COMMENT} -->\n<p>x</p>\n",
    "state.toml": f"# {COMMENT}\n",
    "message/en.toml": f"# {COMMENT}\na = 'b'\n",
}


def test_comment_in_the_first_line_silences_the_warning(tmp_path):
    project = Project(tmp_path).add_widget("note")
    for path, text in NOTES.items():
        project.add_file(f"widgets/note/{path}", text)
    assert inspect_workspace(project.root, types=False).counted() == ()
    for path, text in NOTES.items():
        project.add_file(f"widgets/note/{path}", f"\n{text}")
    findings = inspect_workspace(project.root, types=False).counted()
    assert [finding.rule for finding in findings] == ["file-unused"] * len(NOTES)


def test_misnamed_file_that_is_not_utf_8_is_a_warning(tmp_path):
    project = Project(tmp_path).add_widget("note")
    (project.root / "widgets/note/view.html").write_bytes(b"<p>caf\xe9</p>\n")
    assert [finding.rule for finding in inspect_workspace(project.root, types=False).counted()] == [
        "file-unused"
    ]
