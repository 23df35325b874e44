"""A style sheet of another host is found, wherever a widget's styles import it."""

import pytest
from project import Project

from awning.pipeline import inspect_workspace


def found(project):
    findings = inspect_workspace(project.root).counted()
    return [(f.severity, str(f.place)) for f in findings if f.rule == "style-import"]


@pytest.mark.parametrize(
    "statement",
    [
        '@import url("https://cdn.example/a.css");',
        "@import url( //cdn.example/a.css );",
        "@import 'http://cdn.example/a.css' layer(base) supports(display: grid) screen;",
        '@IMPORT /* fonts */ URL("HTTPS://fonts.example/css2?family=A;B");',
    ],
)
@pytest.mark.parametrize("isolation", ["scoped", "shadow"])
def test_import_from_another_host_is_an_error(tmp_path, statement, isolation):
    toml = f'title = "Note"\nslot = "after-price"\nisolation = "{isolation}"\n'
    project = Project(tmp_path).add_widget(
        "note", widget_toml=toml, style_css=f"/* a */\n{statement}\np {{ color: red }}\n"
    )
    assert found(project) == [("error", "widgets/note/style.css:2:1")]


def test_sheet_that_a_widgets_style_imports_is_read_too(tmp_path):
    project = Project(tmp_path).add_widget(
        "note", style_css='@import "./a.css";\n@import "../_shared/b.css";\n'
    )
    for path in ("widgets/note/a.css", "widgets/_shared/b.css"):
        project.add_file(path, '@import "https://cdn.example/a.css";\n')
    assert found(project) == [("error", "widgets/_shared/b.css:1:1"), ("error", "widgets/note/a.css:1:1")]


@pytest.mark.parametrize(
    "css",
    [
        '@import "./a.css";\n',
        '/* @import "https://cdn.example/a.css"; */\np { content: \'@import "https://x.example/a.css";\' }\n',
        '/* awning-ignore style-import: the shop hosts it */\n@import "https://cdn.example/a.css";\n',
    ],
)
def test_other_styles_are_no_error(tmp_path, css):
    project = (
        Project(tmp_path)
        .add_widget("note", style_css=css)
        .add_file("widgets/note/a.css", "p { color: red }\n")
    )
    assert found(project) == []
