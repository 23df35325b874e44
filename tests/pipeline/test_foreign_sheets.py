"""A style sheet of another host is found, wherever a widget's styles import it."""

import pytest
from project import Project

from awning.pipeline.incremental import inspect_workspace


def imports(findings):
    """The severity of each finding about an import, its file below the widget, its line and its column."""
    found = (f for f in findings if f.rule == "style-import")
    return [(f.severity, f.place.path.split("/", 2)[2], f.place.line, f.place.column) for f in found]


STATEMENTS = (
    '@import url("https://cdn.example/a.css");',
    "@import url( //cdn.example/a.css );",
    "@import 'http://cdn.example/a.css' layer(base) supports(display: grid) screen;",
    '@IMPORT /* fonts */ URL("HTTPS://fonts.example/css2?family=A;B");',
)
FOREIGN = [(statement, isolation) for statement in STATEMENTS for isolation in ("scoped", "shadow")]


@pytest.mark.parametrize("case", FOREIGN, ids=str)
def test_import_from_another_host_is_an_error(findings_of, case):
    def files(case):
        statement, isolation = case
        toml = f'title = "Note"\nslot = "after-price"\nisolation = "{isolation}"\n'
        return {"widget_toml": toml, "style_css": f"/* a */\n{statement}\np {{ color: red }}\n"}

    assert imports(findings_of(FOREIGN, files)[case]) == [("error", "style.css", 2, 1)]


def test_sheet_that_a_widgets_style_imports_is_read_too(tmp_path):
    project = Project(tmp_path).add_widget(
        "note", style_css='@import "./a.css";\n@import "../_shared/b.css";\n'
    )
    for path in ("widgets/note/a.css", "widgets/_shared/b.css"):
        project.add_file(path, '@import "https://cdn.example/a.css";\n')
    findings = inspect_workspace(project.root, types=False).counted()
    assert imports(findings) == [("error", "b.css", 1, 1), ("error", "a.css", 1, 1)]


OWN = [
    '@import "./a.css";\n',
    '/* @import "https://cdn.example/a.css"; */\np { content: \'@import "https://x.example/a.css";\' }\n',
    '/* awning-ignore style-import: the shop hosts it */\n@import "https://cdn.example/a.css";\n',
]


@pytest.mark.parametrize("css", OWN)
def test_other_styles_are_no_error(findings_of, css):
    findings = findings_of(OWN, lambda css: {"style_css": css, "a_css": "p { color: red }\n"})
    assert imports(findings[css]) == []
