"""A source that is not UTF-8 is an error with its place, in `build` and in `check`. Nothing is guessed."""

import pytest

from awning.errors import Faulty
from awning.pipeline.incremental import inspect_workspace


def spoil(project, path, content):
    project.add_file(path, "")
    (project.root / path).write_bytes(content)


SPOILT = {
    "widget.ts": (
        b'import { afterPrice } from "awning";\r\nexport default afterPrice(() => "");// \xff\n',
        2,
        40,
    ),
    "view.html.j2": ("<p>\n  ē".encode() + b"\xff</p>", 2, 4),
    "style.css": (b"\xef\xbb\xbf.a::before { content: '\xe7' }", 1, 24),
    "messages/lv.toml": (b'hello = "R\xeega"\n', 1, 11),
    "notes.txt": (b"\xff", 1, 1),
}


@pytest.mark.parametrize("name", SPOILT)
def test_byte_that_is_not_utf_8_is_reported_at_its_place(project, name):
    content, line, column = SPOILT[name]
    spoil(project.add_widget(), f"widgets/note/{name}", content)
    with pytest.raises(Faulty) as raised:
        project.build()
    for diagnostics in (raised.value.diagnostics, inspect_workspace(project.root, environ={}).counted()):
        (diagnostic,) = diagnostics
        assert (diagnostic.rule, str(diagnostic.place)) == (
            "file-encoding",
            f"widgets/note/{name}:{line}:{column}",
        )
        assert diagnostic.excerpt[column - 1] == "\ufffd"


def test_included_file_of_any_ending_is_checked(project):
    project.add_widget(view_html_j2='{% include "part.html" %}')
    spoil(project, "widgets/note/part.html", b"<p>\xff")
    for read in (project.build, project.build):
        with pytest.raises(Faulty, match=r"widgets/note/part\.html:1:4: error\[file-encoding\]"):
            read()


def test_other_files_may_hold_any_bytes(project):
    spoil(project.add_widget(), "widgets/note/photo.webp", b"RIFF\xff\xfe")
    assert project.build()
    assert inspect_workspace(project.root, environ={}).counted() == ()
